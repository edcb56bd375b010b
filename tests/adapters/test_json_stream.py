"""Streaming gives what `json.load` gives, wherever the window ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.adapters import json_stream
from goldspan.adapters.json_stream import elements
from goldspan.engine.errors import InputError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=8,
)


def values(path: Path) -> list[Any]:
    return [value for _, value in elements(path)]


@given(
    st.lists(VALUES, max_size=6),
    st.sampled_from([None, 1]),
    st.booleans(),
    st.integers(1, 40),
)
def test_the_same_as_json_load(
    tmp_path_factory: pytest.TempPathFactory,
    array: list[Any],
    indent: int | None,
    ascii_only: bool,
    window: int,
) -> None:
    path = tmp_path_factory.getbasetemp() / "stream.json"
    text = json.dumps(array, indent=indent, ensure_ascii=ascii_only)
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "WINDOW", window)
        assert values(path) == array


def test_lines_are_those_of_the_elements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.json"
    path.write_text('[\n{"a":\n1},\r\n\n{"b": 2}, 3\n, 4]\n', encoding="utf-8")
    for window in (1, 5, 1000):
        monkeypatch.setattr(json_stream, "WINDOW", window)
        assert [line for line, _ in elements(path)] == [2, 5, 5, 6]


def test_one_value_that_is_no_array(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('\ufeff {"a": [1, 2]} \n', encoding="utf-8")
    assert values(path) == [{"a": [1, 2]}]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", ":1: the JSON ends too early"),
        ("[", ":1: the JSON ends too early"),
        ('[{"a": 1},', ":1: the JSON ends too early"),
        ('[{"a": 1}', ":1: a comma or the end of the list is missing"),
        ('[{"a": 1}\n{"b": 1}]', ":2: a comma or the end of the list is missing"),
        ('[\n{"a": 1,\n}]', ":3: this is not JSON: "),
        ("[1] 2", ":1: there is more after the end"),
        ('{"a": 1}\n{"b": 2}', ":2: there is more after the end"),
        ("[" * 100_000, ":1: the JSON is nested too deeply"),
        ("[nul]", ":1: this is not JSON: "),
        ('[1, 2, {"a": "b', ":1: this is not JSON: Unterminated string in item 3; export it again"),
    ],
)
def test_broken_json_names_the_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=rf"^{path}{message}"):
        values(path)


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b'[\n{"a": "\xe9"}]')
    with pytest.raises(InputError, match=rf"^{path}:2: the byte 0xe9 is no UTF-8"):
        values(path)


def test_utf16_is_read_where_the_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('[{"a": "é😀"}]', encoding="utf-16")
    assert values(path) == [{"a": "é😀"}]
