"""Options that only this format has."""

from __future__ import annotations

from goldspan.adapters.options import Option

INCLUDE_PREDICTIONS = Option(
    "include_predictions", "read predictions as annotators", default=False, kind=bool
)
