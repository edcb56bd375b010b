"""Independence: which of a crowd's suggestions give way, against the rule written out."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.engine import Corpus, Gold, Presence, Unit, merge, score
from goldspan.engine.gold.independence import SURE_ENOUGH, Proposal, giving_way
from goldspan.engine.simulation.reference import Blueprint

PROPOSALS = st.lists(
    st.builds(
        lambda task, start, length, category, likely: Proposal(
            task, (start, start + length), category, likely
        ),
        st.sampled_from("tu"),
        st.integers(0, 12),
        st.integers(1, 6),
        st.sampled_from("XY"),
        st.sampled_from((0.4, 0.5, 0.7, 0.8, 0.9, 1.0)),
    ),
    max_size=12,
)


def overlap(one: Proposal, other: Proposal) -> bool:
    shared = one.place[0] < other.place[1] and other.place[0] < one.place[1]
    return one.task == other.task and shared and one[:3] != other[:3]


@given(PROPOSALS)
def test_what_is_not_sure_overlaps_nothing_that_stays(proposals: list[Proposal]) -> None:
    left = giving_way(proposals)
    stay = [one for at, one in enumerate(proposals) if at not in left]
    for at, one in enumerate(proposals):
        likelier = [other for other in stay if overlap(one, other) and other.likely >= one.likely]
        if at in left:
            assert one.likely < SURE_ENOUGH
            assert likelier
        elif one.likely < SURE_ENOUGH:
            assert not [other for other in likelier if other.likely > one.likely]


@given(PROPOSALS, st.randoms(use_true_random=False))
def test_the_order_of_proposals_does_not_matter(proposals: list[Proposal], random: object) -> None:
    shuffled = list(proposals)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    def left(given: list[Proposal]) -> list[Proposal]:
        return sorted(given[at] for at in giving_way(given))

    assert left(proposals) == left(shuffled)


def crowd(nested: float, mistakes: float) -> tuple[Corpus, Corpus]:
    """A reference; and the work of 12 workers, five on a task, who find 7 of 10 units, and mark the
    second half of a unit with another category in so many cases.
    """
    reference = Blueprint(units=5, gaps=(30, 90), nested=nested).corpus(80, 4)
    rng = np.random.default_rng(4)
    made = []
    for one in reference.continua:
        names = [f"w{at:02d}" for at in sorted(rng.choice(12, 5, replace=False).tolist())]
        units = []
        for unit in one.units:
            wrong = "A" if unit.category != "A" else "B"
            for name in names:
                if rng.random() < mistakes:
                    half = (unit.start + unit.end) // 2
                    units.append(Unit(name, half, unit.end + 5, wrong))
                if rng.random() < 0.7:
                    units.append(replace(unit, annotator=name))
        made.append(replace(one, units=tuple(units), presence=dict.fromkeys(names, Presence.DONE)))
    return reference, replace(reference, continua=tuple(made))


def merged(corpus: Corpus) -> Gold:
    return merge(corpus, score(corpus, precision=0.9, pairs=False, chance="statistical"))


def overlapping(gold: Gold) -> int:
    """How many spans overlap the one before."""
    return sum(
        span.start < before.end for spans in gold.spans.values() for before, span in pairwise(spans)
    )


def test_a_crowds_nested_spans_stay() -> None:
    reference, corpus = crowd(nested=0.5, mistakes=0.0)
    wanted = {
        (c.id, one.start, one.end)
        for c in reference.continua
        for one in c.units
        if any(other.start < one.start and one.end < other.end for other in c.units)
    }
    gold = merged(corpus)
    found = {(task, s.start, s.end) for task, spans in gold.spans.items() for s in spans}
    assert len(found & wanted) > 0.85 * len(wanted) > 50


def test_what_overlaps_a_likelier_suggestion_is_left_to_a_person(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, corpus = crowd(nested=0.0, mistakes=0.03)
    gold = merged(corpus)
    suggested = {unit for spans in gold.spans.values() for span in spans for unit in span.votes}
    asked = {unit for own in gold.decisions.values() for one in own for unit in one.units}
    for continuum in corpus.continua:
        assert set(continuum.units) <= suggested | asked
    monkeypatch.setattr("goldspan.engine.gold.independence.SURE_ENOUGH", 0.0)
    assert overlapping(gold) < 0.3 * overlapping(merged(corpus)) > 5
