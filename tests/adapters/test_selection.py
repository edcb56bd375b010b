"""Tasks and labels that the options leave out."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldspan.adapters import read
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.options import read_options
from goldspan.engine.errors import InputError
from goldspan.engine.model import Corpus, Presence
from goldspan.engine.scoring import score
from goldspan.engine.settings import Settings

ROWS = ["task,annotator,category,start,end", "d1,ann,X,1,5", "d1,ben,X,1,6", "d1,ann,Y,8,12",
        "d1,ben,Z,8,12", "d2,ann,X,3,9", "d2,ben,Y,3,9", "d2,ann,Z,12,15"]  # fmt: skip


def table(folder: Path, rows: list[str]) -> Path:
    path = folder / f"rows{len(rows)}.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def notes(corpus: Corpus) -> dict[str, int]:
    return {note.message: note.count for note in corpus.notes}


def test_a_label_left_out_gives_what_a_file_without_its_spans_gives(tmp_path: Path) -> None:
    whole = read(table(tmp_path, ROWS), exclude_labels="Z")
    less = read(table(tmp_path, [row for row in ROWS if ",Z," not in row]))
    strip = {one.id: {(u.annotator, u.start, u.end, u.category) for u in one.units} for one in less}
    assert strip == {
        one.id: {(u.annotator, u.start, u.end, u.category) for u in one.units} for one in whole
    }
    settings = Settings.of(precision=0.1)
    assert score(whole, settings=settings).figures == score(less, settings=settings).figures
    assert notes(whole)["spans with the label 'Z' left out as requested"] == 2


def test_who_marked_only_what_is_left_out_has_seen_the_task(tmp_path: Path) -> None:
    corpus = read(table(tmp_path, ROWS), exclude_labels=["X", "Z"])
    assert corpus["d2"].presence == {"ann": Presence.EMPTY, "ben": Presence.DONE}


def test_a_task_left_out_is_in_neither_spans_nor_labels_of_tasks() -> None:
    made = Draft(read_options(exclude_tasks=["d2"]))
    for name in ("d1", "d2"):
        for annotator in ("ann", "ben"):
            made.task(name).span(annotator, 0, 5, "X")
            made.task(name).label("mood", annotator, "good")
            made.task(name).length = 9
    corpus = made.corpus()
    assert [one.id for one in corpus] == ["d1"]
    assert [one.id for one in corpus.layers["mood"]] == ["d1"]
    assert notes(corpus) == {"tasks left out as requested": 1}


def test_labels_are_left_out_by_their_new_names() -> None:
    made = Draft(read_options(exclude_labels=["PER"], rename_labels={"Person": "PER"}))
    made.task("t").span("a", 0, 5, "Person")
    made.task("t").span("a", 0, 7, "LOC")
    made.task("t").span("b", 0, 7, "LOC")
    assert {unit.category for unit in made.corpus()["t"].units} == {"LOC"}


def test_names_that_nothing_has_are_said() -> None:
    made = Draft(read_options(exclude_labels=["Q"], exclude_tasks=["u"]))
    made.task("t").span("a", 0, 5, "X")
    assert notes(made.corpus()) == {
        "--exclude-task: no task is named: 'u'": 1,
        "--exclude-label: no span has the label: 'Q'": 1,
    }


def test_leaving_out_every_task_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--exclude-task leaves out every task; keep one"):
        read(table(tmp_path, ROWS), exclude_tasks=["d1", "d2"])
