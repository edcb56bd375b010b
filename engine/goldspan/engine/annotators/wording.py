"""Wording: the sentences about annotators, each in one place. Nothing decides by them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from goldspan.engine.annotators.matter import Basis, Matter

if TYPE_CHECKING:
    from goldspan.engine.annotators.estimates import Change, Mean
    from goldspan.engine.annotators.profile import Advice, Comparison, Drift, Speed

STEPS = {
    "character": ("character", "characters"),
    "millisecond": ("ms", "ms"),
    "frame": ("frame", "frames"),
    "token": ("token", "tokens"),
    "step": ("step", "steps"),
    "": ("step", "steps"),
}
"""What one step of each measure is called, and several."""

VERBS = {Matter.START: "starts", Matter.END: "ends"}


def length(value: float, measure: str) -> str:
    """A length with its unit; short ones with digits behind the point."""
    size = abs(value)
    shown = f"{size:.0f}" if size >= 10 else f"{size:.2g}"
    one, several = STEPS[measure]
    return f"{shown} {one if shown == '1' else several}"


def percent(value: float) -> str:
    """A share in per cent; one that is small but not nothing says so."""
    return "<1 %" if 0 < value < 0.005 else f"{100 * value:.0f} %"


def offset(matter: Matter, found: Mean, measure: str) -> str:
    """A habit, such as: starts 2 characters early on average."""
    side = "early" if found.value < 0 else "late"
    low, high = sorted(abs(end) for end in (found.low or 0.0, found.high or 0.0))
    return (
        f"{VERBS[matter]} {length(found.value, measure)} {side} on average "
        f"({low:.2g} to {high:.2g}, n = {found.n})"
    )


def habits(one: Comparison, measure: str) -> Iterator[str]:
    """The habits that are clear, in words."""
    clear = [
        (matter, habit)
        for matter, habit in ((Matter.START, one.start), (Matter.END, one.end))
        if habit is not None and habit.is_clear
    ]
    for matter, habit in clear:
        yield offset(matter, habit.offset, measure)
    signs = [habit.offset.value > 0 for _, habit in clear]
    if signs == [True, False]:
        yield "so units are cut short on both sides"
    elif signs == [False, True]:
        yield "so units are too long on both sides"


def drift(one: Drift, measure: str) -> str:
    """A change, such as: recall fell from .91 to .78 since 2026-05-02."""
    since = datetime.fromtimestamp(one.since, tz=timezone.utc).strftime("%Y-%m-%d")
    when = f"in the later half of {one.tasks} tasks (since {since})"
    change = one.change
    if one.matter is Matter.SECONDS:
        return f"{_faster(change)} {when}"
    if one.matter in VERBS:
        before, after = (_side(value, measure) for value in (change.first, change.second))
        return f"{VERBS[one.matter]} {after} instead of {before} {when}"
    return f"{_fell(one.matter, change)} {when}"


def _fell(matter: Matter, change: Change) -> str:
    verb = "fell" if change.value < 0 else "rose"
    return f"{matter} {verb} from {change.first:.2f} to {change.second:.2f}"


def _faster(change: Change) -> str:
    factor = math.exp(abs(change.value))
    return f"takes {factor:.2g} times as {'short' if change.value < 0 else 'long'} as before"


def _side(value: float, measure: str) -> str:
    if value == 0:
        return "at the right place"
    return f"{length(value, measure)} {'early' if value < 0 else 'late'}"


def speed(one: Speed) -> str:
    """The speed in one line."""
    said = f"{one.median:.3g} s for a task (median of {one.n_tasks})"
    ratio = one.ratio
    if ratio is None or ratio.low is None or ratio.high is None:
        return said
    if ratio.low <= 1 <= ratio.high:
        return said
    return (
        f"{said}, {ratio.value:.2g} times the others' time for the same tasks "
        f"({ratio.low:.2g} to {ratio.high:.2g}, n = {ratio.n})"
    )


def advice(one: Advice, measure: str) -> str:
    """What to train, and what shows it."""
    said = _shown(one, measure)
    return f"{said} (adjudicated tasks)" if one.basis is Basis.ADJUDICATED else said


def _shown(one: Advice, measure: str) -> str:
    if one.offset is not None:
        return f"boundaries: {offset(one.matter, one.offset, measure)}"
    if one.change is not None:
        return f"practice: {_fell(one.matter, one.change)} over time"
    rate = one.rate
    if rate is None:
        return one.matter.value
    cases = f"{rate.count} of {rate.n}"
    others = "" if one.usual is None else f"; the others {percent(one.usual)}"
    shown = f"{cases}, {percent(rate.low)} to {percent(rate.high)}{others}"
    return {
        Matter.MISSES: f"label '{one.label}': misses spans ({shown})",
        Matter.CONFUSES: f"label '{one.label}': gives '{one.given}' instead ({shown})",
        Matter.INVENTS: f"label '{one.label}': marks what is none ({shown})",
        Matter.JOINS: f"boundaries: makes one unit of several spans ({shown})",
        Matter.SPLITS: f"boundaries: makes several units of one span ({shown})",
    }[one.matter]
