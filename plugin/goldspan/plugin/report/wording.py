"""Wording: what figures mean, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.result import Result

KINDS = {
    "missed": "one marked it, another did not",
    "boundary": "same unit, other start or end",
    "label": "same unit, other label",
    "split": "one unit against several",
}
SIDES = {
    "missed": "others marked it, this annotator did not",
    "alone": "this annotator marked it, others did not",
} | {kind: said for kind, said in KINDS.items() if kind != "missed"}

MINUS = "\N{MINUS SIGN}"

LANDIS_KOCH = (
    (0.81, "almost perfect"),
    (0.61, "substantial"),
    (0.41, "moderate"),
    (0.21, "fair"),
    (0.0, "slight"),
)
"""Landis and Koch 1977, table in §4; made for κ."""

BORROWED = (
    "The words are borrowed: Landis and Koch (1977) proposed them for κ, and nobody has "
    "calibrated them for γ. Compare rounds with each other rather than with a scale."
)


def is_too_little(figure: Figure) -> bool:
    """Whether a figure rests on so little that it should not stand as a headline."""
    if figure.value is None:
        return True
    return figure.low is None and not figure.is_unanimous


def meaning(figure: Figure) -> str:
    """What a value says, on its own and against chance."""
    value = figure.value
    if value is None:
        return "There is no value."
    if figure.is_unanimous:
        return "No disagreement at all was observed."
    if value <= 0:
        return "The annotators agree no better than chance would."
    start = f"Of the disagreement expected by chance, {max(0, 1 - value):.0%} is left"
    if figure.low is None or figure.high is None:
        return f"{start}."
    if figure.low <= 0:
        return f"{start}; the interval does not exclude chance."
    return f"{start}; the interval runs from {1 - figure.high:.0%} to {1 - figure.low:.0%}."


def sampled(figure: Figure) -> str:
    """How far sampling chance leaves a figure open; for figures that have no interval."""
    bounds = figure.sampling_bounds
    if bounds is None or figure.low is not None or bounds[0] == bounds[1]:
        return ""
    return f"between {bounds[0]:.3f} and {bounds[1]:.3f}, as far as chance was sampled"


def imprecise(figure: Figure, precision: float) -> str:
    """A remark where chance is not known as precisely as was asked for."""
    if figure.value is None or figure.error is None or figure.error <= precision:
        return ""
    return (
        f"what chance expects is known to ±{figure.error:.1%} after {figure.samples:,} samples, "
        f"not to ±{precision:.1%}"
    )


def approximate(result: Result) -> str:
    """By how much unproved alignments may have moved the figures; empty where all are proved, or
    where nobody disagrees: γ is 1 then, whatever chance expects.
    """
    if result.optimal or result.gamma.observed == 0:
        return ""
    return (
        "Some alignments are not proved to be the best ones: the observed disorder may be up to "
        f"{result.observed_gap:.1%} too high, the expected one up to {result.expected_gap:.1%}."
    )


def borrowed(figure: Figure) -> str:
    """The words of the borrowed scale for both ends of an interval; nothing for too little data."""
    if figure.value is None or is_too_little(figure):
        return ""
    if figure.low is None or figure.high is None:
        return _word(figure.value)
    return " to ".join(dict.fromkeys((_word(figure.low), _word(figure.high))))


def _word(value: float) -> str:
    return next((word for least, word in LANDIS_KOCH if round(value, 2) >= least), "poor")


def many(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def number(value: float | None, digits: int = 2) -> str:
    """A value with a true minus sign; a dash where there is none."""
    if value is None:
        return "–"
    text = f"{value:.{digits}f}"
    return text.replace("-", MINUS) if float(text) else text.lstrip("-")


def share(value: float) -> str:
    """A share in per cent; one that is small but not nothing says so."""
    return "<1%" if 0 < value < 0.005 else f"{value:.0%}"


def interval(figure: Figure, digits: int = 2) -> str:
    """Both ends of an interval, or nothing."""
    if figure.low is None or figure.high is None:
        return ""
    return f"{number(figure.low, digits)} to {number(figure.high, digits)}"
