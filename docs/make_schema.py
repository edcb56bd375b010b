"""Writes result.schema.json, annotators.schema.json and json.md beside this script, from the types
of the JSON.

`make docs` runs it; tests compare.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from goldspan.engine.annotators.document import ProfilesJson
from goldspan.engine.schema.types import ResultJson

SCHEMA = Path(__file__).with_name("result.schema.json")
ANNOTATORS = Path(__file__).with_name("annotators.schema.json")
PAGE = Path(__file__).with_name("json.md")
INTRODUCTION = """\
# JSON

`goldspan score --json FILE` writes everything that was measured, for programs. `goldspan compare`
reads it. Keys do not change within `"schema": 1`; new ones may be added. For validators,
[result.schema.json](result.schema.json) says the same as this page in JSON Schema.

```python
import json
from pathlib import Path

from goldspan.adapters import read
from goldspan.engine import score

corpus = read("examples/newsroom/spans.csv", assignments="examples/newsroom/spans.assignments.csv")
Path("result.json").write_text(json.dumps(score(corpus).as_json()), encoding="utf-8")

result = json.loads(Path("result.json").read_text(encoding="utf-8"))
gamma = result["corpus"]["gamma"]
print(gamma["value"], gamma["low"], gamma["high"])
for task in result["tasks"]:
    print(task["id"], task["gamma"]["value"])
```

An undefined figure is `null`, and its `reason` says why. The file is one [ResultJson](#resultjson).

<!-- Written by `make docs` from the types. -->
"""


def render() -> str:
    """The schema of a result as a file."""
    return rendered("Result of goldspan score --json", ResultJson)


def render_annotators() -> str:
    """The schema of `goldspan annotators --json` as a file."""
    return rendered("Result of goldspan annotators --json", ProfilesJson)


def rendered(title: str, kind: type) -> str:
    """The schema of a type as a file, the same with every Python."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    value = _dedented(head | msgspec.json.schema(kind))
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _dedented(value: Any) -> Any:
    """The same with descriptions as Python 3.13 has docstrings: without their indentation."""
    if isinstance(value, dict):
        return {
            key: inspect.cleandoc(one)
            if key == "description" and isinstance(one, str)
            else _dedented(one)
            for key, one in value.items()
        }
    return [_dedented(one) for one in value] if isinstance(value, list) else value


def page() -> str:
    """The page: a section for each type, with a row for each key."""
    lines = [INTRODUCTION]
    kinds = msgspec.json.schema(ResultJson)["$defs"]
    for name, kind in kinds.items():
        lines += [f"## {name}", "", kind.get("description", ""), "", *_content(kind, kinds), ""]
    return "\n".join(lines).rstrip() + "\n"


def _content(kind: Mapping[str, Any], kinds: Mapping[str, Any]) -> Iterator[str]:
    if "properties" not in kind:
        yield f"Its form: {_type(kind)}."
        return
    yield "| key | value | what it is |"
    yield "|---|---|---|"
    needed = kind.get("required", ())
    for key, value in kind["properties"].items():
        optional = "" if key in needed else " (may be missing)"
        yield f"| `{key}`{optional} | {_type(value)} | {_about(value, kinds)} |"


def _about(value: Mapping[str, Any], kinds: Mapping[str, Any]) -> str:
    """What a key says of itself, or else what its type says."""
    inner = value.get("items") or value.get("additionalProperties") or value
    named = kinds.get(str(inner.get("$ref", "")).rpartition("/")[2], {})
    return str(value.get("description") or named.get("description", ""))


def _type(value: Mapping[str, Any]) -> str:
    """A type in words, with links to the types of this page."""
    if "$ref" in value:
        name = str(value["$ref"]).rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in value:
        return " or ".join(dict.fromkeys(map(_type, value["anyOf"])))
    if "enum" in value:
        return ", ".join(f"`{json.dumps(one, ensure_ascii=False)}`" for one in value["enum"])
    kind = str(value.get("type", "any value"))
    if kind == "array":
        return _array(value)
    if isinstance(value.get("additionalProperties"), dict):
        return f"object, by name: {_type(value['additionalProperties'])}"
    return kind


def _array(value: Mapping[str, Any]) -> str:
    if "prefixItems" in value:
        return f"array: {', '.join(map(_type, value['prefixItems']))}"
    return f"array of {_type(value['items'])}" if value.get("items") else "array"


if __name__ == "__main__":
    SCHEMA.write_text(render(), encoding="utf-8")
    ANNOTATORS.write_text(render_annotators(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
