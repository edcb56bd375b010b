"""Writes result.schema.json beside this script, from the types of a result's JSON.

`make docs` runs it; a test compares.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from goldspan.engine.schema.types import ResultJson

PAGE = Path(__file__).with_name("result.schema.json")
HEAD = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Result of goldspan score --json",
}


def render() -> str:
    """The schema."""
    return json.dumps(HEAD | msgspec.json.schema(ResultJson), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
