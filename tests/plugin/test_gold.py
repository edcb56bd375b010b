"""`goldspan gold`: what it writes, what it says, and how it is calibrated."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from dask_cluster import dask_cluster
from goldspan.adapters import read, write
from goldspan.engine.model import Corpus
from goldspan.engine.simulation.reference import Blueprint
from goldspan.engine.simulation.shuffle import Errors, shuffle_corpus
from goldspan.plugin.cli import main

MIXED = ("position", "category", "false_negatives", "false_positives")
TASKS = 30


@pytest.fixture(scope="module")
def reference() -> Corpus:
    return Blueprint(units=8).corpus(TASKS, 3)


@pytest.fixture(scope="module")
def folder(reference: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """annotations.csv by three annotators who err, and truth.csv."""
    made = tmp_path_factory.mktemp("gold")
    own = Errors(shift=2, extra=1).at(0.2, *MIXED)
    shuffled = shuffle_corpus(reference, dict.fromkeys(("ann", "bob", "cleo"), own), 4)
    write(shuffled, made / "annotations.csv", format="csv")
    write(reference, made / "truth.csv", format="csv")
    return made


def gold(folder: Path, out: Path, *options: str) -> list[str]:
    annotations = folder / "annotations.csv"
    who = folder / "annotations.assignments.csv"
    return ["gold", str(annotations), "--assignments", str(who), "--to", "csv", "-o", str(out),
            *options]  # fmt: skip


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_it_writes_spans_with_confidence_and_says_that_they_are_uncalibrated(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, table, whole = tmp_path / "gold.csv", tmp_path / "decide.csv", tmp_path / "gold.json"
    options = ("--decisions", str(table), "--json", str(whole))
    assert main(gold(folder, out, *options)) == 0
    said = capsys.readouterr().err
    assert "suggested spans by 'reliability'" in said
    assert "confidences are uncalibrated" in said
    spans = rows(out)
    assert len(spans) > 5 * TASKS
    assert all(0 < float(span["confidence"]) <= 1 for span in spans)

    value: dict[str, Any] = json.loads(whole.read_text(encoding="utf-8"))
    assert value["calibrated"] is False
    assert value["adjudicated"] == 0
    assert set(value["reliabilities"]) == {"ann", "bob", "cleo"}
    assert sum(len(task["spans"]) for task in value["tasks"]) == len(spans)
    first = next(task for task in value["tasks"] if task["spans"])["spans"][0]
    assert {"class", "votes", "alternatives", "evidence", "drawn", "confidence"} <= set(first)
    decisions = rows(table)
    assert len(decisions) == sum(len(task["decisions"]) for task in value["tasks"])
    assert {row["decide"] for row in decisions} <= {"split", "label", "miss", "boundary", "check"}
    assert all("(" in row["readings"] for row in decisions)


def test_any_place_of_work_gives_the_same_gold(folder: Path, tmp_path: Path) -> None:
    def made(*options: str) -> tuple[str, str]:
        out, whole = tmp_path / "gold.csv", tmp_path / "gold.json"
        assert main([*gold(folder, out, *options), "--json", str(whole), "--quiet"]) == 0
        return out.read_text(encoding="utf-8"), whole.read_text(encoding="utf-8")

    alone = made()
    assert made("--workers", "2") == alone
    with dask_cluster() as address:
        assert made("--dask", address) == alone


def test_adjudicated_tasks_calibrate_and_the_calibration_is_kept(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, again = tmp_path / "gold.csv", tmp_path / "again.csv"
    assert main(gold(folder, out, "--adjudicated", str(folder / "truth.csv"))) == 0
    said = capsys.readouterr().err
    n = len(rows(out))
    assert f"confidences are calibrated on {n} adjudicated spans" in said
    stored = tmp_path / "gold.csv.calibration.json"
    value = json.loads(stored.read_text(encoding="utf-8"))
    assert value["judged"] == n
    assert value["slope"] != 1.0

    assert main(gold(folder, again, "--calibration", str(stored))) == 0
    assert f"calibrated on {n} adjudicated spans" in capsys.readouterr().err
    assert again.read_text(encoding="utf-8") == out.read_text(encoding="utf-8")


def test_a_sample_comes_back_as_the_adjudicated_file(
    folder: Path, reference: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sample goes out as gold, is corrected by hand, and comes back under the name gold."""
    sample, out = tmp_path / "sample.csv", tmp_path / "gold.csv"
    assert main(gold(folder, sample, "--sample-for-adjudication", "40", "--seed", "5")) == 0
    assert "a sample to adjudicate" in capsys.readouterr().err
    picked = rows(sample)
    tasks = {row["task"] for row in picked}
    assert 40 <= len(picked) < 60
    assert len(tasks) < TASKS
    with sample.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["task", "annotator", "category", "start", "end"])
        for task in sorted(tasks):
            for unit in reference[task].units:
                table.writerow([task, "gold", unit.category, unit.start, unit.end])
    assert main(gold(folder, out, "--adjudicated", str(sample))) == 0
    assert f"calibrated on {len(picked)} adjudicated spans" in capsys.readouterr().err


def test_another_seed_draws_another_sample(folder: Path, tmp_path: Path) -> None:
    samples = []
    for seed in ("1", "1", "2"):
        out = tmp_path / f"{len(samples)}.csv"
        main(gold(folder, out, "--sample-for-adjudication", "20", "--seed", seed, "--quiet"))
        samples.append({row["task"] for row in rows(out)})
    assert samples[0] == samples[1] != samples[2]


def test_ground_truth_of_a_label_studio_export_calibrates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only tasks with a ground truth count; that it began as our suggestion does not matter."""

    def region(start: int, end: int, label: str, **more: object) -> dict[str, object]:
        value = {"start": start, "end": end, "labels": [label]}
        return {"id": f"r{start}", "from_name": "label", "to_name": "text", "type": "labels",
                "value": value, **more}  # fmt: skip

    tasks = []
    for number in range(1, 9):
        work: list[dict[str, object]] = [
            {"id": 10 * number + who, "completed_by": who, "result": [
                region(0, 5, "A"), region(6 + (who == 1), 11, "B")]}
            for who in (1, 2, 3)
        ]  # fmt: skip
        if number < 5:
            ours = {"meta": {"goldspan": {"confidence": 0.9}}, "origin": "prediction"}
            truth = [region(0, 5, "A", **ours), region(6, 11, "A" if number == 1 else "B")]
            work.append({"id": 10 * number + 9, "completed_by": 9, "ground_truth": True,
                         "result": truth})  # fmt: skip
        tasks.append({"id": number, "data": {"text": "alpha bravo"}, "annotations": work})
    export = tmp_path / "export.json"
    export.write_text(json.dumps(tasks), encoding="utf-8")
    out = tmp_path / "gold.csv"
    assert main(["gold", str(export), "--to", "csv", "-o", str(out), "--adjudicated", str(export),
                 "--exclude-annotator", "9"]) == 0  # fmt: skip
    said = capsys.readouterr().err
    assert "calibrated on 8 adjudicated spans" in said
    assert "only 8 spans were adjudicated" in said
    stored = json.loads((tmp_path / "gold.csv.calibration.json").read_text(encoding="utf-8"))
    assert stored["judged"] == 8


@pytest.mark.parametrize("format_", ["csv", "label-studio", "brat", "prodigy", "spacy"])
def test_gold_goes_to_every_tool_and_comes_back(format_: str, tmp_path: Path) -> None:
    tasks = [
        {"id": number, "data": {"text": "alpha bravo"}, "annotations": [
            {"id": 10 * number + who, "completed_by": who, "result": [
                {"id": "r", "from_name": "label", "to_name": "text", "type": "labels",
                 "value": {"start": 6, "end": 11, "labels": ["B"]}}]}
            for who in (1, 2)]}
        for number in (1, 2)
    ]  # fmt: skip
    export = tmp_path / "export.json"
    export.write_text(json.dumps(tasks), encoding="utf-8")
    suffix = {"csv": ".csv", "label-studio": ".json", "prodigy": ".jsonl", "spacy": ".spacy"}
    out = tmp_path / f"gold{suffix.get(format_, '')}"
    assert main(["gold", str(export), "--to", format_, "-o", str(out), "--quiet"]) == 0
    if format_ == "prodigy":
        lines = out.read_text(encoding="utf-8").splitlines()
        shown = [span for line in lines for span in json.loads(line)["spans"]]
        assert {(s["start"], s["end"], s["label"]) for s in shown} == {(6, 11, "B")}
        return
    options: dict[str, Any] = {
        "label-studio": {"include_predictions": True},
        "spacy": {"annotator_from": "file", "layers": "gold"},
    }.get(format_, {})
    back = read(out, format=format_, include_annotators=("gold", "goldspan"), **options)
    found = {(u.start, u.end, u.category) for c in back.continua for u in c.units}
    assert found == {(6, 11, "B")}


def test_gold_goes_to_a_tier_of_elan(folder: Path, tmp_path: Path) -> None:
    out, plain = tmp_path / "gold", tmp_path / "gold.csv"
    command = gold(folder, out, "--quiet")
    command[command.index("csv", 1)] = "elan"
    assert main(command) == 0
    assert main(gold(folder, plain, "--quiet")) == 0
    back = read(out, format="elan", include_annotators=("merged",))
    assert sum(len(c.units) for c in back.continua) == len(rows(plain))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--strategy", "magic"), "there is no strategy 'magic'; there are reliability, vote"),
        (("--min-confidence", "7"), "it must be from 0 to 1"),
        (("--calibration", "none.json"), "none.json: there is no such calibration"),
        (("--calibration", "STRANGE"), "this is not a JSON file"),
        (("--calibration", "LIST"), "this is not a calibration of goldspan"),
        (("--adjudicated", "none.csv"), "none.csv: there is no such file"),
        (("--adjudicated", "STRANGE"), "no adjudicated task is a task of this corpus"),
        (("--adjudicated", "TWO"), "contradict each other; keep one with --adjudicator"),
        (("--adjudicated", "OTHER"), "have nothing in common"),
        (("--adjudicated", "TWO", "--adjudicator", "zoe"), "there is no annotator 'zoe', only"),
        (("--sample-for-adjudication", "0"), "it must have 1 or more"),
        (("--decisions", "IN"), "would replace the input"),
        (("--annotator", " "), "the annotator's name for gold is empty"),
        (("--calibration", "VOTE"), "made for the strategy 'vote'"),
    ],
)
def test_bad_input_is_one_sentence(
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    sentence: str,
) -> None:
    head = "task,annotator,category,start,end\n"
    files = {
        "STRANGE": f"{head}nowhere,gold,A,0,5\n",
        "TWO": f"{head}task-1,x,A,0,5\ntask-1,y,A,0,6\n",
        "OTHER": f"{head}task-1,x,Q,0,5\n",
        "LIST": "[1]",
        "VOTE": json.dumps({"schema": 1, "strategy": "vote", "slope": 1, "intercept": 0,
                            "covariance": [0, 0, 0], "judged": 9, "pairs": {}}),
    }  # fmt: skip
    names = {"IN": str(folder / "annotations.csv")}
    for name, text in files.items():
        suffix = "json" if name in ("LIST", "VOTE") else "csv"
        (tmp_path / f"{name}.{suffix}").write_text(text, encoding="utf-8")
        names[name] = str(tmp_path / f"{name}.{suffix}")
    out = tmp_path / "out.csv"
    assert main(gold(folder, out, *(names.get(o, o) for o in options), "--quiet")) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert len(said.splitlines()) == 1
    assert not out.exists()


def test_a_category_unknown_to_the_adjudicated_file_is_named(
    folder: Path, reference: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = tmp_path / "truth.csv"
    with truth.open("w", encoding="utf-8") as file:
        file.write("task,annotator,category,start,end\n")
        for continuum in reference.continua:
            for unit in continuum.units:
                if unit.category != "D":
                    file.write(f"{continuum.id},x,{unit.category},{unit.start},{unit.end}\n")
    assert main(gold(folder, tmp_path / "gold.csv", "--adjudicated", str(truth))) == 0
    assert "the category 'D' is unknown to the adjudicated file" in capsys.readouterr().err


def test_two_annotators_and_one_task_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "in.csv"
    table.write_text("a,X,0,5\nb,X,0,5\na,X,10,15\nb,Y,10,15\n", encoding="utf-8")
    out = tmp_path / "out.csv"
    assert main(["gold", str(table), "--to", "csv", "-o", str(out)]) == 0
    said = capsys.readouterr().err
    assert "suggests only spans that both marked with the same label" in said
    assert [(row["start"], row["category"]) for row in rows(out)] == [("0", "X")]
    assert "1 label" in said


def test_a_place_that_gold_cannot_go_to_is_refused_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing, out = tmp_path / "missing.json", tmp_path / "folder"
    assert main(["gold", str(missing), "--to", "doccano", "-o", str(out)]) == 2
    assert f"{out} is no .jsonl file" in capsys.readouterr().err
