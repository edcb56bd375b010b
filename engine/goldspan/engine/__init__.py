"""The γ engine: agreement between annotators who mark spans, and their merged gold.

It knows no file format, no platform and no network. `score` measures a `Corpus` and gives a
`Result`; `merge` makes `Gold` of both.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldspan.engine.alignment.alignment import Alignment, UnitaryAlignment
    from goldspan.engine.alignment.alternative.without import best_alignment_without
    from goldspan.engine.alignment.partition import best_alignment
    from goldspan.engine.coefficient.base import Binding, Coefficient
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.disagreement import Difference, Disagreements, Part, differences
    from goldspan.engine.dissimilarity import (
        Dissimilarity,
        Distances,
        Interval,
        Nominal,
        Ordinal,
        Table,
    )
    from goldspan.engine.errors import (
        GoldspanError,
        InputError,
        MissingExtra,
        SettingsError,
        SolverError,
    )
    from goldspan.engine.facts import Fact, FactKind, Kind, Note, Reason, ReasonKind
    from goldspan.engine.gold.calibration import Calibration, calibrate
    from goldspan.engine.gold.gold import (
        Decision,
        Evidence,
        Gold,
        GoldSpan,
        Grade,
        Provenance,
        Question,
        Reading,
    )
    from goldspan.engine.gold.merging import merge
    from goldspan.engine.hierarchy import Hierarchy
    from goldspan.engine.literature import agreement
    from goldspan.engine.model import (
        Continuum,
        Corpus,
        Measure,
        Position,
        Presence,
        Unit,
        channel_id,
    )
    from goldspan.engine.parallel import Compute
    from goldspan.engine.positional import OneMinusIoU, Ratio
    from goldspan.engine.reference.against import Against, AgainstKind, AgainstResult
    from goldspan.engine.reference.comparing import against, stability
    from goldspan.engine.result import (
        AnnotatorResult,
        Excluded,
        LayerResult,
        PairResult,
        Result,
        TaskResult,
    )
    from goldspan.engine.scoring import score
    from goldspan.engine.set_distances import Sets
    from goldspan.engine.settings import Average, Chance, Settings

# Values and errors load in no time, the rest needs compiled code: a name is loaded when it is first
# asked for, so that reading files, or an error, need not wait for numpy.
_HOME = {
    "Against": "reference.against",
    "AgainstKind": "reference.against",
    "AgainstResult": "reference.against",
    "Alignment": "alignment.alignment",
    "AnnotatorResult": "result",
    "Average": "settings",
    "Calibration": "gold.calibration",
    "Chance": "settings",
    "Compute": "parallel",
    "Binding": "coefficient.base",
    "Coefficient": "coefficient.base",
    "Continuum": "model",
    "Corpus": "model",
    "Decision": "gold.gold",
    "Difference": "disagreement",
    "Disagreements": "disagreement",
    "Dissimilarity": "dissimilarity",
    "Distances": "dissimilarity",
    "Evidence": "gold.gold",
    "Excluded": "result",
    "Fact": "facts",
    "FactKind": "facts",
    "Figure": "coefficient.figure",
    "Gold": "gold.gold",
    "GoldSpan": "gold.gold",
    "GoldspanError": "errors",
    "Grade": "gold.gold",
    "Hierarchy": "hierarchy",
    "InputError": "errors",
    "Interval": "dissimilarity",
    "Kind": "facts",
    "LayerResult": "result",
    "Measure": "model",
    "MissingExtra": "errors",
    "Nominal": "dissimilarity",
    "Note": "facts",
    "OneMinusIoU": "positional",
    "Ordinal": "dissimilarity",
    "PairResult": "result",
    "Part": "disagreement",
    "Position": "model",
    "Presence": "model",
    "Provenance": "gold.gold",
    "Question": "gold.gold",
    "Ratio": "positional",
    "Reading": "gold.gold",
    "Reason": "facts",
    "ReasonKind": "facts",
    "Result": "result",
    "Sets": "set_distances",
    "Settings": "settings",
    "SettingsError": "errors",
    "SolverError": "errors",
    "Table": "dissimilarity",
    "TaskResult": "result",
    "Unit": "model",
    "UnitaryAlignment": "alignment.alignment",
    "against": "reference.comparing",
    "agreement": "literature",
    "best_alignment": "alignment.partition",
    "best_alignment_without": "alignment.alternative.without",
    "calibrate": "gold.calibration",
    "channel_id": "model",
    "differences": "disagreement",
    "merge": "gold.merging",
    "score": "scoring",
    "stability": "reference.comparing",
}

__all__ = [
    "Against",
    "AgainstKind",
    "AgainstResult",
    "Alignment",
    "AnnotatorResult",
    "Average",
    "Binding",
    "Calibration",
    "Chance",
    "Coefficient",
    "Compute",
    "Continuum",
    "Corpus",
    "Decision",
    "Difference",
    "Disagreements",
    "Dissimilarity",
    "Distances",
    "Evidence",
    "Excluded",
    "Fact",
    "FactKind",
    "Figure",
    "Gold",
    "GoldSpan",
    "GoldspanError",
    "Grade",
    "Hierarchy",
    "InputError",
    "Interval",
    "Kind",
    "LayerResult",
    "Measure",
    "MissingExtra",
    "Nominal",
    "Note",
    "OneMinusIoU",
    "Ordinal",
    "PairResult",
    "Part",
    "Position",
    "Presence",
    "Provenance",
    "Question",
    "Ratio",
    "Reading",
    "Reason",
    "ReasonKind",
    "Result",
    "Sets",
    "Settings",
    "SettingsError",
    "SolverError",
    "Table",
    "TaskResult",
    "Unit",
    "UnitaryAlignment",
    "against",
    "agreement",
    "best_alignment",
    "best_alignment_without",
    "calibrate",
    "channel_id",
    "differences",
    "merge",
    "score",
    "stability",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"goldspan.engine.{_HOME[name]}"), name)
    raise AttributeError(f"module 'goldspan.engine' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
