"""Provenance: how to tell what goldspan wrote in a Label Studio project from people's work."""

from __future__ import annotations

import copy
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from goldspan.adapters.kit.digest import digest
from goldspan.adapters.kit.roundtrip import KEY

REGION = f"{KEY}-"
"""How the ids of suggested regions begin. A person who starts from a suggestion keeps them."""

COLUMNS = tuple(
    f"{KEY}_{name}"
    for name in ("gamma", "gamma_cat", "annotators", "to_decide", "differ", "settled")
)
"""The keys that goldspan puts into the data of every task that it scores, and has ever put there;
a figure that is undefined is left out.
"""

COEFFICIENTS = f"{KEY}_coefficients"
"""The key that lists the other coefficients of a task. Each has a column too, `goldspan_<key>`, and
by this list goldspan knows its own columns from people's fields, whatever is installed now.
"""

_LIST = re.compile(r"measured by goldspan: ([a-z][a-z0-9_]*(?:, [a-z][a-z0-9_]*)*)")

VERSION = re.compile(rf"{KEY}(-[0-9a-f]{{8}} \(\d+ tasks?\))?")
"""The model versions of our predictions: of a sync, and of a retrieval."""


SEAL = "seal"
"""The mark in the regions of ground truth that goldspan wrote and nobody has edited."""


def is_our_version(model_version: Any) -> bool:
    """Whether predictions of this model version are goldspan's."""
    return VERSION.fullmatch(str(model_version)) is not None


def is_our_region(region: Mapping[str, Any]) -> bool:
    """Whether goldspan suggested the region, however it was changed since."""
    meta = region.get("meta")
    return (isinstance(meta, dict) and KEY in meta) or str(region.get("id", "")).startswith(REGION)


def column(key: str) -> str:
    """The name of a coefficient's column."""
    return f"{KEY}_{key}"


def list_coefficients(keys: Iterable[str]) -> str:
    """What the list of a task's other coefficients says."""
    return f"measured by goldspan: {', '.join(keys)}"


def listed_coefficients(said: Any) -> tuple[str, ...]:
    """The keys of the coefficients in a list; none if goldspan did not write it."""
    found = _LIST.fullmatch(said) if isinstance(said, str) else None
    return tuple(found[1].split(", ")) if found else ()


def truth_id(project: int, task: int) -> str:
    """The unique id of the ground truth that goldspan writes; a server takes each id once."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{KEY}:ground-truth:{project}:{task}"))


def adjudicated_id(project: int, task: int, result: Sequence[Any]) -> str:
    """The unique id of ground truth that adjudicators settled with goldspan. It names the regions,
    so that a change by a person makes the annotation theirs.
    """
    said = f"{KEY}:adjudicated:{project}:{task}:{digest(result)}"
    return str(uuid.uuid5(uuid.NAMESPACE_URL, said))


def sealed(result: Sequence[Any]) -> list[Any]:
    """The regions with a seal over them all, which any change breaks."""
    seal = digest(result)
    return [
        region | {"meta": region["meta"] | {KEY: region["meta"][KEY] | {SEAL: seal}}}
        for region in result
    ]


def is_sealed(result: Sequence[Any]) -> bool:
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
