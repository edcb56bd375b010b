"""Missing options: asked for all at once, with a command that can be copied and works."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from goldspan.plugin.cli import main

SHEET = """#FORMAT=WebAnno TSV 3.3
#T_SP=custom.Claim|stance|target
#T_SP=custom.Note|value


#Text=One two three
1-1\t0-3\tOne\t{stance}\tus\t_\t
1-2\t4-7\ttwo\t*\tthem\t_\t
1-3\t8-13\tthree\t_\t_\tx\t
"""
GRID = """File type = "ooTextFile"
Object class = "TextGrid"

0
3
<exists>
2
"IntervalTier"
"ann"
0
3
2
0
1
"X"
1
3
""
"IntervalTier"
"ben"
0
3
2
0
2
"X"
2
3
"Y"
"""
FILES = {
    # A study of debates: two layers, one with two features, and claims without a stance.
    "debates": {
        "d1/ada.tsv": SHEET.format(stance="for"),
        "d1/bob.tsv": SHEET.format(stance="against"),
    },
    # A study of plays: a table for each play and annotator, which only its name tells.
    "plays": {
        f"{play}_{annotator}.csv": f"begin,end,surface,entityNum,entityLabel\n1,{end},x,4,King\n"
        for play in ("canut-acts-1-2", "clavigo")
        for annotator, end in (("01", 5), ("02", 6))
    },
    # A crowd's table with names of columns of its own.
    "crowd": {
        "crowd.csv": "doc,worker,code,from,to\nd1,a,X,1,3\nd1,b,X,1,4\nd2,a,X,1,3\nd2,b,Y,1,3\n"
    },
    # Praat: a tier for each annotator.
    "praat": {"talk.TextGrid": GRID},
}
OPTIONS = {
    "plays": ("--from", "--category-from", "--annotator-from"),
    "debates": ["--layer", "--category-from", "--unlabelled"],
    "crowd": ["--from", "--start-from", "--end-from", "--category-from", "--annotator-from",
              "--task-from"],
    "praat": ["--annotator-from"],
}  # fmt: skip


@pytest.mark.parametrize("corpus", FILES)
def test_the_command_to_copy_has_all_options_and_works(
    corpus: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, content in FILES[corpus].items():
        path = tmp_path / corpus / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    given = corpus if len(FILES[corpus]) > 1 else f"{corpus}/{next(iter(FILES[corpus]))}"
    assert main(["score", given, "--no-pairs"]) == 2
    _, copied, command = capsys.readouterr().err.strip().partition("To copy: ")
    assert copied
    words = shlex.split(command)
    assert words[:4] == ["goldspan", "score", given, "--no-pairs"]
    assert set(words[4::2]) == set(OPTIONS[corpus])
    assert main(words[1:]) == 0


def test_an_option_that_was_given_is_not_asked_for_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("ada", "bob"):
        (tmp_path / f"{name}.tsv").write_text(SHEET.format(stance="for"), encoding="utf-8")
    assert main(["score", str(tmp_path), "--unlabelled", "none"]) == 2
    command = capsys.readouterr().err.strip().partition("To copy: ")[2]
    assert command.count("--unlabelled") == 1
    assert command.endswith("--unlabelled none --layer Claim --category-from stance")


def test_a_command_that_is_too_long_to_be_read_is_not_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.csv"
    table.write_text(
        f"task,annotator{'9' * 5000},category,start,end\na,b,c,1,2\n", encoding="utf-8"
    )

    assert main(["score", str(table), "--from", "csv"]) == 2
    said = capsys.readouterr().err
    assert "--annotator-from names the column of annotators" in said
    assert "To copy" not in said
    assert len(said) < 1500
