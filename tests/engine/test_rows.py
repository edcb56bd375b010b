"""Result.tables: plain rows, all alike, with the figures of the result."""

from __future__ import annotations

from goldspan.engine import Continuum, Corpus, Presence, Result, Unit, score
from goldspan.engine.rows import tables


def scored(**options: object) -> Result:
    first = Continuum(
        "one",
        (Unit("a", 0, 5, "X"), Unit("a", 8, 9, "Y"), Unit("b", 1, 5, "X"), Unit("c", 7, 9, "X")),
        length=30,
    )
    second = Continuum("two", (Unit("a", 3, 6, "X"),), {"b": Presence.EMPTY}, length=20)
    return score(Corpus((first, second)), precision=0.3, **options)  # type: ignore[arg-type]


def test_every_table_has_rows_of_the_same_columns_and_plain_cells() -> None:
    found = scored().tables()
    assert list(found) == ["tasks", "pairs", "labels", "annotators"]
    for rows in found.values():
        assert rows
        assert {tuple(row) for row in rows} == {tuple(rows[0])}
        kinds = {type(cell) for row in rows for cell in row.values()}
        assert kinds <= {str, int, float, bool, type(None)}


def test_the_figures_are_those_of_the_result() -> None:
    result = scored()
    found = result.tables()
    task = found["tasks"][0]
    figure = result.tasks["one"].gamma
    assert (task["task"], task["annotators"], task["units"]) == ("one", 3, 4)
    assert (task["gamma"], task["gamma_low"], task["gamma_n"]) == (figure.value, None, figure.n)
    assert task["reason"] == figure.remark
    assert task["n_missed"] == result.tasks["one"].disagreements["missed"].count
    pair = found["pairs"][0]
    assert (pair["annotator"], pair["other"]) == result.pairs[0].annotators
    assert pair["gamma_cat"] == result.pairs[0].gamma_cat.value
    labels = {row["label"]: row for row in found["labels"]}
    assert list(labels) == list(result.gamma_k)
    assert labels["Y"]["gamma_k"] == result.gamma_k["Y"].value
    assert labels["Y"]["reason"] == result.gamma_k["Y"].remark
    others = {row["annotator"]: row["gamma_without"] for row in found["annotators"]}
    assert others == {one.name: one.gamma_without.value for one in result.annotators}


def test_a_result_without_pairs_has_no_pairs() -> None:
    found = scored(pairs=False).tables()
    assert found["pairs"] == []
    assert len(found["annotators"]) == 3


def test_a_table_without_rows_has_its_columns() -> None:
    assert tables(scored(pairs=False))["pairs"].names == tables(scored())["pairs"].names
