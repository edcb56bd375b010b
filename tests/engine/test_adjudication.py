"""Adjudication: how likely suggestions are wrong, and marks that went astray."""

from __future__ import annotations

import numpy as np

from goldspan.engine import merge, score
from goldspan.engine.adjudication.odds import AT_KINDS, KINDS, LEAST_EXISTS, features, fit_sites
from goldspan.engine.adjudication.site import Site, find_sites
from goldspan.engine.adjudication.strays import astray
from goldspan.engine.model import Continuum, Corpus, Unit

LENGTH = 400
NAMES = ("x", "y", "z")


def sites_of(*tasks: list[Unit]) -> tuple[Site, ...]:
    found = [Continuum(f"task {n}", tuple(own), length=LENGTH) for n, own in enumerate(tasks)]
    corpus = Corpus(tuple(found))
    return find_sites(merge(corpus, score(corpus)))


def everybody(*places: tuple[int, int]) -> list[Unit]:
    return [Unit(name, *place, "A") for name in NAMES for place in places]


def at(sites: tuple[Site, ...], start: int) -> int:
    return next(n for n, site in enumerate(sites) if site.start == start)


def wrong(sites: tuple[Site, ...]) -> list[float]:
    rows = features(sites)
    found: list[float] = fit_sites(rows[:0], []).wrong(rows).tolist()
    return found


def placed(start: int, end: int, *others: tuple[int, int]) -> list[Unit]:
    """Two have a span at the beginning; the third has one here. All have the others."""
    pair = [Unit("x", 0, 20, "A"), Unit("y", 0, 20, "A"), Unit("z", start, end, "A")]
    return pair + everybody(*others)


def test_a_mark_beside_a_place_that_its_annotator_left_out_may_be_that_place() -> None:
    beside, far = sites_of(placed(25, 45)), sites_of(placed(225, 245))
    near, apart = wrong(beside), wrong(far)
    assert near[at(beside, 0)] > apart[at(far, 0)]
    assert near[at(beside, 25)] > apart[at(far, 225)]
    assert astray(far) == [0.0, 0.0]


def test_strays_are_beside_with_the_same_label_and_by_others() -> None:
    another = [Unit(u.annotator, u.start, u.end, "B" if u.start else "A") for u in placed(25, 45)]
    assert astray(sites_of(another)) == [0.0, 0.0]
    assert not any(astray(sites_of(everybody((0, 20), (25, 45)))))
    # As much lies between them as the shorter one is long.
    assert not any(astray(sites_of(placed(30, 40))))
    assert all(astray(sites_of(placed(29, 39))))


def test_where_annotators_invent_spans_a_neighbour_says_less() -> None:
    task = placed(25, 45)
    inventive = [*task, *(Unit("y", start, start + 5, "A") for start in range(100, 400, 30))]
    few, many = sites_of(task), sites_of(inventive)
    assert 0 < astray(many)[at(many, 0)] < astray(few)[at(few, 0)]


def test_each_site_has_its_question_or_none() -> None:
    sites = sites_of(placed(225, 245, (100, 120), (300, 330)))
    rows = features(sites)
    for site, row in zip(sites, rows, strict=True):
        ones = np.flatnonzero(row[AT_KINDS:]).tolist()
        assert ones == [KINDS.index(site.kind) if site.questions else len(KINDS)]


def drawn_by(names: str, start: int, label: str = "A") -> list[Unit]:
    return [Unit(name, start, start + 10, label) for name in names]


def test_dissent_is_the_share_with_other_labels_than_those_suggested() -> None:
    tasks = [everybody(*((start, start + 10) for start in range(0, 300, 30))) for _ in range(6)]
    odd = [*drawn_by("xy", 0), *drawn_by("z", 0, "B"), *drawn_by("xy", 60), *drawn_by("z", 120)]
    sites = [site for site in sites_of(*tasks, [*odd, *everybody((180, 190))])
             if site.task == "task 6"]  # fmt: skip
    assert [bool(site.suggested) for site in sites] == [True, True, False, True]
    np.testing.assert_allclose([site.dissent for site in sites], [1 / 3, 1 / 3, 1 / 3, 0])


def test_errors_in_common_are_learned_where_the_merge_is_sure() -> None:
    names = "vwxyz"
    task = [
        unit
        for start in range(0, 360, 20)
        for unit in drawn_by(names[:4] if start % 40 else names, start)
    ]
    sites = sites_of(*([task] * 6))
    rows = features(sites)
    four = [n for n, site in enumerate(sites) if site.dissent]
    five = [n for n, site in enumerate(sites) if not site.dissent]
    # Before anybody judged, both are sure.
    before = fit_sites(rows[:0], []).wrong(rows)
    np.testing.assert_allclose(before, before[0])
    judged = [*four[:6], *five[:6]]
    after = fit_sites(rows[judged], [n in four[:2] for n in judged]).wrong(rows)
    assert after[four[-1]] > 2 * after[five[-1]]


def test_neighbours_that_turn_out_right_are_suspected_less_than_others() -> None:
    near = [placed(25, 45, (100, 120), (200, 220)) for _ in range(8)]
    sites = sites_of(*near, *(placed(325, 345, (100, 120), (200, 220)) for _ in range(8)))
    rows = features(sites)
    lone = [n for n, site in enumerate(sites) if not site.suggested]
    beside = [n for n in lone if sites[n].start == 25]
    apart = [n for n in lone if sites[n].start == 325]
    before = fit_sites(rows[:0], []).wrong(rows)
    assert before[beside[-1]] > before[apart[-1]]
    judged = [*beside[:6], *apart[:6]]
    after = fit_sites(rows[judged], [n in apart[:3] for n in judged]).wrong(rows)
    assert after[beside[-1]] < after[apart[-1]]


def test_a_lone_mark_is_never_ruled_out() -> None:
    full = everybody(*((start, start + 10) for start in range(0, 300, 30)))
    tasks = [full for _ in range(6)]
    sites = sites_of(*tasks, [*full, Unit("x", 315, 325, "A")])
    lone = at(sites, 315)
    assert not sites[lone].suggested
    assert wrong(sites)[lone] >= LEAST_EXISTS - 1e-9
