"""Options that only this format has."""

from __future__ import annotations

from goldspan.adapters.options import Option

INCLUDE_PREDICTIONS = Option(
    "include_predictions", "read predictions as annotators", default=False, kind=bool
)

AUTO, ADJUDICATION, ANNOTATION = "auto", "adjudication", "annotation"

STARRED = Option(
    "starred",
    "what an annotation marked as ground truth is: adjudication (it settles the task and is left "
    "out of agreement), annotation (like any other), or auto: adjudication, unless an import "
    "starred it, or it is an annotator's own work, which settles the task and counts as well",
    default=AUTO,
    choices=(AUTO, ADJUDICATION, ANNOTATION),
    metavar="WHAT",
)
