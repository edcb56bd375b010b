"""Label tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldspan.adapters.kit.labels import read_labels
from goldspan.engine.errors import InputError


@pytest.mark.parametrize(
    "content",
    [
        'Person,PER\n"a, b",AB\n',
        'old,new\r\nPerson,PER\r\n"a, b",AB',
        '{"Person": "PER", "a, b": "AB"}',
    ],
)
def test_both_forms(tmp_path: Path, content: str) -> None:
    path = tmp_path / "labels"
    path.write_text(content, encoding="utf-8")
    assert read_labels(path) == {"Person": "PER", "a, b": "AB"}


def test_labels_in_brackets_are_no_json(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text("[PER],[LOC]\n", encoding="utf-8")
    assert read_labels(path) == {"[PER]": "[LOC]"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\nc\n", ":2: there are 1 columns"),
        ("a,\n", ":1: a label is empty"),
        ("a,b\na,c\n", ":2: 'a' is renamed twice"),
        ('a,"b"c\n', ":1: the quoting is broken"),
        ('{"a": "b"\n"c": "d"}', ":2: this is not JSON"),
        ('{"a": ' * 100_000, ":1: this JSON is nested too deeply"),
        ("[" * 100_000, ":1: this JSON is nested too deeply"),
        ("[1,2]", ": this is not a JSON object"),
        (f'{{"a": {"9" * 5000}}}', ":1: a number has more digits"),
        ('{"a": 3}', ": a label is renamed to something that is not text"),
    ],
)
def test_bad_tables(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "labels"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=rf"^{path}{message}"):
        read_labels(path)
