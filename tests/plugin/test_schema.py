"""The JSON result is what docs/result.schema.json says, and the schema names all of it."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from goldspan.engine import Corpus, score
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


CLOSED = Draft202012Validator(closed(SCHEMA))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


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
