"""Dashboard: projects, rounds, the trend of γ, the last errors, the reports, and "score now"."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from goldspan.engine.errors import InputError
from goldspan.engine.result import OWN_NAMES
from goldspan.plugin.report import wording
from goldspan.plugin.report.charts import Axis, Line, coefficient_axis, line
from goldspan.plugin.report.wording import interval, many, number, share
from goldspan.plugin.service.annotators import page_name
from goldspan.plugin.service.rounds import begin
from goldspan.plugin.service.web.access import COOKIE, Access
from goldspan.plugin.service.web.annotator_page import annotator_page, annotators, duration
from goldspan.plugin.service.web.endpoints import require_person
from goldspan.plugin.service.web.events import project_number
from goldspan.plugin.service.web.forms import asked_form

if TYPE_CHECKING:
    from goldspan.plugin.service.archive import Archive
    from goldspan.plugin.service.history import History, Project, Scored
    from goldspan.plugin.service.queue import Queue
    from goldspan.plugin.service.web.frontend import Context, Frontend

REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox"
)
"""A report brings a stricter policy of its own, which names its script; both hold. In the sandbox
it has no part in the dashboard's session, whatever it may contain; its links may open the
platform's pages beside it.
"""

DOWNLOADS = {".json": "application/json", ".csv": "text/csv; charset=utf-8"}
"""Files that a browser stores instead of showing them."""

MOST_PEOPLE = 1000
"""More annotators of a task are a mistake."""

COOKIE_SECONDS = 365 * 86_400


@dataclass(frozen=True, slots=True)
class Card:
    """A project, ready to be laid out; `rounds` come with the name of the file to show, `first` are
    the tasks to open first, `people` the annotators who have a page and what it is called.
    `symbols` are those of the coefficients, γ first, and `trends` the lines over the rounds: γ, and
    what is measured beside γ and γcat.
    """

    project: Project
    state: str
    pages: tuple[tuple[str, str], ...]
    rounds: tuple[tuple[Scored, str], ...]
    first: tuple[Mapping[str, Any], ...]
    people: tuple[tuple[str, str], ...]
    symbols: Mapping[str, str]
    axis: Axis
    trends: Mapping[str, Line]

    @property
    def trend(self) -> Line:
        """The line of γ."""
        return self.trends["gamma"]


@dataclass(frozen=True, slots=True)
class Dashboard:
    """The pages for people. Without the address of a platform there is none to look at."""

    access: Access
    queue: Queue
    history: History
    archive: Archive
    frontend: Frontend
    context: Context
    only: frozenset[int] = frozenset()
    clock: Callable[[], float] = time.time
    public_url: str = ""

    async def page(self, request: Request) -> Response:
        """Everything at a glance."""
        require_person(self.access, request)
        now = self.clock()
        cards = [card(one, self.archive, now) for one in self.history.projects()]
        base_url = self.public_url or str(request.base_url)[:-1]
        text = environment(__package__ or "").get_template("dashboard.html.j2").render(
            cards=cards,
            platform=self.frontend,
            others=[one for one in self.history.unmonitored()
                    if not self.only or one[0] in self.only],
            trouble=self.history.trouble(),
            is_busy=any(one.project.waiting for one in cards),
            section=self.frontend.section(self.context, base_url),
            actions={one.project.id: self.frontend.actions(self.context, one.project.id)
                     for one in cards},
            form_token=self.access.form_token,
            now=now,
        )  # fmt: skip
        page = HTMLResponse(text)
        if self.access.password is not None:
            page.set_cookie(
                COOKIE, self.access.cookie, max_age=COOKIE_SECONDS, httponly=True,
                samesite="strict",
            )  # fmt: skip
        return page

    async def score(self, request: Request) -> Response:
        """Score a project now, and monitor it from then on."""
        found = await self._asked(request)
        await run_in_threadpool(self.queue.request, found)
        return _back(found)

    async def begin(self, request: Request) -> Response:
        """Begin a project's next round."""
        found = await self._asked(request)
        project = self.history.project(found)
        if project is not None:
            await run_in_threadpool(self.history.begin, found, begin(project.round))
        return _back(found)

    async def monitor(self, request: Request) -> Response:
        """Monitor a project from now on; it is scored when its round is complete."""
        found = await self._asked(request)
        await run_in_threadpool(self.queue.know, found)
        return _back(found)

    async def options(self, request: Request) -> Response:
        """Give a project options of its own; what is left empty is as the service has it."""
        found, fields = await self._asked_form(request)
        people, live = fields.get("annotators", ""), fields.get("live", "")
        if people and people not in map(str, range(2, MOST_PEOPLE + 1)):
            raise HTTPException(400, f"The number of annotators is from 2 to {MOST_PEOPLE}.")
        chosen = {"yes": True, "no": False}.get(live)
        number = int(people) if people else None
        await run_in_threadpool(self.history.set_options, found, number, chosen)
        await run_in_threadpool(self.queue.add_known, found, "RECONCILE")
        return _back(found)

    async def forget(self, request: Request) -> Response:
        """Stop monitoring a project."""
        await run_in_threadpool(self.queue.forget, await self._asked(request))
        return RedirectResponse("./", 303)

    async def report(self, request: Request) -> Response:
        """A page or file of a project's folder; a folder leads to the dashboard."""
        require_person(self.access, request)
        number, name = _number(request), request.path_params["name"]
        if number and self.archive.is_folder(name):
            return RedirectResponse(f"{'../' * (name.count('/') + 1)}#project-{number}", 303)
        found = self.archive.page(number, name) if number else None
        if found is None:
            raise HTTPException(404, "There is no such report.")
        if found.suffix in DOWNLOADS:
            called = f"project-{number}-{found.name}"
            return FileResponse(found, media_type=DOWNLOADS[found.suffix], filename=called)
        return FileResponse(found, headers={"Content-Security-Policy": REPORT_POLICY})

    async def round(self, request: Request) -> Response:
        """The report of a round, or its result for programs."""
        require_person(self.access, request)
        number, name = _number(request), request.path_params["name"]
        found = self.archive.round(number, name) if number else None
        if found is None:
            raise HTTPException(404, "There is no such round.")
        if found.suffix == ".html":
            return FileResponse(found, headers={"Content-Security-Policy": REPORT_POLICY})
        return FileResponse(found, media_type="application/json")

    async def annotator(self, request: Request) -> Response:
        """The page of one annotator, to print as feedback."""
        require_person(self.access, request)
        number = _number(request)
        project = self.history.project(number) if number else None
        if project is None:
            raise HTTPException(404, "There is no such project.")
        # Every round is read for it, and webhooks must be answered within a second.
        called = request.path_params["name"]
        found = await run_in_threadpool(annotator_page, self.archive, project, called)
        if found is None:
            raise HTTPException(404, "There is no such annotator.")
        text = environment(__package__ or "").get_template("annotator.html.j2").render(
            page=found,
            project=project.id,
            title=project.title or f"Project {project.id}",
            platform=self.frontend,
            duration=duration,
            has_settled=any(said["settled"] is not None for _, said in found.rounds),
        )  # fmt: skip
        return HTMLResponse(text)

    async def _asked(self, request: Request) -> int:
        """The project that a form of ours names, if it is one that the service may look at."""
        return (await self._asked_form(request))[0]

    async def _asked_form(self, request: Request) -> tuple[int, dict[str, str]]:
        found, fields = await asked_form(self.access, request)
        if not self.frontend.url:
            raise HTTPException(400, "The service has no token, so it monitors no project.")
        if self.only and found not in self.only:
            raise HTTPException(400, "The service was started for other projects.")
        return found, fields


def card(project: Project, archive: Archive, now: float) -> Card:
    """A project with its state in words and its trend in marks."""
    # The newest round's come first: a coefficient may have been added or dropped since.
    symbols = {"gamma": "γ"}
    for one in reversed(project.rounds):
        symbols |= {key: name for key, name in one.symbols.items() if key not in symbols}
    series = {
        key: [one.figures.get(key) for one in project.rounds]
        for key in symbols
        if key == "gamma" or key not in OWN_NAMES
    }
    axis = coefficient_axis(figure for one in series.values() for figure in one if figure)
    return Card(
        project=project,
        state=state(project, now),
        pages=pages(project.id, archive),
        first=archive.open_first(project.id),
        people=tuple(
            (name, page_name(name))
            for name in (str(one["name"]) for one in annotators(archive, project.id))
        ),
        rounds=tuple((one, _shown(project.id, one, archive)) for one in project.rounds),
        symbols=symbols,
        axis=axis,
        trends={key: line(figures, axis) for key, figures in series.items()},
    )


def pages(project: int, archive: Archive) -> tuple[tuple[str, str], ...]:
    """The address and the name of every report that a project has."""
    return tuple(
        (f"project-{project}/{name}", what)
        for name, what in archive.pages.items()
        if archive.page(project, name)
    )


def _shown(project: int, scored: Scored, archive: Archive) -> str:
    """The round's report, or its result where there is none."""
    report = Path(scored.file).with_suffix(".html").name
    return report if archive.round(project, report) else scored.file


def state(project: Project, now: float) -> str:
    """What the project waits for, in words."""
    if project.in_hand:
        return f"at work now: {project.progress}" if project.progress else "being looked at now"
    if project.waiting and project.retry_at is not None and project.retry_at > now:
        return f"tried again in {span(project.retry_at - now)}"
    if project.requested:
        return "asked for: it is scored next"
    if project.waiting:
        return "due: it is scored when things have been quiet for a while"
    return "waiting for an event" if project.looked_at is None else _progress(project)


def _progress(project: Project) -> str:
    """How far the round is."""
    name = f"round {project.round.number}"
    done = f"{project.complete} of {many(project.tasks, 'task')} with {project.wanted} annotators"
    if not project.round.closed:
        return f"{name}: {done}"
    return (
        f"{name} is complete"
        if project.complete == project.tasks
        else f"{name} was scored; now {done}"
    )


def span(seconds: float) -> str:
    """A time in words, rounded."""
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            return many(int(seconds // size), name)
    return many(max(1, round(seconds)), "second")


def ago(then: float | None, now: float) -> str:
    """How long ago something was."""
    return "never" if then is None else f"{span(max(0.0, now - then))} ago"


@cache
def environment(package: str) -> Environment:
    """The templates of a package, and those that it may include, with the dashboard's words."""
    names = dict.fromkeys((package, __package__ or "", "goldspan.plugin.report"))
    found = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in names]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    report = PackageLoader("goldspan.plugin.report")
    style = "".join(report.get_source(found, name)[0] for name in ("palette.css", "style.css"))
    found.filters |= {"number": number, "share": share, "many": many}
    found.globals |= {
        "ago": ago,
        "interval": interval,
        "wording": wording,
        "style": Markup(style),  # noqa: S704 - our own files
        "version": version("goldspan"),
    }
    return found


def _number(request: Request) -> int | None:
    """The project in a page's address, None if it is not the number of a project."""
    try:
        return project_number(request.path_params["project"])
    except InputError:
        return None


def _back(project: int) -> Response:
    return RedirectResponse(f"./#project-{project}", 303)
