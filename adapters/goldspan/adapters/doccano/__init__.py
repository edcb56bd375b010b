"""doccano: JSONL, a file for each member of a project, or the old one with users inside."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.adapters.files.folder import files_below
from goldspan.engine.errors import InputError, SettingsError

if TYPE_CHECKING:
    from goldspan.adapters.files.bundle import Member
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus


class DoccanoAdapter(Adapter):
    """Exports of doccano's projects of sequence labelling and of text classification."""

    name = "doccano"
    summary = "JSONL or its zip, new and old; all.jsonl, which merges annotators, is refused"
    annotators = "a file per member; in old exports the user; or --annotator-from dir, a pattern"
    presence = "an export of approved documents only: row is seen; else --empty must decide"
    holds_labels = True
    ignores = ("category_from",)
    suffixes = (".jsonl", ".json", ".zip")

    def sniff(self, path: Path) -> bool:
        """JSONL whose first row is doccano's, or a folder or zip with such files. Other files in it
        do not matter, unless they have the same suffix.
        """
        from goldspan.adapters.doccano.rows import SUFFIXES, is_doccano
        from goldspan.adapters.files.bundle import open_bundle
        from goldspan.adapters.kit.record import first_record

        if path.is_file() and path.suffix.lower() in SUFFIXES:
            return is_doccano(first_record(path))
        if path.is_dir():
            # Other formats have folders of JSON as well, too large to be read for a first look.
            begun = [f for f in files_below(path, SUFFIXES)[:8] if f.stat().st_size]
            return bool(begun) and all(is_doccano(first_record(file)) for file in begun)
        if path.suffix.lower() != ".zip":
            return False
        try:
            with open_bundle(path) as members:
                rows = [m for m in members if m.suffix in SUFFIXES]
                firsts = [_first(member) for member in rows[:8]]
                return any(firsts) and all(first is None or is_doccano(first) for first in firsts)
        except InputError:
            return False

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """A task for each example."""
        from goldspan.adapters.doccano.reader import Reader
        from goldspan.adapters.doccano.rows import SUFFIXES
        from goldspan.adapters.files.bundle import open_bundle

        reader = Reader(options)
        for given in paths:
            with open_bundle(given) as members:
                found = [m for m in members if m.suffix in SUFFIXES or len(members) == 1]
                if not found:
                    raise InputError("there is no .jsonl file in it", where=str(given))
                for member in found:
                    reader.read(member)
        return reader.corpus()

    def check(self, path: Path, *, gold: bool) -> None:
        """Gold is one file; a corpus is several."""
        from goldspan.adapters.doccano.rows import SUFFIXES

        if gold and path.suffix.lower() != ".jsonl":
            raise SettingsError(f"{path} is no .jsonl file; name one to write gold to")
        if not gold and path.suffix.lower() in SUFFIXES:
            raise SettingsError(
                f"{path} is one file, and doccano has one per annotator; name a folder or a .zip"
            )

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """A folder or a .zip with a file per annotator; gold as one .jsonl file to import."""
        from goldspan.adapters.doccano.writer import write_gold, write_members
        from goldspan.engine.gold.gold import Gold

        if isinstance(value, Gold):
            return write_gold(value, path)
        return write_members(value, path, options)


def _first(member: Member) -> Mapping[str, Any] | None:
    """The first row; None where there is none, for a member who has approved nothing yet."""
    from goldspan.adapters.kit.record import stream_records

    first = next(stream_records(BytesIO(member.read()), member.where), None)
    return None if first is None else first.values
