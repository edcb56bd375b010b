"""Attendance: who did which task, and whose work counts.

A submitted annotation was seen, even without a region. A skipped one was not. A draft is partial
work. A prediction is a machine's. Of several annotations by one person the latest counts. One that
a person marked as ground truth, beside others' work, settles the task. If an adjudicator made it,
it is nobody's vote; if it is an annotator's own work that somebody chose, it stays that one's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.roundtrip import KEY
from goldspan.adapters.label_studio.options import (
    ADJUDICATION,
    ANNOTATION,
    AUTO,
    INCLUDE_PREDICTIONS,
    STARRED,
)
from goldspan.adapters.label_studio.provenance import is_our_region, is_our_version, is_sealed
from goldspan.engine.model import Presence

if TYPE_CHECKING:
    from goldspan.adapters.kit.draft import Draft
    from goldspan.adapters.kit.task_draft import TaskDraft
    from goldspan.adapters.label_studio.people import People
    from goldspan.adapters.label_studio.tasks import RawTask, Work

DRAFT, SKIPPED, TAINTED, SUBMITTED = range(4)
"""How much work weighs against other work of the same person on the same task."""


Stamp: TypeAlias = tuple[int, str, Any]
"""The weight of a piece of work, when it was last changed, and its id."""

NO_STAMP: Stamp = (-1, "", "")
"""For a presence that is stored beside the work, as goldspan's own writer does."""


class Star(NamedTuple):
    """An annotation that settles a task, and whether it was made after everybody else's."""

    task: str
    author: str
    is_last: bool


@dataclass(slots=True)
class Attendance:
    """Collects presences in the draft. `repeats` counts tasks that somebody submitted twice.

    Who is an adjudicator is known when everything has been read: until then a settling annotation
    is taken like any other. `_own` counts what people did beside such annotations.
    """

    draft: Draft
    people: People
    repeats: int = 0
    _adjudicated: list[str] = field(default_factory=list)
    _stars: list[Star] = field(default_factory=list)
    _own: Counter[str] = field(default_factory=Counter)
    _stamps: dict[tuple[str, str], Stamp] = field(default_factory=dict)

    def take(self, task: RawTask, draft: TaskDraft) -> Sequence[tuple[str, Work]]:
        """Note every presence; what comes back is the work whose regions count, with its name."""
        kept: dict[str, Work] = {}
        works, star = self._settled(task)
        for work in works:
            judged = self._predicted(work) if work.prediction else self._worked(task, work)
            if judged is None:
                continue
            name, presence, weight = judged
            if work is star:
                self._stars.append(Star(task.id, name, _is_last(star, works)))
            elif weight == SUBMITTED:
                self._own[name] += 1
                if work.ground_truth and not work.prediction:
                    self.draft.note(FormatFact.GROUND_TRUTH, annotator=name)
            stamp = (weight, work.updated, work.id)
            if name in draft.presences:
                if not self._is_later(stamp, self._stamps.get((task.id, name), NO_STAMP)):
                    continue
                draft.forget(name)
                kept.pop(name, None)
            self._stamps[task.id, name] = stamp
            draft.presences[name] = presence
            if presence is not Presence.SKIPPED:
                kept[name] = work
        return tuple(kept.items())

    def settle(self) -> None:
        """Call by name those who were met as a bare id before their name was known; of what they
        did under both the later counts.
        """
        names = self.people.renamed
        chosen = self._tell_adjudicators(names)
        for kind, found in ((FormatFact.ADJUDICATED, self._adjudicated),
                            (FormatFact.CHOSEN, chosen)):  # fmt: skip
            channels = (name for task in found for name in (task, *self.draft.task(task).others))
            if tasks := tuple(dict.fromkeys(channels)):
                self.draft.note(kind, count=len(tasks), tasks=tasks)
        for task in self.draft.tasks.values() if names else ():
            for number in names.keys() & task.presences.keys():
                name = names[number]
                if name in task.presences:
                    one, other = (
                        self._stamps.get((task.id, met), NO_STAMP) for met in (number, name)
                    )
                    task.forget(name if self._is_later(one, other) else number)
                task.rename({number: name})

    def _tell_adjudicators(self, names: Mapping[str, str]) -> list[str]:
        """Leave out what adjudicators made; the tasks where an annotator's own work was chosen.

        An adjudication is made after the work that it decides about. An adjudicator is somebody
        whose annotations are mostly that: starred, and later than everybody else's in the task.
        """
        own: Counter[str] = Counter()
        last: Counter[str] = Counter()
        for name, count in self._own.items():
            own[names.get(name, name)] += count
        for star in self._stars:
            (last if star.is_last else own)[names.get(star.author, star.author)] += 1
        chosen = []
        for task, author, _ in self._stars:
            name = names.get(author, author)
            if last[name] > own[name]:
                self.draft.task(task).forget(author)
                self._adjudicated.append(task)
            else:
                chosen.append(task)
        return chosen

    def _is_later(self, stamp: Stamp, before: Stamp) -> bool:
        """Whether work takes the place of other work of the same person on the same task."""
        if before[0] == stamp[0] == SUBMITTED:
            self.repeats += 1
            self.draft.note(FormatFact.REPLACED)
        return _order(stamp) >= _order(before)

    def _settled(self, task: RawTask) -> tuple[Sequence[Work], Work | None]:
        """All work but what is an adjudication for sure, and the annotation that may be one; or the
        ground truth alone, where the settled version is asked for.
        """
        if not self.draft.options.adjudicated:
            mode = self._starred()
            found = adjudication(task.work, mode)
            if found is None or (mode == AUTO and not _is_second_or_ours(found, task)):
                return task.work, found
            self._adjudicated.append(task.id)
            return [work for work in task.work if work is not found], None
        truth = [work for work in task.work if work.ground_truth and not work.cancelled]
        if not truth:
            return task.work, None
        self.draft.note(FormatFact.SETTLED, task=task.id)
        return truth, None

    def _starred(self) -> str:
        """What a star means; converting keeps everybody's work unless an option says otherwise."""
        given = STARRED.of(self.draft.options)
        return ANNOTATION if given == AUTO and self.draft.options.losses else given

    def _predicted(self, work: Work) -> tuple[str, Presence, int] | None:
        if INCLUDE_PREDICTIONS.of(self.draft.options):
            # Whatever its version, goldspan's own suggestion has the name of a merged version.
            name = KEY if is_our_version(work.by) else str(work.by)
            return name, Presence.DONE, SUBMITTED
        if not is_our_version(work.by):
            self.draft.note(FormatFact.PREDICTIONS_LEFT_OUT)
        return None

    def _worked(self, task: RawTask, work: Work) -> tuple[str, Presence, int] | None:
        if work.draft and work.parent is not None:
            self.draft.note(FormatFact.UNFINISHED_CHANGES)
            return None
        marked = predicted = False
        for region in work.result:
            marked = marked or is_our_region(region)
            predicted = predicted or region.get("origin") == "prediction"
        if work.by is None and (marked or task.ours.get("gold")):
            # Gold that was written as an annotation: a merged version by its very name.
            return KEY, Presence.DONE, SUBMITTED
        name = self.people.name(work.by, task.where)
        if work.draft:
            return name, Presence.PARTIAL, DRAFT
        if work.cancelled:
            return name, Presence.SKIPPED, SKIPPED
        own = marked or (work.parent is not None and work.parent in _own_predictions(task))
        if own and not self.draft.options.adjudicated:
            self.draft.note(FormatFact.NOT_INDEPENDENT)
            return name, Presence.SKIPPED, TAINTED
        if work.parent is not None or predicted:
            self.draft.note(FormatFact.BEGAN_AS_PREDICTION)
        return name, Presence.DONE, SUBMITTED


def adjudication(works: Sequence[Work], starred: str) -> Work | None:
    """The work that settles a task: the one annotation marked as ground truth, if others annotated
    the task too. A person's star takes the stars off all others, so several come from an import,
    which stars whatever it brings; and so does one that nobody has touched since the import.
    Ground truth that goldspan wrote and nobody edited settles nothing.
    """
    submitted = _submitted(works)
    truth = [one for one in submitted if one.ground_truth]
    if starred == ANNOTATION or len(truth) != 1 or is_sealed(truth[0].result):
        return None
    if truth[0].imported and starred != ADJUDICATION:
        return None
    return truth[0] if any(one.by != truth[0].by for one in submitted) else None


def _submitted(works: Sequence[Work]) -> list[Work]:
    return [one for one in works if not (one.cancelled or one.draft or one.prediction)]


def _is_second_or_ours(star: Work, task: RawTask) -> bool:
    """Whether an annotation cannot be independent work: its author did the task before, or it
    began with goldspan's suggestion.
    """
    if any(one.by == star.by and one is not star for one in _submitted(task.work)):
        return True
    began = star.parent is not None and star.parent in _own_predictions(task)
    return began or any(map(is_our_region, star.result))


def _is_last(star: Work, works: Sequence[Work]) -> bool:
    """Whether an annotation was made after everybody else's, as far as that is known."""
    others = (one.created for one in _submitted(works) if one.by != star.by and one.created)
    return not star.created or all(made <= star.created for made in others)


def _order(stamp: Stamp) -> tuple[int, str, str]:
    weight, updated, number = stamp
    # Ids are numbers that grow; as texts of one length they sort alike.
    return weight, updated, f"{number!s:>20}"


def _own_predictions(task: RawTask) -> list[Any]:
    return [work.id for work in task.work if work.prediction and is_our_version(work.by)]
