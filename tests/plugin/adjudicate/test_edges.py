"""Edges of the adjudication: tasks renamed, labels gone, disks full, clocks that go back."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil, floor
from pathlib import Path

import pytest

from adjudication_projects import desk_at, gold_of
from goldspan.adapters import read
from goldspan.adapters.facts import settled_tasks
from goldspan.engine import merge, score
from goldspan.engine.adjudication.answer import Span
from goldspan.engine.adjudication.stop import LEAST_JUDGED
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Unit
from goldspan.engine.simulation.reference import Blueprint
from goldspan.engine.simulation.shuffle import Errors, shuffle_corpus
from goldspan.plugin.adjudicate.desk import Desk
from goldspan.plugin.adjudicate.docket import NEXT
from goldspan.plugin.adjudicate.journal.event import Event, Op
from goldspan.plugin.adjudicate.journal.ledger import Ledger, State
from goldspan.plugin.adjudicate.texts import blocks
from goldspan.plugin.adjudicate.views import Recorded, Refusal, SiteView
from label_studio_export import annotation, region, save, task

DRAWN = [
    *(Unit(name, 0, 9, "A") for name in ("x", "y", "z")),
    Unit("x", 20, 30, "B"),
    Unit("y", 40, 50, "A"),
]


def settle(desk: Desk, number: int) -> Recorded | Refusal:
    """Take the first reading of the first site of the queue."""
    queue = desk.queue()
    assert not isinstance(queue, Refusal)
    site = desk.site(queue.items[0].id)
    assert isinstance(site, SiteView)
    spans = site.readings[0].spans
    return desk.record(
        Event(id=f"event-{number:04}", op=Op.SETTLE, site=site.id, spans=spans, base=site.base)
    )


def test_a_journal_for_the_same_text_under_another_name_goes_on(tmp_path: Path) -> None:
    desk = desk_at(tmp_path, gold=gold_of({"old": DRAWN}))
    count = desk.project().progress.open
    for number in range(count):
        assert isinstance(settle(desk, number), Recorded)
    event = Event(id="event-added", op=Op.SETTLE, task="old", spans=(Span(60, 65, "A"),))
    assert isinstance(desk.record(event), Recorded)
    desk.close()
    renamed = gold_of({"new": DRAWN})
    with pytest.raises(InputError, match="match tasks by their texts with --rebase"):
        desk_at(tmp_path, gold=renamed)
    desk = desk_at(tmp_path, gold=renamed, rebase=True)
    progress = desk.project().progress
    assert (progress.settled, progress.open, progress.reopened) == (count + 1, 0, 0)
    desk.close()


def test_an_answer_with_a_label_that_is_gone_is_open_again(tmp_path: Path) -> None:
    desk = desk_at(tmp_path, gold=gold_of({"one": DRAWN}), new_labels=True)
    (queued, *_) = [name for name, site in desk.docket.sites.items() if site.start == 40]
    event = Event(id="event-0001", op=Op.SETTLE, site=queued, spans=(Span(40, 50, "NEW"),))
    assert isinstance(desk.record(event), Recorded)
    assert desk.docket.state(queued) is State.SETTLED
    desk.close()
    desk = desk_at(tmp_path, gold=gold_of({"one": DRAWN}))
    assert desk.docket.state(queued) is State.REOPENED
    desk.close()


@contextmanager
def no_room_beyond(size: int) -> Iterator[None]:
    """Files cannot grow beyond so many bytes: writing fails in the middle, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handled = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handled)


def test_a_full_disk_is_said_and_costs_nothing(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    assert isinstance(settle(desk, 1), Recorded)
    journal = tmp_path / "ana.jsonl"
    before = journal.read_bytes()
    with no_room_beyond(len(before) + 40):
        refused = settle(desk, 2)
    assert isinstance(refused, Refusal)
    assert (refused.error, desk.project().progress.settled) == ("disk", 1)
    assert journal.read_bytes() == before
    assert isinstance(settle(desk, 2), Recorded)
    assert desk.project().progress.settled == 2
    desk.close()


def test_a_folder_that_cannot_be_is_refused_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="choose another --output"):
        desk_at(tmp_path / "file" / "gold.csv.journal")


def test_events_count_in_their_order_whatever_the_clock_says() -> None:
    late, early = "2026-05-03T10:00:00.000Z", "2026-05-03T09:00:00.000Z"
    first = Event(n=1, id="event-1", at=late, by="ana", op=Op.SETTLE, site="s", spans=())
    second = Event(
        n=2, id="event-2", at=early, by="ana", op=Op.SETTLE, site="s", spans=(Span(0, 1, "A"),)
    )
    for order in ((first, second), (second, first)):
        ledger = Ledger()
        for event in order:
            ledger.add(event)
        settled = ledger.mark("s").settled
        assert settled is not None
        assert settled.spans == second.spans


def test_blocks_of_a_text_without_spaces_keep_characters_whole() -> None:
    family = "👩‍👩‍👧"
    text = "ab" + family * 600
    found = blocks(text, 0, len(text))
    assert "".join(one.text for one in found) == text
    assert len(found) > 4
    assert all(one.text.removeprefix("ab").replace(family, "") == "" for one in found)


def test_the_page_rounds_its_interval_outwards(tmp_path: Path) -> None:
    desk = desk_at(tmp_path, threshold=1e-6)
    while desk.project().progress.open:
        assert isinstance(settle(desk, desk.project().progress.settled), Recorded)
    stop = desk.stop()
    assert stop.low is not None
    assert stop.high is not None
    assert f"({floor(stop.low)}–{ceil(stop.high)})" in stop.say
    desk.close()


def test_agreed_places_that_would_be_among_the_next_come_into_the_queue(tmp_path: Path) -> None:
    reference = Blueprint(units=12).corpus(12, 5)
    own = Errors(shift=2.0, extra=1.0).at(0.2, "position")
    corpus = shuffle_corpus(reference, dict.fromkeys(("x", "y", "z"), own), 6)
    desk = desk_at(tmp_path, gold=merge(corpus, score(corpus)))
    docket = desk.docket
    agreed = {name for name, site in docket.sites.items() if not site.questions}
    assert all(docket.state(name) is State.SUGGESTED for name in agreed)
    for number in range(LEAST_JUDGED):
        assert isinstance(settle(desk, number), Recorded)
    left = set(docket.undecided())
    asked = sorted((docket.values[name] for name in left - agreed), reverse=True)
    assert len(asked) > NEXT
    waiting = {name for name in agreed & left if docket.state(name) is State.OPEN}
    assert waiting
    assert waiting == {name for name in agreed & left if docket.values[name] >= asked[NEXT - 1]}
    assert waiting < agreed & left
    desk.close()


def test_the_page_says_that_tasks_were_settled_before(tmp_path: Path) -> None:
    people = [annotation(by, region(0, 2 + by, "A")) for by in (1, 2)]
    starred = annotation(3, region(0, 3, "A"), ground_truth=True)
    corpus = read(save(tmp_path / "export.json", task(1, {"text": "One two."}, *people, starred)))
    gold = merge(corpus, score(corpus)).settled(settled_tasks(corpus.notes))
    desk = desk_at(tmp_path, gold=gold)
    project = desk.project()
    desk.close()
    assert project.progress.open == 0
    *others, said = project.notes
    assert said == "Settled in the input already, so nothing is asked there: 1 task."
    assert any(note.startswith("With two annotators there is no majority") for note in others)
    assert all(note.endswith(".") for note in others)
