"""Atoms: single values that tend to go wrong."""

from __future__ import annotations

import math
from random import Random

NUMBERS: tuple[int | float, ...] = (
    0, -1, 1, 2, 7, 10**6, 2**31 - 1, 2**31, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64, -(2**63),
    10**30, 0.5, -0.0, 1e-10, 5e-324, 1e16, 1e308, -1e308, math.nan, math.inf, -math.inf,
)  # fmt: skip

TEXTS = (
    "", " ", "  ann ", "\0", "\x1b[31m", "\x07", "\n", "\r\n", "\t", "\u2028", "\x85", "\ufeff",
    "\u202e", "🙂", "e\u0301", "👩\u200d👩\u200d👧", "\ud83d", "\udcff", "\ud83d\ude42", "a" * 5000,
    "=1+1", "@x", "<b>&amp;", "]]>", '"', "'", "\\", "../../x", "/etc/passwd", "a/b", ".", "..",
    ".hidden", "C:\\x", "NaN", "inf", "1e999", "-5", "0x10", "1_000", "\u0663", "\uff11\uff12",
    "9" * 400, "9" * 5000, "1.5", "true", "null", "None", "gold", "goldspan", "INITIAL_CAS",
    "ann/", "ann/ann", "B-", "I-X", "O", "_", "*", "|", "<NA>", "%s", "{}", "{annotator}",
    "\u01c4", "ß", "\ufb01", "\u0130",
)  # fmt: skip


def number(rng: Random) -> int | float:
    """A number, mostly an odd one."""
    return rng.choice(NUMBERS) if rng.random() < 0.7 else rng.randrange(-50, 5000)


def text(rng: Random) -> str:
    """A text, mostly an odd one."""
    if rng.random() < 0.8:
        return rng.choice(TEXTS)
    return "".join(chr(rng.choice((rng.randrange(0x80), rng.randrange(0x3000)))) for _ in range(5))


def word(rng: Random) -> str:
    """A text or the text of a number, as cells and attributes hold it."""
    return str(number(rng)) if rng.random() < 0.5 else text(rng)


def value(rng: Random) -> object:
    """Any value that JSON has."""
    kind = rng.randrange(8)
    if kind < 3:
        return number(rng)
    if kind < 6:
        return text(rng)
    return rng.choice((None, True, False, [], {}, [[]], [None], {"": None}, ["a", 1], {"id": 1}))
