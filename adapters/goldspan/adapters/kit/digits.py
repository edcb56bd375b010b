"""Digits: whole numbers as files of text hold them."""

from __future__ import annotations

MOST = 18
"""How many digits are read; positions have fewer, and Python itself refuses 4,300."""


def from_digits(text: str) -> int | None:
    """The whole number from 0 up; None for a text that is anything else, or goes on too long."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST else None
