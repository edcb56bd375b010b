"""Running: the service put together, from its options to the socket it listens on."""

from __future__ import annotations

import argparse
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from goldspan.engine.errors import GoldspanError, SettingsError
from goldspan.plugin.label_studio.arguments import connect, sync_options
from goldspan.plugin.label_studio.http_client import checked_address
from goldspan.plugin.label_studio.server import Server
from goldspan.plugin.measuring import COMPILING
from goldspan.plugin.service.access import Access, webhook_secret
from goldspan.plugin.service.app import build_app
from goldspan.plugin.service.archive import Archive
from goldspan.plugin.service.connections import AT_ONCE, Connection, Listener
from goldspan.plugin.service.dashboard import Dashboard
from goldspan.plugin.service.database import FILE, Database, sole_user
from goldspan.plugin.service.endpoints import Hooks, Model
from goldspan.plugin.service.history import History
from goldspan.plugin.service.job import Job, Progress, Synced, Wishes
from goldspan.plugin.service.log import LOG, log_to_stderr
from goldspan.plugin.service.processes import Apart, Kept, settle_in
from goldspan.plugin.service.queue import Debounce, Queue
from goldspan.plugin.service.redaction import place, told
from goldspan.plugin.service.retrieval import ANSWER_SECONDS, Limits
from goldspan.plugin.service.worker import Worker
from goldspan.plugin.terminal import visible_output

LONGEST = 10
"""A project is due after this many debounces, however lively it is."""


class Serving(Listener):
    """A listener which ends when asked, and lets us end what we began."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Uvicorn would end the process by the signal itself, and nothing after it would run."""

        def end(_number: int, _frame: FrameType | None) -> None:
            self.force_exit = self.should_exit
            self.should_exit = True

        before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def run(args: argparse.Namespace, password: str | None) -> int:
    """Listen until a signal ends it; 0 then."""
    log_to_stderr(quiet=args.quiet)
    # Bad settings are told before anything is begun.
    server = connect(args) if args.url else None
    sync_options(args)
    public = checked_address(args.public_url, "goldspan service") if args.public_url else ""
    with (
        _listening(args.host, args.port) as listening,
        sole_user(args.folder),
        closing(Database(args.folder / FILE)) as database,
        ExitStack() as stack,
    ):
        access = Access(webhook_secret(args.folder), password)
        queue, history = _queue(args, database), History(database)
        if server is not None:
            for number in args.projects:
                queue.know(number)
            worker = Kept(work, args)
            worker.start()
            stack.callback(worker.stop)
        apart = stack.enter_context(Apart())
        only, limit = frozenset(args.projects), args.max_megabytes * 2**20
        app = build_app(
            Dashboard(
                access, queue, history, Archive(args.folder), server.url if server else "", only,
                public_url=public,
            ),
            Hooks(access, queue, server is not None, only, limit),
            Model(access, history, args.folder, apart, limit, _limits(args)),
        )  # fmt: skip
        host, port = listening.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        others = f", for others at {public}/" if public else ""
        LOG.info(
            "the dashboard is at http://%s:%s/%s; Ctrl-C ends the service", shown, port, others
        )
        _serve(app, listening)
    return 0


def work(args: argparse.Namespace) -> None:
    """Keep projects up to date, in a process of its own, until asked to end."""
    log_to_stderr(quiet=args.quiet)
    settle_in()
    try:
        with (
            visible_output(),
            closing(Database(args.folder / FILE)) as database,
            connect(args) as server,
        ):
            worker = _worker(args, database, server)
            signal.signal(signal.SIGTERM, lambda _number, _frame: worker.stop())
            worker.run()
    except GoldspanError as error:
        LOG.error("the worker: %s", told(error))
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 - it is one line in the log, and not many
        LOG.error("the worker: %s", place(error))
        sys.exit(1)


def _worker(args: argparse.Namespace, database: Database, server: Server) -> Worker:
    # The engine, which only this process needs.
    from goldspan.engine.alignment.kernel import compiles_in_memory  # noqa: PLC0415
    from goldspan.plugin.label_studio.sync import sync  # noqa: PLC0415

    if compiles_in_memory():
        LOG.info(COMPILING)

    # Not every project that is looked after has every model.
    options = replace(sync_options(args), lenient=True)

    def bring_up_to_date(number: int, progress: Progress) -> Synced:
        return sync(server, number, options, progress=progress)

    wishes = Wishes(args.annotators, args.live, repr(options))
    job = Job(server, bring_up_to_date, History(database), Archive(args.folder), wishes)
    remedy = f"put it into {args.token_file}" if args.token_file else "restart the service with it"
    return Worker(_queue(args, database), job, args.reconcile * 60, remedy)


def _queue(args: argparse.Namespace, database: Database) -> Queue:
    return Queue(database, Debounce(args.debounce, LONGEST * args.debounce))


def _limits(args: argparse.Namespace) -> Limits:
    return Limits(args.max_seconds or ANSWER_SECONDS, args.seconds)


def _serve(app: ASGIApp, listening: socket.socket) -> None:
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        loop="asyncio",
        backlog=AT_ONCE,
        log_config=None,
        access_log=False,  # addresses hold the model's key
        lifespan="off",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=5,
    )
    Serving(config).run(sockets=[listening])


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = found[0]
        listening = socket.create_server(address[:2], family=family)
    except OSError as error:
        raise SettingsError(
            f"the service cannot listen on {host}, port {port}: {error.strerror or error}; choose "
            "another with --host or --port"
        ) from error
    with listening:
        yield listening
