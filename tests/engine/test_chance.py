"""Chance: the samplers keep what they promise, and the seeds decide everything."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.continua import continuum
from goldspan.engine import Continuum, InputError, Unit
from goldspan.engine.alignment.layout import Layout
from goldspan.engine.chance.mosaic import MOSAIC_UNITS, Mosaic
from goldspan.engine.chance.pool import Pool
from goldspan.engine.chance.sampler import (
    ObservedTask,
    _grid,
    observed_task,
)
from goldspan.engine.chance.shift import Shift, _spaced
from goldspan.engine.chance.statistical import Statistical


def observed(*continua: Continuum) -> tuple[ObservedTask, ...]:
    categories = {c: k for k, c in enumerate(sorted({x for t in continua for x in t.categories}))}
    return tuple(observed_task(t, t.annotators, categories) for t in continua)


ONE = continuum(
    ("a", 100, 110, "x"), ("a", 130, 150, "y"), ("b", 101, 111, "x"), ("b", 170, 180, "z"),
    empty=["c"],
)  # fmt: skip


@given(st.integers(2, 8), st.floats(1, 1e6), st.floats(0, 1), st.integers(0, 2**32))
def test_shifts_keep_the_distance_that_there_is_room_for(
    n: int, length: float, share: float, seed: int
) -> None:
    least = share * length / n
    points = _spaced(np.random.default_rng(seed), n, length, least)
    for one, other in combinations(points.tolist(), 2):
        apart = abs(one - other)
        assert min(apart, length - apart) >= least * (1 - 1e-6) - length * 1e-12


@given(st.integers(2, 6), st.integers(6, 500), st.floats(0, 1), st.integers(0, 2**32))
def test_shifts_on_a_grid_are_whole_steps_and_keep_their_distance(
    n: int, steps: int, share: float, seed: int
) -> None:
    grid = 0.04
    length, least = steps * grid, share * steps * grid / n
    points = _spaced(np.random.default_rng(seed), n, length, least, grid) / grid
    assert np.allclose(points, np.round(points), atol=1e-6)
    for one, other in combinations(np.round(points).astype(int).tolist(), 2):
        apart = abs(one - other)
        kept = min(int(np.ceil(least / grid - 1e-6)), steps // n)
        assert min(apart, steps - apart) >= kept


def test_shifts_of_long_units_are_a_mean_length_apart() -> None:
    """Four annotators with a unit of 240 in 1000: there is room for the paper's distance."""
    (source,) = observed(continuum(*[(a, 10, 250, "x") for a in "abcd"], length=1000))
    for seed in range(50):
        layout = Shift(source).draw(np.random.default_rng(seed), 4)
        for one, other in combinations(layout.start.tolist(), 2):
            apart = abs(one - other)
            assert min(apart, 1000 - apart) >= 240


def test_shift_moves_whole_annotations_and_cuts_no_unit() -> None:
    (source,) = observed(ONE)
    for seed in range(50):
        layout = Shift(source).draw(np.random.default_rng(seed), 4)
        assert layout.n == 4
        for a in range(4):
            lengths = sorted((layout.end - layout.start)[layout.annotator == a].tolist())
            assert lengths in ([], [10, 20], [10, 10])
        assert (layout.start >= 0).all()
        assert (layout.start < source.length).all()
        assert np.allclose(layout.start, np.round(layout.start))  # the data lies on a grid


def test_shift_says_when_there_is_no_room() -> None:
    (source,) = observed(continuum(("a", 0, 10, "x"), ("b", 1, 10, "x")))
    assert not Shift(source).has_room(2)


def test_mosaic_takes_each_annotator_from_another_continuum_and_fills_the_longest() -> None:
    tasks = [
        Continuum(f"t{k}", tuple(continuum(("a", 2, 5, f"c{k}"), ("b", 3, 6, f"c{k}")).units),
                  length=length)
        for k, length in enumerate((10, 25, 40, 100))
    ]  # fmt: skip
    sampler = Mosaic(Pool.of(observed(*tasks)))
    for seed in range(50):
        layout = sampler.draw(np.random.default_rng(seed), 3)
        sources = [set(layout.category[layout.annotator == a].tolist()) for a in range(3)]
        assert all(len(source) == 1 for source in sources)
        chosen = [source.pop() for source in sources]
        assert len(set(chosen)) == 3
        longest = max((10, 25, 40, 100)[k] for k in chosen)
        for a, k in enumerate(chosen):
            count = int((layout.annotator == a).sum())
            assert count == int(np.ceil((longest - 2) / (10, 25, 40, 100)[k])) or count == int(
                np.ceil((longest - 3) / (10, 25, 40, 100)[k])
            )


@pytest.mark.parametrize("lengths", [(1, 1e8), (1, 1, 1e15), (3, 5e8, 7)])
def test_a_mosaic_of_very_unequal_tasks_stays_small(lengths: tuple[float, ...]) -> None:
    tasks = [
        Continuum(f"t{k}", tuple(Unit(a, 0, 0.5, "x") for a in "ab"), length=length)
        for k, length in enumerate(lengths)
    ]
    sampler = Mosaic(Pool.of(observed(*tasks)))
    for seed in range(20):
        layout = sampler.draw(np.random.default_rng(seed), 2)
        assert 1 <= layout.size <= 2 * (MOSAIC_UNITS + 1)


def test_a_stretch_of_a_mosaic_has_the_density_of_the_whole() -> None:
    """A task of 10 with 2 units, drawn beside one of 100,000 with 2,000 units."""
    rng = np.random.default_rng(1)
    starts = np.sort(rng.choice(49_990, 2000, replace=False)) * 2
    long = tuple(Unit(a, int(s), int(s) + 1, "x") for a in "ab" for s in starts)
    short = tuple(Unit(a, s, s + 1, "x") for a in "ab" for s in (2, 7))
    tasks = observed(Continuum("s", short, length=10), Continuum("l", long, length=100_000))
    sampler = Mosaic(Pool.of(tasks))
    sizes = []
    for seed in range(40):
        layout = sampler.draw(np.random.default_rng(seed), 2)
        assert np.allclose(layout.start, np.round(layout.start))
        sizes.append(sorted(int((layout.annotator == a).sum()) for a in range(2)))
    sparse, dense = np.mean(sizes, axis=0)
    assert dense == pytest.approx(2000, abs=2)
    assert sparse == pytest.approx(200, rel=0.2)


def test_the_fingerprint_depends_on_the_data_alone() -> None:
    def print_of(scale: float, names: str, *, moved: int = 0) -> tuple[int, ...]:
        rows = [(names[0], 7, 12, "x"), (names[1], 8 + moved, 12, "x"), (names[1], 20, 31, "y")]
        one = continuum(*[(a, s * scale, e * scale, c) for a, s, e, c in rows], length=50 * scale)
        other = continuum((names[0], 2 * scale, 3 * scale, "y"), length=9 * scale, task=names)
        return Pool.of(observed(one, other)).sorted().fingerprint()

    assert print_of(1, "ab") == print_of(1, "ba") == print_of(1000, "zy") == print_of(0.04, "ab")
    assert print_of(1, "ab") != print_of(1, "ab", moved=1)


def test_tasks_of_unknown_length_do_not_begin_together() -> None:
    """Without a length the first units of all tasks would coincide, and chance look like skill."""
    tasks = [continuum(("a", 50, 60, "x"), ("b", 50, 60, "x"), task=f"t{k}") for k in range(5)]
    sampler = Mosaic(Pool.of(observed(*tasks)))
    apart = []
    for seed in range(40):
        layout = sampler.draw(np.random.default_rng(seed), 2)
        apart.append(abs(float(layout.start[0] - layout.start[-1])))
    assert np.mean(apart) > 2


def test_statistical_keeps_lengths_with_their_categories() -> None:
    task = continuum(
        *[(a, k * 30, k * 30 + (5 if k % 2 else 12), "odd" if k % 2 else "even")
          for a in "ab" for k in range(10)],
    )  # fmt: skip
    layout = Statistical(Pool.of(observed(task))).draw(np.random.default_rng(0), 3)
    lengths = {
        (int(c), float(length))
        for c, length in zip(layout.category, layout.end - layout.start, strict=True)
    }
    assert lengths <= {(0, 12.0), (1, 5.0)}
    assert layout.size == 30


@pytest.mark.parametrize(
    "sampler", [Shift, lambda g: Mosaic(Pool.of([g])), lambda g: Statistical(Pool.of([g]))]
)
def test_nothing_to_draw_from_is_said(sampler: type) -> None:
    (source,) = observed(continuum(empty=["a", "b"]))
    with pytest.raises(InputError, match="there is no unit"):
        sampler(source)


@pytest.mark.parametrize(
    ("positions", "grid"),
    [
        ([0, 6, 9, 12], 3),
        ([0, 0.06, 0.09, 0.12], 0.03),
        ([0, 1, 5, 7, 11], 1),
        ([0.0, 0.1234567, 0.5, 0.9876543, 1.3333333], 0),
    ],
)
def test_the_grid_is_found_at_any_scale(positions: list[float], grid: float) -> None:
    values = np.array(positions, dtype=float)
    assert _grid(values, float(values.max())) == pytest.approx(grid, rel=1e-6)


def test_a_layout_is_sorted_by_content() -> None:
    rng = np.random.default_rng(0)
    start = rng.integers(0, 9, 30).astype(float)
    arrays = (rng.integers(0, 3, 30), start, start + rng.integers(1, 5, 30), rng.integers(0, 2, 30))
    order = rng.permutation(30)
    one = Layout.sorted(*arrays, 3)
    other = Layout.sorted(*(a[order] for a in arrays), 3)
    for name in ("annotator", "start", "end", "category"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()
