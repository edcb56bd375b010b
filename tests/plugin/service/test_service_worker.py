"""The worker: rounds, faults of the server, lost events, and an end to every chain of events."""

from __future__ import annotations

import json
import logging
import random
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldspan.engine.errors import InputError
from goldspan.engine.facts import Note
from goldspan.plugin.document import Document
from goldspan.plugin.label_studio.responses import NoProjectError, ServerError
from goldspan.plugin.rounds import read_rounds
from goldspan.plugin.service.database import Busy
from goldspan.plugin.service.job import Wishes
from goldspan.plugin.service.queue import Claim, Queue
from goldspan.plugin.service.redaction import SENTENCE
from goldspan.plugin.service.rounds import begin
from service_parts import Parts, service
from service_process import wait_until


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    with service(tmp_path) as made:
        made.studio.tasks = {1: (0, 3), 2: (0, 2)}
        yield made


def event(parts: Parts, action: str = "ANNOTATION_CREATED") -> None:
    parts.queue.add(4, action)


def test_a_round_is_scored_when_every_task_has_its_annotators(parts: Parts) -> None:
    event(parts)
    assert parts.run(31) == 1
    assert parts.studio.syncs == 0, "one task still waits for the third"
    (project,) = parts.history.projects()
    assert (project.title, project.complete, project.tasks, project.wanted) == ("Reports", 1, 2, 3)

    parts.studio.annotate(2)
    event(parts)
    parts.run(31)
    assert parts.studio.syncs == 1
    (project,) = parts.history.projects()
    assert [one.number for one in project.rounds] == [1]
    assert project.rounds[0].gamma.value == parts.studio.result.gamma.value
    file = parts.archive.round(4, project.rounds[0].file)
    assert file is not None
    assert json.loads(file.read_text(encoding="utf-8")) == parts.studio.result.as_json()


def test_a_hundred_equal_events_are_one_sync(parts: Parts) -> None:
    parts.studio.annotate(2)
    for _ in range(100):
        event(parts)
        assert parts.run(0.1) == 0

    assert parts.run(31) == 1
    assert parts.studio.syncs == 1


def test_the_order_of_events_does_not_matter(parts: Parts) -> None:
    actions = ["ANNOTATIONS_DELETED", "ANNOTATION_CREATED", "TASKS_CREATED", "ANNOTATION_UPDATED"]
    parts.studio.annotate(2)
    for seed in range(3):
        random.Random(seed).shuffle(actions)
        for action in actions:
            event(parts, action)
        parts.run(31)

    assert parts.studio.wrote == 1


def test_our_own_writes_end_the_chain_of_events(parts: Parts) -> None:
    """Label Studio tells us of what we wrote; the next look finds nothing to write."""
    parts.studio.annotate(2)
    parts.studio.after_write = lambda: [event(parts, "PROJECT_UPDATED") for _ in range(3)]
    event(parts)
    looks = [parts.run(31) for _ in range(6)]

    assert looks == [1, 1, 0, 0, 0, 0]
    assert (parts.studio.wrote, parts.studio.syncs) == (1, 2)
    (project,) = parts.history.projects()
    assert (project.syncs, project.writes) == (2, 3)
    event(parts, "PROJECT_UPDATED")
    parts.run(31)
    assert parts.studio.syncs == 2, "nothing has changed since"


def test_a_lost_event_is_found(parts: Parts) -> None:
    parts.queue.know(4)
    parts.run(31)
    parts.studio.annotate(2)
    parts.worker.reconcile()

    assert parts.run(31) == 1
    assert parts.studio.syncs == 1
    parts.worker.reconcile()
    parts.run(31)
    parts.worker.reconcile()
    assert parts.run(31) == 0
    assert parts.studio.wrote == 1


def test_a_request_scores_what_there_is(parts: Parts) -> None:
    parts.queue.request(4)
    assert parts.run() == 1
    assert parts.studio.syncs == 1
    parts.studio.annotate(2)
    parts.studio.annotate(3)
    event(parts)
    parts.run(31)
    assert parts.studio.syncs == 1, "the second round is not complete"
    (project,) = parts.history.projects()
    assert (project.round.number, project.round.closed) == (2, False)


def test_ground_truth_of_ours_begins_no_round(parts: Parts) -> None:
    parts.studio.tasks = {1: (0, 2), 2: (0, 1)}
    parts.studio.truths = True
    parts.queue.request(4)
    parts.run()
    event(parts)
    parts.run(31)

    (project,) = parts.history.projects()
    assert (project.round.number, project.round.closed) == (1, True)


def test_rounds_make_a_trend(parts: Parts) -> None:
    parts.queue.request(4)
    parts.run()
    assert parts.archive.page(4, "trend.html") is None
    parts.studio.annotate(3)
    parts.queue.request(4)
    parts.run()

    assert parts.archive.page(4, "trend.html") is not None
    (project,) = parts.history.projects()
    assert [one.number for one in project.rounds] == [1, 2]


def test_a_round_that_was_begun_waits_for_somebody_to_annotate(parts: Parts) -> None:
    """What we wrote ourselves is a change of the tasks, but nobody's work."""
    parts.studio.annotate(2)
    event(parts)
    parts.clock.now += 31
    assert parts.worker.step()
    parts.history.begin(4, begin(parts.history.projects()[0].round))
    event(parts, "PROJECT_UPDATED")
    parts.run(31)
    (project,) = parts.history.projects()
    assert (project.round.number, project.round.closed) == (2, False)
    assert [one.number for one in project.rounds] == [1]

    parts.studio.annotate(2)
    event(parts)
    parts.run(31)
    (project,) = parts.history.projects()
    assert (project.round.number, project.round.closed) == (2, True)
    assert [one.number for one in project.rounds] == [1, 2]


def test_live_writes_after_every_change_but_keeps_no_round(tmp_path: Path) -> None:
    with service(tmp_path, wishes=Wishes(live=True)) as parts:
        parts.studio.tasks = {1: (0, 3), 2: (0, 2)}
        event(parts)
        parts.run(31)

        assert parts.studio.syncs == 1
        assert parts.history.projects()[0].rounds == ()


def test_annotators_can_be_asked_for(tmp_path: Path) -> None:
    with service(tmp_path, wishes=Wishes(annotators=2)) as parts:
        parts.studio.tasks = {1: (0, 3), 2: (0, 2)}
        event(parts)
        parts.run(31)

        assert parts.studio.syncs == 1


@pytest.mark.parametrize(
    ("fault", "more"),
    [
        (ServerError("Label Studio at http://x cannot be reached", passing=True), ""),
        (ServerError("make a new token", status=401), ", and restart the service with it"),
        (ServerError("Label Studio at http://x has an internal error (500)", status=500), ""),
    ],
)
def test_a_server_that_fails_is_asked_again_and_again(
    parts: Parts, fault: ServerError, more: str
) -> None:
    parts.studio.annotate(2)
    parts.studio.fault = fault
    event(parts)
    assert parts.run(31) == 1
    (project,) = parts.history.projects()
    assert project.error == f"{fault}{more}"
    assert project.waiting
    assert parts.history.trouble() == f"{fault}{more}"
    assert parts.run(29) == 0
    assert parts.run(1) == 1
    assert parts.run(59) == 0
    parts.studio.fault = None

    assert parts.run(1) == 1
    assert parts.studio.syncs == 1
    (project,) = parts.history.projects()
    assert (project.error, project.waiting, parts.history.trouble()) == ("", False, "")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (ServerError("Label Studio is down", passing=True), "Label Studio is down"),
        (KeyError("a field that a later version lacks"), f"{SENTENCE} (KeyError)"),
    ],
)
def test_the_reconcile_outlives_any_fault(parts: Parts, fault: Exception, said: str) -> None:
    parts.queue.know(4)
    parts.run(31)
    parts.studio.fault = fault
    parts.worker.reconcile()

    assert parts.history.trouble() == said
    parts.studio.fault = None
    parts.worker.reconcile()
    assert parts.history.trouble() == ""


def test_a_project_that_is_gone_is_no_trouble_of_the_server(parts: Parts) -> None:
    parts.queue.know(4)
    parts.run(31)
    parts.studio.fault = NoProjectError("there is no project 4", status=404)
    parts.worker.reconcile()
    assert parts.run(31) == 1

    (project,) = parts.history.projects()
    assert project.error == "there is no project 4; if it was deleted, press “Forget”"
    assert parts.history.trouble() == ""


def test_trouble_ends_with_the_last_project(parts: Parts) -> None:
    parts.studio.fault = ServerError("Label Studio is down", passing=True)
    event(parts)
    parts.run(31)
    assert parts.history.trouble() == "Label Studio is down"
    parts.queue.forget(4)
    parts.worker.reconcile()

    assert parts.history.trouble() == ""


class Naps(threading.Event):
    """Takes no time; the last ends the worker."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.taken.append(timeout)
        if len(self.taken) == 9:
            self.set()
        return self.is_set()


def test_work_whose_end_could_not_be_noted_is_taken_up_again(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    done, failed = Queue.done, []

    def fail_once(queue: Queue, claim: Claim) -> None:
        if not failed:
            failed.append(claim)
            raise Busy("another program had it")
        done(queue, claim)

    monkeypatch.setattr(Queue, "done", fail_once)
    monkeypatch.setattr(parts.worker, "_stopping", Naps())
    parts.queue.request(4)
    parts.worker.run()

    (project,) = parts.history.projects()
    assert failed
    assert not project.in_hand
    assert not project.waiting
    assert "in use by another program" in caplog.messages[0]
    assert parts.studio.wrote == 1


def test_a_memory_that_fails_is_named_and_tried_less_and_less(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def claim(_queue: Queue) -> None:
        raise sqlite3.DatabaseError("database disk image is malformed")

    naps = Naps()
    monkeypatch.setattr(Queue, "claim", claim)
    monkeypatch.setattr(parts.worker, "_stopping", naps)
    parts.worker.run()

    assert naps.taken == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert f"{parts.folder / 'service.sqlite'} fails (database disk image" in caplog.messages[0]


@pytest.mark.parametrize(
    ("faulty", "said"), [(("7",), "task 7 left out"), (("7", "8", "9"), "task 7 and 2 more left")]
)
def test_tasks_that_cannot_be_read_are_named(
    parts: Parts, faulty: tuple[str, ...], said: str
) -> None:
    parts.studio.faulty = faulty
    parts.studio.annotate(2)
    event(parts)
    parts.run(31)
    (project,) = parts.history.projects()
    assert said in project.said


def test_a_result_that_was_cut_short_says_so(parts: Parts) -> None:
    parts.studio.cut_short = (Note.of("the time limit ran out"),)
    parts.studio.annotate(2)
    event(parts)
    parts.run(31)
    (project,) = parts.history.projects()
    assert "cut short by the time limit" in project.said


def test_what_only_a_change_can_mend_is_not_tried_again(parts: Parts) -> None:
    parts.studio.annotate(2)
    event(parts)
    object.__setattr__(
        parts.worker._job, "sync", lambda *_: (_ for _ in ()).throw(InputError("no label is left"))
    )
    assert parts.run(31) == 1
    (project,) = parts.history.projects()
    assert (project.error, project.waiting) == ("no label is left", False)
    parts.worker.reconcile()
    assert parts.run(1000) == 0


def test_a_fault_of_our_own_is_told_without_its_words(
    parts: Parts, caplog: pytest.LogCaptureFixture
) -> None:
    parts.studio.fault = KeyError("token-in-a-payload")
    event(parts)
    with caplog.at_level(logging.DEBUG):
        parts.run(31)

    (project,) = parts.history.projects()
    assert "KeyError" in project.error
    assert "service_parts.py" in caplog.text, "the log says where"
    assert "token-in-a-payload" not in caplog.text + project.error


def test_a_forgotten_project_is_left_alone(parts: Parts) -> None:
    event(parts)
    parts.clock.now += 31
    claim = parts.queue.claim()
    assert claim is not None
    parts.queue.forget(4)

    assert "no longer" in parts.worker._job.work(claim)
    parts.queue.done(claim)
    assert parts.history.projects() == ()


def test_a_project_forgotten_during_a_sync_is_not_written_to(parts: Parts) -> None:
    parts.studio.annotate(2)
    parts.studio.before_write = lambda: parts.queue.forget(4)
    event(parts)
    parts.run(31)

    assert (parts.studio.syncs, parts.studio.wrote) == (1, 0)
    assert not parts.queue.is_claimed(4)
    assert parts.history.projects() == ()


def test_a_project_taken_up_again_overwrites_no_round(parts: Parts) -> None:
    parts.queue.request(4)
    parts.run()
    first = parts.archive.round(4, "round-1.json")
    assert first is not None
    before = first.stat().st_mtime_ns
    parts.queue.forget(4)
    event(parts)
    assert parts.run(31) == 0
    assert parts.history.projects() == (), "an event is no wish of a person"

    parts.queue.request(4)
    parts.run()
    (project,) = parts.history.projects()
    assert [one.number for one in project.rounds] == [1, 2]
    assert first.stat().st_mtime_ns == before


def test_the_trend_is_of_the_rounds_that_are_known(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[list[str]] = []
    monkeypatch.setattr(
        "goldspan.plugin.service.job.read_rounds",
        lambda paths: shown.append([path.name for path in paths]) or read_rounds(paths),
    )
    for number in (1, 7):
        parts.archive.keep(4, number, Document.of(parts.studio.result), None)
    parts.queue.request(4)
    parts.run()
    parts.studio.annotate(3)
    parts.queue.request(4)
    parts.run()

    assert shown == [["round-1.json", "round-2.json"]]


def test_a_service_with_other_options_looks_again(tmp_path: Path) -> None:
    for syncing, syncs in (("", 1), ("", 0), ("layer text", 1)):
        with service(tmp_path, wishes=Wishes(syncing=syncing)) as parts:
            parts.studio.tasks = {1: (0, 3)}
            parts.queue.know(4)
            parts.worker.reconcile()
            parts.run(31)
            assert parts.studio.syncs == syncs


def test_the_worker_takes_up_what_was_interrupted(parts: Parts) -> None:
    parts.studio.annotate(2)
    parts.queue.request(4)
    assert parts.queue.claim() is not None
    running = threading.Thread(target=parts.worker.run)
    running.start()
    wait_until(lambda: not parts.history.projects()[0].waiting)
    parts.worker.stop()
    running.join(10)

    assert not running.is_alive()
    assert parts.studio.syncs == 1
