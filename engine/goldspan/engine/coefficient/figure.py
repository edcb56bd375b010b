"""Figure: a value with its interval and what it rests on; or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from goldspan.engine.facts import Reason, ReasonKind

UNANIMOUS = Reason.of(ReasonKind.UNANIMOUS)


@dataclass(frozen=True, slots=True)
class Figure:
    """A coefficient between annotators.

    `n` counts what it rests on: units for γ, pairs of aligned units for γcat and γk. The interval
    from `low` to `high` is at `level`, and holds for these annotators; `method` says over what it
    was taken. Whatever is missing is None, and `reason` says why. `observed` and `expected` are
    the two sums that the value is one minus the ratio of; they add up over tasks. `sums` are all
    sums that the coefficient is a function of, and `sums_of` the pairs of annotators that they are
    of, if they are, equally many each.

    `chance` names the model that `expected` comes from, `samples` counts the chance samples, and
    `error` is the relative error of `expected` at `level` that comes from sampling. `coverage` is
    the part of the data that the coefficient looked at, where it does not look at all of it.
    """

    value: float | None
    low: float | None
    high: float | None
    level: float
    n: int
    method: str | None = None
    reason: Reason | None = None
    observed: float | None = None
    expected: float | None = None
    chance: str | None = None
    samples: int = 0
    error: float | None = None
    sums: tuple[float, ...] | None = None
    coverage: float | None = None
    sums_of: tuple[tuple[str, str], ...] | None = None

    @classmethod
    def undefined(
        cls, reason: Reason | None, level: float, n: int = 0, coverage: float | None = None
    ) -> Figure:
        return cls(None, None, None, level, n, None, reason, coverage=coverage)

    def without_value(self, reason: Reason) -> Figure:
        """The sums stay, so that they add up; the value is undefined for this reason."""
        return replace(self, value=None, low=None, high=None, method=None, reason=reason)

    @property
    def is_unanimous(self) -> bool:
        """Whether nobody differed, so that there is a value without an interval."""
        return self.reason is not None and self.reason.kind is ReasonKind.UNANIMOUS

    @property
    def remark(self) -> str | None:
        """The reason in words."""
        return None if self.reason is None else str(self.reason)

    @property
    def sampling_bounds(self) -> tuple[float, float] | None:
        """Between which values the figure would be if all of chance were known (2017, §6)."""
        if self.value is None or self.error is None or self.error >= 1:
            return None
        disorder = 1 - self.value
        ends = 1 - disorder / (1 - self.error), 1 - disorder / (1 + self.error)
        return min(ends), max(ends)

    def as_json(self) -> dict[str, Any]:
        """The figure as plain values, as in the JSON of a result."""
        from goldspan.engine.schema.figure import figure_json, plain  # noqa: PLC0415 - loads msgspec

        return plain(figure_json(self))
