"""Labels of whole tasks in every output of `goldspan score`, and their gates."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from goldspan.plugin.cli import main

LABELS = "task,annotator,label\n" + "".join(
    f"{task},{name},{label}\n"
    for task, labels in enumerate(("pp", "np", "nn", "pp"), start=1)
    for name, label in zip(("ann", "ben"), labels, strict=True)
)
SPANS = "task,annotator,category,start,end,layer\n" + "".join(
    f"{task},{name},PER,{at},{at + 4},\n{task},{name},{name if task == 1 else 'x'},,,mood\n"
    for task in range(1, 4)
    for at, name in enumerate(("ann", "ben"))
)


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text(LABELS, encoding="utf-8")
    return path


def test_labels_alone_begin_with_alpha(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(labels)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("α = 0.533")
    assert "75% of pairs agree" in said
    assert "γ: labels of whole tasks have no place" in said


def test_every_output_has_the_layer(labels: Path, tmp_path: Path) -> None:
    page, text, tables = (tmp_path / name for name in ("x.html", "x.md", "tables"))
    told = tmp_path / "x.json"
    words = ["--html", page, "--markdown", text, "--csv", tables, "--json", told, "--also", "kappa"]
    assert main(["score", str(labels), *map(str, words)]) == 0
    layer = json.loads(told.read_text(encoding="utf-8"))["layers"]["label"]
    assert layer["alpha"]["value"] == pytest.approx(8 / 15)
    assert layer["observed_agreement"]["value"] == pytest.approx(0.75)
    assert set(layer["labels"]) == {"p", "n"}
    assert layer["also"]["kappa"]["value"] == pytest.approx(0.5)
    assert layer["agreement"] == {"1": 1, "2": 0, "3": 1, "4": 1}
    for file in (page, text):
        assert "Labels of whole tasks" in file.read_text(encoding="utf-8")
    with (tables / "layers.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = {(row["coefficient"], row["label"], row["task"]): row["value"] for row in rows}
    assert float(found["alpha", "", ""]) == pytest.approx(8 / 15)
    assert float(found["observed_agreement", "", "2"]) == 0


def test_spans_come_first_where_there_are_some(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "both.csv"
    path.write_text(SPANS, encoding="utf-8")
    assert main(["score", str(path)]) == 0
    said = capsys.readouterr().out
    assert "γ = " in said.partition("α = ")[0]
    assert "Labels of whole tasks" in said
    assert main(["score", str(path), "--layer", "mood"]) == 0
    assert capsys.readouterr().out.startswith("α = ")


@pytest.mark.parametrize(("least", "code"), [("0.5", 0), ("0.6", 1)])
def test_a_gate_names_a_layer(labels: Path, least: str, code: int) -> None:
    assert main(["score", str(labels), "--min", f"label.alpha={least}", "--gate", "value"]) == code


def test_a_gate_for_an_unknown_layer_lists_what_there_is(
    labels: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(labels), "--min", "mood.alpha=0.5"]) == 2
    assert "label.alpha" in capsys.readouterr().err


def test_gold_of_labels_goes_to_every_format_that_holds_them(labels: Path, tmp_path: Path) -> None:
    path = tmp_path / "gold.csv"
    assert main(["gold", str(labels), "--to", "csv", "--output", str(path)]) == 0
    with path.open(encoding="utf-8", newline="") as file:
        rows = [(row["task"], row["category"], row["layer"]) for row in csv.DictReader(file)]
    assert rows == [("1", "p", "label"), ("3", "n", "label"), ("4", "p", "label")]
