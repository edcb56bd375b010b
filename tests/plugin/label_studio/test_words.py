"""What a lead reads: plain words, spans instead of pairs, names instead of numbers."""

from __future__ import annotations

import pytest

from goldspan.adapters.label_studio.provenance import COLUMNS
from goldspan.engine import Continuum, Corpus, Unit, score
from goldspan.engine.coefficient.figure import Figure
from goldspan.plugin.label_studio.columns import differences_in_words, prediction_score
from goldspan.plugin.label_studio.data_manager_tab import WIDTHS, tab_data
from goldspan.plugin.label_studio.ml_backend.suggestions import suggestions
from goldspan.plugin.report.wording import advice, verdict
from label_studio_export import annotation, region, task

CONFIG = """<View><Labels name="label" toName="text"><Label value="PER"/></Labels>
<Text name="text" value="$text"/></View>"""


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.95, "Good"), (0.796, "Good"), (0.79, "Fair"), (0.6, "Fair"), (0.59, "Talk about this"),
     (-0.3, "Talk about this"), (None, "")],
)  # fmt: skip
def test_a_figure_in_a_word(value: float | None, said: str) -> None:
    low = None if value is None else value - 0.1
    figure = Figure(value, low, value, 0.95, 10)
    assert verdict(figure) == said
    assert bool(advice(figure)) == bool(said)


def test_too_little_data_has_no_verdict_but_unanimity_has() -> None:
    assert verdict(Figure(0.9, None, None, 0.95, 1)) == ""
    assert verdict(Figure(1.0, None, None, 0.95, 10)) == "Good"


def test_differences_are_counted_in_spans() -> None:
    units = (
        *(Unit(who, 0, 5, "PER") for who in "abc"),
        Unit("a", 20, 25, "PER"), Unit("b", 20, 25, "LOC"), Unit("c", 20, 26, "PER"),
        Unit("a", 40, 45, "PER"), Unit("b", 60, 65, "LOC"),
    )  # fmt: skip
    same = Continuum("2", tuple(Unit(who, 0, 5, "PER") for who in "abc"), length=80)
    result = score(Corpus((Continuum("1", units, length=80), same)), precision=0.5)
    assert differences_in_words(result.tasks["1"]) == (
        "2 spans not marked by all, 1 with different labels, 1 with different boundaries"
    )
    assert differences_in_words(result.tasks["2"]) == "nothing"


def test_what_is_worse_than_chance_has_no_score() -> None:
    assert prediction_score(Figure(-0.2, None, None, 0.95, 10)) is None
    assert prediction_score(Figure(0.0, None, None, 0.95, 10)) == 0
    assert prediction_score(Figure(0.519, None, None, 0.95, 10)) == 0.52


def test_every_column_of_ours_has_a_width_that_leaves_room_for_the_text() -> None:
    widths = tab_data(0.6)["columnsWidth"]
    assert {f"tasks:data.{name}" for name in COLUMNS} <= widths.keys()
    # Label Studio adds 20 to each, and has a text and a check box to show as well.
    assert sum(width + 20 for width in WIDTHS.values()) + 170 + 60 <= 1440


def test_the_model_route_calls_people_by_their_address() -> None:
    def work(by: int, said: str) -> dict[str, object]:
        return annotation(by, region(0, 3, "PER"), id=by, created_username=said)

    tasks = [
        task(n, {"text": "Ada met Ben."}, work(2, "Ann Lee ann@example.com, 2"),
             work(3, "ben@example.com, 3"), work(4, "somebody, 4"))
        for n in (1, 2)
    ]  # fmt: skip
    found = suggestions(tasks, CONFIG)
    assert found.corpus.annotators == ("4", "ann@example.com", "ben@example.com")
