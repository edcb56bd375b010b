"""Windows: the parts of a task that the page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldspan.plugin.adjudicate.texts import WHOLE, blocks, text_of
from goldspan.plugin.adjudicate.views import TaskSites, TaskText, TaskUnits, UnitView

if TYPE_CHECKING:
    from goldspan.engine.model import Continuum, Position
    from goldspan.plugin.adjudicate.docket import Docket
    from goldspan.plugin.adjudicate.showing import Showing


def text_window(n: int, task: Continuum, start: int | None, end: int | None) -> TaskText:
    """The blocks of a text that overlap a window."""
    text = text_of(task)
    if text is None:
        return TaskText(n, 0, 0, 0, ())
    low = max(start or 0, 0)
    high = min(len(text) if end is None else end, len(text), low + WHOLE)
    found = blocks(text, low, high)
    if not found:
        return TaskText(n, low, low, len(text), ())
    stop = found[-1].start + len(found[-1].text)
    return TaskText(n, found[0].start, stop, len(text), found)


def unit_window(
    n: int,
    task: Continuum,
    start: Position | None,
    end: Position | None,
    docket: Docket,
    showing: Showing,
) -> TaskUnits:
    """The units and sites that overlap a window."""
    first, last = task.bounds
    low = first if start is None else start
    high = last if end is None else end
    names = showing.names(task)
    who = tuple(sorted((names[name] for name in task.annotators), key=_natural))
    place = {name: who.index(names[name]) for name in task.annotators}
    owner = {unit: site.id for site in docket.by_task.get(task.id, ()) for unit in site.units}
    units = tuple(
        UnitView(u.start, u.end, u.category, place[u.annotator], owner.get(u, ""))
        for u in sorted(task.units, key=lambda u: (u.start, u.end, u.category))
        if u.annotator in place and u.start < high and u.end > low
    )
    return TaskUnits(n, low, high, who, units, showing.near(task.id, low, high))


def site_strip(n: int, task: Continuum, docket: Docket) -> TaskSites:
    """Where all sites of a task are."""
    sites = tuple(
        (site.start, site.end, docket.state(site.id).value, site.id)
        for site in docket.by_task.get(task.id, ())
    )
    return TaskSites(n, task.length, sites)


def _natural(name: str) -> tuple[int, str]:
    """A2 before A10."""
    return len(name) if name[:1] == "A" and name[1:].isdigit() else 0, name
