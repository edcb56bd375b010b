"""Writing for doccano: a file per annotator, and gold as one file to import."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.doccano.rows import CATS
from goldspan.adapters.files.atomic import new_file, new_folder
from goldspan.adapters.files.file_names import FileNames
from goldspan.adapters.kit.layers import USUAL, gold_labels, labels_by_task
from goldspan.adapters.kit.record import dump, write_records
from goldspan.adapters.kit.roundtrip import KEY, leftover, text_of
from goldspan.engine.model import Continuum, Corpus, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Notes, WriteOptions
    from goldspan.engine.gold.gold import Gold, GoldSpan

HELD = (Presence.DONE, Presence.EMPTY, Presence.PARTIAL)
EXAMPLES, MERGED = "_examples", "all"
"""The file of examples that nobody worked on, and the name that means a merged export."""


def write_gold(gold: Gold, path: Path) -> Notes:
    """Rows to import; confidence and votes become the example's metadata."""
    rows = []
    has_spans = any(gold.spans.values()) or not gold.labels
    for continuum in gold.corpus.continua:
        spans = gold.spans.get(continuum.id, ())
        labels = gold_labels(gold, continuum.id)
        if not has_spans:
            rows.append(_classified(gold, continuum, labels))
            continue
        rows.append(
            {
                "id": continuum.id,
                "text": text_of(continuum, "doccano"),
                "label": [[int(s.start), int(s.end), s.category] for s in spans],
                "confidence": [s.confidence for s in spans],
                "votes": [list(s.voters) for s in spans],
                "seen": [s.seen for s in spans],
                "strategy": gold.strategy,
            }
            | ({CATS: _names(labels)} if gold.labels else {})
        )
    write_records(path, rows)
    return []


def _classified(
    gold: Gold, continuum: Continuum, labels: Mapping[str, Sequence[GoldSpan]]
) -> dict[str, Any]:
    """A row of a text classification project."""
    found = [one for given in labels.values() for one in given]
    return {
        "id": continuum.id,
        "text": text_of(continuum, "doccano"),
        "label": _names(labels),
        "confidence": [one.confidence for one in found],
        "votes": [list(one.voters) for one in found],
        "seen": [one.seen for one in found],
        "strategy": gold.strategy,
    }


def _names(labels: Mapping[str, Sequence[GoldSpan]]) -> list[str]:
    return [one.category for given in labels.values() for one in given]


def write_members(corpus: Corpus, path: Path, options: WriteOptions) -> Notes:
    """A .zip or a folder of files; notes tell whose name could not be a file's."""
    names = FileNames(corpus.annotators, reserved=(EXAMPLES, MERGED))
    files = {
        f"{name}.jsonl": b"".join(dump(row) for row in rows)
        for name, rows in _files(corpus, names).items()
    }
    if path.suffix.lower() == ".zip":
        with new_file(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
            for name, data in files.items():
                # Without a date of its own, so that the same corpus makes the same file.
                archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    else:
        with new_folder(path, replace=options.replace) as folder:
            for name, data in files.items():
                (folder / name).write_bytes(data)
    return names.notes


def _files(corpus: Corpus, names: FileNames) -> Mapping[str, list[dict[str, Any]]]:
    files: dict[str, list[dict[str, Any]]] = {}
    labels = labels_by_task(corpus)
    first = next(iter(corpus.layers), "")
    # A project of labels alone has them where one of spans has these.
    has_spans = any(continuum.units for continuum in corpus.continua) or not first
    for continuum in corpus.continua:
        own = labels[continuum.id]
        text = text_of(continuum, "doccano")
        marked = {unit.annotator for unit in continuum.units}
        shown = [n for n, s in continuum.presence.items() if n in marked and s is Presence.DONE]
        kept = leftover(corpus, continuum, shown)
        if first not in ("", CATS if has_spans else USUAL):
            kept["layer"] = first
        if rest := {layer: given for layer, given in own.items() if layer != first and given}:
            kept["labels"] = rest
        holders = [name for name, state in continuum.presence.items() if state in HELD]
        for name in holders:
            row: dict[str, Any] = {
                "id": continuum.id,
                "text": text,
                "label": _triples(continuum, name),
            }
            if first:
                row[CATS if has_spans else "label"] = list(own.get(first, {}).get(name, ()))
            told = {**kept, **({"annotator": name} if names[name] != name else {})}
            files.setdefault(names[name], []).append(row | ({KEY: told} if told else {}))
        if not holders:
            files.setdefault(EXAMPLES, []).append({"id": continuum.id, "text": text, KEY: kept})
    for rows in files.values():
        _fill(rows)
    return files


def _fill(rows: list[dict[str, Any]]) -> None:
    """Give all rows the key that some have: doccano's import makes NaN of a missing one, which its
    database then refuses.
    """
    if any(KEY in row for row in rows):
        for row in rows:
            row.setdefault(KEY, {})


def _triples(continuum: Continuum, name: str) -> list[list[Any]]:
    return [[int(u.start), int(u.end), u.category] for u in continuum.of(name)]
