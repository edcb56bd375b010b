"""Streaming gives what `json.load` gives, by msgspec and from a window, wherever that ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.adapters.files import json_stream
from goldspan.adapters.files.json_stream import elements
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


def outcome(path: Path) -> list[str]:
    """Each line and value, then the error there may be; numbers and NaN as they are written."""
    found = []
    try:
        found.extend(repr(element) for element in elements(path))
    except InputError as error:
        found.append(str(error))
    return found


def windowed(path: Path) -> Any:
    return patch.object(json_stream, "LARGEST", path.stat().st_size - 1)


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
    assert values(path) == array
    with windowed(path), patch.object(json_stream, "WINDOW", window):
        assert values(path) == array


JSON = st.lists(VALUES | st.floats() | st.integers(-(10**30), 10**30), min_size=1, max_size=5)
BLANK = st.text(" \t\r\n", max_size=3)
SLIP = st.sampled_from(
    ["", "", ",", "]", "[", "{}", '"', "\\", "1e999", "-", "NaN", "\\ud800", "\n", "\x01", "é"]
)


@given(JSON, st.lists(BLANK, min_size=8, max_size=8), st.booleans(), SLIP, st.floats(0, 1))
def test_both_ways_give_the_same_values_lines_and_errors(
    tmp_path_factory: pytest.TempPathFactory,
    array: list[Any],
    blank: list[str],
    ascii_only: bool,
    slip: str,
    place: float,
) -> None:
    written = [json.dumps(value, ensure_ascii=ascii_only) for value in array]
    gaps = iter(blank)
    text = "[" + ",".join(f"{next(gaps)}{one}\n" for one in written) + f"]{blank[-1]}"
    at = round(place * len(text))
    path = tmp_path_factory.getbasetemp() / "both.json"
    path.write_bytes((text[:at] + slip + text[at:]).encode("utf-8", errors="surrogatepass"))
    found = outcome(path)
    with windowed(path):
        assert outcome(path) == found


def test_plain_arrays_are_left_to_msgspec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.json"
    path.write_text('[{"a": "é😀"}, 2]', encoding="utf-8")
    monkeypatch.delattr(json_stream, "_Window")
    assert values(path) == [{"a": "é😀"}, 2]


def test_a_byte_order_mark_before_an_array(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('\ufeff[1,\n{"a": "é"}]', encoding="utf-8")
    assert list(elements(path)) == [(1, 1), (2, {"a": "é"})]


def test_what_msgspec_refuses_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('[1,\n{"a": 1e999},\n3]', encoding="utf-8")
    assert list(elements(path)) == [(1, 1), (2, {"a": float("inf")}), (3, 3)]


def test_lines_are_those_of_the_elements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.json"
    path.write_text('[\n{"a":\n1},\r\n\n{"b": 2}, 3\n, 4]\n', encoding="utf-8")
    assert [line for line, _ in elements(path)] == [2, 5, 5, 6]
    monkeypatch.setattr(json_stream, "LARGEST", 0)
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
        ("[1,\n" + "9" * 5000 + "]", ":2: a number has more digits than can be read"),
        ('[1, 2, {"a": "b', ":1: this is not JSON: Unterminated string in item 3; export it again"),
    ],
)
def test_broken_json_names_the_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=rf"^{path}{message}"):
        values(path)
    with windowed(path), pytest.raises(InputError, match=rf"^{path}{message}"):
        values(path)


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b'[\n{"a": "\xe9"}]')
    with pytest.raises(InputError, match=rf"^{path}:2: the byte 0xe9 is not valid UTF-8"):
        values(path)


def test_utf16_is_read_where_the_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('[{"a": "é😀"}]', encoding="utf-16")
    assert values(path) == [{"a": "é😀"}]
