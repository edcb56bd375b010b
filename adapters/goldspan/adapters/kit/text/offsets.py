"""Offsets: positions in a text as other tools count them, turned into code points.

A reader that has both positions and the marked text hands them to `fit`, which tries the ways of
counting that are known to go wrong and takes one only when it explains every span of the text.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.text.utf16 import Utf16
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Fact

Convert: TypeAlias = Callable[[int], int | None]
"""A position as counted to a code point position; None where it falls inside a character."""

Stored: TypeAlias = tuple[int, int, str | None]
"""Start and end as counted, and the marked text where the file holds it."""

Same: TypeAlias = Callable[[str, str], bool]
"""Whether a text that was found counts as the one that was stored."""

BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Fit:
    """The spans in code points of the text, and how they had been counted.

    `counting` is None if nothing had to be converted.
    """

    counting: Fact | None
    spans: tuple[tuple[int, int], ...]


def same_but_space(one: str, other: str) -> bool:
    """Whether two texts are the same up to white space, which tools fold and trim at will."""
    return one == other or one.split() == other.split()


def fit(
    text: str,
    spans: Sequence[Stored],
    *,
    bom: bool = False,
    where: str = "",
    places: Sequence[str] = (),
    same: Same = same_but_space,
) -> Fit:
    """The spans in code points of `text`, by the only way of counting that fits them all.

    `where` names the text in an error, `places` names each span, where that is known. `bom` says
    that a byte order mark stood before `text` and was taken off. `same` says when a stored text
    counts as equal to the text at its positions.
    """
    if _fits(text, spans, lambda position: position, same) is not None:
        return Fit(None, tuple((start, end) for start, end, _ in spans))
    found: dict[tuple[tuple[int, int], ...], Fact] = {}
    for kind, convert, normal in _countings(text, bom):
        converted = _fits(text, spans, convert, _composed(same) if normal else same)
        if converted is not None:
            found.setdefault(converted, Fact.of(kind))
    if len(found) == 1:
        ((converted, counting),) = found.items()
        return Fit(counting, converted)
    misfit = next(
        index for index, span in enumerate(spans) if _fits(text, [span], lambda p: p, same) is None
    )
    place = places[misfit] if places else where
    raise InputError(_complaint(text, spans[misfit], tuple(found.values())), where=place)


def _complaint(text: str, span: Stored, countings: Sequence[Fact]) -> str:
    start, end, stored = span
    if countings:
        ways = "; ".join(map(str, countings))
        tail = f"several ways of counting would fit ({ways}); correct the positions"
    else:
        tail = "no known way of counting fits all spans of the text; check that the text is the one"
        tail += " that was annotated"
    if not 0 <= start <= end <= len(text):
        return (
            f"the span [{start}, {end}) is outside the text of {len(text)} characters, and {tail}"
        )
    return f"the span [{start}, {end}) reads {text[start:end]!r}, not {stored!r}, and {tail}"


def _fits(
    text: str, spans: Sequence[Stored], convert: Convert, same: Same
) -> tuple[tuple[int, int], ...] | None:
    size = len(text)
    converted = []
    for start, end, stored in spans:
        first, last = convert(start), convert(end)
        if first is None or last is None or not 0 <= first <= last <= size:
            return None
        if stored is not None and not same(text[first:last], stored):
            return None
        converted.append((first, last))
    return tuple(converted)


def _composed(same: Same) -> Same:
    return lambda one, other: same(
        unicodedata.normalize("NFC", one), unicodedata.normalize("NFC", other)
    )


def _countings(text: str, bom: bool) -> Iterator[tuple[FormatFact, Convert, bool]]:
    yield FormatFact.OTHER_NORMAL_FORM, lambda p: p, True
    composed = unicodedata.normalize("NFC", text)
    if composed != text:
        yield FormatFact.COUNTED_ON_NFC, _nfc(text), True
    if "\r\n" in text:
        yield FormatFact.CRLF_AS_ONE, _crlf_as_one(text), False
    elif "\n" in text:
        yield FormatFact.LF_AS_TWO, _lf_as_two(text), False
    if text.startswith(BOM):
        yield FormatFact.WITHOUT_BOM, lambda p: p + 1, False
    elif bom:
        yield FormatFact.WITH_BOM, lambda p: p - 1, False
    utf16 = Utf16.of(text)
    if utf16.wide:
        yield FormatFact.IN_UTF16, utf16.to_points, False


def _crlf_as_one(text: str) -> Convert:
    # The position of each CRLF in the text with LF only.
    breaks = [at - index for index, at in enumerate(_places(text, "\r\n"))]
    return lambda position: position + bisect_left(breaks, position)


def _lf_as_two(text: str) -> Convert:
    breaks = [at + index for index, at in enumerate(_places(text, "\n"))]

    def convert(position: int) -> int | None:
        passed = bisect_left(breaks, position)
        inside = passed and breaks[passed - 1] == position - 1
        return None if inside else position - passed

    return convert


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))


def _nfc(text: str) -> Convert:
    """From positions in the composed text; None inside a cluster that composing changes."""
    table: dict[int, int] = {}
    given = composed = 0
    for cluster in _clusters(text):
        short = unicodedata.normalize("NFC", cluster)
        if short == cluster:
            table.update((composed + i, given + i) for i in range(len(cluster)))
        else:
            table[composed] = given
        given += len(cluster)
        composed += len(short)
    table[composed] = given
    return table.get


def _clusters(text: str) -> Iterator[str]:
    """Pieces that compose each for themselves."""
    begun = 0
    for at, char in enumerate(text):
        # What combines stays; to look at all that it combines with each time would take long.
        if at == begun or unicodedata.combining(char):
            continue
        cluster = text[begun:at]
        together = unicodedata.normalize("NFC", cluster + char)
        if together == unicodedata.normalize("NFC", cluster) + unicodedata.normalize("NFC", char):
            yield cluster
            begun = at
    if text:
        yield text[begun:]
