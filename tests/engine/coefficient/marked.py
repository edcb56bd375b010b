"""Marked continua for tests: spans and segments of annotators, and their coefficients."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.coefficient.judged import figure, value
from engine.continua import continuum
from goldspan.engine import Continuum, Corpus, Settings
from goldspan.engine.coefficient.continua.spans import MarkedTask
from goldspan.engine.coefficient.scheme import Scheme
from goldspan.engine.coefficient.task import Task
from goldspan.engine.facts import ReasonKind

Row = tuple[str, float, float, str]


def corpus(*rows: Row, length: float | None = None, empty: Sequence[str] = ()) -> Corpus:
    """One continuum, from (annotator, start, end, category)."""
    return Corpus((continuum(*rows, length=length, empty=empty),))


def of(key: str, *rows: Row, length: float | None = None, label: str = "") -> float:
    """A coefficient of one continuum."""
    return value(corpus(*rows, length=length), key, label)


def marked(one: Continuum) -> MarkedTask:
    """A continuum as coefficients see it."""
    scheme = Scheme.of(one.categories, Settings())
    return MarkedTask.of(Task(one, one.annotators), scheme)


def segments(*masses: Sequence[int], task: str = "t") -> Continuum:
    """Segments that cover a continuum, from their lengths, a row for each annotator."""
    rows: list[Row] = []
    for number, own in enumerate(masses):
        ends = np.cumsum(own).tolist()
        rows += [(f"a{number}", end - mass, end, "x") for mass, end in zip(own, ends, strict=True)]
    return continuum(*rows, length=sum(masses[0]), task=task)


def random_masses(rng: np.random.Generator, length: int) -> list[int]:
    """A random segmentation."""
    ends = np.flatnonzero(rng.random(length - 1) < rng.uniform(0.05, 0.4)) + 1
    return np.diff(np.concatenate(([0], ends, [length]))).tolist()


def random_spans(
    rng: np.random.Generator, annotator: str, count: int, span: int, labels: str
) -> list[Row]:
    """Units that do not overlap."""
    ends = np.sort(rng.choice(span, 2 * count, replace=False)).tolist()
    return [
        (annotator, low, high, str(rng.choice(list(labels))))
        for low, high in zip(ends[::2], ends[1::2], strict=True)
    ]


def reason(data: Corpus, key: str, label: str = "") -> ReasonKind:
    """Why a coefficient has no value."""
    found = figure(data, key, label)
    assert found.value is None
    assert found.low is None
    assert found.reason is not None
    assert isinstance(found.reason.kind, ReasonKind)
    return found.reason.kind
