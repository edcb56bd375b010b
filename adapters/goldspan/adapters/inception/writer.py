"""Writing for INCEpTION: XMI files with dkpro-cassis, laid out as in a project's export."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.extras import require
from goldspan.adapters.files.atomic import new_file, new_folder
from goldspan.adapters.files.file_names import FileNames
from goldspan.adapters.files.xml_file import xml_text
from goldspan.adapters.inception.project import INITIAL, NO_ANNOTATORS, STATES, TYPES
from goldspan.adapters.kit.roundtrip import KEY, leftover, text_of
from goldspan.engine.errors import SettingsError
from goldspan.engine.gold.gold import Gold
from goldspan.engine.model import Continuum, Corpus, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Notes, WriteOptions

ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
"""The one layer for spans with a label that every project of INCEpTION has."""

WORKED = (Presence.DONE, Presence.EMPTY, Presence.PARTIAL)
STATE = {state: name for name, state in reversed(STATES.items())} | {Presence.EMPTY: "FINISHED"}

File = tuple[str, bytes]


def write_inception(value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
    """A folder or a .zip; notes tell which names could not be those of files."""
    if path.suffix.lower() in (".xmi", ".tsv", ".json", ".xml"):
        raise SettingsError(
            f"{path} is one file, and XMI comes in several; name a folder or a .zip"
        )
    corpus = value.corpus if isinstance(value, Gold) else value
    tasks = FileNames((c.id for c in corpus.continua), reserved=[TYPES])
    users = FileNames(corpus.annotators, reserved=NO_ANNOTATORS)
    if isinstance(value, Gold):
        files: Iterator[File] = _gold_files(value, tasks)
        notes = tasks.notes
    else:
        files = _project_files(corpus, tasks, users)
        notes = (*tasks.notes, *users.notes)
    if path.suffix.lower() == ".zip":
        with new_file(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
            for name, data in files:
                # Without a date of its own, so that the same corpus makes the same file.
                archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
        return notes
    with new_folder(path, replace=options.replace) as folder:
        for name, data in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
    return notes


def _gold_files(gold: Gold, tasks: FileNames) -> Iterator[File]:
    """A document each, to import; confidence and votes are features of the spans."""
    cases = _Cases({"confidence": "Double", "votes": "String", "seen": "Integer"})
    yield TYPES, cases.types
    for continuum in gold.corpus.continua:
        spans = (
            {
                "begin": int(span.start),
                "end": int(span.end),
                "value": span.category,
                "confidence": span.confidence,
                "votes": " ".join(span.voters),
                "seen": span.seen,
            }
            for span in gold.spans.get(continuum.id, ())
        )
        yield f"{tasks[continuum.id]}.xmi", cases.xmi(continuum, spans)


def _project_files(corpus: Corpus, tasks: FileNames, users: FileNames) -> Iterator[File]:
    cases = _Cases({})
    yield "exportedproject.json", _project(corpus, tasks, users)
    yield TYPES, cases.types
    for continuum in corpus.continua:
        folder = f"annotation/{tasks[continuum.id]}"
        yield f"{folder}/{INITIAL}.xmi", cases.xmi(continuum, ())
        for name, state in continuum.presence.items():
            if state in WORKED:
                spans = (
                    {"begin": int(u.start), "end": int(u.end), "value": u.category}
                    for u in continuum.of(name)
                )
                yield f"{folder}/{users[name]}.xmi", cases.xmi(continuum, spans)


def _project(corpus: Corpus, tasks: FileNames, users: FileNames) -> bytes:
    """The project's file: names and states as INCEpTION has them, and what it has no place for."""
    kept = {c.id: leftover(corpus, c, (n for n, s in c.presence.items() if s in STATE))
            for c in corpus.continua}  # fmt: skip
    values = {
        "name": "goldspan",
        "source_documents": [{"name": tasks[c.id], "format": "xmi"} for c in corpus.continua],
        "annotation_documents": [
            {"name": tasks[c.id], "user": users[name], "state": STATE[state]}
            for c in corpus.continua
            for name, state in c.presence.items()
            if state in STATE
        ],
        KEY: {
            "documents": {tasks[c.id]: c.id for c in corpus.continua if tasks[c.id] != c.id},
            "users": {users[name]: name for name in corpus.annotators if users[name] != name},
            "tasks": {tasks[task]: values for task, values in kept.items() if values},
        },
    }
    return json.dumps(values, indent=2).encode()


class _Cases:
    """CASes of one type system, whose only layer has `value` and the given features."""

    def __init__(self, features: Mapping[str, str]) -> None:
        self._cassis = require("cassis", feature="writing XMI", extra="inception")
        self._types = self._cassis.TypeSystem()
        self._entity = self._types.create_type(ENTITY, supertypeName="uima.tcas.Annotation")
        for name, kind in {"value": "String", **features}.items():
            self._types.create_feature(self._entity, name, f"uima.cas.{kind}")

    @property
    def types(self) -> bytes:
        return str(self._types.to_xml()).encode()

    def xmi(self, continuum: Continuum, spans: Iterable[Mapping[str, Any]]) -> bytes:
        where = f"task '{continuum.id}'"
        cas = self._cassis.Cas(typesystem=self._types)
        cas.sofa_string = xml_text(text_of(continuum, "INCEpTION"), where=where)
        cas.sofa_mime = "text/plain"
        for span in spans:
            for value in span.values():
                xml_text(str(value), where=where)
            cas.add(self._entity(**span))
        return str(cas.to_xmi()).encode()
