"""Spread: the probability that a suggested place is right, against what happens."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.engine import Measure, Unit, merge, score
from goldspan.engine.gold.boundaries import Extent, Placing, overlap, placing
from goldspan.engine.gold.calibration import judge_spans
from goldspan.engine.gold.sites import Site
from goldspan.engine.gold.spread import well_placed
from goldspan.engine.simulation.reference import Blueprint
from goldspan.engine.simulation.shuffle import Errors, shuffle_corpus

TEXT = {"t": Measure.CHARACTER}
NAMES = ("ann1", "ann2", "ann3", "ann4", "ann5")


def site(*spans: tuple[float, float]) -> Site:
    units = tuple(Unit(name, *span, "X") for name, span in zip(NAMES, spans, strict=False))
    return Site("t", units, NAMES)


def placed(*sites: Site, measure: Measure = Measure.CHARACTER) -> list[float]:
    places = [Placing().place(one, measure) for one in sites]
    return well_placed(sites, places, {"t": measure})


@pytest.mark.parametrize("measure", [Measure.CHARACTER, Measure.MILLISECOND])
@pytest.mark.parametrize("noise", [0.05, 0.15, 0.3])
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_it_is_how_often_a_place_is_right(k: int, noise: float, measure: Measure) -> None:
    """Units around [0, 1000) with normal errors; lone ones learn from those of three others."""
    rng = np.random.default_rng(7)
    drawn = np.sort(rng.normal((0, 1000), noise * 1000, (600, max(k, 3), 2)).round() + 9000)
    sites = [site(*((int(s), int(e) + (s == e)) for s, e in one[:k])) for one in drawn]
    rest = [site(*((int(s), int(e) + (s == e)) for s, e in one)) for one in drawn]
    chosen = placing(rest)
    places: list[Extent] = [chosen.place(one, measure) for one in (*sites, *rest)]
    found = well_placed((*sites, *rest), places, {"t": measure})[:600]
    happened = [overlap(place, (9000, 10000)) >= 0.5 for place in places[:600]]
    assert np.mean(found) == pytest.approx(np.mean(happened), abs=0.06)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(40, 60)), min_size=1, max_size=5))
def test_more_annotators_of_one_opinion_place_better(spans: list[tuple[int, int]]) -> None:
    """Two more who draw the medians."""
    usual = site((0, 50), (3, 53), (8, 44))
    place = Placing().place(site(*spans), Measure.CHARACTER)
    fewer = Site("t", tuple(Unit(f"a{at}", *span, "X") for at, span in enumerate(spans)), NAMES)
    more = Site("t", (*fewer.units, Unit("b", *place, "X"), Unit("c", *place, "X")), NAMES)
    # The usual spread is that of many others, which these do not change.
    sites = (fewer, more, *[usual] * 9)
    places = [place, place, *[Placing().place(usual, Measure.CHARACTER)] * 9]
    before, after, *_ = well_placed(sites, places, TEXT)
    assert 0 <= before <= after <= 1


def test_units_further_apart_place_worse_and_closer_ones_no_better() -> None:
    usual = [site((0, 50), (5, 55), (9, 47))] * 9
    wide, wider = site((0, 50), (15, 64), (30, 80)), site((0, 50), (20, 66), (40, 90))
    close = site((0, 50), (0, 50), (0, 50))
    first, *_, apart, further, together = placed(*usual, wide, wider, close)
    assert first > apart > further > 0
    assert together == pytest.approx(first, abs=0.02)


def test_where_all_agree_every_place_is_sure() -> None:
    assert min(placed(*[site((0, 9), (0, 9), (0, 9))] * 20)) > 0.999


def test_a_lone_project_knows_little() -> None:
    """Nothing tells how far apart annotators are: a tenth of the length is taken for granted."""
    assert placed(site((0, 9))) == placed(site((0, 999)))
    assert 0.99 < placed(site((0, 9)))[0] < 1
    assert well_placed((), (), {}) == []


def test_confidence_before_calibration_follows_the_placing() -> None:
    """Position errors alone: spans of five annotators are right more often than their units."""
    reference = Blueprint(units=12).corpus(40, 5)
    errors = Errors(shift=2, extra=1).at(0.3, "position")
    made = shuffle_corpus(reference, dict.fromkeys(NAMES, errors), 6)
    gold = merge(made, score(made, pairs=False, precision=0.9))
    judged, _ = judge_spans(gold, reference)
    right = np.mean([one.right for one in judged])
    stated = np.mean([one.span.confidence for one in judged])
    assert right > 0.9
    assert stated == pytest.approx(right, abs=0.04)
