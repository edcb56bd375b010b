"""What notebooks show: well-formed, escaped, short."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from goldspan.engine import Continuum, Corpus, Unit, merge, score
from goldspan.engine.notebook import MOST_ROWS

EVIL = "<script>&\"'"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    units = (Unit("a", 0, 5, EVIL), Unit("b", 0, 5, EVIL), Unit(EVIL, 7, 9, "Y"))
    return Corpus((Continuum(f"task {EVIL}", units, length=30),))


def cells(html: str) -> list[list[str]]:
    """The text of the table's cells; a page that is not well-formed is an error."""
    rows = ElementTree.fromstring(html).iter("tr")  # noqa: S314 - our own page
    return [["".join(cell.itertext()) for cell in row] for row in rows]


def test_a_corpus_lists_its_tasks(corpus: Corpus) -> None:
    html = corpus._repr_html_()
    assert cells(html)[1] == [f"task {EVIL}", f"{EVIL}, a, b", "3"]
    assert "1 task, 3 units, 3 annotators" in html
    assert "<script" not in html


def test_a_result_lists_its_figures(corpus: Corpus) -> None:
    result = score(corpus, precision=0.3)
    rows = cells(result._repr_html_())
    assert [row[:2] for row in rows[1:]] == [["γ", ""], ["γcat", ""], ["γk", EVIL], ["γk", "Y"]]
    assert rows[1][2] == f"{result.gamma.value:.3f}"
    assert rows[1][5] == result.gamma.remark


def test_gold_lists_its_spans(corpus: Corpus) -> None:
    gold = merge(corpus, score(corpus, precision=0.3))
    rows = cells(gold._repr_html_())
    (span,) = gold.spans[f"task {EVIL}"]
    assert rows[1] == [
        f"task {EVIL}", "0", "5", EVIL, f"{span.confidence:.2f}", str(span.grade)
    ]  # fmt: skip


def test_a_long_table_says_what_it_leaves_out() -> None:
    many = Corpus(tuple(Continuum(f"t{k}", ()) for k in range(MOST_ROWS + 3)))
    rows = cells(many._repr_html_())
    assert len(rows) == 1 + MOST_ROWS + 1
    assert rows[-1] == ["and 3 more"]
