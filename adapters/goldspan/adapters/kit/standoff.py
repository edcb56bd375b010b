"""Standoff files: a text beside a file of marks, and whose marks they are.

brat (.txt and .ann) and Glozz (.ac and .aa) name no annotator in the files; folders do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.folder import files_below
from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.kit.assignments import read_assignments
from goldspan.adapters.kit.naming import ANNOTATOR_FROM, Naming
from goldspan.adapters.kit.rules.file_layout import Fit, PlacedFile, proved_pattern
from goldspan.engine.errors import InputError
from goldspan.engine.model import Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths
    from goldspan.adapters.kit.draft import Draft
    from goldspan.adapters.options import ReadOptions


@dataclass(frozen=True, slots=True)
class Suffixes:
    """The suffix of marks and of texts, each with its dot."""

    marks: str
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """One annotator's marks on one task; `text` is the file they refer to, if it is there."""

    annotator: str
    task: str
    marks: Path
    text: Path | None


@dataclass(frozen=True, slots=True)
class Shelf:
    """What was found: the documents, and texts for which nobody has marks, by task; `pattern` is
    the layout of the files, where their texts proved another than the usual one.
    """

    documents: tuple[Document, ...]
    untouched: Mapping[str, Path] = field(default_factory=dict)
    pattern: str | None = None

    @property
    def annotators(self) -> tuple[str, ...]:
        return tuple(sorted({document.annotator for document in self.documents}))

    @property
    def folders_alike(self) -> Mapping[str, tuple[str, ...]]:
        """Annotators whose folders have tasks of the same name, as annotators' do; those folders.

        A task that two annotators share shows that their folders are the right ones.
        """
        shared = Counter(document.task for document in self.documents)
        folders: dict[str, dict[str, set[str]]] = {}
        for document in self.documents:
            folder, slash, name = document.task.rpartition("/")
            if slash and shared[document.task] == 1:
                folders.setdefault(document.annotator, {}).setdefault(name, set()).add(folder)
        alike = {
            annotator: sorted({f for many in names.values() if len(many) > 1 for f in many})
            for annotator, names in folders.items()
        }
        return {annotator: tuple(found) for annotator, found in alike.items() if found}

    @property
    def projects(self) -> tuple[Path, ...]:
        """Folders of annotators' folders, where there are several and nobody is in two of them."""
        people: dict[Path, set[str]] = {}
        for document in self.documents:
            folder = document.marks.resolve().parent.parent
            people.setdefault(folder, set()).add(document.annotator)
        apart = sum(map(len, people.values())) == len(self.annotators)
        return tuple(people) if len(people) > 1 and apart else ()


def find_documents(paths: Paths, suffixes: Suffixes, options: ReadOptions) -> Shelf:
    """Every file of marks with its annotator, task and text.

    Without `annotator_from`, a folder that holds marks is an annotator's, and of a folder that
    holds none each folder in it is, unless the texts prove that folders are documents, and no
    table of assignments says otherwise; `annotator_from` is a naming such as
    `{annotator}/{task}.ann`.
    """
    shelf = _found(paths, suffixes, options.annotator_from)
    if options.annotator_from is not None or _listed(shelf, options.assignments):
        return shelf
    if (pattern := _recognised(shelf, suffixes)) is None:
        return shelf
    return replace(_found(paths, suffixes, pattern), pattern=pattern)


def _listed(shelf: Shelf, assignments: Path | None) -> bool:
    """Whether the table of assignments knows the shelf: it has no other documents, or it has every
    annotator beside their documents.
    """
    if assignments is None:
        return False
    table = read_assignments(assignments)
    if table and table.keys() <= {one.task for one in shelf.documents}:
        return True
    return all(one.annotator in table.get(one.task, ()) for one in shelf.documents)


def _recognised(shelf: Shelf, suffixes: Suffixes) -> str | None:
    """The layout that the texts prove, if it is not the one that the shelf was read by."""
    texts = {one.marks: _text_near(one.marks, suffixes) for one in shelf.documents}

    def files(tell: Callable[[Path], str]) -> list[PlacedFile]:
        return [
            PlacedFile(one.marks, one.annotator, one.task, tell(text) or None if text else None)
            for one in shelf.documents
            for text in (texts[one.marks],)
        ]

    # Sizes are enough to see that nothing is wrong.
    if not any(texts.values()) or Fit.of(files(lambda text: str(text.stat().st_size))).works:
        return None
    return proved_pattern(files(read_text))


def _text_near(marks: Path, suffixes: Suffixes) -> Path | None:
    """The text of the same name in the same folder, or the only one there."""
    beside = marks.with_name(marks.stem + suffixes.text)
    if beside.is_file():
        return beside
    there = [file for file in marks.parent.iterdir() if file.suffix.lower() == suffixes.text]
    return there[0] if len(there) == 1 else None


def _found(paths: Paths, suffixes: Suffixes, annotator_from: str | None) -> Shelf:
    naming = None if annotator_from is None else Naming(_with_marks(annotator_from, suffixes))
    found: dict[tuple[str, str], Path] = {}
    texts: dict[str, list[Path]] = {}
    for given in paths:
        placed = _by_name(given, suffixes, naming) if naming else _by_folder(given, suffixes, paths)
        for file, annotator, task in placed:
            if file.suffix.lower() == suffixes.text:
                texts.setdefault(task, []).append(file)
                continue
            other = found.setdefault((annotator, task), file)
            if other != file:
                raise InputError(
                    f"'{annotator}' has marks on '{task}' here and in {other}; "
                    "tell them apart with --annotator-from",
                    where=str(file),
                    choices={ANNOTATOR_FROM: ()},
                )
    if not found:
        raise InputError(f"there is no {suffixes.marks} file here", where=str(paths[0]))
    documents = tuple(
        Document(annotator, task, marks, _text(marks, task, texts.get(task, ()), suffixes))
        for (annotator, task), marks in sorted(found.items(), key=lambda item: item[0][::-1])
    )
    tasks = {document.task for document in documents}
    return Shelf(documents, {task: files[0] for task, files in texts.items() if task not in tasks})


def read_documents(
    shelf: Shelf, draft: Draft, marks: str, read: Callable[[Document], None]
) -> None:
    """Read every document; texts without marks are tasks too, and who has no file of marks for a
    task has not seen it.
    """
    alike = shelf.folders_alike
    for document in shelf.documents:
        read(document)
        if not alike:
            draft.read_from(document.marks, document.annotator, document.task)
    if shelf.pattern is not None:
        usual = "{annotator}/{task}" + marks
        draft.note(FormatFact.LAYOUT_RECOGNISED, pattern=shelf.pattern, usual=usual)
    _note_folders(shelf, draft)
    for task, text in shelf.untouched.items():
        draft.task(task).text = read_text(text)
        draft.note(FormatFact.NO_MARKS_FILE, task=task, suffix=marks)
    for one in draft.tasks.values():
        for name in shelf.annotators:
            if name not in one.texts and name not in one.presences:
                one.saw(name, Presence.UNSEEN)


def _note_folders(shelf: Shelf, draft: Draft) -> None:
    for annotator, alike in shelf.folders_alike.items():
        draft.note(
            FormatFact.FOLDERS_ALIKE,
            annotator=annotator,
            annotators=len(shelf.annotators),
            folders=len(alike),
            first=alike[0],
            second=alike[1],
        )
    if draft.options.annotator_from == "dir" and (projects := shelf.projects):
        first, second, *_ = map(str, projects)
        draft.note(FormatFact.PROJECTS_MIXED, folders=len(projects), first=first, second=second)


def mark_files(path: Path, suffix: str) -> list[Path]:
    """The files of this suffix in a folder and below, sorted, or the file itself."""
    if path.is_dir():
        return files_below(path, (suffix,))
    return [path] if path.is_file() and path.suffix.lower() == suffix.lower() else []


def _with_marks(annotator_from: str, suffixes: Suffixes) -> str:
    stem = annotator_from.removesuffix(suffixes.text)
    return stem + suffixes.marks if stem != annotator_from else annotator_from


def _by_name(given: Path, suffixes: Suffixes, naming: Naming) -> Iterator[tuple[Path, str, str]]:
    # Relative names lack the folders that a pattern may ask for.
    for file in mark_files(given, suffixes.marks):
        annotator, task = naming.read(file.resolve())
        yield file, annotator, task or file.resolve().parent.name
    for file in mark_files(given, suffixes.text) if given.is_dir() else ():
        try:
            _, task = naming.read(file.resolve().with_suffix(suffixes.marks))
        except InputError:
            # One text for all annotators need not fit a pattern that names one.
            task = file.stem
        yield file, "", task or file.resolve().parent.name


def _by_folder(
    given: Path, suffixes: Suffixes, paths: Sequence[Path]
) -> Iterator[tuple[Path, str, str]]:
    if given.is_file():
        yield from ((f, f.resolve().parent.name, f.stem) for f in mark_files(given, suffixes.marks))
        return
    marks = mark_files(given, suffixes.marks)
    direct = [file for file in marks if file.parent == given]
    if direct and len(direct) < len(marks) and len(paths) == 1:
        deeper = next(file for file in marks if file.parent != given)
        raise InputError(
            f"there are {suffixes.marks} files both here and in {deeper.parent}; say whose they "
            "are with --annotator-from, such as dir or {annotator}/{task}" + suffixes.marks,
            where=str(given),
            choices={ANNOTATOR_FROM: ()},
        )
    folders = {file.relative_to(given).parts[0] for file in marks}
    for file in [*marks, *mark_files(given, suffixes.text)]:
        inside = file.relative_to(given)
        if direct:
            yield file, given.resolve().name, _task(inside)
        elif inside.parts[0] in folders:
            yield file, inside.parts[0], _task(inside.relative_to(inside.parts[0]))
        elif len(inside.parts) == 1:
            yield file, "", _task(inside)


def _task(path: Path) -> str:
    return path.with_name(path.stem).as_posix()


def _text(marks: Path, task: str, texts: Sequence[Path], suffixes: Suffixes) -> Path | None:
    beside = marks.with_name(marks.stem + suffixes.text)
    if beside.is_file():
        return beside
    shared = marks.with_name(Path(task).name + suffixes.text)
    if shared.is_file():
        return shared
    return texts[0] if texts else None
