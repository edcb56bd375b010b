"""Exact agreement for goldspan: of the units that were marked, how many everybody marked alike?"""

from collections import Counter
from collections.abc import Sequence

from goldspan.engine.coefficient import Coefficient, Measured, Reason, Scheme, Sums


class ExactAgreement(Coefficient):
    """Units that all annotators of a task marked alike, divided by all different units."""

    key = "exact"
    symbol = "exact"
    about = "same place and same label by everybody, not corrected for chance"

    def observe(self, measured: Measured, scheme: Scheme, label: str) -> Sums | Reason:
        """How many units everybody has, and how many there are."""
        task = measured.observation.task
        marked = Counter(
            (unit.start, unit.end, unit.category)
            for unit in task.continuum.units
            if unit.annotator in task.annotators
        )
        agreed = sum(count == len(task.annotators) for count in marked.values())
        return Sums(parts=(agreed, len(marked)), n=measured.observation.n_units)

    def value(self, total: Sequence[float]) -> float | Reason:
        """Their ratio over all tasks."""
        agreed, marked = total
        return float(agreed / marked)
