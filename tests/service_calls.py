"""Calls to /predict, as Label Studio makes them."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

CONFIG = (
    '<View><Labels name="label" toName="text"><Label value="PER"/><Label value="LOC"/></Labels>'
    '<Text name="text" value="$text"/></View>'
)
TEXT = "Ada Obi met Ben Cole in Port Alder"


def region(start: int, end: int, label: str) -> Json:
    return {
        "id": f"r{start}", "from_name": "label", "to_name": "text", "type": "labels",
        "origin": "manual",
        "value": {"start": start, "end": end, "text": TEXT[start:end], "labels": [label]},
    }  # fmt: skip


def task(number: int, people: int = 3, **more: Any) -> Json:
    """As Label Studio sends it: the third person ends the second name too early."""
    annotations = [
        {
            "id": 100 * number + person,
            "completed_by": person,
            "was_cancelled": False,
            "result": [region(0, 7, "PER"), region(12, 20 - 5 * (person // 3), "PER")],
        }
        for person in range(1, people + 1)
    ]
    return {
        "id": number, "data": {"text": TEXT}, "annotations": annotations, "predictions": [],
        "is_labeled": people >= 3, "overlap": 3, "project": 7,
    } | more  # fmt: skip


def body(*tasks: Json) -> Json:
    return {
        "tasks": list(tasks), "project": "7.1794792921", "label_config": CONFIG,
        "params": {"login": None, "password": None, "context": None},
    }  # fmt: skip
