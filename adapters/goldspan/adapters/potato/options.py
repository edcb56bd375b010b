"""Options that only this format has."""

from __future__ import annotations

from pathlib import Path

from goldspan.adapters.options import Option

ITEMS: Option[Path | None] = Option(
    "items",
    "Potato's data file (JSON, JSON Lines, csv or tsv), which has the texts",
    default=None,
    kind=Path,
    metavar="FILE",
)

ITEM_KEYS = Option(
    "item_keys",
    "what the data file calls the id and the text of an item: id_key and text_key of the project",
    default="id,text",
    metavar="ID,TEXT",
)
