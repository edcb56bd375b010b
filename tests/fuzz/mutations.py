"""Mutations: one change to a file after its kind."""

from __future__ import annotations

from pathlib import PurePosixPath
from random import Random

from fuzz import archives, docbins, json_text, lines, raw_bytes, xml_text

KINDS = {
    **dict.fromkeys((".eaf", ".aa", ".xmi", ".xml"), xml_text.mutate_xml),
    **dict.fromkeys((".json", ".jsonl"), json_text.mutate_json),
    ".spacy": docbins.mutate_docbin,
}
"""What changes a file, by its suffix; all others are lines."""


def mutate_file(name: str, data: bytes, rng: Random) -> bytes:
    """The content of a file with one change after its kind."""
    suffix = PurePosixPath(name).suffix.lower()
    if rng.random() < 0.12:
        return raw_bytes.mutate_bytes(data, rng)
    try:
        if suffix == ".zip":
            return archives.mutate_archive(data, rng, mutate_file)
        return KINDS.get(suffix, lines.mutate_lines)(data, rng)
    except Exception:  # noqa: BLE001 - what an earlier change has spoiled has no structure left
        return raw_bytes.mutate_bytes(data, rng)
