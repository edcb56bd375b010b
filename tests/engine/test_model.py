"""Impossible values cannot be built, and the message says what to do."""

from __future__ import annotations

import math
import pickle
from dataclasses import FrozenInstanceError
from itertools import permutations

import pytest

from goldspan.engine import Continuum, Corpus, InputError, Measure, Presence, Unit


@pytest.mark.parametrize(
    ("start", "end", "category", "annotator", "message"),
    [
        (math.nan, 3, "x", "a", "not a finite number"),
        (0, math.inf, "x", "a", "not a finite number"),
        (0, 2**53 + 1, "x", "a", r"number within 2\*\*53 of 0"),
        (-1e308, 1, "x", "a", r"number within 2\*\*53 of 0"),
        (0.5, -(10**400), "x", "a", r"number within 2\*\*53 of 0"),
        (0, 1e-320, "x", "a", "shorter than 1e-09; drop it"),
        (5, 5, "x", "a", "has no length"),
        (5, 3, "x", "a", "ends before it starts; swap"),
        (0, 3, "", "a", "no category"),
        (0, 3, "x", "", "no annotator"),
    ],
)
def test_impossible_units(
    start: float, end: float, category: str, annotator: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Unit(annotator, start, end, category)


def test_units_may_reach_the_limits() -> None:
    assert Unit("a", -(2**53), 2**53, "x").length == 2**54
    assert Unit("a", 0, 1e-9, "x").length == 1e-9


def test_a_unit_is_frozen_ordered_and_its_source_takes_no_part() -> None:
    unit = Unit("a", 1, 2, "x", source="r1")
    assert unit == Unit("a", 1, 2, "x", source="r2")
    assert unit < Unit("a", 1, 3, "x")
    with pytest.raises(FrozenInstanceError):
        unit.start = 0  # type: ignore[misc]


@pytest.mark.parametrize("length", [-1, math.nan, math.inf, 10**400])
def test_impossible_lengths(length: float) -> None:
    with pytest.raises(InputError, match="task 't': the length"):
        Continuum("t", length=length)


def test_units_outside_the_continuum() -> None:
    with pytest.raises(InputError, match=r"task 't': .* outside the continuum \[0, 4\)"):
        Continuum("t", (Unit("a", 2, 5, "x"),), text="abcd")
    with pytest.raises(InputError, match="outside"):
        Continuum("t", (Unit("a", -1, 2, "x"),), length=9)
    assert Continuum("t", (Unit("a", -1, 2, "x"),)).bounds == (-1, 2)


def test_units_are_kept_sorted() -> None:
    sorted_units = (
        Unit("a", 0, 1.5, "x"),
        Unit("a", 0, 2, "x"),
        Unit("a", 0, 2, "y"),
        Unit("b", -1, 1, "x"),
    )
    for units in permutations(sorted_units):
        assert Continuum("t", units).units == sorted_units


def test_duplicates_are_refused_not_merged() -> None:
    twice = Unit("a", 1, 2, "x")
    for units in permutations((twice, Unit("a", 0, 2, "x"), Unit("a", 1, 2.0, "x", "r2"))):
        with pytest.raises(InputError, match=r"'a' stands twice"):
            Continuum("t", units)


def test_presence_tells_who_takes_part() -> None:
    c = Continuum(
        "t",
        (Unit("a", 0, 1, "x"), Unit("e", 0, 1, "x")),
        {
            "b": Presence.DONE,
            "c": Presence.UNSEEN,
            "d": Presence.SKIPPED,
            "e": Presence.PARTIAL,
            "f": Presence.UNKNOWN,
        },
    )
    assert c.presence["a"] is Presence.DONE
    assert c.presence["b"] is Presence.EMPTY
    assert c.annotators == ("a", "b")
    with pytest.raises(InputError, match="said to have marked nothing"):
        Continuum("t", (Unit("a", 0, 1, "x"),), {"a": Presence.EMPTY})


def test_a_continuum_travels_and_can_be_a_key() -> None:
    c = Continuum("t", (Unit("ж", 0, 1, "标签"),), {"b": Presence.DONE}, 9, Measure.FRAME)
    again = pickle.loads(pickle.dumps(c))  # noqa: S301 - our own bytes
    assert again == c
    assert {c: 1}[again] == 1
    with pytest.raises(TypeError):
        c.presence["b"] = Presence.UNSEEN  # type: ignore[index]


def test_two_tasks_cannot_have_one_id() -> None:
    with pytest.raises(InputError, match="two tasks have the id 't'"):
        Corpus((Continuum("t"), Continuum("t")))


def test_an_error_travels_with_its_place() -> None:
    error = pickle.loads(pickle.dumps(InputError("no", where="f.csv:3").at("zip")))  # noqa: S301
    assert str(error) == "zip, f.csv:3: no"


def test_a_corpus_is_a_collection_of_its_continua() -> None:
    one, other = Continuum("one", (Unit("a", 0, 1, "X"),)), Continuum("other", ())
    corpus = Corpus((one, other))
    assert list(corpus) == [one, other]
    assert len(corpus) == 2
    assert "one" in corpus
    assert other in corpus
    assert "nothing" not in corpus
    assert Continuum("one", ()) not in corpus
