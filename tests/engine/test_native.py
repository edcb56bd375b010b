"""Native kernels: what is stored, when it is used again, and that it is the same function."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.engine.alignment import clusters, frontier, pairs
from goldspan.engine.alignment import kernel as kernel_module
from goldspan.engine.alignment import native as native_module
from goldspan.engine.alignment.batch import small
from goldspan.engine.alignment.batch.layouts import Layouts
from goldspan.engine.alignment.clusters import Floats, Ints, Matrix
from goldspan.engine.alignment.kernel import STORE, compile_notice, kernel
from goldspan.engine.alignment.layout import Layout
from goldspan.engine.alignment.native import Code, NativeKernel, native
from goldspan.engine.alignment.pairs import aligned_pairs
from goldspan.engine.alignment.partition import best_partition, best_partitions
from goldspan.engine.positional import OneMinusIoU, Positional, Ratio

KERNELS = [
    value
    for module in (clusters, frontier, pairs, small)
    for value in vars(module).values()
    if isinstance(value, NativeKernel)
]

pytestmark = pytest.mark.skipif(not native_module.TESTED, reason="numba is called here")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(STORE, str(tmp_path / "store"))
    return tmp_path / "store"


def make_total() -> NativeKernel[[Ints, int, Matrix, float, Floats], tuple[int, int]]:
    @native
    def total(
        numbers: Ints, count: int, table: Matrix, factor: float, out: Floats
    ) -> tuple[int, int]:
        found = 0
        for k in range(count):
            found += numbers[k]
            out[k] = factor * table[numbers[k]][1]
        return found, count

    return total


TABLE = np.array([[0.0, 0.5], [1.0, 1.5], [2.0, 2.5]])


def call(total: Callable[..., Any]) -> tuple[Any, list[float]]:
    out = np.zeros(2)
    return total(np.array([2, 1]), 2, TABLE, 3.0, out), out.tolist()


@pytest.mark.parametrize("one", KERNELS, ids=lambda one: one.__name__)
def test_the_code_of_every_native_kernel_needs_nothing_from_outside(
    one: NativeKernel[..., Any],
) -> None:
    assert isinstance(one.load(), Code)


def test_code_is_stored_and_used_again(store: Path) -> None:
    notices: list[str] = []
    with compile_notice(lambda: notices.append("compiling")):
        assert call(make_total()) == ((3, 2), [7.5, 4.5])
    assert notices == ["compiling"]
    (file,) = store.iterdir()
    written = file.stat().st_mtime_ns
    with compile_notice(lambda: notices.append("again")):
        assert call(make_total()) == ((3, 2), [7.5, 4.5])
    assert notices == ["compiling"]
    assert file.stat().st_mtime_ns == written


@pytest.mark.parametrize("kept", [0, 40, -1])
def test_a_damaged_file_is_replaced(store: Path, kept: int) -> None:
    call(make_total())
    (file,) = store.iterdir()
    file.write_bytes(file.read_bytes()[:kept])
    notices: list[str] = []
    for _ in range(2):
        with compile_notice(lambda: notices.append("compiling")):
            assert call(make_total()) == ((3, 2), [7.5, 4.5])
    assert notices == ["compiling"]
    assert list(store.iterdir()) == [file]


def test_a_store_that_takes_nothing_stops_nothing(store: Path) -> None:
    store.write_text("a file where the folder should be")
    assert call(make_total()) == ((3, 2), [7.5, 4.5])


SHIFT = 1


@kernel
def shifted(number: int) -> int:
    return number + SHIFT


@native
def shift_first(numbers: Ints) -> int:
    return shifted(numbers[0])


def test_a_constant_of_a_called_kernel_is_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = shift_first.key
    assert shift_first.key == before
    monkeypatch.setitem(globals(), "SHIFT", 2)
    assert shift_first.key != before


@pytest.mark.parametrize(
    "wrong",
    [
        np.array([2, 1], dtype=np.int32),
        np.array([2.0, 1.0]),
        np.array([2, 9, 1, 9])[::2],
        np.array([[2, 1]]),
    ],
    ids=["int32", "floats", "every second", "two dimensions"],
)
def test_an_array_of_another_kind_is_refused(store: Path, wrong: Any) -> None:
    with pytest.raises(TypeError, match="a kernel needs Ints"):
        make_total()(wrong, 2, TABLE, 3.0, np.zeros(2))


def test_arrays_may_be_empty_or_read_only(store: Path) -> None:
    numbers = np.array([2, 1])
    numbers.flags.writeable = False
    table = TABLE.copy()
    table.flags.writeable = False
    out = np.zeros(2)
    assert make_total()(numbers, 2, table, 3.0, out) == (3, 2)
    assert out.tolist() == [7.5, 4.5]
    nothing = np.empty(0, dtype=np.int64)
    assert make_total()(nothing, 0, np.empty((0, 0)), 1.0, np.empty(0)) == (0, 0)


def test_a_kernel_that_needs_more_is_called_through_numba(store: Path) -> None:
    @native
    def reversed_sum(numbers: Ints, count: int) -> int:
        made = np.empty(count, np.int64)
        for k in range(count):
            made[k] = numbers[k]
        return int(made[::-1].sum())

    assert reversed_sum(np.array([1, 2, 3]), 3) == 6
    assert not isinstance(reversed_sum.native, Code)


@pytest.mark.parametrize("known", [True, False], ids=["this numba", "another numba"])
def test_what_a_native_kernel_calls_is_part_of_its_code(
    store: Path, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    if not known:
        monkeypatch.setattr(kernel_module, "_pipelines", lambda: None)

    @kernel
    def square(number: int) -> int:
        return number * number

    @native
    def sum_of_squares(numbers: Ints, count: int) -> int:
        found = 0
        for k in range(count):
            found += square(numbers[k])
        return found

    assert sum_of_squares(np.array([1, 2, 3]), 3) == 14
    assert isinstance(sum_of_squares.native, Code)
    assert [file.suffix for file in store.iterdir()] == [".native"]
    assert square.compiled.signatures == []
    assert square(3) == 9


@cache
def loaded() -> list[Code]:
    return [one.load() for one in KERNELS]


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 40), st.integers(1, 9), st.integers(0, 2)),
        min_size=1,
        max_size=14,
    ),
    st.sampled_from([Ratio(), Ratio(0.7), OneMinusIoU()]),
)
def test_machine_code_and_numba_align_the_same(
    units: list[tuple[int, int, int, int]], positional: Positional
) -> None:
    annotator, start, length, category = (np.array(column) for column in zip(*units, strict=True))
    begin = start.astype(np.float64)
    layout = Layout.sorted(annotator, begin, begin + length, category, 4)
    different = 1.0 - np.eye(3)

    def measure() -> tuple[object, ...]:
        one = best_partition(layout, 1.0, different, positional=positional)
        layouts = Layouts.of([layout, layout])
        best = best_partitions(layouts, 1.0, different, positional=positional)
        found = aligned_pairs(layouts, best.cluster, different, (1.0, positional.code))
        assert best.cost.tolist() == [one.cost] * 2
        assert best.cluster.tolist() == one.cluster.tolist() * 2
        return one.cluster.tolist(), one.cost, found.weights.tolist(), found.counts.tolist()

    made = []
    for code in (loaded(), [one.compiled for one in KERNELS]):
        with pytest.MonkeyPatch.context() as patch:
            for one, called in zip(KERNELS, code, strict=True):
                patch.setattr(one, "native", called)
            made.append(measure())
    assert made[0] == made[1]


SCORE = """
import sys
before = {name.partition(".")[0] for name in sys.modules}
from goldspan.plugin.cli import main

main(["score", sys.argv[1], "--precision", "0.3", "--quiet"])
packages = {name.partition(".")[0] for name in sys.modules} - before - sys.stdlib_module_names
needed = {"goldspan", "numpy", "llvmlite", "rich", "cython_runtime"}
needed.add("attr")  # rich before 15 loads it if it is installed
slow = {name for name in packages - needed if not name.startswith("_cython")}
slow |= {"multiprocessing", "concurrent.futures", "xml", "goldspan.engine.gold"} & set(sys.modules)
slow |= {name for name in sys.modules if name.endswith(".reader") and ".csv." not in name}
print(*sorted(slow), file=sys.stderr, end="")
"""


def test_a_small_file_is_scored_without_loading_what_is_slow_to_load(tmp_path: Path) -> None:
    """Once the code is stored, neither numba nor a solver is needed, nor another format."""
    for one in KERNELS:
        one.load()
    file = tmp_path / "small.csv"
    rows = [
        f"t{task},{name},{label},{3 * task},{3 * task + length}"
        for task in range(40)
        for name, label, length in (("a", "X", 2), ("b", "XY"[task % 2], 2 + task % 3))
    ]
    file.write_text("\n".join(["task,annotator,category,start,end", *rows]), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SCORE, str(file)], capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert done.stderr == ""
    assert "γ" in done.stdout
