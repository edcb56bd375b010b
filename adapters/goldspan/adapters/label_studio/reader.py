"""Reading Label Studio exports."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.channels import counted_from_zero
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.naming import ANNOTATOR_FROM
from goldspan.adapters.kit.roundtrip import take_leftover
from goldspan.adapters.kit.text.offsets import fit
from goldspan.adapters.label_studio.locator import Locator, same_text
from goldspan.adapters.label_studio.medium import Medium, milliseconds
from goldspan.adapters.label_studio.people import People
from goldspan.adapters.label_studio.presence import Attendance
from goldspan.adapters.label_studio.regions import Attributes, Marked, Regions
from goldspan.adapters.label_studio.tasks import (
    RawTask,
    Work,
    json_files,
    raw_tasks,
    raw_values,
)
from goldspan.adapters.label_studio.whole_tasks import WholeTasks
from goldspan.engine.annotators.worktime import Times, WorkTime, duration, moment
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Position

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths, ReadOptions
    from goldspan.adapters.kit.task_draft import DraftSpan, TaskDraft
    from goldspan.adapters.label_studio.region import Region
    from goldspan.adapters.label_studio.template import Template

Places: TypeAlias = list[list[tuple[Position, Position]]]
"""The spans of each region: one, but for the ranges of a timeline."""

UPLOAD = re.compile(r"/data/upload/\d+/[0-9a-f]{8}-")
"""What an installation puts before the name of an uploaded file."""


def read_corpus(paths: Paths, options: ReadOptions, locator: Locator | None = None) -> Corpus:
    """The corpus in one or more exports; `locator` where a configuration states what they have."""
    files = [file for path in paths for file in json_files(path)]
    if not files:
        raise InputError("there is no .json file in this folder", where=str(paths[0]))
    reader = _Reader(options, locator)
    for file in files:
        reader.read(file)
    return reader.corpus(files)


def read_values(
    tasks: Iterable[Any], options: ReadOptions, template: Template | None = None
) -> Corpus:
    """The corpus in tasks as an export has them, decoded already; `template` where a configuration
    says what they have.
    """
    reader = _Reader(options, None if template is None else Locator.of(template))
    if template is not None:
        reader.whole.declare(template.layers.values())
    if reader.people.naming is not None:
        raise SettingsError(
            f"--annotator-from '{options.annotator_from}' takes names of files, and these tasks "
            "come from none; use email, id or name"
        )
    reader.take(raw_values(tasks))
    return reader.corpus(())


def read_times(paths: Paths, options: ReadOptions) -> Times:
    """When the work that counts was done, and how long it took, as far as the exports say."""
    reader = _Reader(options, None)
    found: dict[tuple[str, str], WorkTime] = {}
    for file in (file for path in paths for file in json_files(path)):
        reader.people.open(file)
        seen: Counter[str] = Counter()
        for raw in raw_tasks(file):
            task = raw if reader.people.naming is None else reader.known(raw, seen)
            for name, one in reader.attendance.take(task, reader.draft.task(task.id)):
                if not (one.draft or one.prediction):
                    when = moment(one.created) or moment(one.updated)
                    found[task.id, name] = WorkTime(duration(one.lead_time), when)
    names = reader.people.renamed
    return {(task, names.get(name, name)): one for (task, name), one in found.items()}


class _Reader:
    """Tasks one by one into a draft.

    Unless it is stated, the first region shows what regions are on; tasks before it wait.
    """

    def __init__(self, options: ReadOptions, locator: Locator | None) -> None:
        self.options = options
        self.draft = Draft(options, tells_channels=True)
        self.people = People(options.annotator_from)
        self.attendance = Attendance(self.draft, self.people)
        self.regions = Regions(self.draft)
        self.whole = WholeTasks(self.draft)
        self.locator = locator
        self.waiting: list[RawTask] = []
        self.contents: dict[str, str] = {}

    def read(self, path: Path) -> None:
        self.people.open(path)
        self.take(raw_tasks(path))

    def take(self, tasks: Iterable[RawTask]) -> None:
        seen: Counter[str] = Counter()
        for raw in tasks:
            task = raw if self.people.naming is None else self.known(raw, seen)
            if self.locator is None and (found := self.regions.first(task)) is not None:
                self.locator = Locator(*found)
            draft = self.draft.task(task.id)
            draft.where = f"{task.where}, region"
            work = self.attendance.take(task, draft)
            self._label(draft, work)
            if self.locator is None:
                self.waiting.append(task)
            else:
                self._fill(draft, task, work, self.locator)

    def corpus(self, files: Sequence[Path]) -> Corpus:
        for task in self.waiting:
            locator = self.locator or Locator(_guess(task.data), "")
            self._fill(self.draft.task(task.id), task, (), locator)
        if self.locator is None or not self.locator.stated:
            self.regions.check(self.waiting, self.whole)
        for kind, count in sorted(self.regions.passed_over.items()):
            self.draft.note(FormatFact.TYPE_WITHOUT_SPAN, count=count, type=kind)
        if self.locator is not None and self.locator.links:
            self.draft.note(FormatFact.LINKS, count=self.locator.links)
        self.attendance.settle()
        self._check_people(files)
        return self.draft.corpus()

    def _label(self, draft: TaskDraft, work: Sequence[tuple[str, Work]]) -> None:
        try:
            self.whole.take(draft, work)
        except InputError as fault:
            self.draft.leave_out(draft.id, fault)

    def _check_people(self, files: Sequence[Path]) -> None:
        names = {name for task in self.draft.tasks.values() for name in task.presences}
        if len(files) <= 1 or len(names) != 1 or self.people.naming is not None:
            return
        name = names.pop()
        if self.attendance.repeats:
            raise InputError(
                f"all {len(files)} files name the same annotator '{name}' on the same tasks; if "
                "each is one annotator's, use --annotator-from file",
                where=str(files[0]),
                choices={ANNOTATOR_FROM: ()},
            )
        self.draft.note(FormatFact.SAME_ANNOTATOR, files=len(files), annotator=name)

    def known(self, task: RawTask, seen: Counter[str]) -> RawTask:
        """The task under the id it had in the first file: installations number on their own."""
        content = UPLOAD.sub("", "\n".join(f"{k}={v}" for k, v in sorted(task.data.items())))
        seen[content] += 1
        known = self.contents.setdefault(f"{seen[content]}\n{content}", task.id)
        return task._replace(id=known)

    def _fill(
        self, draft: TaskDraft, task: RawTask, work: Sequence[tuple[str, Work]], locator: Locator
    ) -> None:
        try:
            self._place(draft, task, work, locator)
        except InputError as fault:
            self.draft.leave_out(task.id, fault)

    def _place(
        self, draft: TaskDraft, task: RawTask, work: Sequence[tuple[str, Work]], locator: Locator
    ) -> None:
        """The regions as spans of what they are on."""
        marked = [
            mark
            for name, one in work
            for mark in self.regions.marked(name, one.result, draft, locator, task.data)
        ]
        try:
            medium = locator.medium(task.data, [region["value"] for _, region, _ in marked])
        except InputError as error:
            raise error.at(task.where) from None
        if (
            locator.kind != "text"
            or self.options.category_from
            or not _plain(draft, medium, marked)
        ):
            attributes = self.regions.attributes(work)
            self._with_care(draft, medium, marked, locator.kind, attributes)
        draft.measure, draft.media = medium.measure, medium.media
        if medium.text is not None:
            _take_text(draft, medium.text, [name for name, _ in work])
        if locator.kind == "audio":
            draft.length = _length(draft, marked, task.where)
        if self.options.losses:
            self.draft.lose("entries of tasks' meta", task.remarks)
            self.draft.lose("regions' meta", sum(bool(one.get("meta")) for _, one, _ in marked))
        if task.ours:
            take_leftover(task.ours, self.draft, draft)

    def _with_care(
        self,
        draft: TaskDraft,
        medium: Medium,
        marked: Sequence[Marked],
        kind: str,
        attributes: Attributes | None,
    ) -> None:
        places = self._places(draft, medium, marked)
        if medium.text is not None and kind in ("text", "hypertext"):
            places = self._checked(draft, medium, kind, marked, places)
        if bare := places.count([]):
            self.draft.note(FormatFact.NO_RANGE, task=draft.id, count=bare)
        for mark, spans in zip(marked, places, strict=True):
            source = str(mark[1].get("id", ""))
            place = draft
            try:
                if kind == "audio":
                    place = draft.on_channel(counted_from_zero(mark[1]["value"].get("channel")))
                categories = self.regions.categories(mark, attributes)
            except InputError as error:
                raise error.at(draft.place(source)) from None
            for category in categories:
                for start, end in spans:
                    place.span(mark[0], start, end, category, source)

    def _places(self, draft: TaskDraft, medium: Medium, marked: Sequence[Marked]) -> Places:
        """The spans of each region, by the usual way of counting or else by another."""
        try:
            return self._counted(draft, medium, marked)
        except InputError as first:
            counting = medium.recount()
            if counting is None:
                raise
            try:
                places = self._counted(draft, medium, marked)
            except InputError:
                raise first from None
        self.draft.note(FormatFact.CONVERTED, task=draft.id, count=len(marked), counting=counting)
        return places

    def _counted(self, draft: TaskDraft, medium: Medium, marked: Sequence[Marked]) -> Places:
        places: Places = []
        region: Region = {}
        try:
            for _, region, _ in marked:
                places.append(medium.spans(region["value"]))
        except InputError as error:
            raise error.at(draft.place(str(region.get("id", "")))) from None
        return places

    def _checked(
        self, draft: TaskDraft, medium: Medium, kind: str, marked: Sequence[Marked], places: Places
    ) -> Places:
        """The places, after the stored texts were held against them."""
        text = medium.text or ""
        # Regions that run backwards are the draft's business: it swaps or refuses them.
        forward = [
            (region, start, end)
            for (_, region, _), ((start, end),) in zip(marked, places, strict=True)
            if start <= end
        ]
        stored = [(int(s), int(e), _stored(region["value"])) for region, s, e in forward]
        if all(_stands(text, *one) for one in stored):
            return places
        if kind == "hypertext":
            # The positions are the browser's own; it is our rebuilt text that went wrong.
            medium.text = None
            self.draft.note(FormatFact.PAGE_NOT_REBUILT)
            return places
        names = [draft.place(str(region.get("id", ""))) for region, _, _ in forward]
        found = fit(text, stored, places=names, same=same_text)
        if found.counting is not None:
            self.draft.note(
                FormatFact.CONVERTED, task=draft.id, count=len(stored), counting=found.counting
            )
        fitted = iter(found.spans)
        return [[next(fitted)] if start <= end else [(start, end)] for ((start, end),) in places]


def _plain(draft: TaskDraft, medium: Medium, marked: Sequence[Marked]) -> bool:
    """Add the spans of a text in one pass, the usual case of large exports; False, and nothing
    added, when one of them has several labels or none, or its stored text differs.
    """
    text = medium.text
    if text is None:
        return False
    spans: list[DraftSpan] = []
    for name, region, key in marked:
        value = region["value"]
        start, end, labels = value.get("start"), value.get("end"), value.get(key)
        if type(start) is not int or type(end) is not int or type(labels) is not list:
            return False
        if len(labels) != 1 or type(label := labels[0]) is not str:
            return False
        if not _stands(text, start, end, _stored(value)):
            return False
        spans.append((name, start, end, label, str(region.get("id", ""))))
    draft.spans += spans
    return True


def _stored(value: Mapping[str, Any]) -> str | None:
    """The text that a region says it stands on; None if it says none."""
    text = value.get("text")
    return text if isinstance(text, str) else None


def _stands(text: str, start: int, end: int, stored: str | None) -> bool:
    if not 0 <= start <= end <= len(text):
        return False
    return stored is None or same_text(text[start:end], stored)


def _take_text(draft: TaskDraft, text: str, names: Sequence[str]) -> None:
    """The task's text; when another file brings another one, whose is which."""
    if draft.text is None:
        draft.text = text
    elif draft.text != text or draft.texts:
        for name in draft.presences:
            if name not in names and name not in draft.texts:
                draft.read_by(name, draft.text)
        for name in names:
            draft.read_by(name, text)


def _length(draft: TaskDraft, marked: Sequence[Marked], where: str) -> Position | None:
    """A recording's length, which each of its regions tells; never less than the last end."""
    told = [region.get("original_length") for _, region, _ in marked]
    try:
        lengths = [milliseconds(one, "original_length") for one in told if one]
    except InputError as error:
        raise error.at(where) from None
    if not lengths:
        return draft.length
    channels = (draft, *draft.others.values())
    ends = (max(start, end) for one in channels for _, start, end, _, _ in one.spans)
    return max(*lengths, draft.length or 0, *ends)


def _guess(data: Mapping[str, Any]) -> str:
    """What tasks are, in an export where nobody marked anything."""
    usual = {"audio": "audio", "video": "video", "ts": "timeseries", "html": "hypertext"}
    for key, kind in usual.items():
        if key in data:
            return kind
    if any(isinstance(value, list) for value in data.values()):
        return "paragraphs"
    return "text" if any(isinstance(value, str) for value in data.values()) else "timeseries"
