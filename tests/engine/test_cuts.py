"""Cuts: who backs them, who speaks against them, and what becomes of them in a project."""

from __future__ import annotations

import pytest

from goldspan.engine import Corpus, Unit, merge, score
from goldspan.engine.gold.cuts import Cut, find_cuts, neighbourhood, standing
from goldspan.engine.simulation.reference import Blueprint
from goldspan.engine.simulation.shuffle import Errors, shuffle_corpus


def units(text: str) -> list[Unit]:
    made = []
    for mark in text.split(", "):
        name, place, *label = mark.split()
        start, end = (int(n) for n in place.split("-"))
        made.append(Unit(name, start, end, label[0] if label else "X"))
    return made


def cuts(text: str, slack: float = 0.0) -> list[Cut]:
    return list(find_cuts(neighbourhood(units(text)), slack))


def test_a_boundary_backs_and_a_unit_across_speaks_against() -> None:
    (cut, other) = cuts("a 0-10, a 10-20, b 0-20, c 0-10, c 10-21")
    assert cut.votes == (1, 2)
    assert cut.across == (Unit("b", 0, 20, "X"),)
    assert other.before.annotator == "c"


def test_nearby_counts_within_the_usual_slack() -> None:
    text = "a 0-10, a 10-20, b 0-11, b 11-20"
    assert [cut.votes for cut in cuts(text)] == [(0, 1), (0, 1)]
    assert [cut.votes for cut in cuts(text, slack=0.1)] == [(1, 1), (1, 1)]


@pytest.mark.parametrize(
    "text",
    [
        "a 0-10, a 10-20",  # nobody else has a say
        "a 0-10 X, a 10-20 Y, b 0-20 X",  # another category is another unit
        "a 0-10, a 18-28, b 0-28",  # too wide a gap
        "a 0-10, a 8-20, b 0-20",  # they overlap
        "a 0-20, a 0-10, a 10-20, b 0-20",  # its author draws both levels
    ],
)
def test_what_is_no_cut(text: str) -> None:
    assert cuts(text) == []


def cut(backed: int, against: int, *, gap: int = 0) -> Cut:
    across = tuple(Unit(f"n{at}", 0, 20, "X") for at in range(against))
    return Cut(Unit("a", 0, 10, "X"), Unit("a", 10 + gap, 20, "X"), across, backed)


def test_few_cuts_need_a_majority() -> None:
    few = [cut(1, 1), cut(0, 1), cut(0, 2), cut(1, 2)]
    assert standing(few) == [cut(1, 1)]


def test_where_cuts_are_accidents_even_a_backed_one_falls() -> None:
    many = [cut(0, 2)] * 60 + [cut(1, 1)] * 6
    assert standing(many) == []


def test_where_cuts_are_real_one_against_does_not_undo_them() -> None:
    many = [cut(2, 0)] * 60 + [cut(1, 1)] * 6
    assert len(standing(many)) == 66


def test_touching_units_are_judged_apart_from_those_with_a_gap() -> None:
    accidents, real = [cut(0, 2)] * 60 + [cut(1, 1)] * 6, [cut(2, 0, gap=1)] * 60
    assert standing([*accidents, *real]) == real


def relaxed(reference: Corpus, splits: float) -> float:
    """The share of true spans found exactly, by annotators who only split."""
    errors = dict.fromkeys("abc", Errors(splits=splits))
    corpus = shuffle_corpus(reference, errors, 5)
    gold = merge(corpus, score(corpus, pairs=False, precision=0.5))
    truth = {(c.id, u.start, u.end, u.category) for c in reference.continua for u in c.units}
    found = {(task, s.start, s.end, s.category) for task, own in gold.spans.items() for s in own}
    return 2 * len(truth & found) / (len(truth) + len(found))


def test_split_units_are_put_together_again() -> None:
    assert relaxed(Blueprint().corpus(30, 1), 0.2) > 0.9


def test_real_neighbours_stay_apart() -> None:
    assert relaxed(Blueprint(adjacent=0.7).corpus(30, 1), 0.0) == 1.0
