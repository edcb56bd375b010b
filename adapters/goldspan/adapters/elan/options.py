"""Options that only this format has."""

from __future__ import annotations

from goldspan.adapters.options import Option

INCLUDE_INFERRED = Option(
    "include_inferred", "keep spans whose times no human placed", default=False, kind=bool
)
