"""Mark: the fields of a task's data that say it was given to one more annotator.

`ROUTE` says who should take the task, `OVERLAP` how many annotators it was for before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from goldspan.adapters.label_studio.provenance import column

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import Json

ROUTE, OVERLAP = column("route"), column("overlap")
MARK = "another annotator"
"""How the text of `ROUTE` begins, and what the tab looks for."""


def marked(data: Mapping[str, Json], name: str, overlap: int) -> dict[str, Json]:
    """The data with a mark for the person of this name, "" for nobody in particular."""
    return {**data, ROUTE: f"{MARK}: {name}" if name else MARK, OVERLAP: overlap}


def without(data: Mapping[str, Json], *names: str) -> dict[str, Json]:
    """The data without these fields."""
    return {key: value for key, value in data.items() if key not in names}


def is_routed(data: Json) -> bool:
    """Whether goldspan routed the task: a field of a person's own has not this company."""
    return isinstance(data.get(OVERLAP), int | float) and (
        ROUTE not in data or str(data[ROUTE]).startswith(MARK)
    )


def is_marked(data: Json) -> bool:
    """Whether the task was given to somebody of whom nobody has said that they came."""
    return is_routed(data) and str(data.get(ROUTE, "")).startswith(MARK)
