"""Ground truth: gold as a separate annotation, and whether a person has edited it."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING

from goldspan.adapters.kit.roundtrip import KEY
from goldspan.plugin.service.settled import digest

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import Json


SEAL = "seal"


def truth_id(project: int, task: int) -> str:
    """The unique id of the ground truth that goldspan writes; a server takes each id once."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{KEY}:ground-truth:{project}:{task}"))


def sealed(result: Sequence[Json]) -> list[Json]:
    """The regions with a seal over them all, which any change breaks."""
    seal = digest(result)
    return [
        region | {"meta": region["meta"] | {KEY: region["meta"][KEY] | {SEAL: seal}}}
        for region in result
    ]


def is_sealed(result: Sequence[Json]) -> bool:
    """Whether the regions are just as goldspan wrote them. It never writes none at all: a person
    who took them all out has decided.
    """
    opened = copy.deepcopy(list(result))
    seals = set()
    for region in opened:
        meta = region.get("meta")
        mark = meta.get(KEY) if isinstance(meta, dict) else None
        seals.add(mark.pop(SEAL, None) if isinstance(mark, dict) else None)
    return bool(opened) and seals == {digest(opened)}
