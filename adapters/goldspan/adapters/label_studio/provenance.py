"""Provenance: how to tell what goldspan wrote in a Label Studio project from people's work."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from goldspan.adapters.kit.roundtrip import KEY

REGION = f"{KEY}-"
"""How the ids of suggested regions begin. A person who starts from a suggestion keeps them."""

COLUMNS = tuple(
    f"{KEY}_{name}" for name in ("gamma", "gamma_cat", "annotators", "to_decide", "differ")
)
"""The keys that goldspan puts into a task's data, and has ever put there."""

VERSION = re.compile(rf"{KEY}(-[0-9a-f]{{8}} \(\d+ tasks?\))?")
"""The model versions of our predictions: of a sync, and of a retrieval."""


def is_our_version(model_version: Any) -> bool:
    """Whether predictions of this model version are goldspan's."""
    return VERSION.fullmatch(str(model_version)) is not None


def is_our_region(region: Mapping[str, Any]) -> bool:
    """Whether goldspan suggested the region, however it was changed since."""
    meta = region.get("meta")
    return (isinstance(meta, dict) and KEY in meta) or str(region.get("id", "")).startswith(REGION)
