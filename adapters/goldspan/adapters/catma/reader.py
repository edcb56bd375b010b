"""Reading CATMA: collections by their authors, in code points of the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.catma.collection import (
    Annotation,
    Collection,
    collection_files,
    read_collection,
)
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.naming import Naming, listed
from goldspan.adapters.kit.text.utf16 import Utf16
from goldspan.adapters.options import FRAGMENTS
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths, ReadOptions

FOLDER = "annotationcollections"
"""Where CATMA puts the collections of a document, beside its text."""


def read_catma(paths: Paths, options: ReadOptions) -> Corpus:
    """Every annotation a unit; its tag is the category."""
    files = [file for given in paths for file in collection_files(given)]
    if not files:
        raise InputError("there is no .xml file here", where=str(paths[0]))
    reading = _Reading(Draft(options))
    for file in files:
        reading.add(read_collection(file))
    reading.finish()
    return reading.draft.corpus()


@dataclass(slots=True)
class _Reading:
    """The collections of one reading, with what has to be known of all of them at the end."""

    draft: Draft
    everyone: set[str] = field(default_factory=set)
    tagsets: set[str] = field(default_factory=set)
    properties: set[str] = field(default_factory=set)
    tasks: dict[str, str] = field(default_factory=dict)
    texts: dict[Path, str] = field(default_factory=dict)

    def add(self, collection: Collection) -> None:
        """Take in a file."""
        source = self.draft.options.annotator_from
        naming = Naming(source) if source and source != "author" else None
        owner, named = naming.read(collection.path.resolve()) if naming else ("", None)
        text, points = self._text(collection)
        task = self.draft.task(named or self._task(collection))
        task.where = str(collection.path)
        if text is None:
            self.draft.note(FormatFact.NO_CATMA_TEXT)
            task.length = max(collection.length or 0, task.length or 0) or None
        # The file is there, so its owner worked on the document, with or without an annotation.
        present = {owner or collection.author}
        for one in collection.annotations:
            self._add(one, owner or one.author or collection.author, (task.id, points))
            present.add(owner or one.author or collection.author)
        for name in present - {""}:
            if text is not None:
                task.read_by(name, text)
            task.saw(name)
        self.everyone |= present - {""}

    def _add(self, one: Annotation, name: str, place: tuple[str, Utf16]) -> None:
        self.tagsets.add(one.tag.tagset)
        self.properties.update(one.properties)
        layers = self.draft.options.layers
        if layers and one.tag.tagset not in layers:
            return
        task, points = self.draft.task(place[0]), place[1]
        parts = tuple(self._part(one, place, points) for place in one.ranges)
        split = FRAGMENTS.of(self.draft.options) == "split"
        if len(parts) > 1 and not split and not self.draft.options.losses:
            self.draft.note(FormatFact.DISCONTINUOUS)
        for category in self._categories(one):
            for own in [(part,) for part in parts] if split else [parts]:
                task.span_with_gaps(name, own, category, one.where)

    def _part(self, one: Annotation, place: tuple[int, int], points: Utf16) -> tuple[int, int]:
        start, end = points.to_points(place[0]), points.to_points(place[1])
        if start is None or end is None:
            raise InputError("the annotation ends inside a character", where=one.where)
        return start, end

    def _categories(self, one: Annotation) -> Iterable[str]:
        source = self.draft.options.category_from or "tag"
        if source in ("tag", "path"):
            return (one.tag.name if source == "tag" else one.tag.path,)
        values = sorted({value.strip() for value in one.properties.get(source, ())} - {""})
        return ("|".join(values),) if self.draft.options.labels == "join" else values or ("",)

    def finish(self) -> None:
        """Complete the table of who saw what; refuse names that nothing answers to."""
        options = self.draft.options
        for layer in options.layers:
            if layer not in self.tagsets:
                known = listed(self.tagsets) or "none"
                raise SettingsError(f"--layer: there is no tagset '{layer}'; there are {known}")
        source = options.category_from or "tag"
        if source not in {"tag", "path"} | self.properties:
            known = ", ".join(sorted(self.properties)) or "none"
            raise SettingsError(
                f"--category-from '{source}' is neither tag nor path nor a property; there are "
                f"the properties {known}"
            )
        for task in self.draft.tasks.values():
            for name in self.everyone - task.presences.keys():
                task.saw(name, Presence.UNSEEN)

    def _task(self, collection: Collection) -> str:
        """The name of the text, or of its folder; CATMA's id where there is neither."""
        key = collection.document or str(collection.path)
        if key not in self.tasks:
            found = self._text_of(collection)
            folder = collection.path.absolute().parent
            name = collection.document or collection.path.stem
            if found is not None:
                name = found[0].stem
            elif folder.name == FOLDER:
                name = folder.parent.name
            while name in self.tasks.values():
                name = f"{name}-2"
            self.tasks[key] = name
        return self.tasks[key]

    def _text(self, collection: Collection) -> tuple[str | None, Utf16]:
        found = self._text_of(collection)
        if found is None:
            return None, Utf16(())
        text = found[1]
        # CATMA counts as Java does; other programs that write its TEI count characters.
        return text, Utf16(()) if len(text) == collection.length else Utf16.of(text)

    def _text_of(self, collection: Collection) -> tuple[Path, str] | None:
        """The one text beside the collection that is as long as the one that was annotated."""
        folder = collection.path.absolute().parent
        fitting: dict[str, Path] = {}
        for path in _texts(folder.parent if folder.name == FOLDER else folder):
            if path not in self.texts:
                self.texts[path] = read_text(path)
            text = self.texts[path]
            if collection.length in (len(text), len(text) + len(Utf16.of(text).wide)):
                fitting.setdefault(text, path)
        if len(fitting) != 1:
            return None
        text, path = next(iter(fitting.items()))
        return path, text


def _texts(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.iterdir()) if path.suffix.lower() == ".txt")
