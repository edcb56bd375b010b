"""What notebooks show: well-formed, escaped, short."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from goldspan.engine import Continuum, Corpus, Unit, merge, score
from goldspan.engine.notebook import MOST_ROWS, MOST_UNITS

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


SVG = "{http://www.w3.org/2000/svg}"


def test_a_task_is_drawn_to_scale_with_a_band_for_each_pair_of_neighbours(corpus: Corpus) -> None:
    (task,) = score(corpus, precision=0.3).tasks.values()
    html = task._repr_html_()
    drawing = ElementTree.fromstring(html).find(f"{SVG}svg")  # noqa: S314 - our own page
    assert drawing is not None

    boxes = {
        str(group.findtext(f"{SVG}title")): group.find(f"{SVG}rect")
        for group in drawing.iter(f"{SVG}g")
    }
    wide = {title: float(box.attrib["width"]) for title, box in boxes.items() if box is not None}
    assert set(boxes) == {f"a: {EVIL} 0–5", f"b: {EVIL} 0–5", f"{EVIL}: Y 7–9"}
    assert wide[f"a: {EVIL} 0–5"] / wide[f"{EVIL}: Y 7–9"] == pytest.approx(5 / 2, rel=0.01)
    assert len(list(drawing.iter(f"{SVG}path"))) == 1, "a and b are aligned, the third is not"
    assert "<script" not in html


def test_units_of_an_annotator_never_cover_each_other() -> None:
    units = [
        Unit("a", 0, 9, "X"),
        Unit("a", 3, 6, "Y"),
        Unit("a", 9, 12, "X"),
        Unit("b", 0, 9, "X"),
    ]
    (task,) = score(
        Corpus((Continuum("t", tuple(units), length=30),)), precision=0.3
    ).tasks.values()
    drawing = ElementTree.fromstring(task._repr_html_())  # noqa: S314 - our own page

    places = [
        tuple(float(box.attrib[k]) for k in ("x", "y", "width"))
        for box in drawing.iter(f"{SVG}rect")
    ]
    for x, y, width in places:
        same = [other for other in places if other[1] == y and other[0] > x]
        assert all(x + width <= left + 0.1 for left, _, _ in same)


def test_a_long_task_says_how_much_of_it_is_drawn() -> None:
    units = [Unit(name, 9 * k, 9 * k + 5, "X") for k in range(MOST_UNITS) for name in "ab"]
    (task,) = score(Corpus((Continuum("t", tuple(units)),)), precision=0.5).tasks.values()
    html = task._repr_html_()

    assert f"the first {MOST_UNITS} are drawn" in html
    assert html.count("<rect") == MOST_UNITS
