"""Layers: labels of whole tasks, on their way from a reader to the corpus, and to a writer."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from goldspan.adapters.kit.naming import listed
from goldspan.engine.errors import SettingsError
from goldspan.engine.model import Continuum, Corpus, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import ReadOptions
    from goldspan.adapters.kit.task_draft import Label, TaskDraft
    from goldspan.engine.gold.gold import Gold, GoldSpan

USUAL = "label"
"""What a layer is called where a format does not name it."""


class LayerDrafts:
    """The layers of one reading.

    An annotator who did a task and gave no label has left that layer empty; one who gave a label
    has seen the task. `by_name` lets the option `layers` choose among layers; a reader that does
    this itself sets it to False.
    """

    def __init__(self, options: ReadOptions) -> None:
        self.options = options
        self.by_name = True
        self.scales: dict[str, tuple[str, ...]] = {}
        self._labels: dict[str, dict[str, list[Label]]] = {}

    def declare(self, layer: str, scale: Iterable[str] = ()) -> None:
        """There is such a layer, whether or not somebody gave a label; with the labels that can be
        chosen in their order, where that is known.
        """
        if not self.scales.get(layer):
            self.scales[layer] = tuple(scale)

    def take(self, task: TaskDraft, away: Container[str], call: Callable[[str], str]) -> int:
        """Keep a task's labels, without those of annotators who are left out; how many stood there
        twice comes back. `call` gives a label its name.
        """
        repeated = 0
        for layer, labels in task.labels.items():
            self.declare(layer)
            if self.by_name and not self._asked_for(layer):
                continue
            kept: dict[tuple[str, str], str] = {}
            for name, label, source in labels:
                if name not in away:
                    repeated += (name, call(label)) in kept
                    kept.setdefault((name, call(label)), source)
            found = [(name, label, source) for (name, label), source in kept.items()]
            self._labels.setdefault(layer, {})[task.recording] = found
        return repeated

    def built(self, continua: Sequence[Continuum], call: Callable[[str], str]) -> dict[str, Corpus]:
        """A corpus for each layer, of the same tasks."""
        recordings = {one.recording: one for one in reversed(continua)}
        first = [one for one in continua if recordings[one.recording] is one]
        return {
            layer: Corpus(
                tuple(self._built(one, self._labels.get(layer, {})) for one in first),
                scale=tuple(dict.fromkeys(map(call, scale))),
            )
            for layer, scale in self.scales.items()
            if layer in self._labels or self._asked_for(layer)
        }

    def check_names(self, built: Mapping[str, Corpus]) -> None:
        """Refuse a layer that is not there, for formats whose spans have no layers."""
        missing = [name for name in self.options.layers if name not in built]
        if missing:
            known = listed(self.scales) or "none: there are only spans"
            raise SettingsError(
                f"--layer: there is no layer of labels {listed(missing)}; there are {known}"
            )

    def _asked_for(self, layer: str) -> bool:
        return not self.options.layers or layer in self.options.layers

    def _built(self, continuum: Continuum, labels: Mapping[str, Sequence[Label]]) -> Continuum:
        own = labels.get(continuum.recording, ())
        names = {name for name, _, _ in own}
        states = dict(continuum.presence)
        for name, state in states.items():
            if name in names:
                states[name] = state if state is Presence.PARTIAL else Presence.DONE
            elif state.takes_part and self.options.empty == "unseen":
                states[name] = Presence.UNSEEN
        return continuum.labelled(own, states)


TaskLabels: TypeAlias = Mapping[str, Mapping[str, Sequence[str]]]
"""The labels of one task: by layer and annotator."""


def labels_by_task(corpus: Corpus) -> Mapping[str, TaskLabels]:
    """What a writer needs of the layers: the labels of each task."""
    found: dict[str, dict[str, dict[str, list[str]]]] = {one.id: {} for one in corpus}
    for layer, labelled in corpus.layers.items():
        for continuum in labelled:
            own = found.setdefault(continuum.id, {}).setdefault(layer, {})
            for unit in continuum.units:
                own.setdefault(unit.annotator, []).append(unit.category)
    return found


def gold_labels(gold: Gold, task: str) -> Mapping[str, Sequence[GoldSpan]]:
    """The suggested labels of a task, by layer; only layers that have some."""
    found = {layer: tasks.get(task, ()) for layer, tasks in gold.labels.items()}
    return {layer: labels for layer, labels in found.items() if labels}
