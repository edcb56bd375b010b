"""The JSON result is what docs/result.schema.json says, and the schema names all of it.

The schema is generated from the types by which results are written and read.
"""

from __future__ import annotations

import json
import runpy
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from goldspan.engine import Corpus, score
from goldspan.engine.schema.types import ResultJson
from goldspan.engine.settings import Chance
from goldspan.plugin.cli import main
from report_corpora import recordings, texts

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "result.schema.json").read_text(encoding="utf-8"))


def closed(schema: Any) -> Any:
    """The schema without room for names that it does not list."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    own = {key: closed(value) for key, value in schema.items()}
    if isinstance(own.get("properties"), dict) and "required" in own:
        own["additionalProperties"] = False
    return own


RECORDED = Path(__file__).parent / "recorded" / "result-0.1.json"
CLOSED = Draft202012Validator(closed(SCHEMA))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_the_page_is_what_the_types_say() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_schema.py"))["render"]()
    assert (ROOT / "docs" / "result.schema.json").read_text(encoding="utf-8") == made


def test_the_names_of_chance_are_those_that_can_be_asked_for() -> None:
    asked = SCHEMA["$defs"]["SettingsJson"]["properties"]["chance_asked"]["enum"]
    used = SCHEMA["$defs"]["TaskJson"]["properties"]["chance"]["enum"]
    assert asked == [one.value for one in Chance]
    assert used == [one.value for one in Chance if one is not Chance.AUTO]


def test_a_result_of_0_1_follows_it() -> None:
    value = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert [error.message for error in CLOSED.iter_errors(value)] == []


@pytest.mark.parametrize("name", ["one task", "recordings"])
def test_a_result_is_the_same_after_the_types(name: str) -> None:
    """What is written is read as it was, key by key, and further names are left aside."""
    text = json.dumps(score(CORPORA[name], precision=0.2).as_json())
    read = msgspec.convert(json.loads(text) | {"further": 1}, ResultJson)
    assert json.dumps(msgspec.to_builtins(read)) == text


CORPORA = {
    "texts": texts(6),
    "recordings": recordings(),
    "one task": texts(1),
    "two annotators": Corpus(tuple(c.only(["ann", "bob"]) for c in texts(3).continua)),
    "one left out": Corpus((*texts(5).continua[1:], texts(1).continua[0].only(["ann"]))),
}


@pytest.mark.parametrize("name", CORPORA)
def test_results_follow_the_schema(name: str) -> None:
    value = json.loads(json.dumps(score(CORPORA[name], precision=0.2).as_json()))

    assert [error.message for error in CLOSED.iter_errors(value)] == []


def test_the_command_line_follows_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    newsroom = ROOT / "examples" / "newsroom"
    assignments = ["--assignments", str(newsroom / "spans.assignments.csv")]
    options = ["--json", "-", "--quiet", "--precision", "0.1"]
    assert main(["score", str(newsroom / "spans.csv"), *assignments, *options]) == 0

    value = json.loads(capsys.readouterr().out)
    assert [error.message for error in CLOSED.iter_errors(value)] == []


@pytest.mark.parametrize("path", [("corpus", "gamma", "value"), ("tasks",), ("settings", "seed")])
def test_a_result_with_a_part_missing_does_not(path: tuple[str, ...]) -> None:
    value = deepcopy(score(CORPORA["one task"], precision=0.2).as_json())
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]

    assert not Draft202012Validator(SCHEMA).is_valid(value)
