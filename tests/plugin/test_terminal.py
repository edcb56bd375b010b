"""Nothing that comes from files or arguments acts on a terminal, whatever the verb."""

from __future__ import annotations

import io
import json
import logging
import os
import pty
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.cli import app
from spacy.util import registry
from typer.testing import CliRunner

from goldspan.plugin.cli import build_parser, main
from goldspan.plugin.cli.console import VisibleConsole, escape
from goldspan.plugin.cli.progress import progress_bar
from goldspan.plugin.label_studio.connection import ConnectionRequest
from goldspan.plugin.service.log import ThrottledHandler
from goldspan.plugin.terminal import visible
from label_studio_export import annotation, region, task
from label_studio_recorded import Recorded

ROOT = Path(__file__).parents[2]
CLIPBOARD = "\x1b]52;c;aGFjaw==\x07"
HOSTILE = f"{CLIPBOARD}\x9b31m\x7f\x08\u202egnp\u2066\u200f\u061c"
SHOWN = visible(HOSTILE)
PAYLOAD = "aGFjaw"
"""What is left of it in every kind of quoting."""

DIRECTIONS = {"\u061c", *"\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}
OURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
"""Colours, and the cursor's moves that a progress bar makes."""


def acting(text: str) -> set[str]:
    """The characters in it that a terminal obeys, line feeds aside."""
    found = {char for char in text if unicodedata.category(char) == "Cc" or char in DIRECTIONS}
    return found - {"\n"}


@given(st.text())
def test_visible_text_never_acts(text: str) -> None:
    assert acting(visible(text)) == set()
    assert "\n" not in visible(text)
    assert acting(visible(text, lines=True)) == set()
    assert visible(visible(text)) == visible(text)


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_that_was_made_visible_is_the_same_json(value: Any) -> None:
    for indent in (None, 1):
        written = json.dumps(value, ensure_ascii=False, indent=indent)
        assert json.loads(visible(written, lines=True)) == value


def test_plain_text_stays_as_it_is() -> None:
    for text in ("γcat = .5", "日本語", "שלום", "a\u200db", "C:\\new", "é"):
        assert visible(text) == text


# Every verb


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A csv file whose name, tasks, annotators and labels all try it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "2000")
    path = tmp_path / f"in {HOSTILE}.csv"
    rows = ["task,annotator,category,start,end,length"]
    for number in range(3):
        for who in ("al", "bo", "cy"):
            for place in range(4):
                start = 20 * place + 3 * (who == "bo")
                label = f"[bold]L{place % 2}{HOSTILE}"
                rows.append(
                    f'"t{number}{HOSTILE}","{who}{HOSTILE}","{label}",{start},{start + 9},99'
                )
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr()
    assert acting(said.out) == set()
    assert acting(said.err) == set()
    return said.out + said.err


READ = ["--empty", "seen", "--precision", "0.3", "--level", "0.8"]
SERVER = ["--url", "http://localhost:1", "--project", "1"]
BAD, WORSE = f"a{HOSTILE}", f"--b{HOSTILE}"
TRIED = [
    (["score", "TABLE", *READ], 0),
    (["score", "TABLE", *READ, "--json", "-"], 0),
    (["score", "TABLE", *READ, "--markdown", "-"], 0),
    (["score", "TABLE", *READ, "--html", f"r{HOSTILE}.html", "--csv", f"c{HOSTILE}"], 0),
    (["score", "TABLE", *READ, "--min-gamma-k", f"[bold]L0{HOSTILE}=1.5", "--gate", "value"], 1),
    (["score", "TABLE", *READ, "--min-gamma-k", f"{HOSTILE}=1"], 2),
    (["score", f"missing{HOSTILE}"], 2),
    (["score", "TABLE", "--from", BAD], 2),
    (["score", "TABLE", "--level", BAD], 2),
    (["score", "TABLE", "--exclude-annotator", BAD, *READ], 0),
    (["gold", "TABLE", *READ[:4], "--to", "csv", "-o", f"g{HOSTILE}.csv", "--json", "-"], 0),
    (["gold", "TABLE", *READ[:4], "--to", "csv", "-o", "g", "--decisions", f"d{HOSTILE}.csv"], 0),
    (["gold", "TABLE", "--to", BAD, "-o", "x"], 2),
    (["convert", "TABLE", *READ[:2], "--to", "csv", "-o", f"c{HOSTILE}.csv"], 0),
    (["convert", "TABLE", *READ[:2], "--to", "brat", "-o", f"c{HOSTILE}"], 2),
    (["convert", "TABLE", "--to", "csv", "-o", "TABLE"], 2),
    (["compare", f"no{HOSTILE}.json", "x.json"], 2),
    (["annotators", f"missing{HOSTILE}"], 2),
    (["annotators", "TABLE", *READ, "--csv", f"c{HOSTILE}"], 0),
    (["open", f"missing{HOSTILE}"], 2),
    (["plan", "TABLE", *READ[:4]], 2),
    (["plan", f"missing{HOSTILE}"], 2),
    (["shuffle", "--reference", "TABLE", "--errors", "position", "--to", "csv", "-o", "s.csv"], 2),
    (["shuffle", "--errors", BAD, "--to", "csv", "-o", f"s{HOSTILE}.csv"], 2),
    (["curves", "--paper", BAD], 2),
    (["curves", "--measures", BAD, "--errors", "position"], 2),
    (["adjudicate", f"missing{HOSTILE}", "-o", f"g{HOSTILE}.csv"], 2),
    (["adjudicate", "TABLE", *READ[:4], "--to", BAD, "-o", "x"], 2),
    (["conformance", "--check", f"missing{HOSTILE}"], 2),
    (["conformance", "--check", "TABLE"], 2),
    (["demo", "TABLE"], 2),
    (["demo", f"demo{HOSTILE}"], 0),
    (["formats", BAD], 2),
    (["formats", "--json", BAD], 2),
    (["label-studio", BAD], 2),
    (["label-studio", "status", "--project", BAD], 2),
    (["label-studio", "status", *SERVER, "--token-file", BAD], 2),
    (["label-studio", "sync", *SERVER, "--token-file", BAD], 2),
    (["label-studio", "route", *SERVER, "--token-file", BAD], 2),
    (["label-studio", "setup", *SERVER, "--service-url", BAD], 2),
    (["label-studio", "serve", "--host", BAD], 2),
    (["label-studio", "serve", "--password-file", BAD], 2),
    (["label-studio", "serve", "--folder", "TABLE", "--port", "0"], 2),
    ([BAD], 2),
    (["score", "TABLE", WORSE], 2),
]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "code"), TRIED, ids=[visible(" ".join(w)).replace(SHOWN, "!") for w, _ in TRIED]
)
def test_no_verb_lets_anything_through(
    words: list[str], code: int, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(table) if word == "TABLE" else word for word in words]) == code
    assert PAYLOAD in printed(capsys), "it was said, and can be seen"


def test_every_verb_was_tried() -> None:
    (action,) = (a for a in build_parser()._actions if a.dest == "verb")
    assert set(action.choices or ()) <= {words[0] for words, _ in TRIED}
    (part,) = (a for a in action.choices["label-studio"]._actions if a.dest == "part")  # type: ignore[index, call-overload]
    assert set(part.choices) <= {words[1] for words, _ in TRIED if words[0] == "label-studio"}


def test_compare(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"one{HOSTILE}.json", f"two{HOSTILE}.json"]
    for seed, name in enumerate(names):
        assert main(["score", str(table), *READ, "--json", name, "--seed", str(seed)]) == 0
    capsys.readouterr()
    for words in ([], ["--json", "-"], ["--markdown", "-"], ["--html", f"t{HOSTILE}.html"]):
        assert main(["compare", *names, *words]) == 0
        assert PAYLOAD in printed(capsys)


def test_json_on_standard_output_is_data(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(table), *READ, "--json", "-", "--quiet"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert f"[bold]L0{HOSTILE}" in result["corpus"]["gamma_k"]


@pytest.mark.parametrize("words", [["status"], ["sync", "--dry-run"]])
def test_what_a_server_says(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COLUMNS", "2000")
    text = f"Anna met Bob {HOSTILE}"
    spans = region(0, 4, f"PER{HOSTILE}", text="Anna"), region(9, 12, "LOC", text="Bob")
    tasks = [
        task(n, {"text": text}, annotation(1, *spans), annotation(2, *spans[:n])) for n in (1, 2)
    ]
    config = f'<View><Labels name="label" toName="text"><Label value="{HOSTILE[-5:]}"/></Labels>'
    config += '<Text name="text" value="$text"/></View>'
    server = Recorded(tasks, title=f"Title\nok {HOSTILE}", label_config=config)
    monkeypatch.setattr(ConnectionRequest, "connect", lambda _: server)
    given_words = ["--project", "5", "--folder", str(tmp_path / f"f{HOSTILE}")]
    assert main(["label-studio", *words, *given_words]) in (0, 1)
    assert SHOWN in printed(capsys)


def test_the_step_of_spacy(table: Path) -> None:
    for words in (["score", str(table), *READ], ["score", "TABLE", WORSE], [BAD]):
        assert "goldspan" in registry.cli.get_all()
        said = CliRunner().invoke(app, ["goldspan", *words]).output
        assert PAYLOAD in said
        assert acting(said) == set()


def test_a_fault_of_our_own(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        sys.stderr.writelines([HOSTILE])  # as a library's warning may do
        raise LookupError(HOSTILE)

    monkeypatch.setattr("goldspan.adapters.csv.CsvAdapter.read", fail)
    monkeypatch.setenv("GOLDSPAN_DEBUG", "1")
    assert main(["score", str(table)]) == 70
    assert printed(capsys).count(SHOWN) >= 3


# On a terminal, with colours


def on_a_terminal(*words: str) -> tuple[str, int]:
    """What a command writes when its output and errors are a terminal; and its exit code."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": "2000", "TERM": "xterm"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(
        [sys.executable, "-m", "goldspan.plugin", *words], stdout=theirs, stderr=theirs,
        env=environment,
    ) as process:  # fmt: skip
        os.close(theirs)
        said = b"".join(_pieces(ours))
    os.close(ours)
    return said.decode().replace("\r\n", "\n"), process.returncode


def _pieces(handle: int) -> Iterator[bytes]:
    try:
        while piece := os.read(handle, 65536):
            yield piece
    except OSError:  # Linux says so when the other side has closed
        return


def test_a_table_on_a_terminal_has_our_colours_only(table: Path) -> None:
    said, code = on_a_terminal("score", str(table), *READ)
    assert code == 0
    assert OURS.search(said)
    assert SHOWN in OURS.sub("", said)
    assert acting(OURS.sub("", said)) == set()


def test_columns_stay_aligned() -> None:
    from rich.table import Table  # noqa: PLC0415 - as the verbs do

    table = Table("label", "n")
    for label in ("plain", HOSTILE, "two\nlines"):
        table.add_row(escape(label), "1")
    out = io.StringIO()
    VisibleConsole(out).print(table)
    lines = out.getvalue().splitlines()
    assert len({len(line) for line in lines}) == 1
    assert "two\\nlines" in out.getvalue()


class Screen(io.StringIO):
    """A terminal that keeps what it is sent."""

    def isatty(self) -> bool:
        return True


def test_a_progress_bar_shows_what_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "2000")
    screen = Screen()
    with progress_bar(quiet=False, stream=screen, clock=iter(range(99)).__next__) as progress:
        progress(f"[bold]aligning {HOSTILE}", 1, 2)
        progress(f"[bold]aligning {HOSTILE}", 2, 2)
    said = OURS.sub("", screen.getvalue())
    assert f"[bold]aligning {SHOWN}" in said
    assert acting(said) == set()


def test_a_log_record_is_one_visible_line() -> None:
    out = io.StringIO()
    handler = ThrottledHandler(out)
    record = logging.makeLogRecord(
        {"msg": "a title\n2026-01-01 all is well %s", "args": (HOSTILE,)}
    )
    handler.emit(record)
    assert out.getvalue().count("\n") == 1
    assert acting(out.getvalue()) == set()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is full")
def test_a_full_disk_behind_standard_output_is_a_sentence(table: Path) -> None:
    for words in (["formats"], ["score", str(table), *READ, "--json", "-", "--quiet"]):
        with Path("/dev/full").open("w", encoding="utf-8") as full:
            done = subprocess.run(
                [sys.executable, "-m", "goldspan.plugin", *words],
                stdout=full, stderr=subprocess.PIPE, text=True, check=False,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            )  # fmt: skip
        assert done.stderr == "goldspan: standard output: No space left on device\n"
        assert done.returncode == 2


def test_nothing_prints_past_the_guard() -> None:
    """A new console would let through what the guarded one does not."""
    for path in (ROOT / "plugin").rglob("*.py"):
        if path.name != "console.py":
            source = path.read_text(encoding="utf-8")
            assert not re.search(r"(?<!Visible)\bConsole\(", source), path
            assert "rich.print" not in source, path
            # A journal is a file that is open by number; its bytes reach no terminal.
            assert not re.search(r"sys\.__std(out|err)__|os\.write\((?!self\._file)", source), path
