"""Places: where the gold spans of many sites start and end, as `Placing` says of each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.gold.boundaries import AVERAGED, NEAR, SAME_PLACE, Placing, precisions
from goldspan.engine.gold.spread import in_place, squares_around

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.gold.columns.site_columns import SiteColumns
    from goldspan.engine.model import Measure

SITES_AT_ONCE = 10_000


def placing_of(sites: SiteColumns) -> Placing:
    """The annotators' precisions, from all sites."""
    names = sites.columns.names
    joint = [np.flatnonzero(sites.k[low:high] > 1) + low for low, high in sites.some()]
    found = precisions((_drawn_by(sites, own) for own in joint if len(own)), len(names))
    return Placing(dict(zip(names, found, strict=True)))


def _drawn_by(sites: SiteColumns, own: Ints) -> tuple[Floats, Floats, Ints, Ints]:
    k = sites.k[own]
    before = np.repeat(sites.border[own] - (np.cumsum(k) - k), k)
    at = before + np.arange(len(before))
    return sites.start[at], sites.end[at], sites.name[at], k


@dataclass(frozen=True, slots=True)
class Places:
    """The start and end of the place of each site. `drawn` says whether somebody drew it, `alike`
    whether all units of the site are the same but for labels, and `right` is the probability that
    the place is right.
    """

    start: Floats
    end: Floats
    drawn: NDArray[np.bool_]
    alike: NDArray[np.bool_]
    right: Floats

    @classmethod
    def of(cls, sites: SiteColumns, placing: Placing, measures: Mapping[str, Measure]) -> Places:
        count, k = len(sites), sites.k
        start, end = np.empty(count), np.empty(count)
        drawn, alike = np.empty(count, np.bool_), np.empty(count, np.bool_)
        averaged, n = averaged_sites(sites, measures), sites.n
        weights = np.array([placing.weights[name] for name in sites.columns.names])
        for size in np.unique(k).tolist():
            those = np.flatnonzero(k == size)
            for low in range(0, len(those), SITES_AT_ONCE):
                own = those[low : low + SITES_AT_ONCE]
                at = sites.members(own, size)
                starts, ends = sites.start[at], sites.end[at]
                weight = np.where(n[own][:, None] > 2, weights[sites.name[at]], 1.0)
                first = _middle(starts, weight, low_first=placing.outer)
                last = _middle(ends, weight, low_first=not placing.outer)
                known = _is_meant(first, last, starts, ends) & ~averaged[own]
                for row in np.flatnonzero(~known).tolist():
                    site = sites[own.item(row)]
                    first[row], last[row] = placing.place(site, measures[site.task])
                start[own], end[own] = first, last
                drawn[own] = _equal(starts, ends, first, last).any(axis=1)
                alike[own] = _equal(starts, ends, starts[:, 0], ends[:, 0]).all(axis=1)
        squares = [
            squares_around(sites.start[own], start[low:high], k[low:high])
            + squares_around(sites.end[own], end[low:high], k[low:high])
            for low, high in sites.some()
            for own in [slice(sites.border[low], sites.border[high])]
        ]
        right = in_place(np.concatenate(squares), end - start, k, averaged)
        return cls(start, end, drawn, alike, right)


def averaged_sites(sites: SiteColumns, measures: Mapping[str, Measure]) -> NDArray[np.bool_]:
    """Whether the boundaries of each site are means."""
    tasks = [measures[task.continuum.id] in AVERAGED for task in sites.columns.tasks]
    return np.array(tasks, dtype=np.bool_)[sites.task]


def _equal(starts: Floats, ends: Floats, first: Floats, last: Floats) -> NDArray[np.bool_]:
    """Whether each unit has the ends of its row."""
    return np.asarray((starts == first[:, None]) & (ends == last[:, None]))


def _middle(drawn: Floats, weight: Floats, *, low_first: bool) -> Floats:
    """The median of what was drawn in each row; nan where two in the middle differ and there are
    more than these two.
    """
    values = np.sort(drawn, axis=1)
    size = values.shape[1]
    low, high = values[:, (size - 1) // 2], values[:, size // 2]
    if size != 2:
        return np.where(low == high, low, np.nan)
    is_low = drawn == low[:, None]
    least, greatest = (
        np.where(is_low, weight, 0.0).max(axis=1), np.where(is_low, 0.0, weight).max(axis=1),
    )  # fmt: skip
    near = abs(least - greatest) <= NEAR * np.maximum(least, greatest)
    return np.where(np.where(near, low_first, least > greatest), low, high)


def _is_meant(first: Floats, last: Floats, starts: Floats, ends: Floats) -> NDArray[np.bool_]:
    """Whether half of the units or more are at the place between these ends."""
    start, end = first[:, None], last[:, None]
    shared = np.minimum(end, ends) - np.maximum(start, starts)
    joint = np.maximum(end, ends) - np.minimum(start, starts)
    hits = (shared >= SAME_PLACE * joint).sum(axis=1)
    return np.asarray((first < last) & (2 * hits >= starts.shape[1]))
