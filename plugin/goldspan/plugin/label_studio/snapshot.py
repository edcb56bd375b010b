"""The snapshot: a project as it is now, its tasks and what we wrote there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goldspan.adapters.adapter import quotes_left_out
from goldspan.adapters.facts import LEFT_OUT
from goldspan.adapters.files.json_stream import elements
from goldspan.adapters.kit.channels import one_timeline
from goldspan.adapters.kit.digest import digest
from goldspan.adapters.kit.roundtrip import KEY
from goldspan.adapters.label_studio import LabelStudioAdapter
from goldspan.adapters.label_studio.config import config_template
from goldspan.adapters.label_studio.provenance import (
    adjudicated_id,
    is_our_version,
    is_sealed,
    truth_id,
)
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Note
from goldspan.plugin.facts import PlatformFact
from goldspan.plugin.label_studio.columns import Columns, ours, own_fields, taken
from goldspan.plugin.label_studio.routing.mark import is_marked

if TYPE_CHECKING:
    from goldspan.adapters.adapter import ReadOptions
    from goldspan.adapters.files.json_stream import Json
    from goldspan.engine.model import Corpus
    from goldspan.plugin.label_studio.server import Server


class Stored(NamedTuple):
    """A prediction or annotation of ours on the server: its id and what it says, as a digest; a
    prediction of a sync also in full, as JSON, which takes less room than its values.
    """

    id: int
    digest: str
    text: str = ""


@dataclass(slots=True)
class Snapshot:
    """What a sync compares with.

    `tasks` are as an export has them, with people by name, the predictions asked for as objects,
    and without our own ground truth: decoded once, and only looked at after that. `suggestions`,
    `columns` and `truths` are ours, by task; `versions` counts these suggestions by model version;
    `taken` are the names of our columns that people gave to fields of their own, `own_fields` all
    names of people's fields that begin as ours do. `started_from` are the predictions of ours that
    annotations began with; `settled` the tasks where a person's annotation is the ground truth, or
    a person decided that ours is not; `edited_truths` those where a person changed ours;
    `adjudicated` what adjudicators settled with goldspan, and nobody changed since. `promoted`
    counts annotations that “Create Annotations From Predictions” made of our suggestions. `waiting`
    are the tasks that were given to one more annotator, who has not come yet.
    """

    project: Json
    tasks: list[Json]
    tabs: Sequence[Json]
    task_ids: list[int] = field(default_factory=list)
    suggestions: dict[int, list[Stored]] = field(default_factory=dict)
    versions: Counter[str] = field(default_factory=Counter)
    columns: dict[int, Columns] = field(default_factory=dict)
    taken: dict[int, list[str]] = field(default_factory=dict)
    own_fields: dict[int, list[str]] = field(default_factory=dict)
    truths: dict[int, Stored] = field(default_factory=dict)
    edited_truths: set[int] = field(default_factory=set)
    adjudicated: dict[int, Stored] = field(default_factory=dict)
    started_from: set[int] = field(default_factory=set)
    settled: set[int] = field(default_factory=set)
    promoted: int = 0
    waiting: set[int] = field(default_factory=set)
    notes: list[Note] = field(default_factory=list)

    @property
    def number(self) -> int:
        return int(self.project["id"])

    def corpus(self, options: ReadOptions) -> Corpus:
        """The annotations, as the adapter reads them; tasks that cannot be read are left out, each
        with a note, unless they are all there is.
        """
        template = config_template(str(self.project["label_config"]), options.layers)
        lenient = replace(options, leave_out_faulty=True)
        try:
            with quotes_left_out(options):
                corpus = LabelStudioAdapter().read_tasks(self.tasks, lenient, template)
        except InputError as error:
            raise error.at(f"project {self.number}") from error
        # Columns and predictions belong to the task, which holds all channels of a recording.
        corpus = one_timeline(corpus)
        return corpus.without_texts() if options.no_text else corpus


def pull(server: Server, number: int, folder: Path, versions: Sequence[str] = ()) -> Snapshot:
    """The project now. `versions` are the models whose predictions are wanted beside the people's
    work. What the server sends goes through files in `folder`, and is decoded once.
    """
    snapshot = Snapshot(server.project(number), [], server.tabs(number))
    people = server.people()
    exported, predicted = folder / "export.json", folder / "predictions.json"
    server.predictions(number, predicted)
    server.export(number, exported)
    wanted = _predictions(snapshot, predicted, versions)
    snapshot.tasks.extend(_tasks(snapshot, exported, people, wanted))
    if routed := [int(task["id"]) for task in snapshot.tasks if is_marked(task["data"])]:
        snapshot.waiting = server.unfinished(number, routed)
    exported.unlink()
    predicted.unlink()
    return snapshot


def faults(corpus: Corpus) -> list[Note]:
    """Which tasks could not be read, and why."""
    return [note for note in corpus.notes if note.fact.kind in LEFT_OUT and note.task]


def _predictions(
    snapshot: Snapshot, path: Path, versions: Sequence[str]
) -> dict[int, list[dict[str, Json]]]:
    wanted: dict[int, list[dict[str, Json]]] = {}
    for _, one in elements(path):
        version, task = str(one.get("model_version")), int(one["task"])
        if is_our_version(version):
            snapshot.versions[version] += 1
            said = {"result": one["result"], "score": one.get("score")}
            text = dumps(said) if version == KEY else ""
            stored = Stored(one["id"], digest(*said.values(), version), text)
            snapshot.suggestions.setdefault(task, []).append(stored)
            # Kept without its regions: the reader needs to know what began with it.
            wanted.setdefault(task, []).append(
                {"id": one["id"], "model_version": version, "result": []}
            )
        elif version in versions:
            wanted.setdefault(task, []).append(one)
    return wanted


def _tasks(
    snapshot: Snapshot,
    path: Path,
    people: Mapping[int, Json],
    wanted: Mapping[int, list[dict[str, Json]]],
) -> Iterator[Json]:
    orphans = 0
    for _, task in elements(path):
        number = int(task["id"])
        snapshot.task_ids.append(number)
        own = {stored.id for stored in snapshot.suggestions.get(number, ())}
        _note_fields(snapshot, number, task["data"])
        annotations = []
        for one in task.get("annotations") or ():
            if one.get("unique_id") == truth_id(snapshot.number, number):
                _note_truth(snapshot, number, one)
                # What a person edited and left starred is how that person settled the task.
                if number not in snapshot.edited_truths or not one.get("ground_truth"):
                    continue
            if one.get("unique_id") == adjudicated_id(snapshot.number, number, one["result"]):
                snapshot.adjudicated[number] = Stored(one["id"], digest(one["result"]))
            if one.get("parent_prediction") in own:
                snapshot.started_from.add(one["parent_prediction"])
                snapshot.promoted += _is_promoted(one)
            if one.get("ground_truth"):
                snapshot.settled.add(number)
            if one.get("completed_by") is None:
                orphans += 1
                continue
            annotations.append(one | {"completed_by": _person(one.get("completed_by"), people)})
        yield without_origin(task) | {
            "annotations": annotations,
            "drafts": task.get("drafts") or [],
            "predictions": wanted.get(number, []),
        }
    if orphans:
        snapshot.notes.append(Note.of(PlatformFact.ACCOUNTS_DELETED, count=orphans))


def _note_fields(snapshot: Snapshot, task: int, data: Json) -> None:
    if found := ours(data):
        snapshot.columns[task] = found
    if names := taken(data):
        snapshot.taken[task] = names
    if names := own_fields(data):
        snapshot.own_fields[task] = names


def without_origin(task: Json) -> Json:
    """The task without what goldspan's writer left in its meta when it was imported, such as its
    name in another project: here its name is the server's number.
    """
    meta = task.get("meta")
    if not isinstance(meta, dict) or KEY not in meta:
        return task
    return task | {"meta": {key: value for key, value in meta.items() if key != KEY}}


def _is_promoted(annotation: Json) -> bool:
    """Whether nobody worked on an annotation: the page sends the time that a person took."""
    return annotation.get("lead_time") is None and annotation.get("draft_created_at") is None


def _note_truth(snapshot: Snapshot, task: int, annotation: Json) -> None:
    snapshot.truths[task] = Stored(annotation["id"], digest(annotation["result"]))
    if not is_sealed(annotation["result"]):
        snapshot.edited_truths.add(task)
    elif not annotation.get("ground_truth"):
        # A person took the star off; it is not put on again.
        snapshot.settled.add(task)


def _person(by: Json, people: Mapping[int, Json]) -> Json:
    person = people.get(by) if isinstance(by, int) else None
    if person is None:
        return by
    return {key: person.get(key) for key in ("id", "email", "first_name", "last_name")}
