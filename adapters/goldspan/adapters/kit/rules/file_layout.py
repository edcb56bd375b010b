"""File layout: which part of the files' names is the annotator, judged by names and texts.

Names alone cannot tell `annotator/document` from `document/annotator`. Texts can: files of one
document have one text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from shlex import quote

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.naming import Naming
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.facts import Note

SEPARATORS = ("_", "-", ".", " ", "@", "+")
"""What stands between an annotator and a document in one name."""


@dataclass(frozen=True, slots=True)
class PlacedFile:
    """A file, whose work it is, and its text in short; None where the text is not known."""

    path: Path
    annotator: str
    task: str
    text: str | bytes | None = None


@dataclass(frozen=True, slots=True)
class Fit:
    """How well files fit a reading of their names.

    shared   how many files are of a task that several annotators have
    proved   how many of those have a text that another file of the task has too
    differs  how many tasks have texts that differ
    people   how many annotators there are
    doubled  how many files are of an annotator and task that another file has too
    """

    shared: int
    proved: int
    differs: int
    people: int
    doubled: int

    @classmethod
    def of(cls, files: Sequence[PlacedFile]) -> Fit:
        tasks: dict[str, list[PlacedFile]] = {}
        for file in files:
            tasks.setdefault(file.task, []).append(file)
        shared = proved = differs = 0
        for task in tasks.values():
            if len(task) > 1:
                known = [file.text for file in task if file.text is not None]
                shared += len(task)
                proved += len(known) if len(known) > 1 and len(set(known)) == 1 else 0
                differs += len(set(known)) > 1
        people = len({file.annotator for file in files})
        doubled = len(files) - len({(file.annotator, file.task) for file in files})
        return cls(shared, proved, differs, people, doubled)

    @property
    def works(self) -> bool:
        """Whether some task has several annotators, nobody has a task twice, and texts do not
        differ.
        """
        return self.shared > 0 and not self.differs and not self.doubled

    @property
    def rank(self) -> tuple[int, int, int]:
        """Less is better: texts prove it, tasks are shared, by few annotators."""
        return -self.proved, -self.shared, self.people


def better_patterns(files: Sequence[PlacedFile]) -> list[tuple[str, Fit]]:
    """Patterns for --annotator-from that read the files better than they were read, best first;
    none where the reading works.
    """
    if len(files) < 2 or Fit.of(files).works:
        return []
    found: dict[tuple[tuple[str, str], ...], tuple[str, Fit]] = {}
    for pattern in _candidates([file.path for file in files]):
        placed = _placed(files, pattern)
        if placed is not None and (fit := Fit.of(placed)).works:
            reading = tuple((file.annotator, file.task) for file in placed)
            found.setdefault(reading, (pattern, fit))
    return sorted(found.values(), key=lambda one: one[1].rank)


def proved_pattern(files: Sequence[PlacedFile]) -> str | None:
    """The pattern that the texts prove, where the files were not read by it; None if none is, or
    if several are proved equally well.
    """
    best, second = (*better_patterns(files), None, None)[:2]
    if best is None or not best[1].proved or (second and second[1].rank == best[1].rank):
        return None
    return best[0]


def usual_source(paths: Sequence[Path]) -> str:
    """Where annotators' names most likely are, by the files alone: in tiers if there is one file,
    in folders if several have files of one name, else in names of files.
    """
    files = set(paths)
    if len(files) < 2:
        return "tier"
    return "dir" if len({path.name for path in files}) < len(files) else "file"


def advice(files: Sequence[PlacedFile], otherwise: str) -> str:
    """What to do about files that were read wrongly: the option with its pattern, if one fits."""
    best = next((pattern for pattern, _ in better_patterns(files)), None)
    return otherwise if best is None else f"use --annotator-from {quote(best)}"


def _placed(files: Sequence[PlacedFile], pattern: str) -> list[PlacedFile] | None:
    """The files as the pattern reads them; None if it does not fit all, or joins two."""
    placed: dict[tuple[str, str], PlacedFile] = {}
    for file in files:
        try:
            annotator, task = Naming(pattern).read(file.path)
        except (InputError, SettingsError):
            return None
        key = annotator, task or ""
        if key in placed:
            return None
        placed[key] = PlacedFile(file.path, annotator, task or "", file.text)
    return list(placed.values())


def _candidates(paths: Sequence[Path]) -> Iterator[str]:
    suffixes = {path.suffix for path in paths}
    suffix = suffixes.pop() if len(suffixes) == 1 else ".*"
    common = _common([path.resolve() for path in paths])
    depth = min(len(path.resolve().relative_to(common).parts) for path in paths)
    if depth > 1:
        yield "{annotator}/{task}" + suffix
        yield "{task}/{annotator}" + suffix
    for between in range(1, depth - 1):
        stars = "*/" * between
        yield "{annotator}/" + stars + "{task}" + suffix
        yield "{task}/" + stars + "{annotator}" + suffix
    if depth > 2:
        yield "{annotator}/{task}/*" + suffix
        yield "{task}/{annotator}/*" + suffix
    stems = [path.name.removesuffix(suffix) for path in paths]
    for separator in SEPARATORS:
        if all(separator in stem.strip(separator) for stem in stems):
            yield from _splits(stems, separator, suffix)


def _splits(stems: Sequence[str], separator: str, suffix: str) -> Iterator[str]:
    """Both orders around a separator, at its last and at its first place, and around a part that
    all names have.
    """
    between = {separator: None}
    pieces = [stem.split(separator) for stem in stems]
    if len({len(one) for one in pieces}) == 1 and len(pieces[0]) > 2:
        middle = {tuple(one[1:-1]) for one in pieces}
        if len(middle) == 1:
            between[separator + separator.join(middle.pop()) + separator] = None
    for part in between:
        for first, second in (("annotator", "task"), ("task", "annotator")):
            yield f"{{{first}}}{part}{{{second}}}{suffix}"
            yield f"{{{first}:short}}{part}{{{second}}}{suffix}"


def _common(paths: Sequence[Path]) -> PurePosixPath:
    parents = [path.parent.parts for path in paths]
    same = 0
    while all(len(one) > same and one[same] == parents[0][same] for one in parents):
        same += 1
    return PurePosixPath(*parents[0][:same])


def layout_notes(files: Sequence[PlacedFile], given: str | None) -> Iterator[Note]:
    """What to try where no task has several annotators, or where texts differ; `given` is the
    pattern that the files were read by, if it is one.
    """
    fit = Fit.of(files)
    if len(files) < 2:
        return
    first = files[0]
    better = next((pattern for pattern, _ in better_patterns(files)), "")
    if not fit.works:
        yield Note.of(
            FormatFact.TEXTS_DIFFER_LAYOUT if fit.differs else FormatFact.NOTHING_SHARED_LAYOUT,
            file="/".join(first.path.parts[-2:]),
            annotator=first.annotator,
            document=first.task,
            pattern=better,
        )
    if given and (other := _placed(files, _shortened(given))):
        apart = [at for at, file in enumerate(other) if file.annotator != files[at].annotator]
        if (
            not apart
            or not Fit.of(other).works
            or (fit.works and Fit.of(other).people >= fit.people)
        ):
            return
        one, instead = files[apart[0]], other[apart[0]]
        yield Note.of(
            FormatFact.PATTERN_AMBIGUOUS,
            pattern=given,
            file=one.path.name,
            annotator=one.annotator,
            document=one.task,
            other_annotator=instead.annotator,
            other_document=instead.task,
            other_pattern=_shortened(given),
        )


def _shortened(pattern: str) -> str:
    return re.sub(r"\{(annotator|task)\}", r"{\1:short}", pattern, count=1)
