"""Draws: the values of coefficients for rows of sums that are drawn with replacement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.alignment.clusters import Floats

PICKS_AT_ONCE = 1_000_000
"""So many rows are picked at a time, to bound the memory."""

MOST_KEPT = 100_000
"""Up to so many picks are kept for tasks that are as long."""

Value: TypeAlias = "Callable[[Floats], Floats]"
"""The values of a coefficient for rows of sums; NaN where it is undefined."""


def resample(
    parts: Sequence[Floats], noises: Sequence[float], values: Sequence[Value], times: int, seed: int
) -> tuple[Floats, ...]:
    """The values of a coefficient for rows drawn with replacement, for each part.

    All parts draw the same rows. The last sum of a part, which chance gives, is varied by the
    relative standard deviation in `noises`.
    """
    count = len(parts[0])
    draw = _few_draws if count * times <= MOST_KEPT else _draws
    normal, picks = draw(seed, len(noises), count, times)
    factors = [np.maximum(1 + noise * one, 1e-9) for noise, one in zip(noises, normal, strict=True)]
    found = tuple(np.empty(times) for _ in parts)
    low = 0
    for picked in picks:
        rows = slice(low, low + len(picked))
        for part, factor, value, into in zip(parts, factors, values, found, strict=True):
            drawn = _drawn_sums(part, picked)
            drawn[:, -1] *= factor[rows]
            into[rows] = value(drawn)
        low = rows.stop
    return found


def _draws(
    seed: int, noises: int, count: int, times: int
) -> tuple[Sequence[Floats], Iterable[NDArray[np.int32]]]:
    """Normal numbers for each noise, and the picked rows, some resamples at a time."""
    rng = np.random.default_rng(seed)
    normal = [rng.standard_normal(times) for _ in range(noises)]
    step = max(1, PICKS_AT_ONCE // count)
    sizes = (min(step, times - low) for low in range(0, times, step))
    return normal, (rng.integers(count, size=(size, count), dtype=np.int32) for size in sizes)


@lru_cache(maxsize=32)
def _few_draws(
    seed: int, noises: int, count: int, times: int
) -> tuple[Sequence[Floats], Iterable[NDArray[np.int32]]]:
    """The same for few rows, kept: the tasks of a corpus have as many again and again."""
    normal, picks = _draws(seed, noises, count, times)
    return normal, tuple(picks)


def _drawn_sums(part: Floats, picked: NDArray[np.int32]) -> Floats:
    """The sums of the picked rows, for each row of picks."""
    if part.shape[1] <= 2:
        return np.column_stack([column[picked].sum(axis=1) for column in part.T])
    times, count = picked.shape
    cell = picked + count * np.arange(times)[:, None]
    often = np.bincount(cell.ravel(), minlength=picked.size).reshape(picked.shape)
    return np.asarray(often @ part)
