"""`goldspan shuffle`, `goldspan curves` and `goldspan plan` on real files."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from goldspan.adapters import read
from goldspan.plugin.cli import main

SMALL = ("--sets", "3", "--step", "0.5", "--precision", "0.1")


def shuffle(folder: Path, *words: str, output: str = "spans.csv") -> int:
    return main(["shuffle", "--to", "csv", "--output", str(folder / output), *words])


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def own_reference(folder: Path, *lines: str) -> Path:
    path = folder / "own.csv"
    text = "\n".join(["task,annotator,start,end,category", *lines])
    path.write_text(text + "\n", encoding="utf-8")
    return path


def test_the_reference_is_written_apart_and_the_seed_decides(tmp_path: Path) -> None:
    words = ("--errors", "false-negatives=0.3", "--tasks", "2", "--annotators", "2")
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        apart = str(tmp_path / f"reference-{name}.csv")
        extra = ("--seed", seed, "--reference-output", apart)
        assert shuffle(tmp_path, *words, *extra, output=f"{name}.csv") == 0
    one, same, other = ((tmp_path / f"{name}.csv").read_bytes() for name in "abc")
    assert one == same != other
    truth = read(str(tmp_path / "reference-a.csv"))
    made = read(str(tmp_path / "a.csv"))
    assert truth.annotators == ("reference",)
    assert made.annotators == ("annotator-1", "annotator-2")
    known = {(t.id, u.start, u.end, u.category) for t in truth for u in t.units}
    found = [(t.id, u.start, u.end, u.category) for t in made for u in t.units]
    assert set(found) <= known
    assert 0 < len(found) < 2 * len(known)


def test_one_annotator_can_be_bad(tmp_path: Path) -> None:
    assert shuffle(tmp_path, "--errors", "false-negatives=0.1", "--bad", "0.8") == 0
    made = read(str(tmp_path / "spans.csv"))
    counts = {name: sum(len(t.of(name)) for t in made) for name in made.annotators}
    assert counts["annotator-1"] < 0.5 * counts["annotator-2"]


def test_errors_can_be_correlated(tmp_path: Path) -> None:
    words = ("--errors", "false-negatives=0.4", "--correlated", "1", "--annotators", "2")
    assert shuffle(tmp_path, *words) == 0
    made = read(str(tmp_path / "spans.csv"))
    for task in made:
        one, other = ({(u.start, u.end) for u in task.of(f"annotator-{n}")} for n in (1, 2))
        assert one == other


def test_errors_in_common_are_not_those_of_the_bad_annotator(tmp_path: Path) -> None:
    words = ("--errors", "false-negatives=0", "--bad", "1", "--correlated", "0.5")
    assert shuffle(tmp_path, *words, "--tasks", "1") == 0
    (made,) = read(str(tmp_path / "spans.csv"))
    assert len(made.of("annotator-2")) == len(made.of("annotator-3")) == 30
    assert 0 < len(made.of("annotator-1")) < 30


def test_a_corpus_of_the_user_can_be_the_reference(tmp_path: Path) -> None:
    own = own_reference(tmp_path, "t,ann,0,10,A", "t,ann,20,30,B", "t,ben,1,9,A")
    words = ("--reference", str(own), "--errors", "category=0")
    assert shuffle(tmp_path, *words, "--reference-annotator", "ann") == 0
    made = read(str(tmp_path / "spans.csv"))
    assert {(u.start, u.end, u.category) for u in made["t"].units} == {(0, 10, "A"), (20, 30, "B")}


def test_recordings_can_be_made(tmp_path: Path) -> None:
    words = [
        "shuffle",
        "--errors",
        "position=0.1",
        "--milliseconds",
        "--no-overlap",
        "--tasks",
        "1",
    ]
    assert main([*words, "--to", "textgrid", "--output", str(tmp_path / "grids")]) == 0
    assert read(str(tmp_path / "grids"), annotator_from="tier").annotators == (
        "annotator-1", "annotator-2", "annotator-3",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--errors", "position=1.5"], "the magnitude of position is 1.5; it goes from 0 to 1"),
        (["--errors", "position=much"], "'much' is not a magnitude"),
        (["--errors", "typos"], "there is no error 'typos'; there are position, category"),
        (["--errors", "category", "--confusion", "A,X"], "names 'X', which the reference does not"),
        (["--errors", "category", "--confusion", "nofile"], "there is no such file"),
        (["--errors", "category", "--bad", "2"], "--bad is 2.0; a magnitude goes from 0 to 1"),
        (["--errors", "category", "--correlated", "-1"], "--correlated is -1.0"),
        (
            ["--errors", "position", "--correlated", "0.5", "--reference", "segments"],
            "errors of segment boundaries cannot be shared",
        ),
        (["--errors", "category", "--annotators", "0"], "--annotators is 0; it must be 1 or more"),
        (["--errors", "category", "--reference", "x.csv"], "there is no model and no file 'x.csv'"),
        (["--errors", "category", "--reference-annotator", "a"], "need --reference FILE"),
    ],
)
def test_bad_input_is_a_sentence(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shuffle(tmp_path, *words) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1
    assert not (tmp_path / "spans.csv").exists()


def test_a_reference_with_overlaps_where_none_are_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = own_reference(tmp_path, "t,ann,0,10,A", "t,ann,5,30,B")
    words = ("--reference", str(own), "--errors", "position", "--no-overlap", "--quiet")
    assert shuffle(tmp_path, *words) == 2
    assert "task 't': the reference has units that overlap" in capsys.readouterr().err


def test_a_confusion_matrix_that_is_not_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    matrix = tmp_path / "confusion.csv"
    matrix.write_bytes(b"\xff\xfeA")
    assert shuffle(tmp_path, "--errors", "category=1", "--confusion", str(matrix)) == 2
    assert "confusion.csv: not a csv file in UTF-8" in capsys.readouterr().err


def test_a_confusion_matrix_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    matrix = tmp_path / "confusion.csv"
    matrix.write_text(",A,B\nA,0,1\nB,1,0\n", encoding="utf-8")
    words = ("--errors", "category=1", "--confusion", str(matrix), "--tasks", "1")
    apart = str(tmp_path / "reference.csv")
    assert shuffle(tmp_path, *words, "--reference-output", apart) == 0
    made, truth = read(str(tmp_path / "spans.csv")), read(apart)
    turned = {"A": "B", "B": "A", "C": "C", "D": "D"}
    expected = [turned[u.category] for u in truth["task-1"].units]
    assert [u.category for u in made["task-1"].of("annotator-1")] == expected
    for text, sentence in (
        ("A,B\n0.5,0.2\n0,1\n", "the row of 'A'"),
        ("A,B\nx,1\n0,1\n", "a probability is not a number"),
        (",A,B\nB,0,1\nA,1,0\n", "the order of the header"),
        ("", "the file is empty"),
    ):
        matrix.write_text(text, encoding="utf-8")
        assert shuffle(tmp_path, *words) == 2
        assert sentence in capsys.readouterr().err


def test_figure_26a_of_the_2015_paper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["curves", "--paper", "2015:26a", "--output", str(tmp_path), *SMALL]
    assert main(command) == 0
    found = {(row["measure"], row["magnitude"]): row for row in rows(tmp_path / "2015-26a.csv")}
    assert float(found["gamma", "0"]["mean"]) == 1
    middle = found["gamma", "0.5"]
    assert float(middle["low"]) < float(middle["mean"]) < float(middle["high"])
    assert middle["sets"] == "3"
    picture = ElementTree.parse(tmp_path / "2015-26a.svg").getroot()  # noqa: S314 - our own
    assert len(picture.findall("{*}polyline")) == 5
    assert "2015:26a" in capsys.readouterr().out


def test_an_interrupted_run_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["curves", "--paper", "2017:12", "--output", str(tmp_path), *SMALL]
    assert main(command) == 0
    table, journal = (tmp_path / "2017-12.csv").read_text("utf-8"), tmp_path / "points.jsonl"
    lines = journal.read_text("utf-8").splitlines()
    damaged = json.dumps({"key": json.loads(lines[2])["key"], "means": 1})
    # The last line is cut off.
    journal.write_text(f"{lines[0]}\n{damaged}\n[]\n{lines[1][:50]}", encoding="utf-8")
    capsys.readouterr()
    assert main(command) == 0
    assert "points that were measured before: 1 of 3" in capsys.readouterr().err
    assert (tmp_path / "2017-12.csv").read_text("utf-8") == table
    assert main([*command, "--seed", "1"]) == 0
    assert "measured before" not in capsys.readouterr().err


def test_an_experiment_of_the_users_own(tmp_path: Path) -> None:
    own = own_reference(tmp_path, *(f"t{n},ann,{5 * n},{20 + n},A" for n in range(4)))
    command = ["curves", "--errors", "position", "--reference", str(own), "--output"]
    assert main([*command, str(tmp_path / "curves"), "--measures", "gamma,f1", *SMALL]) == 0
    found = rows(tmp_path / "curves" / "own.csv")
    assert {row["measure"] for row in found} == {"gamma", "f1"}


def test_curves_by_label_and_measures_that_are_not_defined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["curves", "--errors", "category", "--measures", "gamma-k,window-diff", *SMALL]
    assert main([*command, "--output", str(tmp_path)]) == 0
    picture = ElementTree.parse(tmp_path / "own.svg").getroot()  # noqa: S314 - our own
    assert len(picture.findall("{*}polyline")) == 4
    assert "not defined for these annotations, at any magnitude: window_diff" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "give --paper for a published figure, or --errors for your own"),
        (["--paper", "2015:26a", "--shift", "2"], "--shift is for an experiment of your own"),
        (["--paper", "2015:99"], "there is no figure '2015:99'; there are 2015:24a"),
        (["--errors", "typos"], "there is no error 'typos'"),
        (["--errors", "position", "--measures", "beta"], "there is no coefficient 'beta'"),
        (["--paper", "2017:12", "--step", "2"], "the step of magnitudes is 2.0"),
        (["--paper", "2017:12", "--sets", "0"], "the number of sets is 0"),
        (["--paper", "2017:12", "--workers", "0"], "the number of workers is 0"),
    ],
)
def test_bad_experiments(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["curves", "--output", str(tmp_path / "out"), *words]) == 2
    assert sentence in capsys.readouterr().err


def pilot(folder: Path, tasks: int, annotators: int = 3) -> Path:
    words = ("--errors", "position=0.05,category=0.3", "--tasks", str(tasks), "--quiet")
    assert shuffle(folder, *words, "--annotators", str(annotators), output="pilot.csv") == 0
    return folder / "pilot.csv"


def test_a_plan_from_a_pilot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, page, values = pilot(tmp_path, 6), tmp_path / "plan.html", tmp_path / "plan.json"
    words = ["--assignments", str(tmp_path / "pilot.assignments.csv"), "--precision", "0.1"]
    command = ["plan", str(data), *words, "--quiet", "--html", str(page), "--json", str(values)]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "γcat" in said
    assert "The pilot has 6 tasks and 3 annotators" in said
    assert "A pilot of fewer than 10 tasks plans roughly" in said
    assert "tasks needed with" in said
    assert "1 fewer" in said
    assert "more annotators, same tasks" in said
    found = {
        (one["key"], one["label"]): one for one in json.loads(values.read_text("utf-8"))["figures"]
    }
    gamma = found["gamma", ""]
    assert gamma["with_more"] < gamma["now"]
    assert gamma["with_another"] <= gamma["now"]
    assert gamma["tasks"] >= gamma["low"]
    assert [more for more, _ in gamma["by_annotators"]] == [-1, 0, 1, 2, 4]
    text = page.read_text("utf-8")
    assert text.count("<polyline") == len(found)
    assert "<script" not in text


def test_a_plan_from_tasks_that_do_not_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        f"t{task},{name},{label},0,10\nt{task},{name},Z,20,30"
        for task in range(6)
        for name, label in (("a", "X"), ("b", "Y"), ("c", "X"))
    ]
    data = tmp_path / "same.csv"
    data.write_text("\n".join(["task,annotator,category,start,end", *rows]), "utf-8")
    assert main(["plan", str(data), "--precision", "0.3", "--quiet"]) == 0
    assert "γcat" in capsys.readouterr().out


def test_a_plan_from_a_pilot_with_one_task_of_three_annotators(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        f"t{task},a,X,0,{5 + task}\nt{task},b,X,0,5\nt{task},b,{'XY'[task % 2]},20,25"
        for task in range(6)
    ]
    data = tmp_path / "pilot.csv"
    more = ["last,a,X,0,4", "last,b,X,0,4", "last,c,X,0,5"]
    data.write_text("\n".join(["task,annotator,category,start,end", *rows, *more]), "utf-8")
    words = ["--empty", "unseen", "--chance", "corpus", "--precision", "0.3", "--quiet"]
    assert main(["plan", str(data), *words]) == 0
    assert "γ " in capsys.readouterr().out


def test_two_annotators_cannot_tell_what_a_third_would_bring(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = pilot(tmp_path, 5, annotators=2)
    words = ["--assignments", str(tmp_path / "pilot.assignments.csv"), "--precision", "0.1"]
    assert main(["plan", str(data), *words, "--quiet"]) == 0
    assert (
        "Two annotators for each task cannot tell what a third would bring."
        in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "the pilot has 4 tasks that can be scored; a plan needs 5 or more"),
        (["--half-width", "0"], "the half width is 0.0"),
        (["--assurance", "1"], "the assurance is 1.0"),
        (["--more-tasks", "0"], "the number of more tasks is 0"),
    ],
)
def test_bad_pilots_and_targets(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = pilot(tmp_path, 4)
    known = ["--assignments", str(tmp_path / "pilot.assignments.csv"), "--precision", "0.1"]
    assert main(["plan", str(data), *known, "--quiet", *words]) == 2
    assert sentence in capsys.readouterr().err
