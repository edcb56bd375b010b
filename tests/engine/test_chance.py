"""Chance: the samplers keep what they promise, and the seeds decide everything."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.continua import continuum
from goldspan.engine import Continuum, InputError
from goldspan.engine.chance import Ground, Mosaic, Shift, Statistical, _grid, _spaced, ground
from goldspan.engine.layout import Layout


def grounds(*continua: Continuum) -> tuple[Ground, ...]:
    categories = {c: k for k, c in enumerate(sorted({x for t in continua for x in t.categories}))}
    return tuple(ground(t, t.annotators, categories) for t in continua)


ONE = continuum(
    ("a", 100, 110, "x"), ("a", 130, 150, "y"), ("b", 101, 111, "x"), ("b", 170, 180, "z"),
    empty=["c"],
)  # fmt: skip


@given(st.integers(2, 8), st.floats(1, 1e6), st.floats(0, 0.1), st.integers(0, 2**32))
def test_shifts_keep_their_distance_around_the_circle(
    n: int, length: float, share: float, seed: int
) -> None:
    least = share * length
    points = _spaced(np.random.default_rng(seed), n, length, least)
    kept = min(least, length / (2 * n))
    for one, other in combinations(points.tolist(), 2):
        apart = abs(one - other)
        assert min(apart, length - apart) >= kept * (1 - 1e-6)


def test_shift_moves_whole_annotations_and_cuts_no_unit() -> None:
    (source,) = grounds(ONE)
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
    (source,) = grounds(continuum(("a", 0, 10, "x"), ("b", 1, 10, "x")))
    assert not Shift(source).has_room(2)


def test_mosaic_takes_each_annotator_from_another_continuum_and_fills_the_longest() -> None:
    tasks = [
        Continuum(f"t{k}", tuple(continuum(("a", 2, 5, f"c{k}"), ("b", 3, 6, f"c{k}")).units),
                  length=length)
        for k, length in enumerate((10, 25, 40, 100))
    ]  # fmt: skip
    sampler = Mosaic(grounds(*tasks))
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


def test_tasks_of_unknown_length_do_not_begin_together() -> None:
    """Without a length the first units of all tasks would coincide, and chance look like skill."""
    tasks = [continuum(("a", 50, 60, "x"), ("b", 50, 60, "x"), task=f"t{k}") for k in range(5)]
    sampler = Mosaic(grounds(*tasks))
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
    layout = Statistical(grounds(task)).draw(np.random.default_rng(0), 3)
    lengths = {
        (int(c), float(length))
        for c, length in zip(layout.category, layout.end - layout.start, strict=True)
    }
    assert lengths <= {(0, 12.0), (1, 5.0)}
    assert layout.size == 30


@pytest.mark.parametrize("sampler", [Shift, lambda g: Mosaic((g,)), lambda g: Statistical((g,))])
def test_nothing_to_draw_from_is_said(sampler: type) -> None:
    (source,) = grounds(continuum(empty=["a", "b"]))
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
