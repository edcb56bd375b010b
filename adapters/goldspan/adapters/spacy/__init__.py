"""spacy: .spacy files (DocBin) and spans JSONL, annotators by span key or one file each.

spaCy has no convention for several annotators. Ours is `doc.spans["ann/NAME"]`: a key that is
there and empty says that NAME saw the document and marked nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.adapters.files.folder import files_below
from goldspan.engine.errors import InputError, SettingsError

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus

SUFFIXES = (".spacy", ".jsonl")
PRODIGY = {"answer", "_input_hash", "_task_hash", "_session_id", "_annotator_id"}


class SpacyAdapter(Adapter):
    """Documents of spaCy's own."""

    name = "spacy"
    summary = ".spacy (DocBin) or spans JSONL, as Doc.to_json writes it"
    annotators = "doc.spans['ann/NAME']; or a file each (--annotator-from file, dir or a pattern)"
    presence = "key there and empty: seen; no key: unseen; doc.ents cannot tell (--empty)"
    extra = "spacy"
    holds_labels = True
    ignores = ("category_from",)
    suffixes = (".spacy", ".jsonl")

    def sniff(self, path: Path) -> bool:
        """A .spacy file, JSONL with spans and nothing of Prodigy's, or a folder of these."""
        files = _files(path)
        return bool(files) and all(_looks_right(file) for file in files[:8])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """A task for each document; documents of one id, or one text, are the same."""
        from goldspan.adapters.spacy.reader import Reader

        reader = Reader(options)
        for given in paths:
            files = _files(given)
            if not files:
                raise InputError(
                    "there is no .spacy or .jsonl file in this folder", where=str(given)
                )
            for file in files:
                reader.read(file)
        return reader.corpus()

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """Span groups in a .spacy file, or character offsets in a .jsonl file."""
        from goldspan.adapters.spacy.writer import write_docbin, write_jsonl

        if path.suffix.lower() == ".jsonl":
            return write_jsonl(value, path, options)
        if path.suffix.lower() == ".spacy":
            return write_docbin(value, path, options)
        raise SettingsError(f"{path} is neither a .spacy nor a .jsonl file; name one to write")


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return files_below(path, SUFFIXES)
    return [path] if path.is_file() else []


def _looks_right(path: Path) -> bool:
    from goldspan.adapters.kit.record import first_record
    from goldspan.adapters.spacy.documents import CATS, ENTS, LIST

    if path.suffix.lower() == ".spacy":
        with path.open("rb") as file:
            return file.read(1) == b"\x78"  # how zlib begins
    row = first_record(path) if path.suffix.lower() == ".jsonl" else {}
    if "text" not in row or PRODIGY.intersection(row):
        return False
    found = any(isinstance(row.get(key), (list, dict)) for key in (LIST, ENTS))
    return found or isinstance(row.get(CATS), dict) or _triples(row)


def _triples(row: object) -> bool:
    entities = row.get("entities") if isinstance(row, dict) else None
    return isinstance(entities, list) and all(isinstance(one, list) for one in entities)
