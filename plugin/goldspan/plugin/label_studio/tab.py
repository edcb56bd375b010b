"""The tab: "Low agreement" in the Data Manager, the worst task first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from goldspan.adapters.leftover import KEY
from goldspan.plugin.label_studio.columns import GAMMA, GAMMA_CAT

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

Json = Any


def missing_tabs(tabs: Sequence[Json], low: float | None) -> list[Json]:
    """What is to be added. Whoever opens a project without tabs gets one with all tasks from
    Label Studio; next to ours it would not make it, so we do. Once a person changes it, our mark
    is gone, and it is theirs.
    """
    if our_tabs(tabs):
        return []
    ours = tab_data(LOW if low is None else low)
    return [ours] if tabs else [{"title": "Default", "hiddenColumns": SHOWN, KEY: True}, ours]


def traces(tabs: Sequence[Json]) -> list[Json]:
    """Every tab that goldspan made and nobody has made their own."""
    made = [tab for tab in tabs if (tab.get("data") or {}).get(KEY)]
    return [*made, *our_tabs(tabs)]


def tab_data(low: float) -> Json:
    """What our tab holds when it is new."""
    return {
        "title": TITLE,
        "filters": {
            "conjunction": "and",
            "items": [
                {
                    "filter": f"filter:tasks:data.{GAMMA}",
                    "operator": "less",
                    "type": "Number",
                    "value": low,
                }
            ],
        },
        "ordering": [f"tasks:data.{GAMMA}"],
        "hiddenColumns": SHOWN,
        "columnsDisplayType": {f"tasks:data.{key}": "Number" for key in (GAMMA, GAMMA_CAT)},
    }


def our_tabs(tabs: Sequence[Json]) -> list[Json]:
    """The tabs that are ours: of our title, and filtering by our column."""
    return [
        tab
        for tab in tabs
        if (tab.get("data") or {}).get("title") == TITLE
        and f"data.{GAMMA}" in json.dumps((tab.get("data") or {}).get("filters"))
    ]


def at_limit(tab: Json, low: float) -> Json | None:
    """The tab's data with this limit; None when it has it. All else stays as people set it."""
    data = json.loads(json.dumps(tab["data"]))
    changed = False
    for item in data["filters"].get("items", ()):
        ours = f"data.{GAMMA}" in str(item.get("filter")) and item.get("operator") == "less"
        if ours and item.get("value") != low:
            item["value"] = low
            changed = True
    return data if changed else None
