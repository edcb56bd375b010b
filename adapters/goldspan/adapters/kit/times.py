"""Times: seconds as other tools write them, whole milliseconds as goldspan counts them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal, InvalidOperation
from typing import TypeVar

from goldspan.adapters.facts import FormatFact
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Note
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import LAST, Continuum, Corpus, Measure, Unit

HALF = Decimal("0.5")
LONGEST = LAST // 1000
"""Seconds; a continuum of milliseconds goes no farther."""

AnySpan = TypeVar("AnySpan", bound=Unit | GoldSpan)


def half_up(position: float) -> int:
    """The nearest whole millisecond; a half goes up, whatever the neighbour is."""
    return math.floor(position + 0.5)


def decimal_seconds(text: str, where: str) -> Decimal:
    """Seconds as they are written; anything but a finite number is an error, and so is one beyond
    all continua.
    """
    try:
        number = Decimal(text)
    except InvalidOperation as error:
        raise InputError(f"'{text[:40]}' is not a number; write seconds", where=where) from error
    if not number.is_finite() or not -LONGEST <= number <= LONGEST or "_" in text:
        raise InputError(f"'{text[:40]}' is not a time; write seconds", where=where)
    return number


def milliseconds(seconds: Decimal) -> int:
    """Whole milliseconds; a half goes up. Decimals are exact, so it is a half in the file too."""
    return int((seconds * 1000 + HALF).to_integral_value(ROUND_FLOOR))


def seconds_text(position: int) -> str:
    """Milliseconds as seconds, with as many digits as they need."""
    return f"{Decimal(position).scaleb(-3):f}"


@dataclass(slots=True)
class Tally:
    """What a writer of times took on trust or left out, counted for its remarks."""

    steps: int = 0
    short: int = 0
    skipped: int = 0
    ends: int = 0

    def rounded(
        self, spans: Iterable[AnySpan], continuum: Continuum
    ) -> list[tuple[int, int, AnySpan]]:
        """Start and end in whole milliseconds, and the span; none for those that have no length
        then.
        """
        times = [(half_up(span.start), half_up(span.end), span) for span in spans]
        kept = [time for time in times if time[0] < time[1]]
        self.short += len(times) - len(kept)
        self.steps += len(kept) if continuum.measure is Measure.STEP else 0
        return kept

    def notes(self) -> Iterator[Note]:
        """What a person should know."""
        if self.steps:
            yield Note.of(FormatFact.STEPS_AS_MILLISECONDS, count=self.steps)
        if self.short:
            yield Note.of(FormatFact.SHORT_SPANS, count=self.short)
        if self.skipped:
            yield Note.of(FormatFact.NO_GOLD, count=self.skipped)
        if self.ends:
            yield Note.of(FormatFact.OPEN_ENDS, count=self.ends)


def timed(value: Corpus | Gold, holder: str) -> Corpus:
    """The corpus, or that of gold, after all of its tasks passed for times."""
    corpus = value.corpus if isinstance(value, Gold) else value
    for continuum in corpus.continua:
        _require(continuum, holder)
    return corpus


def _require(continuum: Continuum, holder: str) -> None:
    """Refuse a task whose positions are not times that `holder` could hold.

    Whole positions without a measure are read as milliseconds; a writer says so.
    """
    where = f"task '{continuum.id}'"
    positions = [p for unit in continuum.units for p in (unit.start, unit.end)]
    steps = continuum.measure is Measure.STEP and all(isinstance(p, int) for p in positions)
    if continuum.measure is not Measure.MILLISECOND and not steps:
        raise InputError(
            f"positions are in the measure '{continuum.measure}', and {holder} holds times; "
            "choose another format",
            where=where,
        )
    if min(positions, default=0) < 0:
        raise InputError(f"a unit starts before 0, which {holder} cannot hold", where=where)
