"""Models of positions: Dawid and Skene's, and HMM-Crowd, on small data with known answers."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from goldspan.engine import Continuum, Corpus, Gold, Presence, Unit, merge, score
from goldspan.engine.gold.position_models import _allowed, _Grid, learn_positions
from goldspan.engine.gold.sites import Site
from goldspan.engine.gold.tagging import tag

MODELS = pytest.mark.parametrize("strategy", ["dawid-skene", "hmm-crowd"])


def site(task: str, *units: tuple[str, int, int, str]) -> Site:
    return Site(task, tuple(Unit(*unit) for unit in units), ("a", "b", "c"))


def merged(strategy: str, *tasks: Continuum) -> Gold:
    corpus = Corpus(tasks)
    return merge(corpus, score(corpus, precision=0.9, pairs=False), strategy=strategy)


def task(name: str, *units: tuple[str, int, int, str]) -> Continuum:
    presence = dict.fromkeys("abcd", Presence.DONE)
    return Continuum(name, tuple(Unit(*unit) for unit in units), presence, 100)


def test_tags_are_what_each_annotator_says_between_boundaries() -> None:
    sites = [site("t", ("a", 0, 10, "X"), ("b", 0, 8, "X")), site("t", ("c", 10, 20, "Y"))]
    made = tag(sites, ("X", "Y"), begins=True)
    (own,) = made.tasks
    assert own.cuts == (0, 8, 10, 20)
    assert own.tags.tolist() == [[3, 1, 0], [3, 0, 0], [0, 0, 4]]
    assert made.votes[0].tolist() == [1, 0, 0, 2, 0]
    assert tag(sites, ("X", "Y"), begins=False).votes[1].tolist() == [2, 1, 0]


@MODELS
def test_unanimous_annotators_get_their_annotation(strategy: str) -> None:
    """Touching spans of one category too."""
    marks = [(0, 10, "X"), (10, 25, "X"), (40, 60, "Y")]
    gold = merged(strategy, *(task(f"t{at}", *((n, *m) for n in "abc" for m in marks))
                              for at in range(3)))  # fmt: skip
    for spans in gold.spans.values():
        assert [(s.start, s.end, s.category) for s in spans] == marks
        assert all(s.voters == ("a", "b", "c") for s in spans)


@MODELS
def test_a_reliable_annotator_outweighs_two_who_err(strategy: str) -> None:
    """Annotator c swaps the categories, b marks at random; a, d are right and decide."""
    rng = np.random.default_rng(3)
    swapped = {"X": "Y", "Y": "X"}
    tasks = []
    for at in range(60):
        y = "X" if rng.random() < 0.5 else "Y"
        noise = int(rng.integers(0, 70))
        tasks.append(
            task(f"t{at}", ("a", 10, 30, y), ("d", 10, 30, y), ("c", 10, 30, swapped[y]),
                 ("b", noise, noise + 20, "X"))
        )  # fmt: skip
    gold = merged(strategy, *tasks)
    right = sum(
        [(s.start, s.end, s.category) for s in gold.spans[one.id]]
        == [(10, 30, one.of("a")[0].category)]
        for one in tasks
    )
    assert right >= 57


def test_dawid_and_skene_learn_who_swaps() -> None:
    """With two who are right in 90 % and one who swaps in 90 %, all three speak for the truth."""
    rng = np.random.default_rng(1)
    sites, truth = [], []
    for at in range(300):
        y = int(rng.integers(2))
        truth.append(y)
        said = [y if rng.random() < 0.9 else 1 - y for _ in range(2)]
        said.append(1 - y if rng.random() < 0.9 else y)
        units = [(name, 0, 10, "XY"[one]) for name, one in zip("abc", said, strict=True)]
        sites.append(site(str(at), *units))
    posterior = learn_positions(tag(sites, ("X", "Y"), begins=False))
    right = float((posterior[:, 1:].argmax(axis=1) == np.array(truth)).mean())
    assert right > 0.95


def test_smoothing_and_the_likeliest_sequence_by_enumeration() -> None:
    rng = np.random.default_rng(5)
    sites = [site("t", ("a", 0, 10, "X"), ("b", 4, 12, "X"), ("c", 2, 20, "X"))]
    grid = _Grid(tag(sites, ("X",), begins=True))
    steps = grid.inside.shape[1]
    emissions = rng.uniform(0.1, 1, (1, steps, 3))
    moves = np.where(_allowed(1), rng.uniform(0.1, 1, (3, 3)), 0)
    moves /= moves.sum(axis=1, keepdims=True)
    weights = {}
    for path in product(range(3), repeat=steps):
        p, before = 1.0, 0
        for t, state in enumerate(path):
            p *= moves[before, state] * emissions[0, t, state]
            before = state
        weights[path] = p
    total = sum(weights.values())
    smoothed, follows = grid.smooth(emissions, moves)
    for t in range(steps):
        for state in range(3):
            expected = sum(p for path, p in weights.items() if path[t] == state) / total
            assert smoothed[0, t, state] == pytest.approx(expected)
    pairs = sum(p * (path[1:].count(2)) for path, p in weights.items()) / total
    assert follows[:, 2].sum() == pytest.approx(pairs)
    best = max(weights, key=lambda path: weights[path])
    assert tuple(grid.likeliest(emissions, moves)[0].tolist()) == best
