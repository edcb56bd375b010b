"""Calibration: confidences that mean what they say, learned from spans a person judged.

From three annotators on, a raw confidence p becomes σ(z - s), where z = a·logit p + b. The a and b
minimise the negative log-likelihood of the judgements plus 4·(a-1)² + b²/2, and s is the standard
error of z that the judgements leave: the fewer they are, the more careful is the confidence. Else
many spans that are right in 87 % would be called .9 whenever the judged sample was a lucky one.
With two annotators each class of agreement has its own rate of right spans, shrunk to a prior.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.facts import FactKind, Note
from goldspan.engine.gold.boundaries import overlap
from goldspan.engine.gold.gold import Gold, GoldSpan, Grade

if TYPE_CHECKING:
    from goldspan.engine.model import Continuum, Corpus, Unit

SCHEMA = 1
SLOPE_PENALTY = 4.0
INTERCEPT_PENALTY = 0.5
SUREST = 0.999
"""Raw confidences above count as this: a model that saw no right answer cannot know better."""

COMFORTABLE = 30
"""Fewer judged spans than this repair little; the output says so."""

PAIR_PRIORS: Mapping[Grade, tuple[float, float]] = {
    Grade.EXACT: (9.0, 1.0),
    Grade.OVERLAP: (9.0, 1.0),
    Grade.DISPUTED: (3.0, 7.0),
    Grade.SINGLE: (4.0, 6.0),
}
"""Right and wrong spans of two annotators that the prior is worth, for each class."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was learned from `judged` spans made with `strategy`.

    `pairs` holds, for each class of two annotators' spans, how many were right and how many wrong.
    `covariance` is how unsure slope and intercept are: the variance of the slope, what the two
    have in common, the variance of the intercept.
    """

    strategy: str
    slope: float = 1.0
    intercept: float = 0.0
    judged: int = 0
    pairs: Mapping[Grade, tuple[int, int]] = field(default_factory=dict)
    covariance: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def confidence(self, raw: float, grade: Grade, seen: int) -> float:
        """The probability that a span is right, given its raw confidence, class and audience.

        From three annotators on it is one standard error below the best estimate.
        """
        if seen == 2 and grade in PAIR_PRIORS:
            return pair_rate(grade, self.pairs.get(grade, (0, 0)))
        x = _logit(raw)
        of_slope, of_both, of_intercept = self.covariance
        variance = of_slope * x**2 + 2 * of_both * x + of_intercept
        z = self.slope * x + self.intercept - math.sqrt(max(variance, 0.0))
        return 0.5 + 0.5 * math.tanh(z / 2)

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "strategy": self.strategy,
            "slope": self.slope,
            "intercept": self.intercept,
            "covariance": list(self.covariance),
            "judged": self.judged,
            "pairs": {grade.value: list(counts) for grade, counts in self.pairs.items()},
        }

    @classmethod
    def from_json(cls, value: Any, where: str) -> Calibration:
        """The calibration that `as_json` gave; an InputError when it is something else."""
        try:
            if value["schema"] != SCHEMA:
                raise InputError(f"the schema is {value['schema']}, not {SCHEMA}", where=where)
            pairs = {Grade(name): (int(r), int(w)) for name, (r, w) in value["pairs"].items()}
            of_slope, of_both, of_intercept = map(float, value["covariance"])
            made = cls(
                str(value["strategy"]), float(value["slope"]), float(value["intercept"]),
                int(value["judged"]), pairs, (of_slope, of_both, of_intercept),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError("this is not a calibration of goldspan; create one with "
                             "--adjudicated", where=where) from error  # fmt: skip
        if not all(map(math.isfinite, (made.slope, made.intercept, *made.covariance))):
            raise InputError("the calibration holds a number that is not finite", where=where)
        return made


def pair_rate(grade: Grade, counts: tuple[int, int] = (0, 0)) -> float:
    """The rate of right spans of a class of two annotators' spans, prior included."""
    right, wrong = (prior + count for prior, count in zip(PAIR_PRIORS[grade], counts, strict=True))
    return right / (right + wrong)


@dataclass(frozen=True, slots=True)
class Judged:
    """A suggested span, and whether the adjudicated version has it."""

    task: str
    span: GoldSpan
    right: bool


def calibrate(gold: Gold, adjudicated: Corpus) -> tuple[Calibration, tuple[Note, ...]]:
    """Fit the calibration of a project on its adjudicated tasks; with what a person should know.

    Every suggestion in an adjudicated task is judged: right when the adjudicated version has a
    span of the same category that shares half of the joint length.
    """
    judged, notes = judge_spans(gold, adjudicated)
    if not judged:
        raise InputError(
            "the adjudicated tasks hold no suggested span, so there is nothing to calibrate on; "
            "adjudicate more tasks"
        )
    if len(judged) < COMFORTABLE:
        notes.append(Note.of(FactKind.FEW_ADJUDICATED, found=len(judged), needed=COMFORTABLE))
    return fit(judged, gold.strategy), tuple(notes)


def sample_tasks(gold: Gold, spans: int, seed: int) -> tuple[str, ...]:
    """Random tasks that hold at least this many suggestions together, in their own order.

    Whole tasks, because only in a completely reviewed task does a missing suggestion mean that
    a person removed it.
    """
    if spans < 1:
        raise SettingsError(f"the sample has {spans} spans; it must have 1 or more")
    tasks = sorted(task for task, own in gold.spans.items() if own)
    picked: set[str] = set()
    held = 0
    for at in np.random.default_rng(seed).permutation(len(tasks)).tolist():
        if held >= spans:
            break
        picked.add(tasks[at])
        held += len(gold.spans[tasks[at]])
    if not picked:
        raise InputError("there is no suggested span to adjudicate")
    return tuple(c.id for c in gold.corpus.continua if c.id in picked)


def fit(judged: Sequence[Judged], strategy: str) -> Calibration:
    """The calibration that these judgements lead to."""
    pairs: dict[Grade, tuple[int, int]] = {}
    raw, right = [], []
    for one in judged:
        span = one.span
        if span.seen == 2 and span.grade is not None and span.grade in PAIR_PRIORS:
            yes, no = pairs.get(span.grade, (0, 0))
            pairs[span.grade] = (yes + one.right, no + (not one.right))
        else:
            raw.append(span.evidence.product if span.evidence else span.confidence)
            right.append(one.right)
    if not raw:
        return Calibration(strategy, judged=len(judged), pairs=pairs)
    (slope, intercept), covariance = _logistic(raw, right)
    return Calibration(strategy, slope, intercept, len(judged), pairs, covariance)


def _logistic(
    raw: Sequence[float], right: Sequence[bool]
) -> tuple[tuple[float, float], tuple[float, float, float]]:
    """Slope and intercept, and their covariance: the inverse curvature at the least loss.

    Newton's method; the penalties make the function strictly convex.
    """
    x = np.array([_logit(p) for p in raw])
    y = np.array(right, dtype=np.float64)
    design = np.stack((x, np.ones_like(x)))
    theta = np.array([1.0, 0.0])
    stiff = np.diag([2 * SLOPE_PENALTY, 2 * INTERCEPT_PENALTY])

    def loss(at: np.ndarray[Any, Any]) -> float:
        z = at @ design
        penalty = SLOPE_PENALTY * (at[0] - 1) ** 2 + INTERCEPT_PENALTY * at[1] ** 2
        return float(np.logaddexp(0, z).sum() - (y * z).sum() + penalty)

    def curvature(at: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        p = 1 / (1 + np.exp(-(at @ design)))
        found: np.ndarray[Any, Any] = (design * (p * (1 - p))) @ design.T + stiff
        return found

    for _ in range(100):
        p = 1 / (1 + np.exp(-(theta @ design)))
        slope = design @ (p - y) + stiff @ (theta - np.array([1.0, 0.0]))
        step = np.linalg.solve(curvature(theta), slope)
        size = 1.0
        while loss(theta - size * step) > loss(theta) and size > 1e-6:
            size /= 2
        theta = theta - size * step
        if float(np.abs(step).max()) < 1e-10:
            break
    unsure = np.linalg.inv(curvature(theta))
    return (
        (float(theta[0]), float(theta[1])),
        (float(unsure[0, 0]), float(unsure[0, 1]), float(unsure[1, 1])),
    )


def judge_spans(gold: Gold, adjudicated: Corpus) -> tuple[list[Judged], list[Note]]:
    """Every suggestion in the tasks that both have, judged; and remarks."""
    ours = {continuum.id: continuum for continuum in gold.corpus.continua}
    judged: list[Judged] = []
    strangers = [c.id for c in adjudicated.continua if c.id not in ours]
    shared = [c for c in adjudicated.continua if c.id in ours and c.annotators]
    if not shared:
        raise InputError(
            "no adjudicated task is a task of this corpus: adjudicated are "
            f"{_few(c.id for c in adjudicated.continua)}; the corpus has {_few(ours)}"
        )
    for continuum in shared:
        truth = _version(continuum, ours[continuum.id])
        judged += match(continuum.id, gold.spans.get(continuum.id, ()), truth)
    notes = [Note.of(FactKind.ADJUDICATED_ELSEWHERE, name=one) for one in strangers]
    return judged, [*notes, *_categories(judged, shared)]


def _version(continuum: Continuum, ours: Continuum) -> tuple[Unit, ...]:
    """The one adjudicated version of a task; several must not contradict each other."""
    where = f"task '{continuum.id}'"
    if continuum.text is not None and ours.text is not None and continuum.text != ours.text:
        raise InputError("the adjudicated text is not the text of the corpus", where=where)
    first, *others = continuum.annotators
    said = {(u.start, u.end, u.category) for u in continuum.of(first)}
    for name in others:
        if {(u.start, u.end, u.category) for u in continuum.of(name)} != said:
            raise InputError(
                f"the adjudications by '{first}' and '{name}' contradict each other; keep one "
                "with --adjudicator NAME",
                where=where,
            )
    return continuum.of(first)


def match(task: str, spans: Iterable[GoldSpan], truth: Sequence[Unit]) -> list[Judged]:
    """Each span with whether it has a partner in the truth; the closest pairs are joined first."""
    spans = tuple(spans)
    pairs = []
    for s, span in enumerate(spans):
        for t, unit in enumerate(truth):
            if span.category == unit.category:
                shared = overlap((span.start, span.end), (unit.start, unit.end))
                if shared >= 0.5:
                    pairs.append((-shared, s, t))
    found: set[int] = set()
    used: set[int] = set()
    for _, s, t in sorted(pairs):
        if s not in found and t not in used:
            found.add(s)
            used.add(t)
    return [Judged(task, span, s in found) for s, span in enumerate(spans)]


def _categories(judged: Iterable[Judged], shared: Iterable[Continuum]) -> list[Note]:
    suggested: dict[str, int] = {}
    for one in judged:
        suggested[one.span.category] = suggested.get(one.span.category, 0) + 1
    known = {category for continuum in shared for category in continuum.categories}
    if suggested and known and not known & set(suggested):
        raise InputError(
            f"the adjudicated categories ({_few(known)}) have nothing in common with the "
            f"suggested ones ({_few(suggested)}); rename them with --rename-labels"
        )
    return [
        Note.of(FactKind.CATEGORY_NOT_ADJUDICATED, count=count, category=category)
        for category, count in sorted(suggested.items())
        if category not in known
    ]


def _few(names: Iterable[str]) -> str:
    shown = sorted(names)
    return ", ".join(shown[:5]) + (", …" if len(shown) > 5 else "")


def _logit(p: float) -> float:
    p = min(max(p, 1 - SUREST), SUREST)
    return math.log(p / (1 - p))
