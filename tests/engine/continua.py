"""Continua for tests: small ones written down, random ones drawn, and the public test files."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

from goldspan.engine import Continuum, Figure, Measure, Presence, Unit

ROOT = Path(__file__).parents[2]


def public_folder() -> Path | None:
    """The test data of pygamma-agreement: from its source distribution, which `make continua` gets,
    or from a folder beside the project.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "goldspan"
    peer = (ROOT / "benchmarks" / "peer.txt").read_text(encoding="utf-8")
    (version,) = re.findall(r"^pygamma-agreement==(\S+)", peer, re.MULTILINE)
    for folder in (
        cache / f"continua-{version}" / "tests" / "data",
        ROOT.parent / "shared" / "data" / "pygamma_tests" / "tests" / "data",
    ):
        if folder.is_dir():
            return folder
    return None


def continuum(
    *rows: tuple[str, float, float, str], length: float | None = None, task: str = "t",
    empty: Iterable[str] = (),
) -> Continuum:  # fmt: skip
    """A continuum from (annotator, start, end, category)."""
    return Continuum(
        task,
        tuple(Unit(*row) for row in rows),
        dict.fromkeys(empty, Presence.EMPTY),
        length,
        Measure.STEP,
    )


def public(name: str) -> Continuum:
    """One of the public test continua, as a set; skips where the files are not at hand."""
    folder = public_folder()
    if folder is None:
        pytest.skip("the public test continua are not there (make continua)")
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = [Unit(a, float(s), float(e), c) for a, c, s, e in csv.reader(file)]
    return Continuum(name, tuple(set(rows)), measure=Measure.STEP)


def known(figure: Figure) -> float:
    """The value of a figure that must have one."""
    assert figure.value is not None, figure.reason
    return figure.value


def ends(figure: Figure) -> tuple[float, float]:
    """The interval of a figure that must have one."""
    assert figure.low is not None, figure.reason
    assert figure.high is not None, figure.reason
    return figure.low, figure.high


def random_continuum(
    rng: np.random.Generator, n: int, units: int, span: int, categories: int = 3
) -> Continuum:
    """Up to `units` units an annotator, anywhere, with overlaps and ties; one unit at least."""
    while True:
        rows = {
            Unit(f"a{a}", int(s), int(s + length), f"c{c}")
            for a in range(n)
            for s, length, c in zip(
                rng.integers(0, span, units),
                rng.integers(1, 8, units),
                rng.integers(0, categories, units),
                strict=True,
            )
            if rng.random() < 0.8
        }
        if rows:
            names = dict.fromkeys((f"a{a}" for a in range(n)), Presence.DONE)
            return Continuum("t", tuple(rows), names, measure=Measure.STEP)


@st.composite
def continua(draw: st.DrawFn, max_annotators: int = 4, max_units: int = 4) -> Continuum:
    """Tiny continua of whole numbers, so that ties and exact matches occur."""
    n = draw(st.integers(2, max_annotators))
    names = [f"a{k}" for k in range(n)]
    row = st.tuples(
        st.sampled_from(names), st.integers(0, 20), st.integers(1, 8), st.sampled_from("xyz")
    )
    rows = draw(st.lists(row, min_size=1, max_size=n * max_units))
    units = {Unit(a, s, s + length, c) for a, s, length, c in rows}
    return Continuum("t", tuple(units), dict.fromkeys(names, Presence.DONE), measure=Measure.STEP)
