"""Leftovers: what the model knows of a task and a text format has no place for.

Writers that may add a key of their own put it there under `KEY`, and readers look for it, so that
nothing is lost between goldspan and goldspan; every other tool carries the key along unread.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from goldspan.engine.errors import InputError
from goldspan.engine.model import Continuum, Corpus, Measure, Presence

if TYPE_CHECKING:
    from goldspan.adapters.kit.draft import Draft
    from goldspan.adapters.kit.task_draft import TaskDraft

KEY = "goldspan"


def text_of(continuum: Continuum, form: str) -> str:
    """The task's text; an error when it has none, or if its positions are not characters."""
    where = f"task '{continuum.id}'"
    if continuum.text is None:
        raise InputError(f"there is no text; {form} holds texts only", where=where)
    if continuum.measure is not Measure.CHARACTER:
        raise InputError(
            f"positions are counted in {continuum.measure}s; {form} holds characters only",
            where=where,
        )
    return continuum.text


def leftover(corpus: Corpus, continuum: Continuum, shown: Iterable[str]) -> dict[str, Any]:
    """What to put under `KEY`: nothing when the file's own fields say it all.

    `shown` are the annotators whose presence the file tells in its own words.
    """
    known = set(shown)
    hidden = {name: str(s) for name, s in continuum.presence.items() if name not in known}
    values: dict[str, Any] = {}
    if hidden:
        values["presence"] = hidden
    if continuum.media is not None:
        values["media"] = continuum.media
    if continuum.text is not None and continuum.length != len(continuum.text):
        values["length"] = continuum.length
    if corpus.scale:
        values["scale"] = list(corpus.scale)
    if corpus.layers:
        values["layers"] = {name: list(layer.scale) for name, layer in corpus.layers.items()}
    return values


def take_leftover(values: object, draft: Draft, task: TaskDraft) -> None:
    """Put back what `leftover` kept; what others wrote under the key is left alone."""
    if not isinstance(values, Mapping):
        return
    presence = values.get("presence")
    if isinstance(presence, Mapping):
        states = set(Presence)
        for name, state in presence.items():
            # In a packed file that goldspan did not write, such as spaCy's, names may not be text.
            said = isinstance(name, str) and isinstance(state, str)
            if said and name and state in states:
                task.presences.setdefault(name, Presence(state))
    _take_labels(values, draft, task)
    media, length, scale = (values.get(key) for key in ("media", "length", "scale"))
    if isinstance(media, str):
        task.media = media
    if isinstance(length, (int, float)) and not isinstance(length, bool):
        task.length = length
    if isinstance(scale, (list, tuple)) and not draft.scale:
        draft.scale = tuple(category for category in scale if isinstance(category, str))


def _take_labels(values: Mapping[Any, Any], draft: Draft, task: TaskDraft) -> None:
    """The names of layers with their scales, and the labels that the format has no place for."""
    layers, labels = values.get("layers"), values.get("labels")
    for layer, scale in layers.items() if isinstance(layers, Mapping) else ():
        if isinstance(layer, str) and layer and isinstance(scale, (list, tuple)):
            draft.layers.declare(layer, (one for one in scale if isinstance(one, str)))
    for layer, given in labels.items() if isinstance(labels, Mapping) else ():
        if isinstance(layer, str) and layer and isinstance(given, Mapping):
            _take_given(layer, given, task)


def _take_given(layer: str, given: Mapping[Any, Any], task: TaskDraft) -> None:
    for name, own in given.items():
        if isinstance(name, str) and name and isinstance(own, (list, tuple)):
            known = task.labels.get(layer, ())
            for label in own:
                # Files with a row for each annotator tell the same in each.
                said = isinstance(label, str) and label
                if said and (name, label, KEY) not in known:
                    task.label(layer, name, label, KEY)
