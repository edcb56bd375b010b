"""The queue loses no event and doubles no work, whenever the process dies."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.errors import SettingsError
from goldspan.plugin.label_studio.undo import stop_service
from goldspan.plugin.platform import TaskState
from goldspan.plugin.service.database import (
    LISTED,
    ROUNDS,
    SCHEMA,
    Busy,
    Database,
    is_served,
    sole_user,
)
from goldspan.plugin.service.history import History
from goldspan.plugin.service.queue import Claim, Debounce, Queue, pause
from goldspan.plugin.service.rounds import Round, look, tally

PROJECTS = st.sampled_from([1, 2, 3])


class Clock:
    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "service.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def queue(database: Database, clock: Clock) -> Queue:
    return Queue(database, Debounce(30, 300), clock)


class AnyHistory(RuleBasedStateMachine):
    """Events, claims, crashes and hours in any order.

    The model is what must be true: an event is covered only by work that began after it and ended.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = Clock()
        self.uncovered: dict[int, int] = {}
        self.covers: dict[int, int] = {}
        self.claim: Claim | None = None
        self.open()

    def open(self) -> None:
        self.database = Database(Path(self.folder.name) / "service.sqlite")
        self.queue = Queue(self.database, Debounce(30, 300), self.clock)

    def teardown(self) -> None:
        self.database.close()
        self.folder.cleanup()

    @rule(project=PROJECTS)
    def event(self, project: int) -> None:
        self.queue.add(project, "ANNOTATION_CREATED")
        self.uncovered[project] = self.uncovered.get(project, 0) + 1

    @rule(project=PROJECTS)
    def request(self, project: int) -> None:
        self.queue.request(project)
        self.uncovered[project] = self.uncovered.get(project, 0) + 1

    @rule(seconds=st.floats(-4000, 4000))
    def time_passes(self, seconds: float) -> None:
        self.clock.now += seconds

    @precondition(lambda self: self.claim is None)
    @rule()
    def take(self) -> None:
        self.claim = self.queue.claim()
        if self.claim is not None:
            self.covers = {self.claim.project: self.uncovered[self.claim.project]}

    @precondition(lambda self: self.claim is not None)
    @rule()
    def finish(self) -> None:
        assert self.claim is not None
        self.queue.done(self.claim)
        self.uncovered[self.claim.project] -= self.covers[self.claim.project]
        self.claim = None

    @precondition(lambda self: self.claim is not None)
    @rule()
    def fail(self) -> None:
        assert self.claim is not None
        assert 30 <= self.queue.fail(self.claim, "no server") <= 900
        self.claim = None

    @rule()
    def die_and_start(self) -> None:
        self.database.close()
        self.claim = None
        self.open()
        self.queue.recover()

    @invariant()
    def whatever_is_not_covered_waits(self) -> None:
        waiting = {one.id for one in History(self.database).projects() if one.waiting}
        assert waiting == {project for project, count in self.uncovered.items() if count}

    @invariant()
    def whatever_waits_comes_in_due_time(self) -> None:
        if self.claim is not None or not any(self.uncovered.values()):
            return
        assert self.queue.wait() <= 15 * 60


TestAnyHistory = AnyHistory.TestCase
TestAnyHistory.settings = settings(max_examples=40, stateful_step_count=30)


def test_whatever_happened_the_queue_runs_empty(queue: Queue, clock: Clock) -> None:
    for project in (3, 1, 2):
        queue.add(project, "TASKS_CREATED")
        clock.now += 1
    clock.now += 40
    order = []
    while claim := queue.claim():
        order.append(claim.project)
        queue.done(claim)

    assert order == [3, 1, 2]
    assert queue.wait() == float("inf")


def test_a_hundred_events_are_one_job(queue: Queue, clock: Clock, database: Database) -> None:
    for _ in range(100):
        queue.add(7, "ANNOTATION_CREATED")
        clock.now += 0.1

    assert queue.claim() is None
    clock.now += 30
    claim = queue.claim()
    assert claim == Claim(7, 100, requested=False)
    assert queue.claim() is None
    queue.done(claim)
    assert queue.claim() is None
    assert History(database).event_counts(7) == {"ANNOTATION_CREATED": 100}


def test_the_debounce_waits_for_quiet_but_not_for_ever(queue: Queue, clock: Clock) -> None:
    begun = clock.now
    while queue.claim() is None:
        queue.add(1, "ANNOTATION_UPDATED")
        clock.now += 10

    assert clock.now - begun == pytest.approx(300, abs=10)


def test_a_request_waits_for_nothing(queue: Queue, clock: Clock) -> None:
    queue.add(1, "ANNOTATION_CREATED")
    assert queue.wait() == pytest.approx(30)
    queue.request(1)

    assert queue.wait() == 0
    claim = queue.claim()
    assert claim is not None
    assert claim.requested
    queue.done(claim)
    queue.add(1, "ANNOTATION_CREATED")
    clock.now += 31
    later = queue.claim()
    assert later is not None
    assert not later.requested


def test_an_event_during_the_work_is_work_again(queue: Queue, clock: Clock) -> None:
    queue.request(1)
    claim = queue.claim()
    assert claim is not None
    queue.add(1, "ANNOTATION_DELETED")
    queue.done(claim)

    assert queue.claim() is None
    clock.now += 31
    assert queue.claim() is not None


def test_pauses_double_up_to_a_quarter_of_an_hour(queue: Queue, clock: Clock) -> None:
    queue.request(1)
    pauses = []
    for _ in range(8):
        claim = queue.claim()
        assert claim is not None
        pauses.append(queue.fail(claim, "Label Studio is down"))
        assert queue.claim() is None, "a request that failed is no reason to hurry"
        clock.now += pauses[-1]

    assert pauses == [30, 60, 120, 240, 480, 900, 900, 900]
    assert pause(10_000) == 900
    claim = queue.claim()
    assert claim is not None
    assert claim.requested, "it is still owed"
    queue.done(claim)
    queue.add(1, "ANNOTATION_CREATED")
    assert queue.wait() == pytest.approx(30), "the pauses are forgotten"


def test_a_request_does_not_wait_for_the_end_of_a_pause(queue: Queue, clock: Clock) -> None:
    queue.request(1)
    claim = queue.claim()
    assert claim is not None
    queue.fail(claim, "Label Studio is down")
    clock.now += 1
    assert queue.claim() is None
    queue.add(1, "ANNOTATION_CREATED")
    assert queue.claim() is None, "events do"
    queue.request(1)

    assert queue.claim() is not None


def test_what_cannot_be_done_is_said_and_waits_for_a_change(
    queue: Queue, database: Database
) -> None:
    queue.request(1)
    claim = queue.claim()
    assert claim is not None
    queue.give_up(claim, "no task has two annotators")

    assert queue.claim() is None
    (project,) = History(database).projects()
    assert (project.error, project.waiting) == ("no task has two annotators", False)


def test_unknown_projects_can_be_told_from_known_ones(queue: Queue) -> None:
    assert not queue.add_known(5, "START_TRAINING")
    assert not queue.is_known(5)
    queue.know(5)
    queue.know(5)
    assert queue.add_known(5, "START_TRAINING")
    queue.forget(5)
    assert not queue.is_known(5)


def test_a_forgotten_project_stays_so_until_a_person_wants_it(
    queue: Queue, clock: Clock, database: Database
) -> None:
    queue.request(5)
    queue.forget(5)
    queue.add(5, "ANNOTATION_CREATED")
    clock.now += 1000
    assert queue.claim() is None
    assert not queue.is_known(5)
    assert History(database).projects() == ()

    queue.remember(5)
    assert queue.is_known(5)
    assert queue.claim() is None, "what was asked before is forgotten"
    queue.add(5, "ANNOTATION_CREATED")
    clock.now += 31
    claim = queue.claim()
    assert claim is not None
    assert not claim.requested
    queue.forget(5)
    assert queue.is_claimed(5), "somebody is at work"
    queue.fail(claim, "Label Studio is down")
    assert not queue.is_claimed(5)
    queue.know(5)
    assert queue.is_known(5)


def test_many_threads_lose_nothing(queue: Queue, database: Database) -> None:
    def send() -> None:
        for _ in range(50):
            queue.add(1, "ANNOTATION_CREATED")

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert History(database).event_counts(1) == {"ANNOTATION_CREATED": 400}


KILLED = """
import sys
from pathlib import Path
from goldspan.plugin.platform import TaskState
from goldspan.plugin.service.database import Database
from goldspan.plugin.service.queue import Debounce, Queue

queue = Queue(Database(Path(sys.argv[1])), Debounce(0, 0))
if sys.argv[2] == "events":
    for number in range(1, 10**9):
        queue.add(number % 5 + 1, "ANNOTATION_CREATED")
        print(number, flush=True)
queue.add(1, "ANNOTATION_CREATED")
print(queue.claim(), flush=True)
sys.stdin.read()
"""


def run_until_killed(path: Path, what: str, lines: int) -> list[str]:
    """The last whole line that a process said before it was killed with no time for good-byes."""
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path), what],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        os.kill(process.pid, signal.SIGKILL)
        said += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    return [line for line in said if line.endswith("\n")]


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "service.sqlite"
    acknowledged = int(run_until_killed(path, "events", 300)[-1])

    database = Database(path)
    counts = [sum(History(database).event_counts(n).values()) for n in range(1, 6)]
    assert acknowledged <= sum(counts) <= acknowledged + 1
    assert [one.id for one in History(database).projects() if one.waiting] == [1, 2, 3, 4, 5]
    database.close()


def test_a_claim_dies_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "service.sqlite"
    assert "Claim(project=1" in run_until_killed(path, "claim", 1)[0]

    database = Database(path)
    queue = Queue(database)
    assert queue.claim() is None
    assert queue.recover() == 1
    claim = queue.claim()
    assert claim is not None
    queue.done(claim)
    assert queue.recover() == 0
    assert queue.claim() is None
    database.close()


def test_one_service_works_on_a_folder(tmp_path: Path) -> None:
    with (
        sole_user(tmp_path / "folder"),
        pytest.raises(SettingsError, match="another service"),
        sole_user(tmp_path / "folder"),
    ):
        pass
    with sole_user(tmp_path / "folder"):
        pass


def test_a_lock_that_is_none_is_told_from_one_that_is_held(tmp_path: Path) -> None:
    (tmp_path / "service.lock").write_bytes(b"no database" * 500)

    with pytest.raises(SettingsError, match=r"service\.lock cannot be used .* remove it"):
        sole_user(tmp_path).__enter__()
    assert not is_served(tmp_path), "an undo would wait for it"


def test_who_is_in_a_hurry_waits_for_no_other_writer(queue: Queue, database: Database) -> None:
    queue.know(1)
    with closing(sqlite3.connect(database.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy):
            queue.add(1, "TASKS_CREATED", patience=0)
        other.execute("ROLLBACK")
    with database.transaction(), pytest.raises(Busy):
        queue.add(1, "TASKS_CREATED", patience=0)
    queue.add(1, "TASKS_CREATED", patience=0)
    assert History(database).event_counts(1) == {"START": 1, "TASKS_CREATED": 1}


def test_undo_waits_for_a_service_that_is_at_work_and_for_no_dead_one(tmp_path: Path) -> None:
    with closing(Database(tmp_path / "service.sqlite")) as database:
        queue = Queue(database)
        queue.request(1)
        claim = queue.claim()
        assert claim is not None
        naps: list[bool] = []

        def finish(seconds: float) -> None:
            naps.append(queue.is_known(1))
            queue.done(claim)

        with sole_user(tmp_path):
            assert stop_service(tmp_path, 1, sleep=finish)
        assert naps == [False], "it was told before it was waited for"

        queue.request(1)
        assert queue.claim() is not None
        assert stop_service(tmp_path, 1, sleep=finish)
        assert len(naps) == 1
        assert not stop_service(tmp_path, 1, sleep=finish), "it knew it no longer"
    assert not stop_service(tmp_path / "nothing", 1, sleep=finish)


def test_a_file_that_is_no_database_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "service.sqlite"
    path.write_bytes(b"this is a letter to a friend, and no database at all" * 100)

    with pytest.raises(SettingsError, match="cannot be used"):
        Database(path)


OLD_ROUNDS = """
CREATE TABLE round (
  project INTEGER NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, file TEXT NOT NULL,
  tasks INTEGER NOT NULL, annotators INTEGER NOT NULL, units INTEGER NOT NULL,
  gamma REAL, gamma_low REAL, gamma_high REAL, gamma_cat REAL, level REAL NOT NULL,
  PRIMARY KEY (project, number)
) WITHOUT ROWID;
"""
PROGRESS = "  progress TEXT NOT NULL DEFAULT '',      -- of the work on the last claim, in words\n"
OPTIONS = (
    ",   -- not monitored until a person asks for it\n"
    "  annotators INTEGER, live INTEGER        -- its own options; NULL for those of the service\n"
)
OLD_SCHEMA = (
    SCHEMA.replace(ROUNDS, OLD_ROUNDS).replace(PROGRESS, "").replace(LISTED, "")
    .replace(OPTIONS, "    -- not monitored until a person asks for it\n")
)  # fmt: skip

WITHOUT_FORGETTING = OLD_SCHEMA.replace(
    "DEFAULT 0,\n  forgotten INTEGER NOT NULL DEFAULT 0 ", "DEFAULT 0 "
)


@pytest.mark.parametrize(
    ("version", "schema", "counted"),
    [(1, WITHOUT_FORGETTING, "3 " + "1234" * 8), (2, OLD_SCHEMA, "3 6")],
)
def test_the_memory_of_an_older_goldspan_is_read(
    tmp_path: Path, version: int, schema: str, counted: str
) -> None:
    assert WITHOUT_FORGETTING != OLD_SCHEMA != SCHEMA
    assert PROGRESS in SCHEMA
    path = tmp_path / "service.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(schema)
    row = (4, 1, counted)
    connection.execute("INSERT INTO project (id, closed, counted) VALUES (?, ?, ?)", row)
    old = (4, 1, 9.5, "round-1.json", 3, 2, 70, 0.5, 0.4, 0.6, 0.75, 0.9)
    connection.execute("INSERT INTO round VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", old)
    connection.execute(f"PRAGMA user_version={version}")
    connection.commit()
    connection.close()

    with closing(Database(path)) as database:
        project = History(database).project(4)
    assert project is not None
    (scored,) = project.rounds
    assert (scored.number, scored.at, scored.file) == (1, 9.5, "round-1.json")
    assert (scored.tasks, scored.annotators, scored.units) == (3, 2, 70)
    assert scored.figures == {
        "gamma": Figure(0.5, 0.4, 0.6, 0.9, 70), "gamma_cat": Figure(0.75, None, None, 0.9, 0),
    }  # fmt: skip
    assert scored.symbols == {"gamma": "γ", "gamma_cat": "γcat"}
    found = tally([TaskState(number, "09:00Z", "t", 2) for number in range(3)], 3)
    now, closes = look(project.round, found, requested=False)
    assert (now, closes) == (Round(1, closed=True, counted="3 6 09:00"), False)


def test_the_memory_of_a_newer_goldspan_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "service.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()

    with pytest.raises(SettingsError, match="newer goldspan"):
        Database(path)
