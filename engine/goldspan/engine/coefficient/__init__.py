"""Coefficients of agreement: what one is made of, those that every result has, and their intervals.

    from goldspan.engine.coefficient import Coefficient, Measured, Reason, Scheme, Sums

is all that a coefficient of your own needs; CONTRIBUTING.md shows one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from goldspan.engine.facts import Reason

if TYPE_CHECKING:
    from goldspan.engine.coefficient.base import Binding, Coefficient, TaskCoefficient
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.coefficient.measured import Measured
    from goldspan.engine.coefficient.resampling import Sums
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task

# Compiled code comes with most of these, so they are loaded when they are asked for.
_LATER = {
    "Binding": "base",
    "Coefficient": "base",
    "Figure": "figure",
    "Measured": "measured",
    "Scheme": "scheme",
    "Sums": "resampling",
    "Task": "task",
    "TaskCoefficient": "base",
}

__all__ = [
    "Binding",
    "Coefficient",
    "Figure",
    "Measured",
    "Reason",
    "Scheme",
    "Sums",
    "Task",
    "TaskCoefficient",
]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
