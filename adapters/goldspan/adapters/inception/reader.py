"""Reading for INCEpTION: every annotator's sheet, and what the project says of who is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.text_file import decode
from goldspan.adapters.inception.layers import Layers
from goldspan.adapters.inception.project import (
    INITIAL,
    NO_ANNOTATORS,
    Cas,
    CasFile,
    Export,
    cas_text,
    open_export,
)
from goldspan.adapters.inception.tsv import read_tsv
from goldspan.adapters.inception.xmi import TypeSystems, read_xmi
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.naming import Naming
from goldspan.adapters.kit.roundtrip import take_leftover
from goldspan.adapters.kit.rules.file_layout import PlacedFile, advice, proved_pattern
from goldspan.adapters.options import FRAGMENTS
from goldspan.engine.errors import InputError
from goldspan.engine.model import Corpus, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import ReadOptions
    from goldspan.adapters.inception.layers import Categorised
    from goldspan.adapters.inception.sheet import Sheet
    from goldspan.adapters.kit.task_draft import TaskDraft


@dataclass(frozen=True, slots=True)
class _Work:
    """What one annotator marked on one task, and its state where the project tells it."""

    task: str
    user: str
    where: str
    text: str
    spans: Sequence[Categorised]
    state: Presence | None


class Reader:
    """The sheets of all exports on their way to a draft; of each, only what counts is kept."""

    def __init__(self, options: ReadOptions) -> None:
        self.options = options
        self.draft = Draft(options)
        source = options.annotator_from
        self.naming = Naming(source) if source else None
        self.types = TypeSystems(options.layers)
        self.layers = Layers(options)
        self.works: list[_Work] = []
        self._texts: dict[str, str] = {}

    def recognise(self, paths: Sequence[Path]) -> None:
        """Find out from the texts whether folders are documents, as usual, or annotators."""
        if self.naming is not None:
            return
        files: list[PlacedFile] = []
        for path in paths:
            with open_export(path, None) as export:
                loose = export.files if export.states is None else ()
                if loose and not files:
                    # What only the user can say is asked before all files are looked at.
                    first = loose[0].load()
                    self.layers.spans(self._sheet(first), first.where)
                files += [
                    PlacedFile(file.path, file.user, file.document, cas_text(file.load()))
                    for file in loose
                    if len(loose) + len(paths) > 2
                ]
        pattern = proved_pattern(files)
        if pattern is not None:
            usual = "{task}/{annotator}" + files[0].path.suffix
            self.draft.note(FormatFact.LAYOUT_RECOGNISED, pattern=pattern, usual=usual)
            self.naming = Naming(pattern)

    def read(self, path: Path) -> None:
        with open_export(path, self.naming) as export:
            names = _names(export, "users")
            tasks = _names(export, "documents")
            for file in export.files:
                self._read_file(file, export, tasks, names)
            if export.states is not None:
                self._read_states(export, tasks, names)
            self._read_kept(export, tasks)

    def _read_file(
        self,
        file: CasFile,
        export: Export,
        tasks: Mapping[str, str],
        names: Mapping[str, str],
    ) -> None:
        task = self.draft.task(tasks.get(file.document, file.document))
        if file.user in NO_ANNOTATORS and file.user not in self.options.include_annotators:
            self.draft.note(FormatFact.NOT_AN_ANNOTATOR, name=file.user)
            if file.user == INITIAL and file.document not in export.worked:
                task.text = self._sheet(file.load()).text
            return
        loaded = file.load()
        user = names.get(file.user, file.user)
        state = None
        if export.states is not None:
            state = export.states.get((file.document, file.user))
            if state is None:
                state = Presence.UNSEEN
                self.draft.note(FormatFact.NO_STATE, task=task.id, annotator=user)
        sheet = self._sheet(loaded)
        # All annotators of a document have the same text; one copy is enough.
        text = sheet.text
        if self._texts.setdefault(task.id, text) == text:
            text = self._texts[task.id]
        spans = self.layers.spans(sheet, loaded.where)
        if export.states is None:
            self.draft.read_from(file.path, user, task.id)
        self.works.append(_Work(task.id, user, loaded.where, text, spans, state))

    def _sheet(self, cas: Cas) -> Sheet:
        if cas.suffix == ".tsv":
            return read_tsv(decode(cas.data, cas.where), cas.where)
        types = self.types.load(cas.types, f"the TypeSystem.xml of {cas.where}")
        return read_xmi(cas.data, types, cas.where)

    def _read_states(
        self, export: Export, tasks: Mapping[str, str], names: Mapping[str, str]
    ) -> None:
        """Record users who did not work on a document, or whose work is not in the export."""
        present = {(file.document, file.user) for file in export.files}
        for (document, user), state in (export.states or {}).items():
            if user in NO_ANNOTATORS:
                continue
            task = self.draft.task(tasks.get(document, document))
            lost = (document, user) not in present and state in (Presence.DONE, Presence.PARTIAL)
            if lost:
                self.draft.note(FormatFact.WORK_MISSING, task=task.id, annotator=user)
            task.saw(names.get(user, user), Presence.UNSEEN if lost else state)

    def _read_kept(self, export: Export, tasks: Mapping[str, str]) -> None:
        kept = export.kept.get("tasks")
        for name, values in kept.items() if isinstance(kept, dict) else ():
            take_leftover(values, self.draft, self.draft.task(tasks.get(name, name)))

    def corpus(self) -> Corpus:
        self.layers.check()
        scored = FRAGMENTS.of(self.options) == "hull" and not self.options.losses
        if self.layers.gaps and scored:
            self.draft.note(FormatFact.DISCONTINUOUS, count=self.layers.gaps)
        self._texts.clear()
        works, self.works = self.works[::-1], []
        while works:
            work = works.pop()
            self._add(self.draft.task(work.task), work)
        return self.draft.corpus()

    def _add(self, task: TaskDraft, work: _Work) -> None:
        if work.user in task.texts:
            remedy = advice(self.draft.placed_files(), "keep one")
            raise InputError(
                f"'{work.user}' has the document '{task.id}' twice; {remedy}", where=work.where
            )
        task.read_by(work.user, work.text)
        for span in work.spans:
            task.span_with_gaps(work.user, *span)
        if work.state is None:
            # A loose file proves no more than that the document was opened.
            task.saw(work.user, Presence.DONE if work.spans else self.draft.undecided)
        else:
            task.presences.setdefault(work.user, work.state)


def _names(export: Export, kind: str) -> Mapping[str, str]:
    """Names as they were before they had to become file names."""
    names = export.kept.get(kind)
    pairs = names.items() if isinstance(names, dict) else ()
    return {file: name for file, name in pairs if isinstance(name, str)}
