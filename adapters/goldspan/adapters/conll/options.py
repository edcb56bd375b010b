"""Options that only this format has."""

from __future__ import annotations

from goldspan.adapters.options import Option

NOT_ANNOTATED = Option(
    "not_annotated",
    "the cell of a token that an annotator was not asked about",
    default="?",
    metavar="SIGN",
)

SKIP_BAD_ROWS = Option(
    "skip_bad_rows",
    "pass over rows that cannot be read, and count them in a note",
    default=False,
    kind=bool,
)
