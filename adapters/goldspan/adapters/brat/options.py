"""Options that only this format has."""

from __future__ import annotations

from goldspan.adapters.options import Option

FRAGMENTS = Option(
    "fragments",
    "discontinuous spans: one unit over all fragments, or one for each",
    default="hull",
    choices=("hull", "split"),
)
