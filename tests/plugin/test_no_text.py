"""--no-text: private data leaves no trace in anything that is written or said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goldspan.adapters import read, write
from goldspan.adapters.adapter import ReadOptions
from goldspan.adapters.label_studio.config import config_template
from goldspan.adapters.label_studio.locator import Locator
from goldspan.adapters.label_studio.region_writer import suggestion
from goldspan.adapters.label_studio.tasks import raw_values
from goldspan.engine.gold.gold import Decision, GoldSpan, Question
from goldspan.engine.model import Continuum, Corpus, Unit
from goldspan.plugin.cli import main
from goldspan.plugin.label_studio.snapshot import Snapshot
from label_studio_export import annotation, region, task

SECRET = "Zebrafinkenhaus"  # noqa: S105 - a word of a text
TEXT = f"The patient {SECRET} was seen on Monday by Doctor {SECRET} and sent home"


def corpus() -> Corpus:
    continua = []
    for number in range(6):
        text = f"{number} {TEXT}"
        starts = [text.index("The"), text.index(SECRET), text.index("Monday"), text.index("Doctor")]
        units = tuple(
            Unit(name, start + shift, start + 8, label)
            for shift, name in enumerate(("ann", "ben", "cyn"))
            for start, label in zip(starts, ("A", "B", "A", "B" if shift else "C"), strict=True)
        )
        continua.append(Continuum(f"note{number}", units, text=text))
    return Corpus(tuple(continua))


FORMATS = {
    "brat": "in", "conll": "in", "doccano": "in.zip", "glozz": "in", "label-studio": "in.json",
    "prodigy": "in.jsonl", "spacy": "in.spacy",
}  # fmt: skip


def everything(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def found_in(folder: Path, said: str) -> list[str]:
    files = everything(folder)
    assert files
    found = [str(path) for path, data in files.items() if SECRET.encode() in data]
    return [*found, *(["messages"] if SECRET in said else [])]


def outputs(folder: Path) -> list[str]:
    return [
        "--html", str(folder / "page.html"), "--json", str(folder / "result.json"),
        "--markdown", str(folder / "page.md"), "--csv", str(folder / "tables"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_a_secret_word_is_in_no_output(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / FORMATS[name], tmp_path / "out"
    out.mkdir()
    write(corpus(), source, name)
    words = [str(source), "--from", name, "--precision", "0.2"]
    words += ["--annotator-from", "column"] if name == "conll" else []
    gold = ["--to", "csv", "--output", str(out / "gold.csv"), "--decisions", str(out / "todo.csv")]
    assert main(["score", *words, "--full", "--no-text", *outputs(out)]) == 0
    assert main(["gold", *words, "--no-text", *gold]) == 0
    assert found_in(out, "".join(capsys.readouterr())) == []
    if name != "label-studio":
        return
    # The search finds the word where it is: in the same outputs without the option.
    open_out = tmp_path / "open"
    open_out.mkdir()
    assert main(["score", *words, *outputs(open_out)]) == 0
    assert found_in(open_out, "") == [str(open_out / "page.html")]


def test_no_figure_changes(tmp_path: Path) -> None:
    write(corpus(), tmp_path / "in", "brat")
    figures = []
    for number, words in enumerate(([], ["--no-text"])):
        path = tmp_path / f"{number}.json"
        assert main(["score", str(tmp_path / "in"), "--json", str(path), *words]) == 0
        values = json.loads(path.read_text(encoding="utf-8"))
        figures.append((values["corpus"], [task["gamma"] for task in values["tasks"]]))
    assert figures[0] == figures[1]


@pytest.mark.parametrize("target", ["brat", "label-studio", "prodigy", "doccano"])
def test_formats_that_hold_texts_are_refused(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(corpus(), tmp_path / "in", "brat")
    out = tmp_path / ("out.jsonl" if target == "doccano" else "out.json")
    words = ["gold", str(tmp_path / "in"), "--to", target, "--output", str(out)]
    assert main([*words, "--no-text", "--precision", "0.2"]) == 2
    assert "text" in capsys.readouterr().err
    assert not out.exists()
    assert main([*words, "--no-text", "--source", str(tmp_path / "in")]) == 2
    assert "--no-text forbids it" in capsys.readouterr().err


def test_errors_quote_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A mark whose stored words are not those of the text is an error that shows both."""
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "d.txt").write_text("Mr Smith is in", encoding="utf-8")
    marks = f"T1\tPER 0 2;9 11\tThe {SECRET} it's\n"
    (tmp_path / "ann" / "d.ann").write_text(marks, encoding="utf-8")
    assert main(["score", str(tmp_path)]) == 2
    assert SECRET in capsys.readouterr().err
    assert main(["score", str(tmp_path), "--no-text"]) == 2
    said = capsys.readouterr().err
    assert SECRET not in said
    assert "Smith" not in said
    assert "d.ann:1: the fragments read" in said


def test_python_reads_without_texts(tmp_path: Path) -> None:
    write(corpus(), tmp_path / "in", "brat")
    full, bare = read(tmp_path / "in"), read(tmp_path / "in", no_text=True)
    assert [one.text for one in bare] == [None] * len(full)
    assert [(one.units, one.length) for one in bare] == [(one.units, one.length) for one in full]


LABELS = """<View><Labels name="label" toName="text"><Label value="A"/></Labels>
<Text name="text" value="$body"/></View>"""


@pytest.mark.parametrize("no_text", [False, True])
def test_suggestions_in_label_studio_quote_nothing(no_text: bool) -> None:
    marked = region(12, 27, "A", text=SECRET, id="r")
    given = [task(1, {"body": TEXT}, annotation(1, marked), annotation(2, marked))]
    settings = {"id": 5, "label_config": LABELS, "description": "", "title": "Test"}
    (continuum,) = Snapshot(settings, given, [], task_ids=[1]).corpus(ReadOptions(no_text=no_text))
    template = config_template(LABELS)
    (read_task,) = raw_values(given)
    medium = Locator.of(template).medium(read_task.data, ())
    votes = continuum.units
    span = GoldSpan(12, 27, "A", 0.9, votes, 2)
    question = Decision(12, 27, Question.LABEL, votes, span)
    said = suggestion(read_task, medium, continuum, template, [span], decisions=[question])
    assert (SECRET in json.dumps(said)) is not no_text
    assert said[0]["value"]["start"] == 12
