"""Potato: what each annotator did, in a file user_state.json of their own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import Adapter, Paths, ReadOptions
from goldspan.adapters.potato.options import ITEM_KEYS, ITEMS

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus


class PotatoAdapter(Adapter):
    """The output folder of a Potato project, of version 2."""

    name = "potato"
    summary = "user_state.json of version 2; --items FILE has the texts"
    annotators = "user_id; or --annotator-from dir, a pattern"
    presence = "an item that the annotator marked, or left for another one, is seen"
    writes = False
    ignores = ("category_from",)
    suffixes = (".json",)
    reading_options = (ITEMS, ITEM_KEYS)

    def sniff(self, path: Path) -> bool:
        """A file of Potato's, or a folder that has some."""
        from goldspan.adapters.potato.state import looks_like_state, state_files

        files = state_files(path)
        return bool(files) and all(looks_like_state(file) for file in files[:8])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """Every span a unit, and the answers to other questions as labels of the whole item."""
        from goldspan.adapters.potato.reader import read_potato

        return read_potato(paths, options)
