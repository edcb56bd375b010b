"""The tab: "Low agreement" in the Data Manager, the worst task first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from goldspan.adapters.kit.roundtrip import KEY
from goldspan.plugin.label_studio.columns import (
    AGREEMENT,
    ANNOTATORS,
    DIFFER,
    GAMMA,
    GAMMA_CAT,
    NO,
    SETTLED,
    TO_DECIDE,
)

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import Json

TITLE = "Low agreement"
LOW = 0.6
"""Below this γ a task is in the tab, unless somebody says otherwise."""

HIDDEN = tuple(
    f"tasks:{name}"
    for name in (
        "inner_id", "completed_at", "cancelled_annotations", "annotations_results",
        "annotations_ids", "predictions_score", "predictions_model_versions",
        "predictions_results", "file_upload", "storage_filename", "created_at", "updated_at",
        "updated_by", "avg_lead_time", "draft_exists",
    )
)  # fmt: skip
"""Columns that would push ours out of sight; Label Studio shows all that are not named."""

SHOWN = {"explore": list(HIDDEN), "labeling": list(HIDDEN)}

COUNTS = ("tasks:total_annotations", "tasks:total_predictions", "tasks:annotators")
"""Columns of Label Studio's that say less than ours, hidden in our tab."""

WIDTHS = {
    "tasks:id": 50,
    f"tasks:data.{GAMMA}": 120,
    f"tasks:data.{GAMMA_CAT}": 160,
    f"tasks:data.{ANNOTATORS}": 155,
    f"tasks:data.{TO_DECIDE}": 145,
    f"tasks:data.{DIFFER}": 260,
    f"tasks:data.{SETTLED}": 125,
}
"""In pixels, to which Label Studio adds 20: all of ours fit on a screen that is 1440 wide."""

NUMBERS = (GAMMA, GAMMA_CAT)

OPEN = {
    "filter": f"filter:tasks:data.{SETTLED}",
    "operator": "equal",
    "type": "String",
    "value": NO,
}
"""The filter that leaves out tasks that a person settled."""


def missing_tabs(
    tabs: Sequence[Json], low: float | None, numbers: Sequence[str] = NUMBERS, by: str = GAMMA
) -> list[Json]:
    """The tabs to add; ours displays the columns in `numbers` as numbers, and lists tasks by the
    column `by`. Label Studio creates a tab with all tasks for a project without tabs. Next to
    goldspan's tab it would not, so goldspan does.
    """
    if our_tabs(tabs):
        return []
    ours = tab_data(LOW if low is None else low, numbers, by)
    return [ours] if tabs else [{"title": "Default", "hiddenColumns": SHOWN, KEY: True}, ours]


def surplus_tabs(tabs: Sequence[Json]) -> list[Json]:
    """Tabs that two syncs at once made twice; what a person changed is never one of them."""
    ours = our_tabs(tabs)
    low = [tab for tab in ours if _is_new(tab)]
    everything = [tab for tab in tabs if _is_new(tab) and tab not in ours]
    # One that a person saved under our title is the first, and those as we made them the doubles.
    saved = any(not _is_new(tab) and _is_as_titled(tab) for tab in ours)
    return [*(low if saved else low[1:]), *everything[1:]]


def traces(tabs: Sequence[Json]) -> list[Json]:
    """Every tab that goldspan made and nobody has made their own: by a change to the one with all
    tasks, by a filter of their own in the other.
    """
    ours = our_tabs(tabs)
    return [
        tab
        for tab in tabs
        if _is_new(tab) or (tab in ours and all(_is_our_filter(one) for one in tab_filters(tab)))
    ]


def tab_data(low: float, numbers: Sequence[str] = NUMBERS, by: str = GAMMA) -> Json:
    """What our tab holds when it is new."""
    return {
        "title": TITLE,
        "filters": {
            "conjunction": "and",
            "items": [
                {
                    "filter": f"filter:tasks:data.{by}",
                    "operator": "less",
                    "type": "Number",
                    "value": low,
                },
                OPEN,
            ],
        },
        "ordering": [f"tasks:data.{by}"],
        "hiddenColumns": {where: [*names, *COUNTS] for where, names in SHOWN.items()},
        "columnsWidth": WIDTHS,
        "columnsDisplayType": _displayed(numbers),
        KEY: True,
    }


def our_tabs(tabs: Sequence[Json]) -> list[Json]:
    """The tabs with low agreement, under any title and with any filter. The page keeps how columns
    are displayed, and nobody else displays these two as numbers; keys it does not know it drops.
    """
    return [
        tab
        for tab in tabs
        if _displayed(NUMBERS).keys() <= (_data(tab).get("columnsDisplayType") or {}).keys()
        or _is_as_titled(tab)
    ]


def renewed(tab: Json, low: float | None) -> Json | None:
    """The tab's data with this limit, and without settled tasks if nobody has changed it; None when
    it is so. All else stays as people set it.
    """
    data = json.loads(json.dumps(tab["data"]))
    changed = False
    items = (data.get("filters") or {}).get("items", ())
    if _is_new(tab) and items and not any(SETTLED in str(one.get("filter")) for one in items):
        items.append(dict(OPEN))
        changed = True
    for item in items:
        if low is None:
            break
        if _is_our_filter(item) and item.get("operator") == "less" and item.get("value") != low:
            item["value"] = low
            changed = True
    return data if changed else None


def _displayed(numbers: Sequence[str]) -> dict[str, str]:
    return {f"tasks:data.{name}": "Number" for name in numbers}


def _data(tab: Json) -> Json:
    return tab.get("data") or {}


def tab_filters(tab: Json) -> list[Json]:
    """What a tab filters by."""
    return list((_data(tab).get("filters") or {}).get("items") or ())


def _is_our_filter(item: Json) -> bool:
    said = str(item.get("filter"))
    return any(f"data.{name}" in said for name in (GAMMA, AGREEMENT, SETTLED))


def _is_as_titled(tab: Json) -> bool:
    """Whether it has our title, and filters by our column."""
    return _data(tab).get("title") == TITLE and any(_is_our_filter(one) for one in tab_filters(tab))


def _is_new(tab: Json) -> bool:
    """Whether it is as goldspan made it: the page saves a tab without our mark."""
    return bool(_data(tab).get(KEY))
