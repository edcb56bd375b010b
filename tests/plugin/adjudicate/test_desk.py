"""The desk: what is recorded counts once, can be undone, and survives a restart."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adjudication_projects import desk_at, gold_of, newsroom
from goldspan.engine.errors import InputError
from goldspan.engine.model import Unit
from goldspan.plugin.adjudicate.desk import Desk
from goldspan.plugin.adjudicate.docket import Docket
from goldspan.plugin.adjudicate.journal.opening import read_journals
from goldspan.plugin.adjudicate.output.derivation import Derived, derive
from goldspan.plugin.adjudicate.output.writing import write_output
from goldspan.plugin.adjudicate.views import QueueQuery, Recorded, Refusal, SiteView


def post(desk: Desk, event: dict[str, Any], by: str = "") -> Recorded | Refusal:
    return desk.record(json.dumps(event).encode(), by=by)


def settle(desk: Desk, site: SiteView, spans: Any, number: int, by: str = "") -> Recorded | Refusal:
    event = {
        "id": f"event-{by or 'ana'}-{number}", "op": "settle", "site": site.id,
        "spans": [list(one) for one in spans], "base": site.base, "via": site.via, "ms": 1500,
    }  # fmt: skip
    return post(desk, event, by)


def next_site(desk: Desk, by: str = "") -> SiteView | None:
    queue = desk.queue(QueueQuery(limit=1), by=by)
    assert not isinstance(queue, Refusal)
    if not queue.items:
        return None
    site = desk.site(queue.items[0].id, by=by)
    assert isinstance(site, SiteView)
    return site


def settle_all(desk: Desk, by: str = "", most: int = 1000) -> int:
    for count in range(most):
        site = next_site(desk, by)
        if site is None:
            return count
        reply = settle(desk, site, site.readings[0].spans, count, by)
        assert isinstance(reply, Recorded), reply
    return most


def derived(folder: Path) -> Derived:
    journals = read_journals(folder, newsroom().corpus)
    return derive(Docket(newsroom(), journals.ledger))


def test_the_newsroom_has_its_19_sites(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    queue = desk.queue()
    assert not isinstance(queue, Refusal)
    assert queue.total == 19
    assert len(desk.docket.sites) == 88
    desk.close()


def test_every_body_is_json(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    site = next_site(desk)
    assert site is not None
    bodies = [
        desk.project(), desk.queue(), site, desk.task_text(0), desk.task_units(0),
        desk.task_sites(0), desk.groups(), desk.changes(0), desk.stop(), desk.task_text(99),
    ]  # fmt: skip
    for body in bodies:
        assert msgspec.json.decode(msgspec.json.encode(body)) is not None
    desk.close()


def test_an_event_counts_once_and_outlives_a_restart(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    site = next_site(desk)
    assert site is not None
    first = settle(desk, site, [], 1)
    again = settle(desk, site, [], 1)
    assert isinstance(first, Recorded)
    assert isinstance(again, Recorded)
    assert (first.known, again.known, first.n) == (False, True, again.n)
    desk.close()
    desk = desk_at(tmp_path)
    shown = desk.site(site.id)
    assert isinstance(shown, SiteView)
    assert (shown.state, shown.answer) == ("settled", ())
    assert len((tmp_path / "ana.jsonl").read_text().splitlines()) == 2
    desk.close()


def test_undo_and_redo(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    site = next_site(desk)
    assert site is not None
    settle(desk, site, [], 1)
    undone = post(desk, {"id": "undo-0001", "op": "undo"})
    assert isinstance(undone, Recorded)
    assert (undone.state, undone.undo, undone.redo) == ("open", "", "undo-0001")
    redone = post(desk, {"id": "undo-0002", "op": "undo", "target": undone.redo})
    assert isinstance(redone, Recorded)
    assert (redone.state, redone.undo, redone.redo) == ("settled", "event-ana-1", "")
    desk.close()


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"spans": [[5, 5, "ORG"]]}, 422),
        ({"spans": [[5, 10**6, "ORG"]]}, 422),
        ({"spans": [[5, 9, "UNKNOWN"]]}, 422),
        ({"spans": None}, 422),
        ({"id": "x"}, 422),
        ({"site": "0000000000000000"}, 410),
        ({"note": "x" * 5000}, 413),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, change: dict[str, Any], status: int) -> None:
    desk = desk_at(tmp_path)
    site = next_site(desk)
    assert site is not None
    event = {"id": "event-0001", "op": "settle", "site": site.id, "spans": [], "base": 0}
    reply = post(desk, event | change)
    assert isinstance(reply, Refusal)
    assert reply.status == status
    assert desk.project().progress.settled == 0
    desk.close()


def test_two_people_get_different_sites_and_see_conflicts(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    ana, bo = next_site(desk, "ana"), next_site(desk, "bo")
    assert ana is not None
    assert bo is not None
    assert ana.id != bo.id
    assert isinstance(settle(desk, ana, [], 1, "ana"), Recorded)
    late = settle(desk, ana, ana.readings[0].spans, 1, "bo")
    assert isinstance(late, Refusal)
    assert (late.status, late.site is not None) == (409, True)
    seen = desk.site(ana.id, by="bo")
    assert isinstance(seen, SiteView)
    done = settle(desk, seen, ana.readings[0].spans, 2, "bo")
    assert isinstance(done, Recorded)
    assert done.state == "contested"
    agreement = done.progress.agreement
    assert agreement is not None
    assert agreement == desk.project().progress.agreement
    assert (agreement.shared, agreement.equal) == (1, 0)
    undo = post(desk, {"id": "undo-0001", "op": "undo", "target": "event-ana-1"}, "ana")
    assert isinstance(undo, Refusal)
    assert undo.error == "settled-since"
    desk.close()


def test_what_one_gets_next_is_not_given_to_another(tmp_path: Path) -> None:
    """The page asks ahead: what stands on one screen or comes next there is kept from others."""
    desk = desk_at(tmp_path)
    first = next_site(desk)
    assert first is not None
    ahead = desk.ahead(first.id)
    assert not isinstance(ahead, Refusal)
    assert ahead.then is not None
    other = next_site(desk, "bo")
    assert other is not None
    assert other.id not in (first.id, ahead.then.id)
    own = desk.queue(QueueQuery(limit=2))
    assert not isinstance(own, Refusal)
    assert [one.id for one in own.items] == [first.id, ahead.then.id]
    assert isinstance(settle(desk, first, first.readings[0].spans, 1), Recorded)
    again = desk.ahead(ahead.then.id)
    assert not isinstance(again, Refusal)
    assert again.then is not None
    assert again.then.id != other.id
    desk.close()


def test_the_same_gold_whatever_order_the_files_are_read_in(tmp_path: Path) -> None:
    desk = desk_at(tmp_path / "one")
    draw = random.Random(3)
    for number in range(24):
        by = draw.choice(["ana", "bo", "cy"])
        site = next_site(desk, by)
        if site is None:
            break
        settle(desk, site, draw.choice([site.readings[0].spans, ()]), number, by)
        if number % 5 == 4:
            post(desk, {"id": f"undo-{number:04d}", "op": "undo"}, by)
    live = derive(desk.docket)
    desk.close()
    (tmp_path / "other").mkdir()
    for path in (tmp_path / "one").glob("*.jsonl"):
        # Another order of files: names decide it.
        shutil.copy(path, tmp_path / "other" / f"{draw.random()}.jsonl")
    assert derived(tmp_path / "one") == derived(tmp_path / "other") == live


def test_a_batch_is_one_event_teaches_nothing_and_is_undone_in_one_step(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    before = desk.docket.model.weights.tolist()
    group = max(desk.groups().groups, key=lambda one: one.size)
    plan = desk.batch(group.key)
    assert not isinstance(plan, Refusal)
    items = [{"site": one.site, "base": one.base} for one in plan.items]
    done = post(desk, {"id": "batch-0001", "op": "batch", "items": items})
    assert isinstance(done, Recorded)
    assert done.progress.settled == len(items) >= 2
    assert desk.docket.judged() == []
    assert desk.docket.model.weights.tolist() == before
    undone = post(desk, {"id": "undo-0001", "op": "undo"})
    assert isinstance(undone, Recorded)
    assert undone.progress.settled == 0
    desk.close()


def test_blind_bodies_have_no_name(tmp_path: Path) -> None:
    desk = desk_at(tmp_path, blind=True)
    site = next_site(desk)
    bodies = [desk.project(), desk.queue(), site, desk.task_units(0), desk.groups()]
    said = b"".join(map(msgspec.json.encode, bodies))
    for name in newsroom().corpus.annotators:
        assert name.encode() not in said
    desk.close()


def test_a_span_that_nobody_marked_can_be_added(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    task = newsroom().corpus.continua[0].id
    event = {"id": "event-0001", "op": "settle", "task": task, "spans": [[20, 25, "ORG"]]}
    done = post(desk, event)
    assert isinstance(done, Recorded)
    assert done.state == "settled"
    spans = derive(desk.docket).gold.spans[task]
    assert (20, 25, "ORG") in [(one.start, one.end, one.category) for one in spans]
    desk.close()


def unit(name: str, start: int, end: int, label: str = "A") -> Unit:
    return Unit(name, start, end, label)


def test_only_touched_sites_reopen(tmp_path: Path) -> None:
    names = ("x", "y", "z")
    drawn = {
        "one": [unit(n, 0, 9) for n in names] + [unit("x", 20, 30)] + [unit("y", 40, 50, "B")],
        "two": [unit(n, 0, 9) for n in names] + [unit("z", 20, 30)],
        "gone": [unit(n, 0, 9) for n in names] + [unit("z", 20, 30)],
    }
    desk = desk_at(tmp_path, gold=gold_of(drawn))
    count = settle_all(desk)
    assert count == 7  # γ is low, so everything is open
    desk.close()
    changed = {
        "one": [*drawn["one"][:3], unit("x", 20, 31), drawn["one"][4]],
        "two": drawn["two"],
    }
    desk = desk_at(tmp_path, gold=gold_of(changed))
    progress = desk.project().progress
    assert (progress.settled, progress.reopened, desk.docket.forgotten) == (4, 1, 2)
    site = next_site(desk)
    assert site is not None
    assert (site.task, site.start, site.end) == ("one", 20, 31)
    assert [one.spans for one in site.readings if one.when] == [((20, 30, "A"),)]
    desk.close()


def test_a_journal_of_another_corpus_is_refused(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    settle_all(desk, most=1)
    desk.close()
    other = gold_of({"a": [unit("x", 0, 5), unit("y", 0, 5)]})
    with pytest.raises(InputError, match="is about other texts"):
        desk_at(tmp_path, gold=other)


def test_the_output_says_what_is_settled_and_what_is_suggested(tmp_path: Path) -> None:
    desk = desk_at(tmp_path / "j")
    site = next_site(desk)
    assert site is not None
    settle(desk, site, [], 1)
    note = {"op": "note", "site": site.id, "note": "is *this* one?", "tags": ["rule"]}
    post(desk, {"id": "note-0001", **note})
    gold: list[Any] = []

    def keep(value: Any) -> list[str]:
        gold.append(value)
        return []

    written = write_output(desk.docket, tmp_path / "gold.csv", keep)
    rows = (tmp_path / "gold.csv.origins.csv").read_text().splitlines()
    assert written.settled == 1
    assert sum(",settled,ana," in row for row in rows) == 1
    assert sum(",suggested," in row for row in rows) == gold[0].n_spans
    cases = (tmp_path / "gold.csv.hard-cases.md").read_text()
    assert "## rule" in cases
    assert r"is \*this\* one?" in cases
    desk.close()


def test_every_tenth_decision_is_drawn_at_random_and_hides_the_suggestion(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    settle_all(desk, most=9)
    site = next_site(desk)
    assert site is not None
    assert (site.via, site.suggestion, site.p) == ("audit", None, None)
    assert site.pi == pytest.approx(1 / 79)
    desk.close()
    desk = desk_at(tmp_path)
    again = next_site(desk)
    assert again is not None
    assert again.id == site.id
    desk.close()


def test_a_random_check_is_foreseen(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    audits = 0
    for count in range(25):
        site = next_site(desk)
        assert site is not None
        ahead = desk.ahead(site.id, QueueQuery(), [site.id, "no such site"])
        assert not isinstance(ahead, Refusal)
        assert ahead.site.id == site.id
        assert [one.id for one in ahead.beside] == [site.id]
        reply = settle(desk, site, site.readings[0].spans, count)
        assert isinstance(reply, Recorded)
        found = reply.next[0] if reply.next else None
        if found is None or ahead.then is None:
            assert found is ahead.then
            break
        # A decision may change the order of those that wait; a random check is always foreseen.
        assert ahead.then.via == found.via
        assert ahead.then.id != site.id
        if found.via == "audit":
            assert (ahead.then.id, ahead.then.suggestion) == (found.id, None)
        audits += found.via == "audit"
    desk.close()
    assert audits
