"""INCEpTION's exports: where each user's files are, and the state of each document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from goldspan.adapters.files.bundle import Member, open_bundle
from goldspan.adapters.files.text_file import decode
from goldspan.adapters.files.zip_file import open_zip
from goldspan.adapters.kit.record import Record, load_json
from goldspan.adapters.kit.roundtrip import KEY
from goldspan.engine.errors import InputError
from goldspan.engine.model import Presence

if TYPE_CHECKING:
    from goldspan.adapters.kit.naming import Naming

PROJECT = re.compile(r"exportedproject.*\.json")
NAMELESS = re.compile(r"webanno\d+export")
TYPES = "TypeSystem.xml"
SUFFIXES = (".xmi", ".tsv")
TEXTS = {
    ".xmi": re.compile(rb'\bsofaString="([^"]*)"'),
    ".tsv": re.compile(rb"^#Text=(.*?)\r?$", re.MULTILINE),
}
"""Where each format has the text."""

INITIAL = "INITIAL_CAS"
NO_ANNOTATORS = (INITIAL, "CURATION_USER", "CORRECTION_USER")
"""Names under which INCEpTION keeps the imported document and the curated version."""

STATES = {
    "NEW": Presence.UNSEEN,
    "IN_PROGRESS": Presence.PARTIAL,
    "INPROGRESS": Presence.PARTIAL,
    "FINISHED": Presence.DONE,
    "IGNORE": Presence.SKIPPED,
    "LOCKED": Presence.SKIPPED,
}


class Cas(NamedTuple):
    """A file's bytes, and those of the type system that XMI needs."""

    suffix: str
    where: str
    data: bytes
    types: bytes = b""


@dataclass(frozen=True, slots=True)
class CasFile:
    """One annotator's file on one document, loaded on demand."""

    document: str
    user: str
    path: Path
    load: Callable[[], Cas]


@dataclass(frozen=True, slots=True)
class Export:
    """The files of one export, and the project's states where it has them.

    `kept` is what our own writer added to the project's file.
    """

    where: str
    files: tuple[CasFile, ...]
    states: Mapping[tuple[str, str], Presence] | None = None
    kept: Mapping[str, Any] = field(default_factory=dict)
    worked: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        # The documents that some annotator has a file on.
        worked = (file.document for file in self.files if file.user not in NO_ANNOTATORS)
        object.__setattr__(self, "worked", frozenset(worked))


def cas_text(cas: Cas) -> bytes | None:
    """The text as the file writes it, found without reading the rest; None if it is not there."""
    found = TEXTS[cas.suffix].findall(cas.data)
    return b"\n".join(found) or None


@contextmanager
def open_export(path: Path, naming: Naming | None) -> Iterator[Export]:
    """The export in a folder, a zip file or a single file; an error if there is no CAS."""
    with open_bundle(path) as members:
        project = next((m for m in members if PROJECT.fullmatch(m.name.name)), None)
        if project is None:
            files = tuple(_loose(members, naming))
            if not files:
                raise InputError("there is no .xmi or .tsv file in it", where=str(path))
            yield Export(str(path), files)
            return
        values = _load(project)
        files = tuple(_annotated(members, project.name.parent / "annotation"))
        if not files:
            raise InputError(
                "the project is here but not its annotations (Java's own .ser files cannot be "
                "read); export it again and choose 'UIMA CAS XMI' as its format",
                where=project.where,
            )
        yield Export(str(path), files, _states(values, project.where), _kept(values))


def _load(project: Member) -> Mapping[str, Any]:
    values = load_json(decode(project.read(), project.where), project.where)
    if not isinstance(values, dict):
        raise InputError("this is not an exported project", where=project.where)
    return values


def _states(values: Mapping[str, Any], where: str) -> Mapping[tuple[str, str], Presence]:
    if values.get("annotation_documents") is None:
        raise InputError(
            "there are no 'annotation_documents', which say who is done; export the project again",
            where=where,
        )
    states = {}
    for row in Record(values, where).records("annotation_documents"):
        name, user, state = (row.text(key) for key in ("name", "user", "state"))
        if not name or not user:
            raise row.error("'name' or 'user' is empty; export the project again")
        if state not in STATES:
            known = ", ".join(STATES)
            raise row.error(
                f"the document '{name}' of '{user}' has the state '{state}' (known are {known})"
            )
        states[name, user] = STATES[state]
    return states


def _kept(values: Mapping[str, Any]) -> Mapping[str, Any]:
    kept = values.get(KEY)
    return kept if isinstance(kept, dict) else {}


def _annotated(members: Sequence[Member], root: PurePosixPath) -> Iterator[CasFile]:
    """The files below `annotation/DOCUMENT/`."""
    systems = _Systems(members)
    for member in members:
        if member.name.parent.parent == root and member.suffix in (*SUFFIXES, ".zip"):
            yield _file(member, systems, member.name.parent.name, member.name.stem)


def _loose(members: Sequence[Member], naming: Naming | None) -> Iterator[CasFile]:
    """Files that are called after the annotator, in a folder called after the document."""
    systems = _Systems(members)
    for member in members:
        if member.suffix in (*SUFFIXES, ".zip"):
            path = Path(member.where)
            user, document = naming.read(path) if naming is not None else (path.stem, None)
            yield _file(member, systems, document or path.resolve().parent.name, user)


class _Systems:
    """The type systems of a bundle, each read once."""

    def __init__(self, members: Sequence[Member]) -> None:
        self._members = {one.name: one for one in members}
        self._read: dict[str, bytes] = {}

    def of(self, member: Member) -> bytes:
        """The type system in the same folder, or in the nearest one above."""
        for folder in member.name.parents:
            found = self._members.get(folder / TYPES)
            if found is not None:
                if found.where not in self._read:
                    self._read[found.where] = found.read()
                return self._read[found.where]
        beside = Path(member.where).parent / TYPES
        if len(self._members) == 1 and beside.is_file():
            return beside.read_bytes()
        raise InputError(
            f"there is no {TYPES} beside it; INCEpTION exports the two together",
            where=member.where,
        )


def _file(member: Member, systems: _Systems, document: str, user: str) -> CasFile:
    if member.suffix != ".zip":
        return CasFile(document, user, Path(member.where), partial(_plain, member, systems))
    if NAMELESS.fullmatch(user):
        # Old versions name the user inside only.
        user = PurePosixPath(_unpack(member).where).stem
    return CasFile(document, user, Path(member.where), partial(_unpack, member))


def _plain(member: Member, systems: _Systems) -> Cas:
    types = systems.of(member) if member.suffix == ".xmi" else b""
    return Cas(member.suffix, member.where, member.read(), types)


def _unpack(member: Member) -> Cas:
    """The one XMI or TSV file in a zip, with its type system."""
    with open_zip(member.read(), where=member.where) as archive:
        names = [PurePosixPath(name) for name in archive.names]
        found = next((name for name in names if name.suffix.lower() in SUFFIXES), None)
        if found is None:
            raise InputError("there is no .xmi or .tsv file in it", where=member.where)
        system = next((str(name) for name in names if name.name == TYPES), None)
        where = f"{member.where}/{found}"
        if found.suffix.lower() == ".xmi" and system is None:
            raise InputError(f"there is no {TYPES} beside it", where=where)
        types = archive.read(system) if system else b""
        return Cas(found.suffix.lower(), where, archive.read(str(found)), types)
