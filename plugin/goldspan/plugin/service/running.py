"""Running: the service put together, from its settings to the socket it listens on."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

from starlette.types import ASGIApp

from goldspan.engine.errors import GoldspanError
from goldspan.plugin.measurement import COMPILING
from goldspan.plugin.service.archive import PAGES, Archive
from goldspan.plugin.service.database import FILE, Database, sole_user
from goldspan.plugin.service.history import History
from goldspan.plugin.service.job import Job, Synced, Wishes
from goldspan.plugin.service.log import LOG, log_to_stderr
from goldspan.plugin.service.notify.notifier import Notifier
from goldspan.plugin.service.processes import Apart, Supervised, settle_in
from goldspan.plugin.service.queue import Debounce, Queue
from goldspan.plugin.service.redaction import place, redact
from goldspan.plugin.service.web.access import Access, webhook_secret
from goldspan.plugin.service.web.app import build_app
from goldspan.plugin.service.web.dashboard import Dashboard
from goldspan.plugin.service.web.ending import Ending
from goldspan.plugin.service.web.endpoints import Hooks
from goldspan.plugin.service.web.frontend import Context, Frontend
from goldspan.plugin.service.web.listening import listening_on, make_server
from goldspan.plugin.service.worker import Worker
from goldspan.plugin.terminal import visible_output

if TYPE_CHECKING:
    from goldspan.plugin.platform import P, Platform, Progress, S
    from goldspan.plugin.service.settings import ServiceSettings, Source

LONGEST = 10
"""A project is due after this many debounces, however lively it is."""


def run(
    settings: ServiceSettings, password: str | None, frontend: Frontend, source: Source | None
) -> int:
    """Listen until a signal ends it; 0 then. Without a source no project is kept up to date."""
    log_to_stderr(quiet=settings.quiet)
    with (
        Ending() as ending,
        listening_on(settings.host, settings.port) as listening,
        sole_user(settings.folder),
        closing(Database(settings.folder / FILE)) as database,
        ExitStack() as stack,
    ):
        if source is not None:
            for number in settings.projects:
                make_queue(settings, database).know(number)
            worker = Supervised(work, settings, source)
            worker.start()
            stack.callback(worker.stop)
        apart = stack.enter_context(Apart())
        access = Access(webhook_secret(settings.folder), password)
        app = make_app(settings, access, database, frontend, apart)
        host, port = listening.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        others = f", for others at {settings.public_url}/" if settings.public_url else ""
        server = make_server(app)
        ending.catch(server)
        LOG.info(
            "the dashboard is at http://%s:%s/%s; Ctrl-C ends the service", shown, port, others
        )
        server.run(sockets=[listening])
    return 0


def make_app(
    settings: ServiceSettings,
    access: Access,
    database: Database,
    frontend: Frontend,
    executor: Executor,
    clock: Callable[[], float] = time.time,
) -> ASGIApp:
    """The service as an ASGI application."""
    queue, only = make_queue(settings, database, clock), frozenset(settings.projects)
    hooks = Hooks(access, queue, frontend, only, settings.limit)
    archive = Archive(settings.folder, {**PAGES, **frontend.PAGES})
    context = Context(
        access, database, archive, executor, hooks.webhook, settings.limit, clock, only
    )
    dashboard = Dashboard(
        access, queue, History(database, clock), archive, frontend, context, only, clock,
        settings.public_url,
    )  # fmt: skip
    return build_app(dashboard, hooks, frontend.routes(context))


def work(settings: ServiceSettings, source: Source) -> None:
    """Keep projects up to date, in a process of its own, until asked to end."""
    log_to_stderr(quiet=settings.quiet)
    settle_in()
    try:
        with (
            visible_output(),
            closing(Database(settings.folder / FILE)) as database,
            source.open() as platform,
        ):
            worker = make_worker(settings, database, platform, source)
            signal.signal(signal.SIGTERM, lambda _number, _frame: worker.stop())
            worker.run()
    except GoldspanError as error:
        LOG.error("the worker: %s", redact(error))
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 - it is one line in the log, and not many
        LOG.error("the worker: %s", place(error))
        sys.exit(1)


def make_worker(
    settings: ServiceSettings,
    database: Database,
    platform: Platform[S, P],
    source: Source,
    clock: Callable[[], float] = time.time,
) -> Worker:
    """What keeps the platform's projects up to date."""
    # The engine, which only this process needs.
    from goldspan.engine.alignment.kernel import compiles_in_memory  # noqa: PLC0415
    from goldspan.plugin.service.sync import sync  # noqa: PLC0415

    if compiles_in_memory():
        LOG.info(COMPILING)

    def bring_up_to_date(number: int, progress: Progress) -> Synced:
        return sync(platform, number, source.options, progress=progress)

    wishes = Wishes(settings.annotators, settings.live, repr(source.options))
    history = History(database, clock)
    notifier = Notifier(settings.channels, settings.public_url, settings.drop)
    for channel in settings.channels:
        LOG.info("notifications go to %s", channel.name)
    job = Job(platform, bring_up_to_date, history, Archive(settings.folder), wishes, notifier)
    queue = make_queue(settings, database, clock)
    return Worker(queue, job, settings.reconcile * 60, source.remedy)


def make_queue(
    settings: ServiceSettings, database: Database, clock: Callable[[], float] = time.time
) -> Queue:
    """The projects that are due."""
    return Queue(database, Debounce(settings.debounce, LONGEST * settings.debounce), clock)
