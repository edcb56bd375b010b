"""Matter: what is said about annotators, and what they are compared with."""

from __future__ import annotations

from enum import Enum


class Basis(str, Enum):
    """What an annotator is compared with.

    gold         the gold that goldspan makes of the others' work on each task
    adjudicated  the version that a person settled
    """

    GOLD = "gold"
    ADJUDICATED = "adjudicated"

    def __str__(self) -> str:
        return self.value


class Matter(str, Enum):
    """What an annotator may learn, or what may change over time.

    misses     spans of a label that the annotator does not mark
    confuses   one label that the annotator gives where another is right
    invents    units of a label where nothing belongs
    start      starts that are early or late on average
    end        ends that are early or late on average
    joins      one unit where there are several spans
    splits     several units where there is one span
    recall, precision, seconds  what may change
    """

    MISSES = "misses"
    CONFUSES = "confuses"
    INVENTS = "invents"
    START = "start"
    END = "end"
    JOINS = "joins"
    SPLITS = "splits"
    RECALL = "recall"
    PRECISION = "precision"
    SECONDS = "seconds"

    def __str__(self) -> str:
        return self.value
