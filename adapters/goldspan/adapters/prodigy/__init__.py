"""prodigy: JSONL as `prodigy db-out` writes it, an answer a line, annotators by session."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.adapters.files.folder import files_below
from goldspan.adapters.options import GROUND_TRUTH
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.adapters.prodigy.reader import Reader
    from goldspan.engine.annotators.worktime import Times
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus

OWN_KEYS = {"_input_hash", "_task_hash", "_session_id", "_annotator_id", "_view_id"}


class ProdigyAdapter(Adapter):
    """Answers from Prodigy's database."""

    name = "prodigy"
    summary = "JSONL of Prodigy's db-out, from views that mark spans by hand or label whole texts"
    annotators = "named sessions; or files or a field (--annotator-from file, dir, FIELD)"
    presence = "accept without spans: seen; ignore, reject or no row: not seen"
    holds_labels = True
    writing_options = (GROUND_TRUTH,)
    suffixes = (".jsonl",)

    def sniff(self, path: Path) -> bool:
        """JSONL whose first row carries Prodigy's own keys, or a folder of such files."""
        files = _files(path)
        return bool(files) and all(
            file.suffix.lower() == ".jsonl" and _is_answer(file) for file in files[:8]
        )

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """A task for each input; the last answer of an annotator counts."""
        return self._reader(paths, options).corpus()

    def times(self, paths: Paths, options: ReadOptions) -> Times:
        """`_timestamp` of the answers that count."""
        return self._reader(paths, options).times()

    def _reader(self, paths: Paths, options: ReadOptions) -> Reader:
        """What the files hold."""
        from goldspan.adapters.prodigy.reader import Reader

        reader = Reader(options)
        for given in paths:
            files = _files(given)
            if not files:
                raise InputError("there is no .jsonl file in this folder", where=str(given))
            for file in files:
                reader.read(file)
        return reader

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """Answers by named sessions; gold as rows for Prodigy's review."""
        from goldspan.adapters.kit.record import Record, read_records
        from goldspan.adapters.prodigy.tasks import TaskIds
        from goldspan.adapters.prodigy.writer import write_prodigy

        known: dict[str, Record] = {}
        ids = TaskIds()
        for source in options.source:
            for file in _files(source):
                for record in read_records(file):
                    known.setdefault(ids.of(record, file), record)
        return write_prodigy(value, path, options, known)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return files_below(path, (".jsonl",))
    return [path] if path.is_file() else []


def _is_answer(path: Path) -> bool:
    from goldspan.adapters.kit.record import first_record
    from goldspan.adapters.prodigy.reader import ANSWERS

    row = first_record(path)
    return "text" in row and bool(OWN_KEYS.intersection(row) or row.get("answer") in ANSWERS)
