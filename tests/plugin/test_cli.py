"""The command line: sentences on stderr, honest exit codes, no traceback."""

from __future__ import annotations

import argparse
import json
import os
import pkgutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from goldspan.adapters.csv import CsvAdapter
from goldspan.plugin.cli import build_parser, main
from goldspan.plugin.cli import verbs as verb_modules
from goldspan.plugin.cli.verbs import VERBS

ROWS = "task,annotator,category,start,end\nt1,a,X,0,5\nt1,b,X,0,6\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def verbs() -> list[str]:
    (action,) = (a for a in build_parser()._actions if a.dest == "verb")
    return sorted(action.choices or [])


def test_verbs_are_listed_as_they_declare_themselves() -> None:
    (action,) = (a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction))
    assert {choice.dest: choice.help for choice in action._choices_actions} == VERBS
    modules = {info.name.replace("_", "-") for info in pkgutil.iter_modules(verb_modules.__path__)}
    assert modules == set(VERBS)


@pytest.mark.parametrize("words", [["score", "--help"], ["--help"], ["--version"], ["nothing"], []])
def test_a_command_is_understood_as_with_the_parser_of_all_verbs(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        build_parser().parse_args(words)
    everything = capsys.readouterr()
    assert main(words) == ended.value.code
    assert capsys.readouterr() == everything


def test_help_loads_no_verb() -> None:
    script = (
        "import sys; from goldspan.plugin.cli import main; main(['--help']);"
        "print(*sorted(n for n in sys.modules if n.startswith(('goldspan.', 'numpy', 'msgspec'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )  # fmt: skip
    assert set(done.stdout.splitlines()[-1].split()) == {
        "goldspan.engine", "goldspan.engine.errors", "goldspan.plugin", "goldspan.plugin.cli",
        "goldspan.plugin.cli.verbs", "goldspan.plugin.terminal",
    }  # fmt: skip


def test_convert_writes_and_says_what_it_took_it_for(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    assert main(["convert", str(table), "--to", "csv", "--output", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == ROWS
    said = capsys.readouterr()
    assert said.out == ""
    assert f"reading {table} as csv" in said.err
    assert "goldspan: tasks: 1, units: 2, annotators: 2 (a, b)\n" in said.err
    assert main(["convert", str(table), "--to", "csv", "-o", str(out), "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_every_reading_option_arrives(table: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("X,Y\n", encoding="utf-8")
    who = tmp_path / "who.csv"
    who.write_text("document,annotator,status\nt1,b,skipped\nt1,c,empty\n", encoding="utf-8")
    out = tmp_path / "out.csv"
    options = ["--rename-labels", str(labels), "--assignments", str(who), "--from", "csv"]
    assert main(["convert", str(table), *options, "--to", "csv", "-o", str(out)]) == 0
    assert out.read_text(encoding="utf-8").splitlines()[1:] == ["t1,a,Y,0,5"]
    beside = (tmp_path / "out.assignments.csv").read_text(encoding="utf-8")
    assert beside.splitlines()[1:] == ["t1,a,done", "t1,b,skipped", "t1,c,empty"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "the following arguments are required: VERB"),
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["convert", "IN"], "the following arguments are required: --to"),
        (["convert", "IN", "--to", "cvs", "-o", "OUT"], "there is no format 'cvs'; there are"),
        (["convert", "missing", "--to", "csv", "-o", "OUT"], "missing: there is no such file"),
        (["convert", "IN", "--to", "csv", "-o", "IN"], "inputs are never edited"),
        (["convert", "IN", "--from", "cvs", "--to", "csv", "-o", "OUT"], "no format 'cvs'"),
        (["convert", "IN", "--to", "csv", "-o", "DIR"], "is a folder; name a file"),
        (["convert", "IN", "--to", "csv", "-o", "OUT", "--empty", "maybe"], "invalid choice"),
        (["convert", "IN", "--to", "csv", "-o", "IN/x.csv"], "inputs are never edited"),
        (["convert", "IN", "--to", "csv", "-o", "OUT", "--assignments", "no"], "no: No such file"),
        (["convert", "LOCKED", "--to", "csv", "-o", "OUT"], "locked.csv: "),
        (["convert", "LOOP", "--to", "csv", "-o", "OUT"], "loop: there is no such file"),
        (["convert", "LOOP", "--from", "csv", "--to", "csv", "-o", "OUT"], "loop: there is no"),
        (["convert", "IN", "--to", "csv", "-o", "LOOP"], "loop is a link that leads nowhere"),
        (["score", "IN", "--json", "LOOP"], "loop is a link that leads nowhere"),
        (["score", "IN", "--json", "PIPE"], "pipe is neither a file nor a folder"),
        (["convert", "IN", "--to", "brat", "-o", "PIPE"], "pipe is neither a file nor a folder"),
    ],
)
def test_bad_usage_is_one_sentence_and_exit_2(
    table: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    sentence: str,
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    locked = tmp_path / "locked.csv"
    locked.mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    names = {"IN": table, "OUT": tmp_path / "o.csv", "DIR": folder, "LOCKED": locked}
    names |= {"LOOP": tmp_path / "loop", "PIPE": tmp_path / "pipe"}
    monkeypatch.chdir(tmp_path)
    made = [a.replace("IN", str(table), 1) if a.startswith("IN") else str(names.get(a, a))
            for a in arguments]  # fmt: skip
    assert main(made) == 2
    said = capsys.readouterr()
    assert said.out == ""
    lines = [line for line in said.err.splitlines() if "reading" not in line]
    assert len(lines) == 1
    assert sentence in lines[0]
    assert not (tmp_path / "o.csv").exists()


def test_a_file_that_may_not_be_read(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    out = str(tmp_path / "o.csv")
    assert main(["convert", str(table), "--from", "csv", "--to", "csv", "-o", out]) == 2
    assert capsys.readouterr().err == f"goldspan: {table}: Permission denied\n"


def test_a_fault_of_our_own_is_a_sentence_too(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise LookupError("no such\nthing")

    monkeypatch.setattr(CsvAdapter, "read", fail)
    monkeypatch.delenv("GOLDSPAN_DEBUG", raising=False)
    arguments = ["convert", str(table), "--from", "csv", "--to", "csv", "-o", str(tmp_path / "o")]
    sentence = "goldspan: goldspan itself failed (LookupError: no such thing); this is a bug in "
    sentence += "goldspan, please report it with what GOLDSPAN_DEBUG=1 shows\n"
    assert main(arguments) == 70
    assert capsys.readouterr().err == sentence
    monkeypatch.setenv("GOLDSPAN_DEBUG", "1")
    assert main(arguments) == 70
    said = capsys.readouterr().err
    assert said.startswith("Traceback")
    assert said.endswith(sentence)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.rttm", ""),
        ("x.csv", "task,annotator,category,start,end\n"),
        ("label-studio.json", "[]"),
        ("doccano.jsonl", ""),
        ("prodigy.jsonl", ""),
        ("spacy.jsonl", "\n"),
    ],
)
def test_a_file_with_nothing_in_it_is_not_converted(
    name: str, content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / name, tmp_path / "out.csv"
    path.write_text(content, encoding="utf-8")
    form = path.suffix[1:] if path.stem == "x" else path.stem
    assert main(["convert", str(path), "--from", form, "--to", "csv", "-o", str(out)]) == 2
    assert f"{name}: there is no task in it; check the export" in capsys.readouterr().err
    assert not out.exists()


def test_formats_for_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats"]) == 0
    assert "csv" in capsys.readouterr().out
    assert main(["formats", "--json", "-"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {
        "name", "reads", "writes", "summary", "annotators", "presence", "extra",
        "reading_options", "writing_options",
    } == set(rows[0])  # fmt: skip


def test_one_format_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats", "brat"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("brat: .txt and .ann")
    assert "  --fragments hull|split (default hull): discontinuous spans" in shown
    assert main(["formats", "label-studio", "--json", "-"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert [one["flag"] for one in row["reading_options"]] == [
        "--include-predictions",
        "--starred",
    ]
    (truth,) = row["writing_options"]
    assert (truth["name"], truth["kind"], truth["default"]) == ("ground_truth", "bool", False)
    assert main(["formats", "cvs"]) == 2
    assert "there is no format 'cvs'; there are brat" in capsys.readouterr().err


def test_help_groups_the_options_of_formats(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "--help"]) == 0
    shown = capsys.readouterr().out
    assert "reading elan:\n  --include-inferred" in shown
    assert "writing label-studio, prodigy:\n  --ground-truth" in shown


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["--include-inferred", "--to", "csv"], "--include-inferred does not apply to the format"),
        (["--fragments", "hull", "--to", "csv"], "--fragments does not apply to the format 'csv'"),
        (["--to", "csv", "--ground-truth"], "--ground-truth does not apply to the format 'csv'"),
    ],
)
def test_an_option_of_another_format_is_refused(
    words: list[str], option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, out = tmp_path / "x.csv", tmp_path / "out.csv"
    table.write_text("ann,X,0,5\n", encoding="utf-8")
    assert main(["convert", str(table), *words, "-o", str(out)]) == 2
    assert option in capsys.readouterr().err
    assert not out.exists()


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("goldspan 0.")


@pytest.mark.parametrize("verb", verbs())
def test_every_verb_has_help_with_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([verb, "--help"]) == 0
    assert "Example" in capsys.readouterr().out


def run(*arguments: str) -> subprocess.Popen[str]:
    # A shell starts background jobs deaf to interrupts, and their children would be so too.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "goldspan.plugin", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("arguments", [("formats", "--json", "-"), ("formats",)])
def test_a_broken_pipe_is_no_news_and_no_gate(arguments: tuple[str, ...]) -> None:
    with run(*arguments) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


def test_formats_shows_every_option_in_full(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["formats"]) == 0
    table = capsys.readouterr().out
    assert "…" not in table
    assert "--annotator-from" in table
    assert max(map(len, table.splitlines())) <= 80


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a Unix thing")
def test_an_interrupt_leaves_no_traceback(tmp_path: Path) -> None:
    fifo = tmp_path / "in.csv"
    os.mkfifo(fifo)
    out = str(tmp_path / "o.csv")
    with run("convert", str(fifo), "--from", "csv", "--to", "csv", "-o", out) as process:
        # Opening waits for the other end: the command is reading, and can be interrupted.
        with fifo.open("wb"):
            process.send_signal(signal.SIGINT)
            process.wait(180)
        try:
            _, said = process.communicate(timeout=180)
        finally:
            process.kill()
    assert process.returncode == 130
    assert said == "goldspan: interrupted\n"


@pytest.mark.parametrize("arguments", [["--help"], ["formats"], ["convert", "--help"]])
def test_light_verbs_import_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys; from goldspan.plugin.cli import main; main(sys.argv[1:]); "
        "heavy = {'numba', 'llvmlite', 'scipy', 'spacy', 'highspy', 'pulp', 'cassis', 'praatio'}; "
        "sys.exit(', '.join(heavy & set(sys.modules)) or None)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stderr == ""
