"""Tables read back as they were written, and no spreadsheet runs anything in them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goldspan.adapters import read, write
from goldspan.adapters.files.table import plain_cell, read_rows, safe_cell, write_rows
from goldspan.adapters.kit.assignments import read_assignments, write_assignments
from goldspan.adapters.kit.labels import read_labels
from goldspan.engine.errors import InputError
from goldspan.engine.model import Presence
from goldspan.plugin.cli import main
from goldspan.plugin.cli.distances import read_distances

RUN = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "'=1", "''-x", "'", "'plain'")
CELL = st.text(st.sampled_from("=+-@'\t\r\n ,;\"a1＝"), max_size=6) | st.sampled_from(FORMULAS)


@given(st.lists(st.lists(CELL.filter(bool), min_size=2, max_size=3), max_size=4))
@example([["=1", "'=1"], ["''=1", "'x"]])
def test_every_cell_comes_back_and_none_is_run(rows: list[list[str]]) -> None:
    for delimiter in (",", "\t"):
        file = io.StringIO(newline="")
        write_rows(file, rows, delimiter=delimiter)
        back = [row for _, row in read_rows(file.getvalue(), "x", delimiter=delimiter)]
        assert back == rows
        for row in seen_by_a_spreadsheet(file.getvalue(), delimiter):
            assert not any(cell.startswith(RUN) for cell in row)


@given(CELL)
def test_a_cell_made_safe_is_made_plain_again(cell: str) -> None:
    assert plain_cell(safe_cell(cell)) == cell


def test_numbers_stay_numbers() -> None:
    file = io.StringIO()
    write_rows(file, [(-0.5, -3, "-0.5", None)])
    assert file.getvalue() == "-0.5,-3,'-0.5,\n"


def seen_by_a_spreadsheet(text: str, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


def assert_nothing_runs(path: Path) -> None:
    rows = seen_by_a_spreadsheet(path.read_text(encoding="utf-8"))
    assert any("'=" in cell or "'@" in cell or "'+" in cell for row in rows for cell in row), path
    for row in rows:
        for cell in row:
            assert not cell.startswith(RUN) or _is_number(cell), f"{path}: {cell}"


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Two annotators, three tasks and two labels that are formulas; positions below 0."""
    path = tmp_path / "in.csv"
    rows = ["task,annotator,category,start,end"]
    for number in range(3):
        for who in ("@al", "+bo"):
            for place in range(-1, 3):
                shift = 4 * (who == "+bo" and place == number)
                label = "=1+1" if place % 2 else "@SUM(A1)"
                label = "-other" if shift else label
                rows.append(f"=t{number},{who},{label},{20 * place + shift},{20 * place + 9}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_tables_for_people(table: Path, tmp_path: Path) -> None:
    given = [str(table), "--empty", "seen", "--precision", "0.3", "--quiet"]
    assert (
        main(["score", *given, "--csv", str(tmp_path / "csv"), "--json", str(tmp_path / "j")]) == 0
    )
    names = ["tasks", "pairs", "labels", "annotators", "confusion"]
    for name in names:
        assert_nothing_runs(tmp_path / "csv" / f"{name}.csv")
    gold, decide = tmp_path / "gold.csv", tmp_path / "decide.csv"
    assert main(["gold", *given, "--to", "csv", "-o", str(gold), "--decisions", str(decide)]) == 0
    assert_nothing_runs(gold)
    assert_nothing_runs(decide)
    categories = {unit.category for c in read(gold, include_annotators="gold").continua
                  for unit in c.units}  # fmt: skip
    assert {"=1+1", "@SUM(A1)"} <= categories <= {"=1+1", "@SUM(A1)", "-other"}


def test_spans_come_back(table: Path, tmp_path: Path) -> None:
    corpus = read(table, empty="seen")
    for name in ("out.csv", "tabs.tsv"):
        write(corpus, tmp_path / name, "csv")
        beside = (tmp_path / name).with_suffix(".assignments.csv")
        again = read(tmp_path / name, assignments=beside)
        assert again.continua == corpus.continua
    assert_nothing_runs(tmp_path / "out.csv")
    assert_nothing_runs(tmp_path / "out.assignments.csv")


def test_assignments_come_back(tmp_path: Path) -> None:
    path = tmp_path / "who.csv"
    write_assignments(((f"={n}", n, Presence.DONE) for n in FORMULAS[:4]), path)
    assert_nothing_runs(path)
    assert {who for row in read_assignments(path).values() for who in row} == {*FORMULAS[:4]}


def test_labels_copied_from_a_table_are_the_labels(tmp_path: Path) -> None:
    renames, distances = tmp_path / "rename.csv", tmp_path / "distances.csv"
    renames.write_text("'=1+1,sum\n", encoding="utf-8")
    distances.write_text(",'=1+1,x\n'=1+1,0,0.5\nx,0.5,0\n", encoding="utf-8")
    assert read_labels(renames) == {"=1+1": "sum"}
    assert read_distances(distances).between(["=1+1", "x"])[0][1] == 0.5


def test_distances_that_are_nested_too_deeply_are_an_error_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "distances.json"
    path.write_text('{"ordinal": ' + "[" * 100_000 + "]" * 100_000 + "}", encoding="utf-8")

    with pytest.raises(InputError, match=r"distances\.json.*nested too deeply"):
        read_distances(path)
