"""`goldspan score`: what a person sees, what a program reads, and one sentence for bad input."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from goldspan.plugin.cli import main

ROWS = [
    f"{name},{'PER' if k % 2 else 'LOC'},{k * 20 + (name == 'bo') * (k % 3)},{k * 20 + 9}"
    for k in range(12)
    for name in ("al", "bo", "cy")
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "round.csv"
    path.write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    return path


def test_a_person_sees_the_figures_with_what_they_rest_on(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(table), "--full"]) == 0
    said = capsys.readouterr()
    for piece in ("γ = ", "γcat = ", "36 units", "3 annotators", "PER", "al × bo", "boundary",
                  "seed 0", "shift", "samples"):  # fmt: skip
        assert piece in said.out
    assert f"reading {table} as csv" in said.err


def test_ten_lines_say_what_to_do_and_the_tables_are_an_option_away(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    news = Path(__file__).parents[2] / "examples" / "newsroom"
    files = [str(news / "spans.csv"), "--assignments", str(news / "spans.assignments.csv")]
    assert main(["score", *files, "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Fair. ")
    assert len(lines) <= 11
    assert any("is the weakest label" in line for line in lines)
    assert any(line.startswith("Open first: ") for line in lines)
    assert lines[-1].startswith("--full ")
    assert "┃" not in "".join(lines)


def test_units_are_counted_where_there_is_no_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "full.csv"
    path.write_text("al,X,0,3\nbo,X,0,4\n", encoding="utf-8")
    page = tmp_path / "page.html"
    assert main(["score", str(path), "--quiet", "--html", str(page)]) == 0
    assert "γ = undefined     2 units, 1 task" in capsys.readouterr().out
    assert "2 units in " in page.read_text(encoding="utf-8")


def test_many_tasks_that_are_left_out_are_one_of_the_ten_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.csv"
    shared = [f"{n},{who},X,{n},{n + 5}" for n in range(3) for who in ("al", "bo")]
    alone = [f"{n},al,X,1,9" for n in range(3, 8)]
    lines = ["task,annotator,category,start,end", *shared, *alone]
    path.write_text("\n".join(lines), encoding="utf-8")
    for option, said in (("--no-pairs", "Left out: 5 tasks; --full says why."),
                         ("--full", "Left out: task '7'")):  # fmt: skip
        words = ["--empty", "unseen", "--precision", "0.5", "--quiet", option]
        assert main(["score", str(path), *words]) == 0
        assert said in " ".join(capsys.readouterr().out.split())


def test_a_reason_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "full.csv"
    path.write_text("al,X,0,50\nbo,X,0,60\n", encoding="utf-8")
    assert main(["score", str(path), "--quiet"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("score several texts together") == 1
    assert "γ and γcat: the spans fill the text or recording" in said
    assert "task 'full': for the reason above" in said


def test_a_label_without_an_interval_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "same.csv"
    rows = [f"{who},{label},{k * 20},{k * 20 + 5}" for k, label in enumerate("XYXYXY")
            for who in ("al", "bo")]  # fmt: skip
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert main(["score", str(path), "--quiet", "--full"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "γ and γcat: no disagreement was observed, so no interval can be estimated" in said
    assert said.count("as γcat") == 2


def test_a_program_reads_json(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(table), "--json", "-", "--quiet", "--seed", "7"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    result = json.loads(said.out)
    assert result["schema"] == 1
    assert result["settings"]["seed"] == 7
    assert result["corpus"]["n_units"] == 36
    assert 0.8 < result["corpus"]["gamma"]["value"] < 1
    assert result["corpus"]["gamma"]["n"] == 36


def test_json_goes_to_a_file_and_never_over_the_input(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "result.json"
    assert main(["score", str(table), "--json", str(out), "--no-pairs"]) == 0
    assert json.loads(out.read_text(encoding="utf-8"))["pairs"] == []
    before = table.read_bytes()
    assert main(["score", str(table), "--json", str(table)]) == 2
    assert table.read_bytes() == before
    assert "would replace the input" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("gate", "code", "said"),
    [
        (["--min-gamma", "0.5", "--gate", "value"], 0, ""),
        (["--min-gamma", "0.999", "--gate", "value"], 1, "gate not met: γ is 0."),
        (["--min-gamma", "0.5"], 1, "the lower limit of γ is not known"),
        (["--min-gamma-k", "PER=0.5", "--gate", "value"], 0, ""),
        (["--min-gamma-k", "ORG=0.5"], 2, "the label 'ORG', which nobody used; there are LOC, PER"),
        (["--min-gamma-k", "PER"], 2, "write LABEL=0.6"),
    ],
)
def test_gates(
    table: Path, capsys: pytest.CaptureFixture[str], gate: list[str], code: int, said: str
) -> None:
    assert main(["score", str(table), "--quiet", *gate]) == code
    assert said in capsys.readouterr().err


def test_the_command_repeats_what_a_preset_filled_in(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command names every setting, not the preset; it gives the same figures again."""
    monkeypatch.chdir(table.parent)
    options = ["--preset", "authors", "--exponent", "1", "--no-alpha-weights", "--precision", "0.1"]
    assert main(["score", table.name, "--no-pairs", *options, "--json", "first.json"]) == 0
    assert "mean number of units: rounded down; " in " ".join(capsys.readouterr().out.split())
    document = json.loads(Path("first.json").read_text(encoding="utf-8"))
    settings = document["settings"]
    assert settings["position"] == "ratio"
    assert (settings["alpha"], settings["exponent"], settings["spacing"]) == (3, 1, 0.5)
    assert (settings["floor_mean"], settings["alpha_weights"]) == (True, False)
    assert (settings["average"], settings["chance_asked"]) == ("samples", "shift")
    words = shlex.split(document["command"])
    for word in ("--alpha", "--exponent", "--spacing", "--average", "--floor-mean", "--chance"):
        assert word in words
    assert not {"--alpha-weights", "--preset"} & set(words)
    assert main([*words[1:], "--json", "second.json"]) == 0
    again = json.loads(Path("second.json").read_text(encoding="utf-8"))
    assert again["corpus"] == document["corpus"]


def test_positions_by_intersection_over_union(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "result.json"
    options = ["--position", "iou", "--alpha", "3", "--precision", "0.3", "--no-pairs"]
    assert main(["score", str(table), *options, "--json", str(out)]) == 0
    assert "positions: 1 - IoU; " in " ".join(capsys.readouterr().out.split())
    document = json.loads(out.read_text(encoding="utf-8"))
    assert (document["settings"]["position"], document["settings"]["exponent"]) == ("iou", None)
    assert "--position iou" in document["command"]
    assert "--exponent" not in document["command"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--position", "iou", "--exponent", "2"], "'iou' has no exponent"),
        (["--exponent", "0"], "the exponent is 0.0; it must be a finite number above 0"),
        (["--alpha", "0", "--beta", "0"], "alpha and beta are both 0"),
        (["--spacing", "-1"], "the spacing is -1.0"),
    ],
)
def test_settings_that_do_not_fit_are_refused(
    table: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    assert main(["score", str(table), *options]) == 2
    assert said in capsys.readouterr().err


def test_distances_from_a_file(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    matrix = tmp_path / "d.csv"
    for text in (
        ",LOC,PER\nLOC,0,0.5\nPER,0.5,0\n",
        "LOC,PER\n0,0.5\n0.5,0\n",
        '{"ordinal": ["PER", "MID", "LOC"]}',
        '{"interval": {"PER": 1, "LOC": 2}}',
        '{"categories": ["LOC", "PER"], "matrix": [[0, 0.5], [0.5, 0]]}',
        '{"sets": "masi"}',
        '{"sets": "jaccard", "separator": "+"}',
        '{"tree": {"NAME": ["LOC", "PER"]}}',
        '{"tree": {"LOC": {"PER": null}}, "formula": "geertzen-bunt", "a": 0.5}',
    ):
        matrix.write_text(text, encoding="utf-8")
        assert main(["score", str(table), "--no-pairs", "--distances", str(matrix)]) == 0
    capsys.readouterr()


BAD_DISTANCES = {
    "asymmetric": ("LOC,PER\n0,0.5\n0.4,0\n", "not symmetric"),
    "unknown": ("LOC,ORG\n0,1\n1,0\n", "the category 'PER' is used but is not in"),
    "no number": ("LOC,PER\n0,half\n1,0\n", "'half', given for 'LOC', is not a number"),
    "short": ("LOC,PER\n0,1\n", "needs 2 rows of 2 numbers"),
    "json": ("{", "this is not JSON"),
    "a number too long": ('{"ordinal": ' + "1" * 5000 + "}", "more digits than can be read"),
    "other json": ("{}", "the JSON must have"),
    "empty": ("", "the file is empty"),
    "set": ('{"sets": "cosine"}', "there is no distance of sets 'cosine'; use one of passonneau"),
    "separator": ('{"sets": "dice", "separator": ""}', "the separator of sets is blank"),
    "small tree": ('{"tree": ["LOC"]}', "the tree needs two or more categories"),
    "tree": ('{"tree": ["LOC", "ORG"]}', "the category 'PER' is used but is not in the tree"),
    "twice": ('{"tree": {"LOC": ["PER"], "ORG": ["PER"]}}', "the tree has 'PER' twice"),
    "formula": ('{"tree": ["LOC", "PER"], "formula": "x"}', "there is no formula 'x' for trees"),
    "a": ('{"tree": ["LOC", "PER"], "a": 0.5}', "'a' is for the formula geertzen-bunt"),
    "b": (
        '{"tree": ["LOC", "PER"], "formula": "geertzen-bunt", "b": 2}',
        "b is 2.0; it must be above 0",
    ),
}


@pytest.mark.parametrize(("text", "said"), BAD_DISTANCES.values(), ids=BAD_DISTANCES)
def test_bad_distances(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    path = tmp_path / "d.csv"
    path.write_text(text, encoding="utf-8")
    assert main(["score", str(table), "--quiet", "--distances", str(path)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


BAD_FILES = {
    "not a number": ("a,x,zero,3\nb,x,0,3\n", "round.csv:1"),
    "NaN": ("a,x,nan,3\nb,x,0,3\n", "round.csv:1"),
    "infinite": ("a,x,0,3\nb,x,0,inf\n", "round.csv:2"),
    "end before start": ("a,x,0,3\nb,x,9,3\n", "round.csv:2"),
    "one annotator": ("a,x,0,3\na,x,5,9\n", "two annotators"),
    "empty file": ("", "round.csv"),
    "columns missing": ("a,x,0\n", "round.csv:1"),
    "only points": ("a,x,3,3\nb,x,5,5\n", "left out is 1 task: nobody marked a unit"),
}


@pytest.mark.parametrize(("text", "said"), BAD_FILES.values(), ids=BAD_FILES)
def test_bad_files_give_one_sentence(
    table: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    table.write_text(text, encoding="utf-8")
    assert main(["score", str(table), "--from", "csv", "--quiet"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("goldspan: ")
    assert said in error
    assert error.count("\n") == 1


def test_points_are_dropped_and_counted(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text("\n".join([*ROWS, "al,PER,5,5", "bo,PER,7,7"]), encoding="utf-8")
    assert main(["score", str(table), "--json", "-"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["corpus"]["n_units"] == 36
    assert "(2)" in said.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--precision", "0"], "precision"),
        (["--alpha", "nan"], "alpha"),
        (["--workers", "0"], "workers"),
        (["--chance", "corpus"], "as many tasks as annotators"),
        (["--solver", "Nemo"], "no solver 'Nemo'"),
        (["--dask", "tcp://127.0.0.1:9"], "no Dask scheduler answers at tcp://127.0.0.1:9"),
    ],
)
def test_bad_settings(
    table: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    if "--dask" in options:
        pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    assert main(["score", str(table), "--quiet", *options]) == 2
    assert said in capsys.readouterr().err.splitlines()[-1]


def test_a_column_of_tasks_gives_the_figures_of_its_tasks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        f"{file},{who},{label},{start + shift},{start + shift + 60}"
        for file, starts in {"one": (0, 200, 650), "two": (90, 480, 900)}.items()
        for who, shift in (("ann", 0), ("ben", 25))
        for start, label in zip(starts, "XYX", strict=True)
    ]
    paths = {}
    for column in ("task", "media_file"):
        paths[column] = tmp_path / f"{column}.csv"
        table = "\n".join((f"{column},annotator,category,start,end", *rows, ""))
        paths[column].write_text(table, encoding="utf-8")
    assert main(["score", str(paths["media_file"])]) == 2
    assert "--task-from media_file" in capsys.readouterr().err
    gammas = {}
    for column, *given in (("task",), ("media_file", "--task-from", "media_file")):
        assert main(["score", str(paths[column]), *given, "--json", "-", "--quiet"]) == 0
        gammas[column] = json.loads(capsys.readouterr().out)["corpus"]["gamma"]
    assert gammas["media_file"] == gammas["task"]
    settled = ["--adjudicated", str(paths["media_file"]), "--adjudicator", "ann"]
    merged = ["--to", "csv", "-o", str(tmp_path / "gold.csv")]
    assert main(["gold", str(paths["task"]), *settled, *merged]) == 2
    assert "--adjudicated-task-from media_file" in capsys.readouterr().err
    settled += ["--adjudicated-task-from", "media_file"]
    assert main(["gold", str(paths["task"]), *settled, *merged]) == 0
