"""The adapter kit: everything that a reader or writer of a format is made of.

This is public API, for formats in packages of their own as for those of goldspan. An adapter is a
class that derives from `Adapter`; docs/adapters.md says what it must provide, and lists what is
here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Adapter, Notes, Paths
    from goldspan.adapters.extras import require
    from goldspan.adapters.facts import FormatFact
    from goldspan.adapters.files.atomic import new_file, new_folder
    from goldspan.adapters.files.bundle import Member, open_bundle
    from goldspan.adapters.files.file_names import FileNames
    from goldspan.adapters.files.folder import files_below
    from goldspan.adapters.files.json_stream import elements
    from goldspan.adapters.files.table import read_rows, write_rows
    from goldspan.adapters.files.text_file import decode, head, read_text
    from goldspan.adapters.files.xml_file import parse_xml, xml_text
    from goldspan.adapters.files.zip_file import open_zip
    from goldspan.adapters.kit.assignments import with_assignments
    from goldspan.adapters.kit.draft import Draft
    from goldspan.adapters.kit.naming import Naming
    from goldspan.adapters.kit.record import (
        Record,
        first_record,
        load_json,
        read_records,
        write_records,
    )
    from goldspan.adapters.kit.source_files import SourceFiles
    from goldspan.adapters.kit.standoff import mark_files
    from goldspan.adapters.kit.task_draft import TaskDraft
    from goldspan.adapters.kit.task_files import TaskFiles, task_files
    from goldspan.adapters.kit.text.marks import Mark, Marks
    from goldspan.adapters.kit.text.offsets import fit
    from goldspan.adapters.kit.text.utf16 import Utf16
    from goldspan.adapters.kit.tiers import TierNaming, holders, stacks
    from goldspan.adapters.kit.times import decimal_seconds, milliseconds, seconds_text
    from goldspan.adapters.options import Option, ReadOptions, WriteOptions
    from goldspan.engine.errors import InputError, SettingsError
    from goldspan.engine.facts import Note
    from goldspan.engine.gold.gold import Gold, GoldSpan
    from goldspan.engine.model import Continuum, Corpus, Measure, Position, Presence, Unit

_HOME = {
    "Adapter": "goldspan.adapters.adapter",
    "Continuum": "goldspan.engine.model",
    "Corpus": "goldspan.engine.model",
    "Draft": "goldspan.adapters.kit.draft",
    "FileNames": "goldspan.adapters.files.file_names",
    "FormatFact": "goldspan.adapters.facts",
    "Gold": "goldspan.engine.gold.gold",
    "GoldSpan": "goldspan.engine.gold.gold",
    "InputError": "goldspan.engine.errors",
    "Mark": "goldspan.adapters.kit.text.marks",
    "Marks": "goldspan.adapters.kit.text.marks",
    "Measure": "goldspan.engine.model",
    "Member": "goldspan.adapters.files.bundle",
    "Naming": "goldspan.adapters.kit.naming",
    "Note": "goldspan.engine.facts",
    "Notes": "goldspan.adapters.adapter",
    "Option": "goldspan.adapters.options",
    "Paths": "goldspan.adapters.adapter",
    "Position": "goldspan.engine.model",
    "Presence": "goldspan.engine.model",
    "ReadOptions": "goldspan.adapters.options",
    "Record": "goldspan.adapters.kit.record",
    "SettingsError": "goldspan.engine.errors",
    "SourceFiles": "goldspan.adapters.kit.source_files",
    "TaskDraft": "goldspan.adapters.kit.task_draft",
    "TaskFiles": "goldspan.adapters.kit.task_files",
    "TierNaming": "goldspan.adapters.kit.tiers",
    "Unit": "goldspan.engine.model",
    "Utf16": "goldspan.adapters.kit.text.utf16",
    "WriteOptions": "goldspan.adapters.options",
    "decimal_seconds": "goldspan.adapters.kit.times",
    "decode": "goldspan.adapters.files.text_file",
    "elements": "goldspan.adapters.files.json_stream",
    "files_below": "goldspan.adapters.files.folder",
    "first_record": "goldspan.adapters.kit.record",
    "fit": "goldspan.adapters.kit.text.offsets",
    "head": "goldspan.adapters.files.text_file",
    "holders": "goldspan.adapters.kit.tiers",
    "load_json": "goldspan.adapters.kit.record",
    "mark_files": "goldspan.adapters.kit.standoff",
    "milliseconds": "goldspan.adapters.kit.times",
    "new_file": "goldspan.adapters.files.atomic",
    "new_folder": "goldspan.adapters.files.atomic",
    "open_bundle": "goldspan.adapters.files.bundle",
    "open_zip": "goldspan.adapters.files.zip_file",
    "parse_xml": "goldspan.adapters.files.xml_file",
    "read_records": "goldspan.adapters.kit.record",
    "read_rows": "goldspan.adapters.files.table",
    "read_text": "goldspan.adapters.files.text_file",
    "require": "goldspan.adapters.extras",
    "seconds_text": "goldspan.adapters.kit.times",
    "stacks": "goldspan.adapters.kit.tiers",
    "task_files": "goldspan.adapters.kit.task_files",
    "with_assignments": "goldspan.adapters.kit.assignments",
    "write_records": "goldspan.adapters.kit.record",
    "write_rows": "goldspan.adapters.files.table",
    "xml_text": "goldspan.adapters.files.xml_file",
}
"""Where each name is from: a module is loaded when one of its names is asked for."""

__all__ = [
    "Adapter",
    "Continuum",
    "Corpus",
    "Draft",
    "FileNames",
    "FormatFact",
    "Gold",
    "GoldSpan",
    "InputError",
    "Mark",
    "Marks",
    "Measure",
    "Member",
    "Naming",
    "Note",
    "Notes",
    "Option",
    "Paths",
    "Position",
    "Presence",
    "ReadOptions",
    "Record",
    "SettingsError",
    "SourceFiles",
    "TaskDraft",
    "TaskFiles",
    "TierNaming",
    "Unit",
    "Utf16",
    "WriteOptions",
    "decimal_seconds",
    "decode",
    "elements",
    "files_below",
    "first_record",
    "fit",
    "head",
    "holders",
    "load_json",
    "mark_files",
    "milliseconds",
    "new_file",
    "new_folder",
    "open_bundle",
    "open_zip",
    "parse_xml",
    "read_records",
    "read_rows",
    "read_text",
    "require",
    "seconds_text",
    "stacks",
    "task_files",
    "with_assignments",
    "write_records",
    "write_rows",
    "xml_text",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'goldspan.adapters.kit' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
