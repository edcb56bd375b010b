"""Sites of unusual annotations: few annotators, spans on top of each other, odd names."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudication_projects import desk_at, gold_of
from goldspan.engine.adjudication.answer import Span
from goldspan.engine.gold.gold import Question
from goldspan.engine.model import Unit
from goldspan.plugin.adjudicate.aliases import aliases
from goldspan.plugin.adjudicate.desk import Desk
from goldspan.plugin.adjudicate.journal.event import Event, Op
from goldspan.plugin.adjudicate.output.derivation import derive
from goldspan.plugin.adjudicate.queueing import LEASE_SECONDS, Queueing
from goldspan.plugin.adjudicate.views import Queue, Recorded, SiteView

NAMES = ("x", "y", "z")


def everybody(*spans: tuple[int, int, str]) -> list[Unit]:
    return [Unit(name, *span) for name in NAMES for span in spans]


def answer(desk: Desk, site: str, *spans: Span) -> None:
    event = Event(id=f"event-{site}", op=Op.SETTLE, site=site, spans=spans)
    assert isinstance(desk.record(event), Recorded)


def gold(desk: Desk) -> list[tuple[float, float, str]]:
    return [(one.start, one.end, one.category) for one in derive(desk.docket).gold.spans["one"]]


def test_of_two_annotators_all_that_one_has_alone_waits(tmp_path: Path) -> None:
    drawn = [Unit("x", 0, 9, "A"), Unit("y", 0, 9, "A"), Unit("x", 20, 30, "A")]
    desk = desk_at(tmp_path, gold=gold_of({"one": drawn}))
    queue = desk.queue()
    assert isinstance(queue, Queue)
    assert [(one.start, one.kind) for one in queue.items if one.kind != "check"] == [(20, "miss")]
    desk.close()


@pytest.mark.parametrize(
    "spans",
    [((0, 9, "A"), (0, 9, "B")), ((0, 30, "A"), (5, 10, "A"))],
    ids=["stacked", "nested with one label"],
)
def test_spans_on_top_of_each_other_are_settled_alone(
    tmp_path: Path, spans: tuple[tuple[int, int, str], ...]
) -> None:
    desk = desk_at(tmp_path, gold=gold_of({"one": everybody(*spans)}))
    suggested = {name: site.suggestion for name, site in desk.docket.sites.items()}
    assert sorted(suggested.values()) == [(Span(*one),) for one in sorted(spans)]
    first, second = sorted(suggested, key=suggested.__getitem__)
    answer(desk, first, *suggested[first])
    assert gold(desk) == sorted(spans)
    answer(desk, second)
    assert gold(desk) == [tuple(*suggested[first])]
    desk.close()


def test_a_second_span_of_one_annotator_at_a_place_is_dropped_alone(tmp_path: Path) -> None:
    drawn = [*everybody((0, 9, "A")), Unit("x", 1, 9, "A")]
    desk = desk_at(tmp_path, gold=gold_of({"one": drawn}))
    sites = {tuple(unit.annotator for unit in one.units): one for one in desk.docket.sites.values()}
    assert set(sites) == {NAMES, ("x",)}
    answer(desk, sites["x",].id)
    assert gold(desk) == [(0, 9, "A")]
    desk.close()


def test_what_somebody_cut_is_a_question_with_both_readings(tmp_path: Path) -> None:
    drawn = [
        Unit("x", 0, 20, "A"), Unit("y", 0, 20, "A"), Unit("z", 0, 9, "A"), Unit("z", 10, 20, "A"),
    ]  # fmt: skip
    desk = desk_at(tmp_path, gold=gold_of({"one": drawn}))
    (site,) = [one for one in desk.docket.sites.values() if Question.SPLIT in one.questions]
    assert {version.spans for version in site.versions} == {
        (Span(0, 20, "A"),), (Span(0, 9, "A"), Span(10, 20, "A")),
    }  # fmt: skip
    desk.close()


def test_odd_names_are_names(tmp_path: Path) -> None:
    names = ("gold", "__proto__", "constructor")
    drawn = [Unit(name, 0, 9 - at, "A") for at, name in enumerate(names)]
    desk = desk_at(tmp_path, gold=gold_of({"one": drawn}))
    site = desk.site(next(iter(desk.docket.sites)))
    assert isinstance(site, SiteView)
    assert sorted(name for one in site.readings for name in one.who) == sorted(names)
    assert sorted(aliases(names, "one", 0)) == sorted(names)
    desk.close()


def test_an_adjudicator_who_annotated_is_warned_and_teaches_nothing(tmp_path: Path) -> None:
    drawn = [*everybody((0, 9, "A")), Unit("x", 20, 30, "A")]
    desk = desk_at(tmp_path, "x", gold=gold_of({"one": drawn}))
    assert "x" in desk.docket.gold.corpus.annotators
    assert desk.project().warning
    (own,) = [name for name, site in desk.docket.sites.items() if site.start == 20]
    shown = desk.site(own)
    assert isinstance(shown, SiteView)
    assert [one.yours for one in shown.readings] == [True]
    answer(desk, own)
    assert desk.docket.judged() == []
    desk.close()


def test_a_site_left_on_a_screen_is_offered_again(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    now = [0.0]
    queueing = Queueing(desk.docket, 0, lambda: now[0])
    site = next(iter(desk.docket.sites))
    assert queueing.lease(site, "ana") == ""
    now[0] = LEASE_SECONDS - 1
    assert queueing.lease(site, "bo") == "ana"
    assert queueing.is_taken(site, "bo")
    now[0] = LEASE_SECONDS
    assert not queueing.is_taken(site, "bo")
    assert queueing.lease(site, "bo") == ""
    assert queueing.holder(site, "ana") == "bo"
    desk.close()
