"""Small exports in the shapes that a real Label Studio 1.23 writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def region(start: Any, end: Any, *labels: str, kind: str = "labels", **more: Any) -> Json:
    """A labelled region; `more` goes to the value, but for the names of a result's own fields."""
    own = {key: more.pop(key) for key in OWN if key in more}
    value = {"start": start, "end": end, **more, kind: list(labels)}
    return {
        "id": "r1",
        "from_name": "label",
        "to_name": "text",
        "type": kind,
        "origin": "manual",
        "value": value,
    } | own


OWN = ("id", "from_name", "to_name", "type", "origin", "value", "meta", "original_length", "score")


def annotation(by: Any, *result: Json, **fields: Any) -> Json:
    return {
        "id": 1,
        "completed_by": by,
        "result": list(result),
        "was_cancelled": False,
        "ground_truth": False,
        "created_at": "2026-11-16T01:00:47.661503Z",
        "updated_at": "2026-11-16T01:00:47.661543Z",
        "lead_time": 12.3,
        "result_count": 0,
        "parent_prediction": None,
        "parent_annotation": None,
    } | fields


def task(number: Any, data: Json, *annotations: Json, **fields: Any) -> Json:
    return {
        "id": number,
        "annotations": list(annotations),
        "drafts": [],
        "predictions": [],
        "data": data,
        "meta": {},
        "total_annotations": len(annotations),
        "project": 5,
    } | fields


def save(path: Path, *tasks: Json) -> Path:
    path.write_text(json.dumps(tasks, ensure_ascii=False), encoding="utf-8")
    return path
