"""Regions: which results are spans, and of what category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.channels import without_channels
from goldspan.adapters.label_studio.options import INCLUDE_PREDICTIONS
from goldspan.adapters.label_studio.region import Region, label_key, medium_name
from goldspan.engine.errors import InputError, SettingsError

if TYPE_CHECKING:
    from goldspan.adapters.kit.draft import Draft
    from goldspan.adapters.kit.task_draft import TaskDraft
    from goldspan.adapters.label_studio.locator import Locator
    from goldspan.adapters.label_studio.medium import Value
    from goldspan.adapters.label_studio.tasks import RawTask, Work
    from goldspan.adapters.label_studio.whole_tasks import WholeTasks

Marked: TypeAlias = tuple[str, Region, str]
"""An annotator, a region, and the key of its labels."""

Attributes: TypeAlias = Mapping[tuple[str, str], Sequence[str]]
"""Annotator and region id to the values of a per-region control."""


class Regions:
    """Sorts results by the reading options. `passed_over` counts those that are not spans."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.options = draft.options
        self.layers = without_channels(draft.options.layers)
        self.passed_over: Counter[str] = Counter()
        self.shapes: dict[tuple[Any, ...], str] = {}

    def first(self, task: RawTask) -> tuple[str, str] | None:
        """The medium and the object that the task's first region is on; None when it has none."""
        for work in task.work:
            if not work.prediction or INCLUDE_PREDICTIONS.of(self.options):
                for region in work.result:
                    if label_key(region) and self._asked_for(region):
                        _require_value(region, f"{task.where}, region {region.get('id', '')}")
                        return medium_name(region, task.data), str(region.get("to_name") or "")
        return None

    def marked(
        self,
        name: str,
        result: Sequence[Region],
        draft: TaskDraft,
        locator: Locator,
        data: Value,
    ) -> list[Marked]:
        """The regions that are spans, of the layers asked for, all on one object.

        Regions of one shape are examined once: an export has millions of them.
        """
        marked = []
        for region in result:
            value = region.get("value")
            try:
                shape = (
                    region.get("type"), region.get("from_name"), region.get("to_name"),
                    "original_length" in region, type(value), tuple(value or ()),
                )  # fmt: skip
                key = self.shapes.get(shape)
            except TypeError as error:
                where = draft.place(str(region.get("id", "")))
                raise InputError(
                    "the region has a type or a name that is not text", where=where
                ) from error
            if key is None:
                key = self.shapes[shape] = self._study(region, draft, locator, data)
            if key:
                marked.append((name, region, key))
            elif not label_key(region) and not self._gives_category(region):
                self.passed_over[str(region.get("type"))] += 1
        return marked

    def _gives_category(self, region: Region) -> bool:
        control = self.options.category_from
        return control is not None and region.get("from_name") == control

    def _study(self, region: Region, draft: TaskDraft, locator: Locator, data: Value) -> str:
        """The key under which regions of this shape have labels; "" for those that do not count."""
        key = label_key(region)
        if not key or not self._asked_for(region):
            return ""
        where = draft.place(str(region.get("id", "")))
        _require_value(region, where)
        to_name = str(region.get("to_name") or "")
        if locator.stated:
            if to_name != locator.to_name:
                raise InputError(
                    f"the region is on '{to_name}', but spans are on '{locator.to_name}'",
                    where=where,
                )
            return key
        kind = medium_name(region, data)
        if kind != locator.kind or to_name != locator.to_name:
            raise InputError(
                f"regions are on several objects ('{locator.to_name}' is {locator.kind}, "
                f"'{to_name}' is {kind}); choose one with --layer",
                where=where,
                choices={"--layer": (locator.to_name, to_name)},
            )
        return key

    def categories(self, mark: Marked, attributes: Attributes | None) -> list[str]:
        """The categories of a region, by its labels or by the control asked for."""
        name, region, key = mark
        if attributes is not None:
            labels = attributes.get((name, str(region.get("id"))), ())
        else:
            labels = region["value"].get(key) or ()
        if not isinstance(labels, list | tuple):
            raise InputError(f"'{key}' is {labels!r} where a list of labels is expected")
        names = [str(label) for label in labels if label is not None]
        if len(names) < 2:
            return names or [""]
        if self.options.labels == "join":
            self.draft.note(FormatFact.LABELS_JOINED)
            return ["|".join(sorted(names))]
        self.draft.note(FormatFact.LABELS_SEPARATE)
        return names

    def attributes(self, works: Sequence[tuple[str, Work]]) -> Attributes | None:
        """The values of the control that gives the categories; None when labels give them."""
        if self.options.category_from is None:
            return None
        found: dict[tuple[str, str], list[str]] = {}
        for name, region in ((name, region) for name, work in works for region in work.result):
            value = region.get("value")
            if self._gives_category(region) and isinstance(value, dict):
                chosen = next((one for one in value.values() if isinstance(one, list)), [])
                found[name, str(region.get("id"))] = [
                    "/".join(map(str, one)) if isinstance(one, list) else str(one)
                    for one in chosen
                    if one is not None
                ]
        return found

    def check(self, unread: Iterable[RawTask], whole: WholeTasks) -> None:
        """Refuse a layer or a control of categories that no result names; `unread` are the tasks
        in which no region was asked for.
        """
        asked = {name for shape, key in self.shapes.items() if key for name in shape[1:3]}
        asked |= whole.taken
        others = {
            str(region.get(side))
            for task in unread
            for work in task.work
            for region in work.result
            if label_key(region)
            for side in ("from_name", "to_name")
        } | whole.names
        missing = [layer for layer in self.layers if layer not in asked]
        if missing and not asked and others:
            raise SettingsError(
                f"there is no control or object {_listed(missing)}; there are {_listed(others)}"
            )
        if missing and asked:
            self.draft.note(FormatFact.LAYER_UNUSED, names=_listed(missing))
        control = self.options.category_from
        controls = {str(shape[1]) for shape in self.shapes}
        if control is not None and asked and control not in controls:
            raise SettingsError(
                f"there is no control '{control}' in any region; there are {_listed(controls)}"
            )

    def _asked_for(self, region: Region) -> bool:
        layers = self.layers
        return not layers or region.get("from_name") in layers or region.get("to_name") in layers


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in sorted(names))


def _require_value(region: Region, where: str) -> None:
    if not isinstance(region.get("value"), dict):
        raise InputError("the region has no value", where=where)
