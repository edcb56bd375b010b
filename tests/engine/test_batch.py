"""Many layouts in one call: the same alignments, to the last digit, as one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.engine.alignment import partition
from goldspan.engine.alignment.batch.layouts import Layouts
from goldspan.engine.alignment.batch.small import MOST_UNITS
from goldspan.engine.alignment.layout import Layout
from goldspan.engine.alignment.pairs import aligned_pairs
from goldspan.engine.alignment.partition import best_partition, best_partitions
from goldspan.engine.positional import OneMinusIoU, Positional, Ratio

DIFFERENT = 1.0 - np.eye(3)


def layout_of(units: list[tuple[int, int, int, int]], n: int) -> Layout:
    annotator, start, length, category = (
        np.array(column, dtype=np.int64) for column in zip(*units, strict=True)
    )
    begin = start.astype(np.float64)
    return Layout.sorted(annotator % n, begin, begin + length, category, n)


def made_up(n: int, each: int, seed: int = 0) -> Layout:
    rng = np.random.default_rng(seed)
    places = np.sort(rng.integers(0, 12 * each, each))
    return layout_of(
        [
            (k, int(place + rng.integers(0, 4)), int(rng.integers(1, 9)), int(rng.integers(3)))
            for k in range(n)
            for place in places
        ],
        n,
    )


def assert_same(layouts: list[Layout], positional: Positional, alpha: float = 1.0) -> None:
    columns = Layouts.of(layouts)
    found = best_partitions(columns, alpha, DIFFERENT, positional=positional)
    for k, layout in enumerate(layouts):
        one = best_partition(layout, alpha, DIFFERENT, positional=positional)
        own = slice(columns.begin[k], columns.begin[k + 1])
        assert found.cluster[own].tolist() == one.cluster.tolist()
        assert (found.cost[k], found.lower_bound[k], found.optimal[k]) == (
            one.cost,
            one.lower_bound,
            one.optimal,
        )


UNITS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 40), st.integers(1, 9), st.integers(0, 2)),
    min_size=1,
    max_size=16,
)


@given(
    st.lists(st.tuples(UNITS, st.integers(2, 5)), min_size=1, max_size=4),
    st.sampled_from([Ratio(), Ratio(0.7), OneMinusIoU()]),
    st.sampled_from([1.0, 0.0, 2.5]),
)
def test_small_layouts_are_aligned_as_one_by_one(
    units: list[tuple[list[tuple[int, int, int, int]], int]],
    positional: Positional,
    alpha: float,
) -> None:
    assert_same([layout_of(some, n) for some, n in units], positional, alpha)


def test_layouts_that_are_large_empty_or_of_many_annotators_are_aligned_by_themselves() -> None:
    nothing = np.empty(0, np.int64)
    empty = Layout(nothing, nothing.astype(float), nothing.astype(float), nothing, 2)
    large = made_up(2, MOST_UNITS // 2 + 1)
    assert_same([made_up(3, 6), empty, large, made_up(6, 5), made_up(3, 40, seed=1)], Ratio())


def test_a_layout_for_which_there_is_no_room_is_aligned_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def counted(layout: Layout, *args: object, **kwargs: object) -> object:
        asked.append(layout.size)
        return best_partition(layout, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(partition, "best_partition", counted)
    # All units at one place: more pairs than the kernel has room for.
    crowded = layout_of([(k % 5, 0, 10 + k, k % 3) for k in range(200)], 5)
    layouts = Layouts.of([made_up(3, 6), crowded])
    best_partitions(layouts, 1.0, DIFFERENT, steps=1_000_000)
    assert asked == [200]


def test_pairs_and_their_sums_are_those_of_each_layout() -> None:
    layouts = [made_up(3, 6, seed) for seed in range(4)] + [made_up(4, 9)]
    columns = Layouts.of(layouts)
    cluster = best_partitions(columns, 1.0, DIFFERENT).cluster
    found = aligned_pairs(columns, cluster, DIFFERENT)
    for k in range(len(layouts)):
        own = cluster[columns.begin[k] : columns.begin[k + 1]]
        one = aligned_pairs(Layouts.of([columns[k]]), own, DIFFERENT)
        pairs, sums = found.pairs_of(k), found.tally(k)
        assert pairs.weight.tolist() == one.pairs.weight[: one.begin[1]].tolist()
        assert pairs.cluster.tolist() == one.pairs.cluster[: one.begin[1]].tolist()
        assert sums.weights.tolist() == one.tally(0).weights.tolist()
        assert sums.weights[-1] == pytest.approx(pairs.weight.sum())
        assert sums.disagreements[-1] == pytest.approx(pairs.disagreement.sum())
        assert sums.pairs[-1] == np.count_nonzero(pairs.weight)
        for category in range(3):
            touching = pairs.touching(category)
            assert sums.weights[category] == pytest.approx(touching.weight.sum())
