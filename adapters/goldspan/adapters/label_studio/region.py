"""A region as Label Studio stores it: where its labels are, and what it is on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Region: TypeAlias = Mapping[str, Any]
"""A result: id, from_name, to_name, type, value."""

LABEL_KEYS = (
    "labels",
    "hypertextlabels",
    "paragraphlabels",
    "timeserieslabels",
    "timelinelabels",
)
"""Where a region's value keeps its labels; `type` usually says which."""

LINKS = ("http://", "https://", "s3://", "gs://", "azure-blob://", "/data/")


def label_key(region: Region) -> str:
    """The key under which the region's value has, or would have, its labels; "" for none."""
    kind = region.get("type")
    if kind in LABEL_KEYS:
        value = region.get("value")
        if isinstance(value, dict) and kind not in value:
            return next((key for key in LABEL_KEYS if key in value), str(kind))
        return str(kind)
    return ""


def medium_name(region: Region, data: Mapping[str, Any]) -> str:
    """Which medium the region is on, by its value, and by the task's data where old regions in a
    recording have nothing but fractions of a second.
    """
    given = region.get("value")
    value: Mapping[str, Any] = given if isinstance(given, dict) else {}
    if "ranges" in value:
        return "video"
    if "globalOffsets" in value or str(value.get("start", "")).startswith("/"):
        return "hypertext"
    if "startOffset" in value:
        return "paragraphs"
    key = label_key(region)
    if key != "labels":
        return {"timeserieslabels": "timeseries", "timelinelabels": "video"}.get(key, "text")
    if "channel" in value or "original_length" in region:
        return "audio"
    fractional = isinstance(value.get("start"), float) or isinstance(value.get("end"), float)
    unread = "text" not in value and not _is_prose(data, str(region.get("to_name")))
    return "audio" if fractional and unread else "text"


def _is_prose(data: Mapping[str, Any], shown: str) -> bool:
    """Whether the data is words to read: a recording is a link, or a name in one word."""
    fields = [data[shown]] if shown in data else data.values()
    texts = [one for one in fields if isinstance(one, str)]
    return bool(texts) and all(len(one.split()) > 1 and not one.startswith(LINKS) for one in texts)
