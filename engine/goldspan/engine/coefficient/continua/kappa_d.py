"""κd: multi-κ of a continuum cut into atoms, each with the label of its unit or "blank".

Mathet et al. 2015 (§3.4.1, §6.2) show why it misleads, and so does `blind`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldspan.engine.coefficient.base import Binding
from goldspan.engine.coefficient.continua.continuum_coefficient import StretchCoefficient
from goldspan.engine.coefficient.continua.unitized_alpha import coincidences
from goldspan.engine.coefficient.items.kappa import expected_by_coders
from goldspan.engine.coefficient.resampling import Sums
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.coefficient.continua.spans import MarkedTask
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task


@dataclass(frozen=True, eq=False)
class KappaD(StretchCoefficient):
    """κd: how long two annotators gave the same label, against each one's own habits."""

    coders: tuple[str, ...] = ()
    size: int = 0

    key: ClassVar[str] = "kappa_d"
    is_bound: ClassVar[bool] = True
    symbol: ClassVar[str] = "κd"
    about: ClassVar[str] = "the label of every atom of the continuum, blank where nothing is"
    blind: ClassVar[str] = (
        "It does not see units: two units that touch are as good as one, a missed unit is as good "
        "as a shifted one, and the more is blank, the higher it is."
    )
    allows_overlap: ClassVar[bool] = False

    def bind(self, tasks: Sequence[Task], scheme: Scheme) -> KappaD:
        coders = sorted({name for task in tasks for name in task.annotators})
        return replace(self, coders=tuple(coders), size=len(scheme.categories) + 1)

    def binding(self) -> Binding:
        return Binding(coders=self.coders, size=self.size)

    def bound_by(self, binding: Binding) -> KappaD:
        return replace(self, coders=binding.coders, size=binding.size)

    def observe_spans(self, task: MarkedTask, scheme: Scheme, label: str) -> Sums | Reason:
        """The length on which two annotators differ, the whole, and each one's length of labels."""
        m = len(task.spans)
        same = float(np.trace(coincidences(task.section_meetings, self.size, m))) / m
        lengths = np.zeros((len(self.coders), self.size))
        for name, own in zip(task.annotators, task.sections, strict=True):
            lengths[self.coders.index(name)] += np.bincount(own.value, own.length, self.size)
        parts = (task.length - same, task.length, *lengths.ravel().tolist())
        return Sums(parts, task.n_units, seen=task.length * m)

    def value(self, total: Sequence[float]) -> float | Reason:
        judged = self._lengths(np.array(total)).sum(axis=-1)
        if not np.allclose(judged[judged > 0], total[1]):
            return Reason.of(ReasonKind.INCOMPLETE)
        found = float(self.values(np.array([total]))[0])
        return Reason.of(ReasonKind.ONE_CATEGORY, label="") if np.isnan(found) else found

    def values(self, totals: Floats) -> Floats:
        observed = totals[..., 0] / totals[..., 1]
        expected = expected_by_coders(self._lengths(totals), 1.0 - np.eye(self.size))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(expected > 1e-12, 1 - observed / expected, np.nan))

    def _lengths(self, totals: Floats) -> Floats:
        return np.asarray(totals[..., 2:].reshape(*totals.shape[:-1], len(self.coders), self.size))
