"""Odds: how likely the suggestion of a site is wrong, before and after a person judged some.

Before, a site is right with the product of its suggestions' confidences, of the probabilities
that what is not suggested does not exist, and of the probability that no mark went astray. These
take annotators for independent, and any mark beside another place for a stray as likely as all
such marks. Judged sites show how far that holds: with x = logit of the probability p that the
suggestion is wrong, d = the share of annotators who have something else there, in standard
deviations from its mean over all sites, s = a one where another site is beside this one, and a one
for its first question (or for having none),

    logit q = a·x + b + u·d + v·s + c(question)

where a, b, u, v and c minimise the negative log-likelihood plus 4·(a-1)² + (b² + u² + v² + c²)/2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.adjudication.strays import astray
from goldspan.engine.gold.calibration import (
    INTERCEPT_PENALTY,
    SLOPE_PENALTY,
    SUREST,
    pair_rate,
)
from goldspan.engine.gold.gold import GoldSpan, Grade, Question

if TYPE_CHECKING:
    from goldspan.engine.adjudication.site import Site

Floats = NDArray[np.float64]

KINDS = tuple(Question)
AT_KINDS = 4
"""The columns before those of the questions: logit p, 1, dissent, beside."""

OTHER_PENALTY = 0.5
LEAST_EXISTS = 0.02
"""A mark is real with this probability or more: annotators who seem to invent much, or to miss
nothing, are never known that well.
"""

STEPS = 100
TOLERANCE = 1e-10


def raw_wrong(site: Site) -> float:
    """The probability that the suggestion is wrong, by the merge of this site alone."""
    right = 1.0
    for span in site.suggested:
        right *= span.evidence.product if span.evidence else span.confidence
    for candidate in site.candidates:
        right *= (1 - LEAST_EXISTS) * (1 - exists(candidate))
    return min(max(1 - right, 1 - SUREST), SUREST)


def exists(candidate: GoldSpan) -> float:
    """The probability that there is a span at all, where none is suggested."""
    if candidate.seen == 2 and candidate.grade is Grade.DISPUTED:
        return pair_rate(Grade.OVERLAP)  # both marked the place; only the label is open
    return candidate.evidence.exists if candidate.evidence else candidate.confidence


def features(sites: Sequence[Site]) -> Floats:
    """A row for each site: logit p, 1, how many have something else there, a one where another
    site is beside it, and a one for its question, the last one for none.
    """
    rows = np.zeros((len(sites), AT_KINDS + len(KINDS) + 1))
    strays = np.array(astray(sites))
    wrong = 1 - (1 - np.array([raw_wrong(site) for site in sites])) * (1 - strays)
    wrong = np.clip(wrong, 1 - SUREST, SUREST)
    rows[:, 0] = np.log(wrong / (1 - wrong))
    rows[:, 1] = 1.0
    rows[:, 2] = _standardised([site.dissent for site in sites])
    rows[:, 3] = strays > 0
    for at, site in enumerate(sites):
        question = KINDS.index(site.kind) if site.questions else len(KINDS)
        rows[at, AT_KINDS + question] = 1.0
    return rows


def _standardised(values: Sequence[float]) -> Floats:
    """In standard deviations from the mean; zeros where all are the same."""
    found = np.array(values, dtype=np.float64)
    spread = float(found.std()) if len(found) else 0.0
    apart: Floats = (found - found.mean()) / spread if spread > 1e-12 else np.zeros(len(found))
    return apart


@dataclass(frozen=True, slots=True)
class SiteModel:
    """What judged sites taught: the weight of each feature, and how unsure the weights are."""

    weights: Floats
    covariance: Floats
    judged: int = 0

    def wrong(self, rows: Floats) -> Floats:
        """For each site the probability q that its suggestion is wrong."""
        found: Floats = 1 / (1 + np.exp(-(rows @ self.weights)))
        return found


def fit_sites(rows: Floats, wrong: Sequence[bool]) -> SiteModel:
    """The model of these judged sites; Newton's method on a strictly convex loss."""
    width = rows.shape[1]
    prior = np.zeros(width)
    prior[0] = 1.0
    penalty = np.full(width, 2 * OTHER_PENALTY)
    penalty[:2] = 2 * SLOPE_PENALTY, 2 * INTERCEPT_PENALTY
    y = np.array(wrong, dtype=np.float64)
    weights = prior.copy()

    def loss(at: Floats) -> float:
        z = rows @ at
        return float((np.logaddexp(0, z) - y * z).sum() + (penalty * (at - prior) ** 2).sum() / 2)

    def curvature(at: Floats) -> Floats:
        q = 1 / (1 + np.exp(-(rows @ at)))
        found: Floats = (rows.T * (q * (1 - q))) @ rows + np.diag(penalty)
        return found

    for _ in range(STEPS):
        q = 1 / (1 + np.exp(-(rows @ weights)))
        step = np.linalg.solve(curvature(weights), rows.T @ (q - y) + penalty * (weights - prior))
        size = 1.0
        while loss(weights - size * step) > loss(weights) and size > 1e-6:
            size /= 2
        weights = weights - size * step
        if float(np.abs(step).max()) < TOLERANCE:
            break
    covariance: Floats = np.linalg.inv(curvature(weights)).astype(np.float64)
    return SiteModel(weights, covariance, len(y))
