"""The service on a platform of a few dictionaries: all of it works without Label Studio."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from call_counts import counted
from dask_cluster import dask_cluster
from goldspan.engine.coefficient.difference_columns import DifferenceColumns
from goldspan.engine.disagreement import _Splits
from goldspan.engine.facts import Note
from goldspan.engine.gold.gold import Gold
from goldspan.engine.model import Continuum, Corpus, Unit
from goldspan.engine.result import Result
from goldspan.engine.settings import Settings
from goldspan.plugin import cluster
from goldspan.plugin.adjudications import Adjudications
from goldspan.plugin.measurement import ComputeRequest, MeasureOptions, MeasureRequest
from goldspan.plugin.platform import Overview, PlatformError, Progress, ProjectInfo, TaskState
from goldspan.plugin.report.surroundings import NOWHERE, Surroundings
from goldspan.plugin.service.database import Database
from goldspan.plugin.service.history import History, Project
from goldspan.plugin.service.running import make_app, make_queue, make_worker
from goldspan.plugin.service.settings import ServiceSettings, Source
from goldspan.plugin.service.sync import sync
from goldspan.plugin.service.web.access import SECRET_HEADER, Access
from goldspan.plugin.service.web.frontend import Frontend
from goldspan.plugin.service.worker import Worker
from service_parts import SECRET, Client, Clock

ROOT = Path(__file__).parents[3]
TEXT = "Ada Obi met Ben Cole in Port Alder"
PEOPLE = ("ann", "bob", "cyd")
PROJECT = 12
QUICK = MeasureRequest(Settings(precision=0.1), pairs=False)


class Killed(BaseException):
    """The process ends here."""


@dataclass
class Wall:
    """A project: notes on a wall, of people and of goldspan."""

    title: str = "Minutes"
    notes: dict[int, set[Unit]] = field(default_factory=dict)
    versions: dict[int, int] = field(default_factory=dict)
    written: dict[int, str] = field(default_factory=dict)

    def mark(self, task: int, annotator: str, *spans: tuple[int, int, str]) -> None:
        self.notes.setdefault(task, set()).update(Unit(annotator, *span) for span in spans)
        self.versions[task] = self.versions.get(task, 0) + 1


@dataclass(frozen=True)
class Photo:
    """A snapshot of a wall."""

    title: str
    corpus: Corpus
    is_written: bool
    written: Mapping[int, str]
    with_models: Corpus | None = None
    contaminated: int = 0
    faulty: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    surroundings: Surroundings = NOWHERE
    lead_times: Mapping[str, Sequence[float]] = field(default_factory=dict)
    adjudications: Adjudications | None = None


@dataclass(frozen=True)
class Sheet:
    """A plan: what to pin to each task."""

    texts: Mapping[int, str]
    adds_annotations: bool = False
    notes: tuple[Note, ...] = ()

    def counts(self) -> Mapping[str, int]:
        return {"notes": len(self.texts)} if self.texts else {}


@dataclass
class Office:
    """A platform in memory. `faults` are raised one after another, each before the next write."""

    walls: dict[int, Wall]
    faults: list[BaseException | None] = field(default_factory=list)
    pins: int = 0

    def projects(self) -> Sequence[ProjectInfo]:
        return [ProjectInfo(number, wall.title) for number, wall in self.walls.items()]

    def overview(self, project: int, /) -> Overview:
        wall = self.walls[project]
        tasks = [
            TaskState(
                task, f"{task:04}", str(wall.versions[task]), len({u.annotator for u in units})
            )
            for task, units in wall.notes.items()
        ]
        return Overview(wall.title, tasks, annotators=3)

    @contextmanager
    def pull(self, project: int, /) -> Iterator[Photo]:
        wall = self.walls[project]
        continua = tuple(
            Continuum(str(task), tuple(units), text=TEXT) for task, units in wall.notes.items()
        )
        yield Photo(wall.title, Corpus(continua), bool(wall.written), dict(wall.written))

    def plan(self, photo: Photo, result: Result, gold: Gold, /) -> Sheet:
        wanted = {
            int(task): f"γ {found.gamma.value:.2f}, {len(gold.spans[task])} spans"
            for task, found in result.tasks.items()
        }
        return Sheet({t: text for t, text in wanted.items() if photo.written.get(t) != text})

    def apply(self, sheet: Sheet, progress: Progress | None, /) -> Sequence[Note]:
        (wall,) = self.walls.values()
        for done, (task, text) in enumerate(sheet.texts.items()):
            fault = self.faults.pop(0) if self.faults else None
            if fault is not None:
                raise fault
            if progress is not None:
                progress("pinning", done, len(sheet.texts))
            wall.written[task] = text
            wall.versions[task] += 1
            self.pins += 1
        return ()


@dataclass
class Running:
    """The service on an office, put together as the command does it."""

    office: Office
    wall: Wall
    clock: Clock
    history: History
    worker: Worker
    client: Client
    folder: Path
    recover: Callable[[], int]

    def event(self, **more: object) -> int:
        body = {"action": "CHANGED", "project": PROJECT} | more
        headers = {SECRET_HEADER: SECRET}
        return self.client.post("/webhook", json=body, headers=headers).status_code

    def run(self, seconds: float) -> int:
        self.clock.now += seconds
        steps = 0
        while self.worker.step():
            steps += 1
        return steps

    @property
    def project(self) -> Project:
        (found,) = self.history.projects()
        return found


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with service_of(tmp_path, QUICK) as made:
        yield made


@contextmanager
def service_of(tmp_path: Path, measuring: MeasureRequest) -> Iterator[Running]:
    wall = Wall()
    for task in (1, 2, 3):
        for name in PEOPLE:
            late = 4 if name == "cyd" and task == 2 else 0
            wall.mark(task, name, (0, 7, "PER"), (12 + late, 20, "PER"), (24, 34, "LOC"))
    office, clock = Office({PROJECT: wall}), Clock()
    settings = ServiceSettings(tmp_path)
    source = Source(lambda: nullcontext(office), MeasureOptions(tmp_path, measuring=measuring))
    frontend = Frontend("Office", "http://office.example")
    database = Database(tmp_path / "service.sqlite")
    with closing(database), ThreadPoolExecutor(1) as pool:
        app = make_app(settings, Access(SECRET), database, frontend, pool, clock)
        worker = make_worker(settings, database, office, source, clock)
        yield Running(
            office, wall, clock, History(database, clock), worker, Client(app), tmp_path,
            make_queue(settings, database, clock).recover,
        )  # fmt: skip


def test_an_event_leads_to_a_scored_round_on_the_wall_and_the_dashboard(running: Running) -> None:
    assert running.event() == 204
    assert running.run(10) == 0, "not quiet for long enough"
    assert running.run(21) == 1

    assert sorted(running.wall.written) == [1, 2, 3]
    assert running.wall.written[1] == "γ 1.00, 3 spans"
    (scored,) = running.project.rounds
    assert (scored.number, scored.tasks, scored.annotators) == (1, 3, 3)
    kept = running.folder / f"project-{PROJECT}" / "rounds" / scored.file
    assert json.loads(kept.read_text(encoding="utf-8"))["schema"] == 1
    page = running.client.get("/").text
    assert "http://office.example" in page
    assert "Minutes" in page
    assert f"{scored.gamma.value:.2f}" in page
    assert "round 1 is complete" in page
    assert "Office reported a change" in page
    assert "Label Studio" not in page
    assert running.client.get(f"/project-{PROJECT}/report.html").status_code == 200


def test_a_round_is_computed_and_turned_into_json_once(running: Running) -> None:
    running.event()
    with counted() as calls:
        assert running.run(31) == 1
    place = running.folder / f"project-{PROJECT}"
    written = (place / "result.json").read_text(encoding="utf-8")
    assert (place / "rounds" / "round-1.json").read_text(encoding="utf-8") == written
    assert calls.of(Result.as_json) == 1
    # The differences of all tasks are found together, and those of no alignment once more.
    assert calls.of(DifferenceColumns.of.__func__) == 1
    assert calls.of(_Splits.__init__) == 0


def test_what_we_wrote_ourselves_is_looked_at_once_more_and_that_is_all(running: Running) -> None:
    running.event()
    running.run(31)
    running.event()
    assert running.run(31) == 1
    assert running.office.pins == 3
    running.event()
    running.run(31)
    assert (running.project.syncs, running.office.pins) == (2, 3)


def test_new_tasks_are_a_new_round_and_the_old_one_is_kept(running: Running) -> None:
    running.event()
    running.run(31)
    running.wall.mark(4, "ann", (0, 7, "PER"))
    running.event()
    running.run(31)
    assert [one.number for one in running.project.rounds] == [1], "two people are missing"
    running.wall.mark(4, "bob", (0, 7, "PER"))
    running.wall.mark(4, "cyd", (0, 7, "ORG"))
    running.event()
    running.run(31)

    assert [(one.number, one.tasks) for one in running.project.rounds] == [(1, 3), (2, 4)]
    assert "trend.html" in running.client.get("/").text


@pytest.mark.parametrize(
    "fault", [RuntimeError("a fault"), PlatformError("the office is closed", passing=True)]
)
def test_a_crash_while_writing_is_repeated(running: Running, fault: Exception) -> None:
    running.office.faults = [None, fault]
    running.event()
    running.run(31)
    assert sorted(running.wall.written) == [1]
    assert running.project.rounds == ()
    assert "tried again in 30 seconds" in running.client.get("/").text

    assert running.run(30) == 1
    assert sorted(running.wall.written) == [1, 2, 3]
    assert running.office.pins == 3, "what was written is not written again"
    assert [one.number for one in running.project.rounds] == [1]
    assert running.project.error == ""


def test_a_kill_while_writing_is_made_up_for_at_the_next_start(running: Running) -> None:
    running.office.faults = [None, Killed()]
    running.event()
    with pytest.raises(Killed):
        running.run(31)
    assert running.run(1000) == 0, "somebody has it in hand"

    assert running.recover() == 1
    assert running.run(0) == 1
    assert sorted(running.wall.written) == [1, 2, 3]
    assert running.office.pins == 3


def test_events_of_another_kind_are_ignored(running: Running) -> None:
    answer = running.client.post(
        "/webhook", json={"action": "SOLD", "project": PROJECT}, headers={SECRET_HEADER: SECRET}
    )
    assert answer.json() == {"status": "ignored"}
    assert running.event(project="twelve") == 400
    assert running.history.projects() == ()


def test_addresses_of_label_studio_are_not_there(running: Running) -> None:
    for path in ("/predict", "/model/predict", "/setup"):
        assert running.client.post(path, json={}).status_code == 404


def test_a_dry_run_writes_the_report_and_nothing_else(running: Running) -> None:
    options = MeasureOptions(running.folder, measuring=QUICK)
    outcome = sync(running.office, PROJECT, options, dry_run=True)

    assert outcome.writes == {"notes": 3}
    assert outcome.report.is_file()
    assert running.wall.written == {}


def test_any_place_of_work_gives_the_same_result(running: Running) -> None:
    def outcome(folder: str, compute: ComputeRequest) -> tuple[object, object]:
        options = MeasureOptions(running.folder / folder, measuring=replace(QUICK, compute=compute))
        found = sync(running.office, PROJECT, options, dry_run=True)
        return found.result.as_json(), found.gold.as_json()

    alone = outcome("alone", ComputeRequest())
    assert outcome("workers", ComputeRequest(workers=2)) == alone
    with dask_cluster() as address:
        assert outcome("dask", ComputeRequest(dask=address)) == alone


def test_a_cluster_that_is_down_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    nowhere = MeasureRequest(compute=ComputeRequest(dask="tcp://127.0.0.1:9"))
    with service_of(tmp_path, nowhere) as running:
        assert running.event() == 204
        assert running.run(30) == 1
        assert "no Dask scheduler answers at tcp://127.0.0.1:9" in running.client.get("/").text
        assert running.project.waiting, "it is not given up"


def test_the_page_for_contributors_shows_the_protocol() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = page.partition("## A platform of your own")[2].partition("\n## ")[0]
    shown = [line[4:].removesuffix(" ...") for line in section.splitlines() if " def " in line]
    source = (ROOT / "plugin/goldspan/plugin/platform.py").read_text(encoding="utf-8")
    protocol = source.partition("class Platform(")[2]

    assert shown == [line for line in protocol.splitlines() if line.startswith("    def ")]
