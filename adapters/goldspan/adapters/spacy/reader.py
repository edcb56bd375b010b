"""Reading for spaCy: whose spans a document's groups are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.naming import ANNOTATOR_FROM, Naming
from goldspan.adapters.kit.roundtrip import take_leftover
from goldspan.adapters.kit.text.marks import Marks
from goldspan.adapters.spacy.documents import (
    CATS,
    ENTS,
    PREFIX,
    Document,
    Group,
    read_documents,
)
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import ReadOptions
    from goldspan.adapters.kit.task_draft import TaskDraft


@dataclass(frozen=True, slots=True)
class _Named:
    """One file's documents when the file's name says who the annotator is."""

    path: Path
    annotator: str
    task: str | None
    documents: Sequence[Document]


class Reader:
    """The documents of all files on their way to a draft."""

    def __init__(self, options: ReadOptions) -> None:
        self.options = options
        self.draft = Draft(options)
        self.marks = Marks(self.draft)
        self.naming = _naming(options.annotator_from)
        self.keys: dict[str, int] = {}
        self.named: list[_Named] = []
        self.known: dict[tuple[object, ...], str] = {}
        self.unread: set[str] = set()
        self.documents = 0
        self.labelled = 0
        self.found = 0
        self.place = ""

    def read(self, path: Path) -> None:
        documents = list(read_documents(path))
        self.place = self.place or str(path)
        self.documents += len(documents)
        for document in documents:
            self.labelled += bool(document.cats)
            for key, group in document.groups.items():
                if key != ENTS or group.marks:
                    self.keys[key] = self.keys.get(key, 0) + 1
        if self.naming is None:
            self._read_keys(documents)
        else:
            annotator, task = self.naming.read(path)
            self.named.append(_Named(path, annotator, task, documents))

    def corpus(self) -> Corpus:
        if self.naming is not None:
            layer = self._layer()
            for named in self.named:
                self._read_named(named, layer)
        elif self.documents:
            self._check_keys()
        if self.unread:
            keys = ", ".join(f"'{key}'" for key in sorted(self.unread))
            self.draft.note(FormatFact.KEYS_UNREAD, count=len(self.unread), keys=keys)
        self.marks.settle()
        return self.draft.corpus()

    def _read_keys(self, documents: Sequence[Document]) -> None:
        """Annotators by key; a document without a key of theirs was not seen by them."""
        wanted = self.options.layers
        counts: dict[str, int] = {}
        for document in documents:
            task = self._task(document, counts)
            if document.cats:
                # They are one version, and no key says whose.
                self.unread.add(CATS)
            # goldspan's own files may contain a task that nobody worked on.
            self.found += document.leftover is not None and not wanted
            for key, group in document.groups.items():
                chosen = key in wanted if wanted else key.startswith(PREFIX)
                if chosen:
                    self.found += 1
                    name = group.annotator or key.removeprefix(PREFIX)
                    self._add(task, name, document, group)
                elif key != ENTS:
                    self.unread.add(key)

    def _read_named(self, named: _Named, layer: str) -> None:
        """One annotator's file; what `doc.ents` leaves open is settled by --empty."""
        counts: dict[str, int] = {}
        for document in named.documents:
            task = self._task(document, counts, named.task if len(named.documents) == 1 else None)
            group = document.groups.get(layer)
            self._label(task, named.annotator, document)
            if group is None:
                continue
            self._add(task, named.annotator, document, group)
            if layer == ENTS and not group.marks and not document.cats:
                task.saw(named.annotator, self.draft.undecided)

    def _label(self, task: TaskDraft, name: str, document: Document) -> None:
        """What `doc.cats` says of the whole document, in a file of one annotator."""
        if document.cats:
            self.draft.layers.declare(CATS)
            task.saw(name, Presence.DONE)
        for label in document.labels:
            task.label(CATS, name, label, document.where)

    def _add(self, task: TaskDraft, name: str, document: Document, group: Group) -> None:
        if not name:
            raise InputError(
                f"a span key ends after '{PREFIX}'; name the annotator there", where=document.where
            )
        if name in task.texts:
            raise InputError(
                f"'{name}' has the document '{task.id}' twice; keep one", where=document.where
            )
        state = group.status if group.status in set(Presence) else None
        self.marks.add(task, name, document.text, group.marks)
        task.saw(name, Presence(state) if state else task.presences.get(name, Presence.DONE))

    def _task(
        self, document: Document, counts: dict[str, int], name: str | None = None
    ) -> TaskDraft:
        """By its id, else by the file's name, else by its text (and by how often it came)."""
        known = document.id or name
        if not known:
            counts[document.text] = counts.get(document.text, 0) + 1
            key = document.text, counts[document.text]
            known = self.known.setdefault(key, f"document {len(self.known) + 1}")
        task = self.draft.task(known)
        if task.text is None:
            task.text = document.text
        take_leftover(document.leftover, self.draft, task)
        return task

    def _layer(self) -> str:
        """The one key that holds the spans when files tell the annotators."""
        wanted = tuple(layer for layer in self.options.layers if layer != CATS)
        if self.options.layers and not wanted and self.labelled:
            return ""
        if len(wanted) > 1:
            raise SettingsError("with a file per annotator, --layer names one span key, not more")
        if wanted and wanted[0] not in self.keys and wanted[0] != ENTS:
            raise InputError(f"there is no span key '{wanted[0]}' (there are {self._listed()})")
        if wanted:
            return wanted[0]
        if len(self.keys) > 1:
            raise InputError(
                f"spans are under {self._listed()}; choose one with --layer",
                choices={"--layer": tuple(sorted(self.keys))},
            )
        return next(iter(self.keys), ENTS)

    def _check_keys(self) -> None:
        wanted = self.options.layers
        missing = [key for key in wanted if key not in self.keys and key != ENTS]
        if self.found and not missing:
            return
        complaint = (
            f"no span key begins with '{PREFIX}' (there are {self._listed()}); for a file per "
            "annotator use --annotator-from file, or choose keys with --layer"
        )
        if wanted:
            names = ", ".join(f"'{key}'" for key in missing or wanted)
            complaint = f"there is no span key {names} (there are {self._listed()})"
        choices = {} if wanted else {ANNOTATOR_FROM: ()}
        raise InputError(complaint, where=self.place, choices=choices)

    def _listed(self) -> str:
        return ", ".join(f"'{key}'" for key in sorted(self.keys)) or "none"


def _naming(source: str | None) -> Naming | None:
    if source in (None, "key"):
        return None
    return Naming(source or "")
