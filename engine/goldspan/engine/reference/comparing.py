"""Comparing: annotators against a reference, or against themselves at another time.

Each annotator is a pair with the reference, measured as pairs are in a scoring: γ and γcat with
chance from the tasks of the two, and the coefficients that count matches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from goldspan.engine.alignment.budget import Deadline
from goldspan.engine.coefficient.columns import TaskColumns
from goldspan.engine.coefficient.continua.reference_matches import (
    Precision,
    PrecisionBlind,
    PrecisionIou,
    PrecisionK,
    PrecisionOverlap,
    Recall,
    RecallBlind,
    RecallIou,
    RecallK,
    RecallOverlap,
)
from goldspan.engine.coefficient.continua.span_matches import (
    F1,
    F1K,
    F1Blind,
    F1Iou,
    F1Overlap,
    Iou,
    SlotErrors,
)
from goldspan.engine.coefficient.items.alpha import Alpha
from goldspan.engine.coefficient.items.pi import Accuracy
from goldspan.engine.coefficient.measure import (
    Groups,
    Progress,
    Run,
    model_of_chance,
    scheme_of,
    silent,
)
from goldspan.engine.coefficient.registry import ALWAYS
from goldspan.engine.coefficient.task import Task, check_presence, only
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.facts import FactKind, Note, ReasonKind
from goldspan.engine.parallel import Compute, mapping
from goldspan.engine.reference.against import Against, AgainstKind, AgainstResult
from goldspan.engine.reference.joining import Joined, free_name, join, listed
from goldspan.engine.settings import Settings

if TYPE_CHECKING:
    from goldspan.engine.coefficient.base import Coefficient
    from goldspan.engine.model import Corpus


def against(
    corpus: Corpus,
    reference: str | Corpus,
    *,
    annotator: str = "",
    settings: Settings | None = None,
    compute: Compute | None = None,
    progress: Progress | None = None,
) -> Against:
    """Compare each annotator of a corpus with a reference.

    The reference is an annotator of the corpus, by name; or another corpus with the same tasks, by
    their ids. If that has several annotators, `annotator` names the one who is the reference.
    Tasks that only one side has are counted in the notes; tasks whose texts differ are left out.
    """
    if isinstance(reference, str):
        if annotator:
            raise SettingsError("`annotator` is for a reference that is a corpus of its own")
        name, joined = reference, _inside(corpus, reference)
    else:
        chosen = _chosen(reference, annotator)
        name = free_name(chosen, "reference", corpus.annotators)
        joined = join(corpus, reference, {chosen: name})
    if not any(one.of(name) for one in joined.corpus if name in one.annotators):
        raise InputError(
            f"'{name}', the reference, marked no unit in the {len(joined.corpus)} common tasks; "
            "name another reference"
        )
    pairs = [(one, name) for one in corpus.annotators if one != name]
    notes = _notes({
        FactKind.TASKS_WITHOUT_REFERENCE: joined.only_first,
        FactKind.TASKS_WITHOUT_ANNOTATORS: joined.only_second,
    })  # fmt: skip
    how = _Comparing(AgainstKind.REFERENCE, _with_reference(name), settings or Settings())
    found = how.compare(joined, name, pairs, compute or Compute(), progress or silent)
    return replace(found, notes=notes)


def stability(
    corpus: Corpus,
    again: Corpus,
    *,
    settings: Settings | None = None,
    compute: Compute | None = None,
    progress: Progress | None = None,
) -> Against:
    """Compare each annotator with the same annotator's work on the same tasks at another time.

    Only annotators and tasks in both corpora are compared.
    """
    both = [name for name in corpus.annotators if name in again.annotators]
    if not both:
        raise InputError(
            f"no annotator is on both sides: one has {listed(corpus.annotators)}, the other "
            f"{listed(again.annotators)}; stability needs the same annotator twice"
        )
    names = {name: free_name(name, "again", corpus.annotators) for name in both}
    joined = join(corpus, again, names)
    notes = _notes({FactKind.TASKS_ONCE: joined.only_first + joined.only_second})
    once = {*corpus.annotators, *again.annotators} - set(both)
    if once:
        notes += (Note.of(FactKind.ANNOTATORS_ONCE, names=listed(once)),)
    how = _Comparing(AgainstKind.STABILITY, _of_the_same(), settings or Settings())
    pairs = list(names.items())
    found = how.compare(joined, "", pairs, compute or Compute(), progress or silent)
    return replace(found, notes=notes)


def _notes(tasks: Mapping[FactKind, int]) -> tuple[Note, ...]:
    return tuple(Note.of(kind, tasks=count) for kind, count in tasks.items() if count)


def _with_reference(name: str) -> tuple[Coefficient, ...]:
    return (
        *ALWAYS, F1(name), Precision(name), Recall(name),
        F1Overlap(name), PrecisionOverlap(name), RecallOverlap(name),
        F1Iou(name), PrecisionIou(name), RecallIou(name),
        F1Blind(name), PrecisionBlind(name), RecallBlind(name),
        SlotErrors(name), Iou(name), Accuracy(),
        F1K(name), PrecisionK(name), RecallK(name),
    )  # fmt: skip


def _of_the_same() -> tuple[Coefficient, ...]:
    """Neither time is right, so that there is no precision and no recall."""
    return (*ALWAYS, Alpha(), F1(), F1Overlap(), F1Iou(), F1Blind(), Iou(), F1K())


def _inside(corpus: Corpus, name: str) -> Joined:
    """A corpus one of whose annotators is the reference."""
    if name not in corpus.annotators:
        raise SettingsError(
            f"no annotator is named '{name}'; there are {listed(corpus.annotators)}"
        )
    done = [name in one.annotators for one in corpus]
    alone = sum(one.annotators == (name,) for one in corpus)
    return Joined(corpus, (), done.count(False), alone)


def _chosen(reference: Corpus, annotator: str) -> str:
    names = reference.annotators
    if not names:
        raise InputError("the reference has no annotator; check what its files hold")
    if annotator:
        if annotator not in names:
            raise SettingsError(
                f"no annotator of the reference is named '{annotator}'; there are {listed(names)}"
            )
        return annotator
    if len(names) > 1:
        raise SettingsError(
            f"the reference has {len(names)} annotators, {listed(names)}; name the one to compare "
            "with (--against-annotator NAME)"
        )
    return names[0]


@dataclass(frozen=True, slots=True)
class _Comparing:
    """What is measured of each pair, and how."""

    kind: AgainstKind
    coefficients: tuple[Coefficient, ...]
    settings: Settings = field(default_factory=Settings)

    def compare(
        self,
        joined: Joined,
        reference: str,
        pairs: Sequence[tuple[str, str]],
        compute: Compute,
        progress: Progress,
    ) -> Against:
        """Each pair, of an annotator and whom they are compared with."""
        tasks = _tasks(joined.corpus, pairs)
        scheme = scheme_of(joined.corpus, tasks, self.settings)
        bound = tuple(one.bind(tasks, scheme) for one in self.coefficients)
        chance = model_of_chance(self.settings.chance, [t for t in tasks if not t.is_blank])
        deadline = Deadline.after(self.settings.max_seconds)
        found = []
        with mapping(compute) as run:
            groups = Groups(scheme, bound, chance, Run(run, progress, deadline))
            columns = TaskColumns.of([t for t in tasks if not t.is_blank], scheme.index)
            for done, pair in enumerate(pairs):
                progress("comparing with the reference", done, len(pairs))
                found.append(_pair(groups, tasks, columns, *pair))
        return Against(
            kind=self.kind,
            reference=reference,
            coefficients=bound,
            annotators=tuple(found),
            n_tasks=len(tasks),
            excluded=joined.excluded,
        )


def _tasks(corpus: Corpus, pairs: Sequence[tuple[str, str]]) -> list[Task]:
    """The tasks in which some pair took part, blank ones last."""
    found = []
    for one in corpus:
        check_presence(one)
        names = set(one.annotators)
        if any(names.issuperset(pair) for pair in pairs):
            found.append(Task(one, one.annotators))
    if all(task.is_blank for task in found):
        raise InputError(
            "there is nothing to compare: no task has units and was done on both sides; check what "
            "the files hold"
        )
    return sorted(found, key=lambda task: task.is_blank)


def _pair(
    groups: Groups, tasks: Sequence[Task], columns: TaskColumns, name: str, other: str
) -> AgainstResult:
    shared = only(tasks, (name, other))
    found = groups.figures(columns, tasks[len(columns) :], (name, other))
    if found is None:
        found = groups.undefined(ReasonKind.NO_SHARED_TASK)
    return AgainstResult(
        name=name,
        n_tasks=len(shared),
        n_units=sum(len(task.continuum.of(name)) for task in shared),
        n_reference_units=sum(len(task.continuum.of(other)) for task in shared),
        figures=found,
    )
