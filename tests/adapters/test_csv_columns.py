"""csv as other people name it: columns of any name, several labels in a row, spreadsheets."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldspan.adapters import detect, read
from goldspan.engine.errors import GoldspanError, InputError, SettingsError
from goldspan.engine.model import Corpus

CASA = (
    "media,coder_id,codes,from_ms,to_ms\n"
    "m1,a,B;FG;1,0,10\nm1,b,B,0,10\nm2,a, FG ; ;FG,3,8\nm2,b,1,3,8\n"
)
"""As in a corpus of gestures, in which a cell lists the codes of one movement."""

NAMED = {
    "format": "csv", "task_from": "media", "annotator_from": "coder_id", "category_from": "codes",
    "start_from": "from_ms", "end_from": "to_ms", "empty": "unseen",
}  # fmt: skip

HOT = (
    "document,rater,onset,offset,joy,anger,note\n"
    "d,a,0,5,1,x,hm\nd,b,0,5,yes,0,\nd,a,7,9,TRUE,False,\nd,b,7,9,,1,\n"
)
"""As spreadsheets of emotions are, with a column for each label."""

words = st.text("abXYé |;,'=\"\n", min_size=1, max_size=6).filter(str.strip)


def spans(corpus: Corpus) -> list[tuple[object, ...]]:
    return [(c.id, u.annotator, u.start, u.end, u.category) for c in corpus for u in c.units]


def write_file(folder: Path, content: str) -> Path:
    path = folder / "t.csv"
    path.write_text(content, encoding="utf-8", newline="")
    return path


def write_book(path: Path, *sheets: tuple[str, list[list[object]]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_columns_of_any_name_and_several_labels_in_a_cell(tmp_path: Path) -> None:
    path = write_file(tmp_path, CASA)
    corpus = read(path, **NAMED, label_separator=";")
    assert spans(corpus) == [
        ("m1", "a", 0, 10, "1"), ("m1", "a", 0, 10, "B"), ("m1", "a", 0, 10, "FG"),
        ("m1", "b", 0, 10, "B"), ("m2", "a", 3, 8, "FG"), ("m2", "b", 3, 8, "1"),
    ]  # fmt: skip
    joined = read(path, **NAMED, label_separator=";", labels="join")
    assert ("m1", "a", 0, 10, "1|B|FG") in spans(joined)
    whole = read(path, **NAMED)
    assert ("m1", "a", 0, 10, "B;FG;1") in spans(whole)


def test_a_header_that_nobody_knows_names_every_option_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        detect(write_file(tmp_path, CASA))
    for option in ("--from csv", "--start-from", "--end-from", "--category-from"):
        assert option in str(error.value)


def test_a_column_named_by_an_option_is_nothing_else(tmp_path: Path) -> None:
    path = write_file(tmp_path, "annotator,label,start,end,s,e\na,X,9,9,0,5\nb,X,9,9,1,6\n")
    corpus = read(path, start_from="s", end_from="e", task_from="file")
    assert spans(corpus) == [("t", "a", 0, 5, "X"), ("t", "b", 1, 6, "X")]
    with pytest.raises(InputError, match="no column 'begin_ms'; there are annotator"):
        read(path, start_from="begin_ms")


def test_a_column_for_each_label(tmp_path: Path) -> None:
    path = write_file(tmp_path, HOT)
    expected = [
        ("d", "a", 0, 5, "anger"), ("d", "a", 0, 5, "joy"), ("d", "a", 7, 9, "joy"),
        ("d", "b", 0, 5, "joy"), ("d", "b", 7, 9, "anger"),
    ]  # fmt: skip
    assert spans(read(path, category_from="columns:joy,anger")) == expected
    only = read(path, category_from="columns:jo*", unlabelled="none")
    assert [row[-1] for row in spans(only)] == ["joy", "joy", "joy", "none"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"category_from": "columns:fear"}, "no column 'fear' of labels"),
        ({"category_from": "columns:note"}, "'hm' in the column 'note' is neither yes nor no"),
        ({"category_from": "columns:"}, "names no column"),
        ({"category_from": "columns:joy", "label_separator": ";"}, "leave it out"),
        ({"category_from": "note", "label_separator": " "}, "is blank"),
        ({"category_from": "columns:document"}, "no column 'document' of labels"),
        ({"task_from": ""}, "--task-from is blank"),
        ({"start_from": "  "}, "--start-from is blank"),
        ({"unlabelled": ""}, "--unlabelled is blank; name a label, or say drop"),
        ({"layers": ["x", " "]}, "--layer is blank"),
        ({"sheet": "First"}, r"--sheet names a sheet of \.xlsx files, and there is none"),
    ],
)
def test_bad_columns_of_labels(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(GoldspanError, match=said):
        read(write_file(tmp_path, HOT), format="csv", **options)


# An apostrophe at the start of a cell is how a spreadsheet keeps a formula from being one.
labels_of_cells = words.map(str.strip).filter(lambda label: not label.startswith("'"))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sets(labels_of_cells, min_size=1, max_size=3), st.integers(0, 9)),
                min_size=1, max_size=5, unique_by=lambda row: row[1]))  # fmt: skip
def test_labels_in_a_cell_are_rows_of_their_own(rows: list[tuple[set[str], int]]) -> None:
    """Law: a cell `A/B` says the same as two rows, one with A and one with B; so do columns."""
    quoted = [
        ({f'"{x.replace(chr(34), chr(34) * 2)}"': x for x in labels}, at) for labels, at in rows
    ]
    head = "annotator,start,end,category\n"
    apart = head + "".join(f"a,{at},{at + 1},{cell}\n" for cells, at in quoted for cell in cells)
    cells = [("/".join(sorted(labels)).replace('"', '""'), at) for labels, at in rows]
    together = head + "".join(f'a,{at},{at + 1},"{cell}"\n' for cell, at in cells)
    with TemporaryDirectory() as folder:
        one = spans(read(write_file(Path(folder), apart), task_from="file"))
        other = spans(
            read(write_file(Path(folder), together), task_from="file", label_separator="/")
        )
    assert one == other


def test_a_spreadsheet_is_read_as_its_csv(tmp_path: Path) -> None:
    book = write_book(
        tmp_path / "t.xlsx",
        ("spans", [["annotator", "category", "start", "end"], ["a", "X", 0, 5.0],
                   [None] * 4, ["b", "'=Y", 1.5, 6]]),
        ("empty", []),
    )  # fmt: skip
    assert detect(book) == "csv"
    corpus = read(book)
    assert spans(corpus) == [("t", "a", 0, 5, "X"), ("t", "b", 1.5, 6, "=Y")]
    assert [unit.source for unit in corpus["t"].units] == [f"{book}:2", f"{book}:4"]


def test_sheets_are_chosen(tmp_path: Path) -> None:
    rows: list[list[object]] = [["annotator", "category", "start", "end"], ["a", "X", 0, 5]]
    book = write_book(tmp_path / "t.xlsx", ("one", rows), ("two", [*rows, ["b", "X", 0, 5]]))
    with pytest.raises(InputError, match="the sheets 'one', 'two'; --sheet NAME"):
        read(book)
    assert len(spans(read(book, sheet="two"))) == 2
    with pytest.raises(SettingsError, match="no sheet 'three'; there are 'one', 'two'"):
        read(book, sheet="three")


def test_a_damaged_workbook_is_one_sentence(tmp_path: Path) -> None:
    whole = write_book(tmp_path / "t.xlsx", ("one", [["a", "X", 0, 5]])).read_bytes()
    for size in range(0, len(whole), 97):
        broken = tmp_path / "broken.xlsx"
        broken.write_bytes(whole[:size])
        with pytest.raises(InputError):
            read(broken, format="csv")


def test_a_workbook_is_not_written(tmp_path: Path) -> None:
    from goldspan.adapters import write  # noqa: PLC0415 - this test only

    corpus = read(write_file(tmp_path, "a,X,0,5\nb,X,0,5\n"))
    with pytest.raises(SettingsError, match=r"call it \.csv or \.tsv"):
        write(corpus, tmp_path / "out.xlsx", "csv")
    assert not (tmp_path / "out.xlsx").exists()


def test_a_table_without_known_positions_asks_for_the_format_too(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("doc,who,kind,from,to\nd1,ann,X,1,5\nd1,bob,X,1,6\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read(path)
    assert caught.value.choices["--from"] == ("csv",)
    assert "from" in caught.value.choices["--start-from"]
