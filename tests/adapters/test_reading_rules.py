"""Rules of reading that hold in every format: who saw what, and spans without a category."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.adapters import read
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.rules.unlabelled import MOST_SHARE
from goldspan.adapters.options import read_options
from goldspan.engine.errors import InputError
from goldspan.engine.model import Presence

NAMES = st.sampled_from(["ann", "ben", "cyn"])
TASKS = st.sampled_from(["t1", "t2", "t3"])


def table(path: Path, rows: list[tuple[str, str, str]]) -> Path:
    lines = ["document,annotator,status", *(",".join(row) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_table_of_who_did_what_is_complete(tmp_path: Path) -> None:
    """A crowd's rows and a list of who got which batch, as platforms export them."""
    rows = tmp_path / "crowd.csv"
    rows.write_text(
        "task,annotator,category,start,end\n"
        "t1,ann,X,0,3\nt1,ben,X,0,3\nt2,ann,X,1,4\nt2,cyn,X,1,4\nt3,cyn,X,1,4\n",
        encoding="utf-8",
    )
    batch = [("t1", "ann"), ("t1", "ben"), ("t2", "ann"), ("t2", "ben"), ("t3", "ben")]
    who = table(tmp_path / "batches.csv", [(task, name, "done") for task, name in batch])
    assert read(rows)["t1"].presence["cyn"] is Presence.UNKNOWN
    corpus = read(rows, assignments=who)
    assert corpus["t1"].presence["cyn"] is Presence.UNSEEN
    assert corpus["t2"].presence["ben"] is Presence.EMPTY
    assert corpus["t3"].presence["ann"] is Presence.UNSEEN
    # What somebody marked is evidence that no table takes away.
    assert corpus["t2"].presence["cyn"] is Presence.DONE
    said = {note.task: note.count for note in corpus.notes if "do not list" in note.message}
    assert said == {"t2": 1, "t3": 1}


@given(
    marked=st.sets(st.tuples(TASKS, NAMES), min_size=1),
    opened=st.sets(st.tuples(TASKS, NAMES)),
    listed=st.dictionaries(st.tuples(TASKS, NAMES), st.sampled_from(["done", "skipped"])),
)
def test_unlisted_pairs_without_spans_are_unseen(
    tmp_path_factory: pytest.TempPathFactory,
    marked: set[tuple[str, str]],
    opened: set[tuple[str, str]],
    listed: dict[tuple[str, str], str],
) -> None:
    path = tmp_path_factory.mktemp("who") / "who.csv"
    who = table(path, [(task, name, state) for (task, name), state in listed.items()])
    draft = Draft(read_options(assignments=who), open_tasks=True)
    for task, name in opened:
        draft.task(task).saw(name)
    for task, name in marked:
        draft.task(task).span(name, 0, 5, "X")
    draft.unknown_elsewhere()
    for continuum in draft.corpus():
        for name, state in continuum.presence.items():
            pair = continuum.id, name
            works = pair in marked if pair not in listed else listed[pair] == "done"
            assert state.takes_part == works


@given(labelled=st.integers(0, 60), unlabelled=st.integers(1, 5))
def test_a_few_spans_without_a_category_do_not_stop_a_reading(
    labelled: int, unlabelled: int
) -> None:
    def fill(**options: object) -> Draft:
        draft = Draft(read_options(**options))
        for at in range(labelled + unlabelled):
            draft.task(f"t{at % 3}").span(
                "ann", at, at + 1, "X" if at < labelled else "", f"f:{at}"
            )
        return draft

    total = labelled + unlabelled
    if unlabelled <= MOST_SHARE * total:
        corpus = fill().corpus()
        (note,) = [one for one in corpus.notes if "without a category" in one.message]
        assert note.count == unlabelled
        assert f"of {total} spans" in note.message
        assert sum(len(one.units) for one in corpus) == labelled
    else:
        with pytest.raises(InputError, match=rf"^f:\d+: .*drop .*\({unlabelled} of {total}\)"):
            fill().corpus()
    dropped = fill(unlabelled="drop").corpus()
    assert sum(len(one.units) for one in dropped) == labelled
    assert sum(n.count for n in dropped.notes if "left out" in n.message) == unlabelled
    named = fill(unlabelled="none").corpus()
    assert sum(unit.category == "none" for one in named for unit in one.units) == unlabelled
