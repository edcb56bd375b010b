"""A service without a Label Studio: a project that is a dictionary, and a clock that is turned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import anyio
import httpx
from starlette.types import ASGIApp

from goldspan.engine import score
from goldspan.engine.facts import Note
from goldspan.engine.result import Result
from goldspan.plugin.document import Document
from goldspan.plugin.label_studio.frontend import LabelStudioFrontend
from goldspan.plugin.label_studio.ml_backend.retrieval import Limits
from goldspan.plugin.label_studio.ml_backend.retrievals import Retrievals
from goldspan.plugin.platform import Overview, Progress, ProjectInfo, TaskState
from goldspan.plugin.service.archive import PAGES, Archive
from goldspan.plugin.service.database import Database
from goldspan.plugin.service.history import History
from goldspan.plugin.service.job import Job, Wishes
from goldspan.plugin.service.queue import Debounce, Queue
from goldspan.plugin.service.web.access import Access
from goldspan.plugin.service.web.app import build_app
from goldspan.plugin.service.web.dashboard import Dashboard
from goldspan.plugin.service.web.endpoints import Hooks
from goldspan.plugin.service.web.frontend import Context
from goldspan.plugin.service.web.guesses import Guesses
from goldspan.plugin.service.worker import Worker
from report_corpora import texts

SECRET = "a-secret-of-some-length"  # noqa: S105 - a made-up one
PASSWORD = "correct horse battery"  # noqa: S105 - a made-up one
BASE = "http://127.0.0.1:9090"


class Clock:
    """Stands still until it is turned."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True)
class Outcome:
    """What a sync comes to."""

    result: Result
    writes: dict[str, int]
    adds_annotations: bool = False
    report: Path | None = None
    contaminated: int = 0
    faulty: tuple[str, ...] = ()

    @property
    def document(self) -> Document:
        return Document.of(self.result)


@cache
def _scored(variant: int, coefficients: tuple[str, ...]) -> Result:
    corpus = texts(12)
    return score(replace(corpus, continua=corpus.continua[variant : variant + 5]), pairs=False,
                 precision=0.1, coefficients=coefficients)  # fmt: skip


@dataclass
class Studio:
    """A Label Studio with one project: a task's id, version and number of annotators.

    Tasks are made in the order of their ids, one each second; `made` tells otherwise. The result
    is another one for every number of annotations. A sync writes what is not written yet, which
    changes every task, as columns do. `fault` is raised instead of answers.
    """

    tasks: dict[int, tuple[int, int]] = field(default_factory=dict)
    written: str = ""
    syncs: int = 0
    wrote: int = 0
    fault: Exception | None = None
    made: dict[int, str] = field(default_factory=dict)
    before_write: Any = None
    while_writing: Any = None
    after_write: Any = None
    truths: bool = False
    report: Path | None = None
    faulty: tuple[str, ...] = ()
    cut_short: tuple[Note, ...] = ()
    coefficients: tuple[str, ...] = ()

    def projects(self) -> Sequence[ProjectInfo]:
        self._stumble()
        return [ProjectInfo(4, "Reports"), ProjectInfo(9, "Letters <b>")]

    def overview(self, _number: int) -> Overview:
        self._stumble()
        return Overview("Reports", list(self._states()), 3, "<V/>")

    def _states(self) -> Iterable[TaskState]:
        for task, (version, count) in self.tasks.items():
            made = self.made.get(task, f"2026-01-01T00:00:{task:02}Z")
            yield TaskState(task, made, f"t{version}", count)

    @property
    def result(self) -> Result:
        variant = sum(count for _, count in self.tasks.values()) % 7
        found = _scored(variant, self.coefficients)
        return replace(found, cut_short=self.cut_short)

    def annotate(self, task: int, count: int = 1) -> None:
        version, before = self.tasks.get(task, (0, 0))
        self.tasks[task] = (version + 1, before + count)

    def sync(self, _number: int, progress: Progress) -> Outcome:
        self._stumble()
        self.syncs += 1
        if self.report is not None:
            self.report.write_text(f"<p>report {self.syncs}</p>", encoding="utf-8")
        if self.before_write:
            self.before_write()
        progress("writing columns", 0, len(self.tasks))
        progress("writing columns", 1, max(2, len(self.tasks)))
        if self.while_writing:
            self.while_writing()
        says = str(sorted((task, count) for task, (_, count) in self.tasks.items()))
        writes = {} if self.written == says else {"columns": len(self.tasks), "tab": 1}
        if writes:
            self.wrote += 1
            more = 1 if self.truths else 0
            self.tasks = {task: (v + 1, count + more) for task, (v, count) in self.tasks.items()}
            if self.truths:
                writes["ground truth added"] = len(self.tasks)
            self.written = str(sorted((task, count) for task, (_, count) in self.tasks.items()))
            if self.after_write:
                self.after_write()
        return Outcome(
            self.result, writes, "ground truth added" in writes, self.report, faulty=self.faulty
        )

    def _stumble(self) -> None:
        if self.fault is not None:
            raise self.fault


@dataclass(frozen=True)
class Client:
    """Calls to an application without a network, one by one."""

    app: ASGIApp
    address: str = "127.0.0.1"

    def get(self, path: str, **more: Any) -> httpx.Response:
        return anyio.run(lambda: self._call("GET", path, **more))

    def post(self, path: str, **more: Any) -> httpx.Response:
        return anyio.run(lambda: self._call("POST", path, **more))

    async def _call(self, method: str, path: str, **more: Any) -> httpx.Response:
        transport = httpx.ASGITransport(self.app, client=(self.address, 50_000))
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            return await client.request(method, path, **more)


@dataclass
class Parts:
    """A whole service on a folder."""

    folder: Path
    clock: Clock
    studio: Studio
    access: Access
    queue: Queue
    history: History
    retrievals: Retrievals
    archive: Archive
    worker: Worker
    client: Client

    @property
    def key_url(self) -> str:
        return f"/model/{self.access.key}"

    def run(self, seconds: float = 0.0) -> int:
        """Let time pass and work on what is due then; how many projects that were."""
        self.clock.now += seconds
        steps = 0
        while self.worker.step():
            steps += 1
            assert steps < 50, "it never ends"
        return steps


@contextmanager
def service(
    folder: Path,
    *,
    password: str | None = None,
    connected: bool = True,
    wishes: Wishes | None = None,
    only: frozenset[int] = frozenset(),
    limit: int = 100_000,
    executor: Executor | None = None,
    limits: Limits | None = None,
    connection: Any = None,
    browser_url: str = "",
) -> Iterator[Parts]:
    """The parts of a service, put together as the command does it."""
    clock, studio = Clock(), Studio(report=folder / "report-of-a-sync.html")
    database = Database(folder / "service.sqlite")
    with closing(database), executor or ThreadPoolExecutor(1) as pool:
        queue = Queue(database, Debounce(30, 300), clock)
        frontend = LabelStudioFrontend(
            "Label Studio", "http://studio.example" if connected else "", limits or Limits(),
            connection, browser_url,
        )  # fmt: skip
        history, archive = History(database, clock), Archive(folder, {**PAGES, **frontend.PAGES})
        access = Access(SECRET, password, guesses=Guesses(clock))
        job = Job(studio, studio.sync, history, archive, wishes or Wishes())
        worker = Worker(queue, job)
        hooks = Hooks(access, queue, frontend, only, limit)
        context = Context(access, database, archive, pool, hooks.webhook, limit, clock, only)
        dashboard = Dashboard(access, queue, history, archive, frontend, context, only, clock)
        app = build_app(dashboard, hooks, frontend.routes(context))
        yield Parts(
            folder, clock, studio, access, queue, history, Retrievals(database, clock), archive,
            worker, Client(app),
        )  # fmt: skip
