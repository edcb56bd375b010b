"""Suggestions: what tasks with their annotations alone lead to, without a server or a token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from goldspan.adapters.adapter import ReadOptions
from goldspan.adapters.facts import settled_tasks
from goldspan.adapters.kit.channels import one_timeline
from goldspan.adapters.kit.layers import gold_labels
from goldspan.adapters.label_studio import LabelStudioAdapter
from goldspan.adapters.label_studio.config import config_template
from goldspan.adapters.label_studio.locator import Locator
from goldspan.adapters.label_studio.region_writer import suggestion
from goldspan.adapters.label_studio.tasks import raw_values
from goldspan.engine.gold.merging import merge
from goldspan.engine.scoring import score
from goldspan.plugin.label_studio.columns import prediction_score
from goldspan.plugin.label_studio.snapshot import without_origin

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import JsonObject
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.engine.settings import Settings


@dataclass(frozen=True, slots=True)
class Suggestions:
    """A prediction for each task, in the order of the tasks, and what it rests on.

    A prediction's score is the task's γ: nothing else of this way in has room for it.
    """

    predictions: list[JsonObject]
    corpus: Corpus
    result: Result
    gold: Gold


def suggestions(
    tasks: Sequence[JsonObject], label_config: str, settings: Settings | None = None
) -> Suggestions:
    """Gold and agreement of these tasks; a task that cannot be merged gets no regions."""
    template = config_template(label_config)
    locator = Locator.of(template)
    given = [_annotated(task) for task in tasks]
    lenient = ReadOptions(leave_out_faulty=True)
    corpus = one_timeline(LabelStudioAdapter().read_tasks(given, lenient, template))
    result = score(corpus, settings=settings, pairs=False)
    gold = merge(corpus, result).settled(settled_tasks(corpus.notes))
    continua = {continuum.id: continuum for continuum in corpus.continua}
    predictions = []
    for task in raw_values(given):
        spans = gold.spans.get(task.id, ())
        found = continua.get(task.id)
        made: JsonObject = {"result": []}
        if found is not None:
            medium = locator.medium(task.data, ())
            made["result"] = suggestion(
                task, medium, found, template, spans,
                gold_labels(gold, task.id), gold.decisions.get(task.id, ()),
            )  # fmt: skip
        scored = result.tasks.get(task.id)
        gamma = prediction_score(scored.gamma) if scored is not None else None
        if gamma is not None:
            made["score"] = gamma
        predictions.append(made)
    return Suggestions(predictions, corpus, result, gold)


def _annotated(task: JsonObject) -> JsonObject:
    """The task with what people did. Of predictions only their names are kept, which tell what
    began with them: they may hold anything.
    """
    found = task.get("predictions")
    known = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    work = task.get("annotations")
    named = [_named(one) for one in work] if isinstance(work, list) else work
    without = [one | {"result": []} for one in known]
    return {**without_origin(task), "annotations": named, "predictions": without}


def _named(annotation: Any) -> Any:
    """The annotation with its author's address, which Label Studio sends beside the number, such
    as `Ann Lee ann@example.com, 2`.
    """
    if not isinstance(annotation, dict) or type(by := annotation.get("completed_by")) is not int:
        return annotation
    words, _, number = str(annotation.get("created_username") or "").rpartition(", ")
    address = words.rpartition(" ")[2]
    if number != str(by) or "@" not in address:
        return annotation
    return annotation | {"completed_by": {"id": by, "email": address}}
