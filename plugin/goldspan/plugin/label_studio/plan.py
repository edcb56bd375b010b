"""The plan: the writes that make a project say what a result says, and no others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from goldspan.adapters.facts import settled_tasks
from goldspan.adapters.kit.digest import digest
from goldspan.adapters.kit.layers import gold_labels
from goldspan.adapters.kit.roundtrip import KEY
from goldspan.adapters.label_studio.config import config_template
from goldspan.adapters.label_studio.locator import Locator
from goldspan.adapters.label_studio.provenance import sealed, truth_id
from goldspan.adapters.label_studio.region_writer import suggestion
from goldspan.adapters.label_studio.tasks import raw_values
from goldspan.engine.facts import Fact, Kind, Note, Parameter
from goldspan.plugin.facts import PlatformFact
from goldspan.plugin.label_studio.columns import (
    Columns,
    beside,
    columns,
    number_columns,
    prediction_score,
    ranking_column,
)
from goldspan.plugin.label_studio.data_manager_tab import (
    missing_tabs,
    our_tabs,
    renewed,
    surplus_tabs,
)
from goldspan.plugin.label_studio.description import described, summary
from goldspan.plugin.label_studio.kept_figures import KeptFigures

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import Json
    from goldspan.adapters.label_studio.template import Template
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.plugin.label_studio.snapshot import Snapshot, Stored

FEW = 50
"""So many predictions are changed one by one; for more it is quicker to replace them all."""


WRITTEN = "suggestions changed", "tasks with new columns", "project settings"
UNDONE = "suggestions emptied", "tasks freed of columns", "project settings put back"
"""What is called otherwise where it is taken back."""


@dataclass(slots=True)
class Plan:
    """Writes to a project, by kind.

    suggestions  predictions to add, in the order of the tasks
    changes      predictions to change in place, by id
    removals     predictions to remove, by id
    versions     model versions to remove whole, and how many predictions each has
    columns      the columns of ours that a task is to have, and no others
    truths       ground truth to add, by task
    old_truths   ground truth of ours to remove, by id
    new_tabs, changed_tab, old_tabs  the tab
    old_routes   tasks that were given to one more annotator, which is taken back
    settings     what to change in the project's settings
    summary      what to say in the project's description, "" for nothing of ours
    undoing      whether it takes back what was written before
    freed        names of columns that no task has after it
    """

    project: int
    suggestions: list[Json] = field(default_factory=list)
    changes: dict[int, Json] = field(default_factory=dict)
    removals: list[int] = field(default_factory=list)
    versions: dict[str, int] = field(default_factory=dict)
    columns: dict[int, Columns] = field(default_factory=dict)
    truths: dict[int, Json] = field(default_factory=dict)
    old_truths: list[int] = field(default_factory=list)
    new_tabs: list[Json] = field(default_factory=list)
    changed_tab: tuple[int, float | None] | None = None
    old_tabs: list[int] = field(default_factory=list)
    old_webhooks: list[int] = field(default_factory=list)
    old_routes: list[int] = field(default_factory=list)
    settings: dict[str, Json] = field(default_factory=dict)
    summary: str | None = None
    undoing: bool = False
    freed: frozenset[str] = frozenset()
    notes: list[Note] = field(default_factory=list)

    def note(self, kind: Kind, **parameters: Parameter) -> None:
        """Something a person should know; what holds of several tasks is counted."""
        fact = Fact.of(kind, **parameters)
        for place, known in enumerate(self.notes):
            if known.fact == fact:
                self.notes[place] = replace(known, count=known.count + 1)
                return
        self.notes.append(Note(fact))

    @property
    def adds_annotations(self) -> bool:
        """Whether tasks have more or fewer annotations after it."""
        return bool(self.truths or self.old_truths)

    def counts(self) -> Mapping[str, int]:
        """How many writes of each kind; nothing at all when there is nothing to write."""
        changed, columns, settings = UNDONE if self.undoing else WRITTEN
        found = {
            "suggestions added": len(self.suggestions),
            changed: len(self.changes),
            "suggestions removed": len(self.removals) + sum(self.versions.values()),
            columns: len(self.columns),
            "ground truth added": len(self.truths),
            "ground truth removed": len(self.old_truths),
            "tabs added": len(self.new_tabs),
            "tabs changed": int(self.changed_tab is not None),
            "tabs removed": len(self.old_tabs),
            "webhooks removed": len(self.old_webhooks),
            "tasks no longer routed": len(self.old_routes),
            settings: len(self.settings) + (self.summary is not None),
        }
        return {kind: count for kind, count in found.items() if count}


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """What to write: ground truth beside suggestions, and the tab's limit (None leaves it)."""

    ground_truth: bool = False
    low: float | None = None
    layers: tuple[str, ...] = ()


def make_plan(
    snapshot: Snapshot,
    corpus: Corpus,
    result: Result,
    gold: Gold,
    request: WriteRequest,
    left_out: int = 0,
) -> Plan:
    """Compare what the project says with what the result says."""
    plan = Plan(snapshot.number)
    template = config_template(str(snapshot.project["label_config"]), request.layers)
    kept = KeptFigures(snapshot, result.settings.precision)
    by_task = {continuum.id: continuum for continuum in corpus.continua}
    settled = {
        task: len(by_task[task].annotators) if task in by_task else 0
        for task in settled_tasks(corpus.notes)
    }
    columns_of = partial(columns, result=result, gold=gold, settled=settled)
    suggestions = partial(_suggestions, snapshot, corpus, result, gold, template, kept, columns_of)
    for number, wanted in suggestions():
        _plan_suggestion(plan, snapshot, snapshot.suggestions.get(number, []), wanted)
        if request.ground_truth:
            people = len(by_task[str(number)].annotators)
            _plan_truth(plan, snapshot, number, wanted["result"], people)
        elif _is_outdated(snapshot, number, wanted["result"]):
            plan.note(PlatformFact.TRUTH_OUTDATED)
    for number, stored in snapshot.suggestions.items():
        if str(number) not in gold.spans or number in snapshot.waiting:
            for one in stored:
                take_away(plan, snapshot, number, one)
    hidden = snapshot.waiting & snapshot.truths.keys() - snapshot.edited_truths - snapshot.settled
    plan.old_truths += [snapshot.truths[number].id for number in sorted(hidden)]
    if _is_better_replaced(plan, snapshot):
        plan.versions, plan.changes, plan.removals = dict(snapshot.versions), {}, []
        plan.suggestions = [one for _, one in suggestions()]
    for number in snapshot.task_ids:
        _plan_columns(plan, snapshot, number, columns_of(str(number)), kept)
    _plan_tab(plan, snapshot, request.low, result)
    now = str(snapshot.project.get("description") or "")
    said = summary(result, gold, left_out, request.layers, settled)
    if described(now, said) != now:
        plan.summary = said
    _note_strangers(plan, gold, template)
    return plan


def _plan_columns(
    plan: Plan, snapshot: Snapshot, task: int, wanted: Columns, kept: KeptFigures
) -> None:
    """Where a person has a field of our name, nothing is written that could overwrite it."""
    if task in snapshot.taken:
        _note_taken(plan, snapshot.taken[task])
        return
    own = snapshot.own_fields.get(task, ())
    if clashes := [name for name in wanted if name in own]:
        _note_clashes(plan, clashes)
    asked = beside(wanted, own)
    if asked != snapshot.columns.get(task, {}) and not kept.keeps_columns(task, asked):
        plan.columns[task] = asked


def _is_better_replaced(plan: Plan, snapshot: Snapshot) -> bool:
    """Whether removing all suggestions and adding them again takes less time. Never where somebody
    started from one: the annotation would no longer say so.
    """
    singly = len(plan.changes) + len(plan.removals)
    return singly > max(FEW, len(snapshot.suggestions) / 10) and not snapshot.started_from


def _suggestions(
    snapshot: Snapshot,
    corpus: Corpus,
    result: Result,
    gold: Gold,
    template: Template,
    kept: KeptFigures,
    columns_of: Callable[[str], Columns],
) -> Iterator[tuple[int, Json]]:
    """The wanted prediction of every merged task, or the stored one if the task keeps it; none
    where the task waits for one more annotator, who is not to see it.

    Its score is the task's γ, a measured figure; confidences are each span's own.
    """
    continua = {continuum.id: continuum for continuum in corpus.continua}
    locator = Locator.of(template)
    for task in raw_values(snapshot.tasks):
        spans = gold.spans.get(task.id)
        if spans is None or int(task.id) in snapshot.waiting:
            continue
        wanted: Json = {
            "task": int(task.id),
            "model_version": KEY,
            "result": suggestion(
                task,
                locator.medium(task.data, ()),
                continua[task.id],
                template,
                spans,
                gold_labels(gold, task.id),
                gold.decisions.get(task.id, ()),
            ),
        }
        # Where nobody marked anything, nothing is all that is suggested, and there is no γ.
        scored = result.tasks.get(task.id)
        score = prediction_score(scored.gamma) if scored is not None else None
        if score is None and not wanted["result"] and result.layers and not result.tasks:
            continue
        if score is not None:
            wanted["score"] = score
        yield int(task.id), kept.suggestion(wanted, columns_of(task.id))


def _plan_suggestion(plan: Plan, snapshot: Snapshot, stored: list[Stored], wanted: Json) -> None:
    """One prediction for each task; what a crash or another version left is removed."""
    said = digest(wanted["result"], wanted.get("score"), KEY)
    same = next((one for one in stored if one.digest == said), None)
    if same is None and not stored:
        plan.suggestions.append(wanted)
    elif same is None:
        same = stored[0]
        plan.changes[same.id] = wanted
    for one in stored:
        if one is not same:
            take_away(plan, snapshot, wanted["task"], one)


def take_away(plan: Plan, snapshot: Snapshot, task: int, stored: Stored) -> None:
    """Remove a suggestion. One that somebody started from is emptied instead: without it, the
    annotation would no longer tell that it is not independent.
    """
    if stored.id not in snapshot.started_from:
        plan.removals.append(stored.id)
    elif stored.digest != digest([], None, KEY):
        plan.changes[stored.id] = {"task": task, "model_version": KEY, "result": []}


def _plan_truth(plan: Plan, snapshot: Snapshot, task: int, result: list[Json], people: int) -> None:
    """Ground truth is one annotation more, so a task that waits for people would be taken from
    them; and none is written where nothing is suggested.
    """
    if people < int(snapshot.project.get("maximum_annotations") or 1):
        plan.note(PlatformFact.TRUTH_WAITS)
        return
    if task in snapshot.settled or task in snapshot.edited_truths:
        plan.note(PlatformFact.TRUTH_SETTLED)
        return
    stored = snapshot.truths.get(task)
    if stored is not None:
        if not _is_outdated(snapshot, task, result):
            return
        plan.old_truths.append(stored.id)
    wanted = sealed(result)
    if not wanted:
        return
    plan.truths[task] = {
        "result": wanted,
        "ground_truth": True,
        "unique_id": truth_id(plan.project, task),
    }


def _is_outdated(snapshot: Snapshot, task: int, result: list[Json]) -> bool:
    stored = snapshot.truths.get(task)
    if stored is None or task in snapshot.settled or task in snapshot.edited_truths:
        return False
    return stored.digest != digest(sealed(result))


def _plan_tab(plan: Plan, snapshot: Snapshot, low: float | None, result: Result) -> None:
    found = our_tabs(snapshot.tabs)
    by = ranking_column(result)
    plan.new_tabs = missing_tabs(snapshot.tabs, low, number_columns(result), by)
    plan.old_tabs = [tab["id"] for tab in surplus_tabs(snapshot.tabs)]
    found = [tab for tab in found if tab["id"] not in plan.old_tabs]
    if found and renewed(found[0], low) is not None:
        plan.changed_tab = found[0]["id"], low


def _note_taken(plan: Plan, names: list[str]) -> None:
    plan.note(PlatformFact.FIELD_TAKEN, names=" or ".join(names))


def _note_clashes(plan: Plan, names: list[str]) -> None:
    plan.note(PlatformFact.COLUMN_TAKEN, names=" or ".join(names))


def _note_strangers(plan: Plan, gold: Gold, template: Template) -> None:
    """Spans of labels that the configuration does not have any more, or never had."""
    strangers: Counter[str] = Counter()
    for spans in gold.spans.values():
        for span in spans:
            if not template.allows(span.category):
                strangers[span.category] += 1
    for label, count in sorted(strangers.items()):
        plan.notes.append(Note.of(PlatformFact.LABEL_UNKNOWN, count=count, label=label))
