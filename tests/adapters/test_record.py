"""Records: JSON with places, and lines that every tool sees as the same lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.kit.record import (
    Record,
    SharedTexts,
    dump,
    first_record,
    parse_records,
    read_records,
    write_records,
)
from goldspan.engine.errors import InputError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(st.dictionaries(st.text(), JSON, max_size=3), max_size=4))
def test_rows_come_back_whoever_splits_the_lines(rows: list[dict[str, Any]]) -> None:
    text = b"".join(dump(row) for row in rows).decode()
    assert [dict(record.values) for record in parse_records(text, "x")] == rows
    assert [json.loads(line) for line in text.splitlines()] == rows


@given(st.text(alphabet=st.characters(categories=["Cs", "Lu", "Zl", "Cc"])).map("-".join))
def test_half_surrogate_pairs_survive(text: str) -> None:
    (record,) = parse_records(dump({"text": text}).decode(), "x")
    assert record.text("text") == text


def test_blank_lines_and_crlf_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf\r\n{"a": 1}\r\n\r\n{"a": 2}')
    assert [(r.values["a"], r.where) for r in read_records(path)] == [
        (1, f"{path}:2"),
        (2, f"{path}:4"),
    ]
    path.write_bytes(b'\n\n {"a": 1}\nnonsense')
    assert first_record(path) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1}\n{"a": }', r"^x:2: this is not JSON: .* \(column 7\)"),
        ('[{"a": 1}, 2]', r"^x, item 2: this is 2, not an object"),
        ("[1", r"^x:1: this is not JSON"),
        ('"a"', r'^x:1: this is "a", not an object'),
        (f'{{"a": {"9" * 5000}}}', r"^x:1: a number has more digits than can be read"),
        ("[" * 100_000, r"^x:1: this JSON is nested too deeply"),
        ('{"a": ' * 100_000, r"^x:1: this JSON is nested too deeply"),
    ],
)
def test_bad_json_has_a_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(parse_records(text, "x"))


def test_values_are_what_they_should_be() -> None:
    record = Record({"n": 3.0, "t": "a", "l": [{"n": 1}], "o": {"p": {"q": 5}}, "a.b": 6}, "x:1")
    assert record.integer("n") == 3
    assert record.text("t") == "a"
    assert [one.where for one in record.records("l")] == ["x:1, l 1"]
    assert record.entries("absent") == []
    assert (record.get("o.p.q"), record.get("a.b"), record.get("t.x")) == (5, 6, None)
    with pytest.raises(InputError, match=r"^x:1: 't' is \"a\", not a whole number"):
        record.integer("t")
    with pytest.raises(InputError, match=r"^x:1: 'o' is .*, not a list"):
        record.entries("o")
    with pytest.raises(InputError, match=r"^x:1: 'n' is 3\.0, not a text"):
        record.text("n")
    long = Record({"t": ["x" * 100]}, "x:1")
    with pytest.raises(InputError, match=r"'t' is \[\"x{35}\.\.\., not a text"):
        long.text("t")


def test_what_is_no_json_lines_has_no_first_record(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for content in (b"", b"[1]", b"{", b"{]}\n", b"\x00\x01", b"{\xff}"):
        path.write_bytes(content)
        assert first_record(path) == {}
    assert first_record(tmp_path) == {}
    assert first_record(tmp_path / "absent") == {}


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        write_records(tmp_path / "a.jsonl", [{"a": 1}, {"a": object()}])
    assert list(tmp_path.iterdir()) == []


def test_a_broken_list_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"a": 1},\n {"a": }]', encoding="utf-8")
    with pytest.raises(InputError, match=rf"^{path}:2: this is not JSON: .* \(column 8\)"):
        list(read_records(path))


@pytest.mark.parametrize("content", [
    b'{"a": 1}\n\n{"a": 2}\r\n{"a": "\xe2\x80\xa8"}',
    b'\xef\xbb\xbf{"a": 1}\n{"a": "\xef\xbb\xbf"}\n',
    '{"a": 1}\n{"a": "ä"}'.encode("utf-16"),
    b'\n [{"a": 1}, {"a": 2}]',
    b" " * 5000 + b'{"a": 1}',
    b"",
])  # fmt: skip
def test_lines_of_a_file_are_those_of_its_text(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    assert list(read_records(path)) == list(parse_records(read_text(path), str(path)))


def test_a_line_that_cannot_be_decoded_has_its_number(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1}\n{"a": 2}\n{"a": "\xff\xfe"}\n')
    with pytest.raises(InputError, match=rf"^{path}:3: the byte 0xff is not valid UTF-8"):
        list(read_records(path))


def test_lines_are_read_when_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1}\n{"a": }\n')
    records = read_records(path)
    assert next(records).values == {"a": 1}
    with pytest.raises(InputError, match=rf"^{path}:2: this is not JSON"):
        next(records)


def test_records_of_one_text_share_it() -> None:
    texts = SharedTexts()
    first, second = ("".join(["a text ", "of a task"]) for _ in range(2))
    assert first is not second
    one = texts.of(Record({"text": first, "tokens": [1], "n": [2]}, "x:1"), without=("tokens",))
    other = texts.of(Record({"data": second}, "x:2"))
    assert one == Record({"text": first, "n": [2]}, "x:1")
    assert other.values["data"] is one.values["text"]
