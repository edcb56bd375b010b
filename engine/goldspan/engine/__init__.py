"""The γ engine: agreement between annotators who mark spans, and their merged gold.

It knows no file format, no platform and no network.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from goldspan.engine.errors import (
    GoldspanError,
    InputError,
    MissingExtra,
    SettingsError,
    SolverError,
)
from goldspan.engine.gold.gold import Decision, Gold, GoldSpan, Grade, Question, Reading
from goldspan.engine.model import Continuum, Corpus, Measure, Note, Position, Presence, Unit

if TYPE_CHECKING:
    from goldspan.engine.alignment.alignment import Alignment, UnitaryAlignment, best_alignment
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.dissimilarity import Dissimilarity, Interval, Nominal, Ordinal, Table
    from goldspan.engine.gold.calibration import Calibration, calibrate
    from goldspan.engine.gold.merging import merge
    from goldspan.engine.result import Result
    from goldspan.engine.scoring import score

# These need compiled code, which takes a moment to load: they come when they are asked for, so
# that reading and converting files need not wait.
_LATER = {
    "Alignment": "alignment.alignment",
    "UnitaryAlignment": "alignment.alignment",
    "best_alignment": "alignment.alignment",
    "Calibration": "gold.calibration",
    "calibrate": "gold.calibration",
    "Dissimilarity": "dissimilarity",
    "Interval": "dissimilarity",
    "Nominal": "dissimilarity",
    "Ordinal": "dissimilarity",
    "Table": "dissimilarity",
    "Figure": "coefficient.figure",
    "merge": "gold.merging",
    "Result": "result",
    "score": "scoring",
}

__all__ = [
    "Alignment",
    "Calibration",
    "Continuum",
    "Corpus",
    "Decision",
    "Dissimilarity",
    "Figure",
    "Gold",
    "GoldSpan",
    "GoldspanError",
    "Grade",
    "InputError",
    "Interval",
    "Measure",
    "MissingExtra",
    "Nominal",
    "Note",
    "Ordinal",
    "Position",
    "Presence",
    "Question",
    "Reading",
    "Result",
    "SettingsError",
    "SolverError",
    "Table",
    "Unit",
    "UnitaryAlignment",
    "best_alignment",
    "calibrate",
    "merge",
    "score",
]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f"goldspan.engine.{_LATER[name]}"), name)
    raise AttributeError(f"module 'goldspan.engine' has no attribute '{name}'")
