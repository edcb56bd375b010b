"""`python -m spacy goldspan`: the same verbs, words and exit codes; and goldspan without spaCy."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from spacy.cli import app
from spacy.util import registry
from typer.testing import CliRunner

from goldspan.plugin.cli import build_parser, main

ROWS = [
    f"{task},{who},{'LOC' if place % 2 else 'PER'},{20 * place + (who == 'bo')},{20 * place + 9}"
    for task in ("one", "two", "three")
    for place in range(4)
    for who in ("al", "bo")
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "round.csv"
    path.write_text("\n".join(["task,annotator,category,start,end", *ROWS]), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("--help", 0),
        ("--version", 0),
        ("formats --json -", 0),
        ("score --help", 0),
        ("score TABLE --json - --quiet --seed 3", 0),
        ("score TABLE --min-gamma 1 --gate value --no-pairs", 1),
        ("score TABLE --min-gamma much", 2),
        ("score elsewhere.csv", 2),
        ("convert TABLE --to nothing -o x", 2),
        ("", 2),
        ("tally", 2),
    ],
)
def test_it_is_goldspan_by_another_way(
    line: str, code: int, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = [str(table) if word == "TABLE" else word for word in line.split()]
    assert main(args) == code
    ours = capsys.readouterr()

    assert "goldspan" in registry.cli.get_all()
    theirs = CliRunner().invoke(app, ["goldspan", *args])

    assert theirs.exit_code == code
    assert theirs.stdout == ours.out
    assert theirs.stderr == ours.err
    assert ours.out or ours.err


def test_every_verb_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    registry.cli.get_all()
    shown = CliRunner().invoke(app, ["goldspan", "--help"]).stdout

    verbs = re.findall(r"^    (\S+)", build_parser().format_help(), re.MULTILINE)
    assert {"score", "convert", "formats"} <= set(verbs)
    for verb in verbs:
        assert re.search(rf"^    {verb}\b", shown, re.MULTILINE)


def test_the_real_command(table: Path, tmp_path: Path) -> None:
    def spacy(*args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "spacy", *args], capture_output=True, encoding="utf-8",
            cwd=tmp_path, check=False,
        )  # fmt: skip

    done = spacy("goldspan", "score", str(table), "--json", "out.json", "--min-gamma", "1")
    assert done.returncode == 1
    assert "gate not met: " in done.stderr
    assert (tmp_path / "out.json").is_file()

    listed = spacy("--help")
    assert listed.returncode == 0
    assert re.search(r"^  goldspan +Inter-annotator agreement", listed.stdout, re.MULTILINE)


WITHOUT = """
import sys

sys.modules["spacy"] = None

from goldspan.engine.errors import MissingExtra
from goldspan.plugin.cli import main

table, out = sys.argv[1:]
assert main(["formats", "--json", "-"]) == 0
assert main(["score", table, "--quiet", "--no-pairs"]) == 0
assert main(["convert", table, "--to", "csv", "--output", out + ".csv", "--quiet"]) == 0
assert main(["convert", out + ".jsonl", "--to", "spacy", "--output", out + ".spacy"]) == 2
for name in ("command", "scorer", "corpus"):
    try:
        __import__("goldspan.plugin.spacy." + name)
    except MissingExtra as missing:
        print(missing, file=sys.stderr)
    else:
        raise SystemExit("it was imported")
"""


def test_goldspan_works_without_spacy_and_says_what_to_install(table: Path, tmp_path: Path) -> None:
    row = '{"text": "Ada", "spans": {"ann/al": [{"start": 0, "end": 3, "label": "PER"}]}}\n'
    (tmp_path / "out.jsonl").write_text(row, encoding="utf-8")
    said = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT, str(table), str(tmp_path / "out")],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert said.returncode == 0, said.stderr
    assert said.stderr.count('pip install "goldspan[spacy]"') == 4
    assert "goldspan inside spaCy needs a part that is not installed" in said.stderr
    assert "Traceback" not in said.stderr
