"""`goldspan score --against`: a reference, and the same annotator twice, in every output."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from goldspan.adapters import write
from goldspan.engine import Continuum, Corpus, Presence, Unit
from goldspan.plugin.cli import main

TEXT = "Anna met Ben in Paris, and Clara called Dan from Rome on Monday."
ROUGH = ("--precision", "0.3", "--quiet")


def task(number: int, *rows: tuple[str, int, int, str], text: str = TEXT) -> Continuum:
    names = {row[0] for row in rows}
    return Continuum(
        f"t{number}",
        tuple(Unit(*row) for row in rows),
        dict.fromkeys(names, Presence.DONE),
        text=text,
    )


def spans(name: str, *, shift: int = 0, wrong: str = "") -> list[tuple[str, int, int, str]]:
    found = [
        (name, 0, 4, "PER"), (name, 9, 12, "PER"), (name, 16, 21, "LOC"), (name, 49, 53, "LOC"),
    ]  # fmt: skip
    first = (name, 0, 4 + shift, wrong or "PER")
    return [first, *found[1:]]


def corpus(**annotators: dict[str, object]) -> Corpus:
    return Corpus(
        tuple(
            task(number, *(row for name, how in annotators.items() for row in spans(name, **how)))  # type: ignore[arg-type]
            for number in range(6)
        )
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`data` by ann1, ann2 and gold; `others` without gold; `reference` by gold alone; `again` by
    ann1 at another time.
    """
    path = tmp_path_factory.mktemp("against")
    data = corpus(ann1={}, ann2={"shift": 1}, gold={})
    files = {
        "data": data,
        "others": Corpus(tuple(one.only(["ann1", "ann2"]) for one in data)),
        "reference": Corpus(tuple(one.only(["gold"]) for one in data.continua[1:])),
        "again": corpus(ann1={"wrong": "LOC"}, ann3={}),
        "model": Corpus(tuple(one.only(["ann2"]) for one in data)),
    }
    for name, one in files.items():
        write(one, path / f"{name}.csv", format="csv")
    return path


def run(folder: Path, *words: str) -> int:
    return main(["score", *(str(folder / w[1:]) if w[0] == "@" else w for w in words), *ROUGH])


def result(folder: Path, tmp_path: Path, *words: str) -> dict:  # type: ignore[type-arg]
    assert run(folder, *words, "--json", str(tmp_path / "r.json")) == 0
    found: dict = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))  # type: ignore[type-arg]
    return found


def test_an_annotator_of_the_data_is_the_reference(folder: Path, tmp_path: Path) -> None:
    """Also one whose name means a merged version, which is left out otherwise."""
    found = result(folder, tmp_path, "@data.csv", "--against", "gold")
    assert [one["name"] for one in found["annotators"]] == ["ann1", "ann2"], "gold is left out"
    against = found["against"]
    assert (against["kind"], against["reference"], against["n_tasks"]) == ("reference", "gold", 6)
    one, other = against["annotators"]
    assert one["also"]["f1"]["value"] == one["gamma"]["value"] == 1
    assert other["also"]["f1"]["value"] == other["also"]["recall"]["value"] == 0.75
    assert other["also"]["f1_overlap"]["value"] == 1
    assert other["also"]["f1_k"]["PER"]["value"] == 0.5
    assert other["also"]["f1_k"]["LOC"]["value"] == 1
    assert "--against gold" in found["command"]


def test_a_file_is_the_reference(folder: Path, tmp_path: Path) -> None:
    inside = result(folder, tmp_path, "@data.csv", "--against", "gold")
    found = result(folder, tmp_path, "@others.csv", "--against", "@reference.csv")
    assert found["against"]["n_tasks"] == 5
    assert [note["code"] for note in found["against"]["notes"]] == ["tasks_without_reference"]
    assert found["corpus"] == inside["corpus"], "the agreement is of the same annotators"
    assert "--against reference.csv" in found["command"]


def test_a_model_alone_has_no_agreement_but_a_reference(folder: Path, tmp_path: Path) -> None:
    files = {name: tmp_path / f"r.{name}" for name in ("html", "markdown")}
    outputs = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    found = result(folder, tmp_path, "@model.csv", "--against", "@reference.csv", *outputs)
    assert found["corpus"]["gamma"]["value"] is None
    assert found["corpus"]["gamma"]["reason_code"] == "one_annotator"
    assert found["against"]["annotators"][0]["also"]["f1"]["value"] == 0.75
    for path in files.values():
        assert "Against the reference" in path.read_text(encoding="utf-8")


def test_every_output_shows_it(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, summary, tables = (tmp_path / name for name in ("r.html", "r.md", "tables"))
    assert run(
        folder, "@data.csv", "--against", "gold", "--html", str(page), "--markdown", str(summary),
        "--csv", str(tables),
    ) == 0  # fmt: skip
    said = capsys.readouterr().out
    for text in (said, page.read_text(encoding="utf-8"), summary.read_text(encoding="utf-8")):
        assert "Against the reference “gold”" in text
        assert "“ann2” differs most from the reference: F1 = 0.75." in text
        assert "The weakest label there is “PER”: F1 = 0.50" in text
        assert "not part of the agreement between annotators" in text
    with (tables / "against.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["annotator"], float(row["precision"])) for row in rows] == [
        ("ann1", 1.0), ("ann2", 0.75),
    ]  # fmt: skip
    with (tables / "against_labels.csv").open(encoding="utf-8", newline="") as file:
        labels = {(row["annotator"], row["label"]): row["recall_k"] for row in csv.DictReader(file)}
    assert labels["ann2", "PER"] == "0.5"


def test_the_same_annotator_twice_is_called_stability(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("@others.csv", "--against", "@again.csv", "--same-annotators")
    found = result(folder, tmp_path, *words)["against"]
    said = capsys.readouterr().out
    assert found["kind"] == "stability"
    assert [one["name"] for one in found["annotators"]] == ["ann1"]
    assert found["annotators"][0]["also"]["f1"]["value"] == 0.75
    assert found["annotators"][0]["also"]["alpha"]["value"] < 1
    assert [note["code"] for note in found["notes"]] == ["annotators_once"]
    assert "Stability (the same annotator twice)" in said
    assert "not agreement between annotators" in said


@pytest.mark.parametrize(
    ("gate", "code"),
    [("against.f1=0.7", 0), ("against.f1=0.8", 1), ("against.f1-overlap=0.99", 0)],
)
def test_a_gate_is_for_each_annotator(
    folder: Path, gate: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("@data.csv", "--against", "gold", "--min", gate, "--gate", "value")
    assert run(folder, *words) == code
    if code:
        said = "F1 of 'ann2' against the reference is 0.750, below 0.8"
        assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["@data.csv", "--against", "nobody"], "annotators are 'ann1', 'ann2'"),
        (["@data.csv", "--against-annotator", "nobody"], "there is no annotator 'nobody'"),
        (["@data.csv", "--against", "@data.csv"], "part of what is scored"),
        (["@others.csv", "--against", "@again.csv"], "--against-annotator NAME"),
        (["@others.csv", "--against", "@missing.csv", "--same-annotators"], "no file or folder"),
        (["@model.csv", "--against", "ann2"], "only annotator"),
        (["@data.csv", "--same-annotators"], "needs --against FILE"),
        (["@data.csv", "--against-from", "csv"], "needs --against FILE"),
        (
            [
                "@data.csv",
                "--against",
                "@again.csv",
                "--same-annotators",
                "--against-annotator",
                "x",
            ],
            "leave out --against-annotator",
        ),
        (["@data.csv", "--against", "gold", "--min", "against.x=1"], "against.f1"),
        (["@data.csv", "--min", "against.f1=1"], "name one with --against"),
    ],
)
def test_bad_words_are_one_sentence(
    folder: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, *words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1


def test_a_name_that_is_also_a_file_is_not_guessed(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold").write_bytes((folder / "reference.csv").read_bytes())
    data = str(folder / "data.csv")
    assert main(["score", data, "--against", "gold", *ROUGH]) == 2
    assert "--against ./gold for the file" in capsys.readouterr().err
    assert main(["score", data, "--against", "./gold", *ROUGH]) == 0
    assert "On 5 tasks" in " ".join(capsys.readouterr().out.split())
    assert main(["score", data, "--against-annotator", "gold", *ROUGH]) == 0
    assert "On 6 tasks" in " ".join(capsys.readouterr().out.split())


def test_other_texts_are_refused_by_task(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = Corpus((task(0, *spans("a")), task(1, *spans("a"))))
    other = Corpus((task(0, *spans("g")), task(1, *spans("g"), text=TEXT.replace("Anna", "Anne"))))
    for name, corpus in (("one", one), ("other", other)):
        write(corpus, tmp_path / name, format="brat")
    data, reference = (str(tmp_path / name) for name in ("one", "other"))
    assert main(["score", data, "--from", "brat", "--against", reference,
                 "--against-from", "brat", *ROUGH]) == 0  # fmt: skip
    said = " ".join(capsys.readouterr().out.split())
    assert "Left out: task" in said
    assert "text is not the same on both sides" in said


def test_nothing_is_written_over_the_reference(folder: Path) -> None:
    words = ("@others.csv", "--against", "@reference.csv", "--json")
    before = (folder / "reference.csv").read_bytes()
    assert run(folder, *words, str(folder / "reference.csv")) == 2
    assert (folder / "reference.csv").read_bytes() == before
