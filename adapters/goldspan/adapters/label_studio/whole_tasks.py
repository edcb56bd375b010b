"""Labels of whole tasks in Label Studio: what Choices, Taxonomy and Rating give without a region.

A result of one of these controls that belongs to a region has the region's id or its place; it is
an attribute of a span, and not read here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from goldspan.adapters.kit.channels import without_channels
from goldspan.adapters.label_studio.layer_control import KINDS, RATING, TAXONOMY, LayerControl
from goldspan.adapters.label_studio.region import Region, label_key
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.adapters.kit.draft import Draft
    from goldspan.adapters.kit.task_draft import TaskDraft
    from goldspan.adapters.label_studio.tasks import RawTask, Work


class WholeTasks:
    """Takes labels of whole tasks out of results. `names` are the controls and objects that were
    met, `taken` those whose labels were asked for.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.draft.layers.by_name = False
        self.layers = without_channels(draft.options.layers)
        self.names: set[str] = set()
        self.taken: set[str] = set()

    def declare(self, controls: Iterable[LayerControl]) -> None:
        """The layers that a configuration names, whether or not somebody used them."""
        for one in controls:
            if not self.layers or {one.name, one.object}.intersection(self.layers):
                self.draft.layers.declare(one.name, one.labels)

    def take(self, draft: TaskDraft, work: Sequence[tuple[str, Work]]) -> None:
        """Add the labels to the task; the results that remain are regions."""
        for name, one in work:
            found = whole_results(one.result)
            if found:
                taken = set(map(id, found))
                one.result = tuple(region for region in one.result if id(region) not in taken)
            for region in found:
                self._add(draft, name, region)

    def _add(self, draft: TaskDraft, name: str, region: Region) -> None:
        sides = {control_name(region), str(region.get("to_name") or "")}
        self.names |= sides
        if self.layers and not sides.intersection(self.layers):
            return
        self.taken |= sides
        source = str(region.get("id", ""))
        layer = control_name(region)
        self.draft.layers.declare(layer)
        for label in labels_of(region, draft.place(source)):
            draft.label(layer, name, label, source)


def whole_results(result: Sequence[Region]) -> list[Region]:
    """The results that label the whole task."""
    found = [region for region in result if region.get("type") in KINDS and _has_no_place(region)]
    if not found:
        return found
    spans = {str(region.get("id")) for region in result if label_key(region)}
    return [region for region in found if "id" not in region or str(region["id"]) not in spans]


def _has_no_place(region: Region) -> bool:
    value = region.get("value")
    return isinstance(value, dict) and set(value) == {region.get("type")}


def control_name(region: Region) -> str:
    """The control that gave a result, which is what the layer is called."""
    return str(region.get("from_name") or region.get("type"))


def labels_of(region: Region, where: str) -> list[str]:
    """The labels that a result gives: the choices, the leaves of a taxonomy, or the rating."""
    kind = str(region["type"])
    given = region["value"][kind]
    if kind == RATING:
        if isinstance(given, bool) or not isinstance(given, (int, float)) or given - given != 0:
            raise InputError(f"the rating is {given!r}, not a number", where=where)
        return [str(int(given) if given == int(given) else given)]
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, list):
        raise InputError(f"'{kind}' is {given!r} where a list is expected", where=where)
    leaves = [one[-1] if kind == TAXONOMY and isinstance(one, list) and one else one
              for one in given if one is not None]  # fmt: skip
    for leaf in leaves:
        if isinstance(leaf, bool) or not isinstance(leaf, (str, int, float)) or leaf == "":
            raise InputError(f"'{kind}' has {leaf!r} where a label is expected", where=where)
    return [str(leaf) for leaf in leaves]


def layer_controls(task: RawTask, known: Mapping[str, LayerControl]) -> dict[str, LayerControl]:
    """The controls that label whole tasks, by name: the known ones and those of another task; a
    taxonomy has the paths of its labels.
    """
    found = dict(known)
    for region in (one for work in task.work for one in whole_results(work.result)):
        name, kind = control_name(region), str(region["type"])
        paths = dict(found[name].paths) if name in found else {}
        given = region["value"][kind]
        for path in given if kind == TAXONOMY and isinstance(given, list) else ():
            if isinstance(path, list) and path:
                paths.setdefault(str(path[-1]), tuple(map(str, path)))
        found[name] = LayerControl(name, kind, str(region.get("to_name") or "text"), paths=paths)
    return found
