"""Kernels: compiled once for each kind of number, and the orders that they make themselves."""

from __future__ import annotations

from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.engine.alignment.clusters import by_number, by_value, neighbours
from goldspan.engine.alignment.kernel import compile_notice, kernel
from goldspan.engine.alignment.layout import Layout
from goldspan.engine.alignment.space import Space
from goldspan.engine.alignment.weight import TOLERANCE, weight
from goldspan.engine.positional import OneMinusIoU, Positional, Ratio


@pytest.fixture(autouse=True)
def empty_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels of these tests find no code of an earlier run."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))


def test_a_kernel_is_compiled_once_whatever_number_is_written_out() -> None:
    @kernel
    def doubled(number: int) -> int:
        return 2 * number

    @kernel
    def total(size: int) -> int:
        k = 1
        found = doubled(3)
        while k < size:
            found += doubled(k)
            k += 1
        return found

    assert total(4) == 18
    assert len(doubled.compiled.signatures) == 1


def test_the_notice_comes_once_and_only_when_code_is_compiled() -> None:
    @kernel
    def half(number: float) -> float:
        return number / 2

    notices: list[str] = []
    with compile_notice(lambda: notices.append("compiling")):
        assert half(3) == 1.5
        assert half(3.0) == 1.5
    assert notices == ["compiling"]
    with compile_notice(lambda: notices.append("again")):
        half(5)
    half(np.float32(1))
    assert notices == ["compiling"]


@given(st.lists(st.floats(allow_nan=False, width=16)))
def test_by_value_is_the_stable_order_of_the_values(values: list[float]) -> None:
    array = np.array(values, dtype=np.float64)
    room = np.empty(len(values), dtype=np.int64), np.empty(len(values), dtype=np.int64)
    order = by_value(array, len(values), *room)
    assert order.tolist() == np.argsort(array, kind="stable").tolist()


@given(st.lists(st.integers(0, 9)))
def test_by_number_is_the_stable_order_of_the_numbers(numbers: list[int]) -> None:
    array = np.array(numbers, dtype=np.int64)
    order = np.empty(len(numbers), dtype=np.int64)
    by_number(array, 0, len(numbers), 10, np.empty(11, dtype=np.int64), order)
    assert order.tolist() == np.argsort(array, kind="stable").tolist()


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 30), st.integers(1, 9))),
    st.sampled_from([Ratio(), Ratio(1), Ratio(0.5), Ratio(3), OneMinusIoU()]),
    st.sampled_from([0.0, 0.7, 1.0, 3.0]),
)
def test_neighbours_are_all_later_units_of_others_within_the_radius(
    units: list[tuple[int, int, int]], positional: Positional, alpha: float
) -> None:
    annotator = np.array([one[0] for one in units], dtype=np.int64)
    start = np.array([one[1] for one in units], dtype=np.float64)
    end = start + np.array([one[2] for one in units], dtype=np.float64)
    category, none = np.zeros(len(units), dtype=np.int64), np.zeros((1, 1))
    space = Space(Layout(annotator, start, end, category, 4), alpha, none, positional)
    reach = space.reach(2.0)
    complete, pointers, indices = neighbours(
        *space.arrays, space.positional, none, 2.0, reach, 1000
    )
    assert complete
    for u in range(len(units)):
        near = [
            v
            for v in range(u + 1, len(units))
            if annotator[u] != annotator[v]
            and weight(start, end, category, space.positional, none, u, v) + 1 <= 2.0 + TOLERANCE
        ]
        assert indices[pointers[u] : pointers[u + 1]].tolist() == near
