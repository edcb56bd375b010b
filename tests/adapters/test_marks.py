"""Marks and leftovers: what text formats share on their way into and out of the model."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.roundtrip import leftover, take_leftover, text_of
from goldspan.adapters.kit.text.marks import Mark, Marks
from goldspan.adapters.options import read_options
from goldspan.engine.errors import InputError
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from strategies import corpora, texts


@given(texts(min_pieces=2), st.data())
def test_positions_in_code_points_stay(text: str, data: st.DataObject) -> None:
    draft = Draft(read_options())
    marks = Marks(draft)
    expected = set()
    for name in ("a", "b"):
        start = data.draw(st.integers(0, len(text) - 1))
        end = data.draw(st.integers(start + 1, len(text)))
        marks.add(draft.task("t"), name, text, [Mark(start, end, "X", text[start:end])])
        expected.add(Unit(name, start, end, "X"))
    marks.settle()
    assert set(draft.corpus()["t"].units) == expected


@given(texts().filter(lambda text: "\n" not in text), st.data())
def test_everybodys_marks_decide_how_the_tool_counted(text: str, data: st.DataObject) -> None:
    """One stored text that fits UTF-16 only settles it for those that store none.

    Without line feeds: a tool that counts each as two could be meant as well.
    """
    text = f"🙂{text} end"
    draft = Draft(read_options())
    marks = Marks(draft)
    start = data.draw(st.integers(1, len(text) - 4))
    end = data.draw(st.integers(start + 1, len(text) - 3))

    def units(position: int) -> int:
        return len(text[:position].encode("utf-16-le")) // 2

    marks.add(draft.task("t"), "a", text, [Mark(units(start), units(end), "X")])
    last = Mark(units(len(text) - 3), units(len(text)), "X", "end")
    marks.add(draft.task("t"), "b", text, [last])
    marks.settle()
    corpus = draft.corpus()
    assert set(corpus["t"].units) == {
        Unit("a", start, end, "X"),
        Unit("b", len(text) - 3, len(text), "X"),
    }
    assert any("UTF-16" in note.message for note in corpus.notes)


def test_a_misfit_is_named_by_its_own_place() -> None:
    draft = Draft(read_options())
    marks = Marks(draft)
    good, bad = Mark(0, 1, "X", "a", "f:1"), Mark(1, 2, "X", "z", "f:2")
    marks.add(draft.task("t"), "a", "abc", [good, bad])
    with pytest.raises(InputError, match=r"^f:2: the span \[1, 2\) reads 'b', not 'z'"):
        marks.settle()


@given(corpora(presences=tuple(Presence)), st.lists(st.text(min_size=1), unique=True))
def test_leftovers_put_everything_back(corpus: Corpus, scale: list[str]) -> None:
    corpus = Corpus(corpus.continua, tuple(scale))
    for continuum in corpus.continua:
        draft = Draft(read_options())
        task = draft.task(continuum.id)
        take_leftover(leftover(corpus, continuum, ()), draft, task)
        assert task.presences == continuum.presence
        assert draft.scale == corpus.scale


def test_nothing_is_left_over_of_a_plain_task() -> None:
    corpus = Corpus((Continuum("t", (Unit("a", 0, 1, "X"),), text="ab"),))
    assert leftover(corpus, corpus["t"], ["a"]) == {}


@pytest.mark.parametrize(
    "values",
    [
        None,
        3,
        [],
        {"presence": 3, "media": 3, "length": "3", "scale": 3},
        {
            "presence": {"a": "nonsense", "b": ["done"], "": "done", 3: "done"},
            "scale": [3],
            "length": True,
        },
    ],
)
def test_what_others_wrote_there_is_left_alone(values: Any) -> None:
    draft = Draft(read_options())
    task = draft.task("t")
    take_leftover(values, draft, task)
    assert (task.presences, task.media, task.length, draft.scale) == ({}, None, None, ())


def test_texts_only() -> None:
    assert text_of(Continuum("t", text="ab"), "X") == "ab"
    with pytest.raises(InputError, match=r"^task 't': there is no text; X holds texts only"):
        text_of(Continuum("t"), "X")
    with pytest.raises(InputError, match=r"^task 't': positions are counted in tokens; X holds"):
        text_of(Continuum("t", text="ab", measure=Measure.TOKEN), "X")


def test_length_and_media_are_kept() -> None:
    corpus = Corpus((Continuum("t", text="ab", length=9, media="x.wav"),))
    draft = Draft(read_options())
    task = draft.task("t")
    take_leftover(leftover(corpus, corpus["t"], ()), draft, task)
    task.text = "ab"
    assert draft.corpus().continua == corpus.continua
