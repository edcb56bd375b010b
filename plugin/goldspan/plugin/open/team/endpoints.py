"""Endpoints: login, what is stored, and calls that processes of the crew answer."""

from __future__ import annotations

import asyncio
import html
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from goldspan.plugin.local.shield import POLICY
from goldspan.plugin.open.refusal import Refused
from goldspan.plugin.open.team.calls import (
    MAKERS,
    MEDIA,
    OK,
    Answer,
    Call,
    Desk,
    Maker,
    Work,
    report_token,
)
from goldspan.plugin.open.team.door import LOGIN, SESSION, person_of, shown_by
from goldspan.plugin.open.team.views import StoredSet, Team
from goldspan.plugin.open.web.calls import LONGEST_BODY, Nothing, read_call, reply
from goldspan.plugin.service.log import LOG
from goldspan.plugin.service.web.access import COOKIE
from goldspan.plugin.service.web.guesses import TooManyGuessesError
from goldspan.plugin.service.web.request_body import read_form, read_json

if TYPE_CHECKING:
    from goldspan.plugin.open.team.crew import Crew, Job
    from goldspan.plugin.open.team.people import People
    from goldspan.plugin.open.team.settings import TeamSettings
    from goldspan.plugin.service.web.access import Access

Doing: TypeAlias = tuple[Callable[..., Answer], tuple[Any, ...]]

ANNOUNCED = 3
"""Names of files that the page shows of a set."""

SAID = "<!-- said -->"


class TeamEndpoints:
    """The addresses that only a page for a team has."""

    def __init__(
        self, settings: TeamSettings, work: Work, people: People, access: Access, crew: Crew
    ) -> None:
        self._settings = settings
        self._work = work
        self._people = people
        self._access = access
        self._crew = crew
        self._start: dict[str, object] = {}

    @property
    def routes(self) -> list[Route]:
        """All of them; the last takes what is left."""
        return [
            Route(LOGIN, self.login_page, methods=["GET"]),
            Route(LOGIN, self.login, methods=["POST"]),
            Route("/api/start", self.start, methods=["GET"]),
            Route("/api/team", self.status, methods=["GET"]),
            Route("/api/team/cancel", self.cancel, methods=["POST"]),
            Route("/api/team/delete", self.delete, methods=["POST"]),
            Route("/api/team/leave", self.leave, methods=["POST"]),
            Route("/api/{path:path}", self.compute, methods=["GET", "POST"]),
        ]

    async def login_page(self, _request: Request) -> Response:
        return self._login_page("", OK)

    async def login(self, request: Request) -> Response:
        """A session for a person who shows the password."""
        shown = (await read_form(request)).get("password", "")
        try:
            is_right = self._access.is_password(request, shown)
        except TooManyGuessesError as error:
            LOG.warning("a caller that was wrong too often has to wait before it may guess again")
            said = self._login_page(_sentence("too-many-guesses", seconds=error.seconds), 429)
            said.headers["Retry-After"] = str(error.seconds)
            return said
        if not is_right:
            LOG.warning("refused a wrong password")
            return self._login_page(_sentence("wrong-password"), 403)
        response = RedirectResponse("/", 303)
        # Behind a proxy with TLS, the cookies must not travel without.
        secure = request.headers.get("origin", "").startswith("https://")
        seconds = int(self._people.keep_seconds)
        for name, value in ((SESSION, self._people.add()), (COOKIE, self._access.cookie)):
            response.set_cookie(
                name, value, max_age=seconds, httponly=True, samesite="strict", secure=secure
            )
        return response

    async def start(self, request: Request) -> Response:
        """What the page needs to begin with; it is the same for everybody, so that only the first
        one waits for it.
        """
        if not self._start:
            made = await self.compute(request)
            if made.status_code != OK:
                return made
            self._start = {**msgspec.json.decode(made.body), "team": True}
        return reply(self._start)

    async def status(self, request: Request) -> Response:
        """Where the person stands in the queue, and what is stored."""
        person = person_of(request)
        sets = [
            StoredSet(
                tuple(path.name for path in data.paths[:ANNOUNCED]),
                data.n_files, data.n_bytes, self._people.ends(data),
            )
            for data in person.shelf.sent
        ]  # fmt: skip
        position = self._crew.position(person.id)
        running = self._crew.is_running(person.id)
        settings, limits = self._settings, self._settings.limits
        return reply(
            Team(
                position, running, tuple(sets), settings.keep_hours, limits.sets,
                limits.files, settings.max_megabytes, settings.max_seconds,
            )
        )  # fmt: skip

    async def cancel(self, request: Request) -> Response:
        await read_call(request, Nothing)
        self._crew.cancel_all(person_of(request).id)
        return reply({})

    async def delete(self, request: Request) -> Response:
        await read_call(request, Nothing)
        person = person_of(request)
        self._crew.cancel_all(person.id)
        self._people.delete(person)
        self._crew.forget()
        return reply({})

    async def leave(self, request: Request) -> Response:
        await read_call(request, Nothing)
        self._crew.cancel_all(person_of(request).id)
        self._people.leave(shown_by(request))
        self._crew.forget()
        response = reply({})
        response.delete_cookie(SESSION)
        return response

    async def compute(self, request: Request) -> Response:
        """What a process of the crew answers, when it is this person's turn."""
        person = person_of(request)
        is_post = request.method == "POST"
        body = await read_json(request, LONGEST_BODY) if is_post else b""
        path = request.url.path
        desk = Desk(
            person.id, person.folder, self._settings.shared, self._settings.limits, self._work.words
        )
        kind = request.headers.get("content-type", "").encode()
        query = request.url.query.encode()
        token = path.rpartition("/")[2] if path.startswith(MEDIA) else ""
        made_by = person.reports.get(token)

        def work(flag: Path) -> Doing:
            call = Call(request.method, path, query, kind, body, flag)
            return self._work.answer, (desk, call, made_by)

        made = await _unless_left(request, self._crew, self._crew.begin(person.id, work))
        if path in MAKERS and made.status == OK and (token := report_token(made.body)):
            person.keep_report(token, Maker(path, body))
        response = Response(made.body, made.status)
        response.raw_headers = list(made.headers)
        return response

    def _login_page(self, said: str, status: int) -> Response:
        page = files("goldspan.plugin") / "open" / "static" / "login.html"
        text = page.read_text(encoding="utf-8").replace(SAID, html.escape(said))
        policy = POLICY.replace("form-action 'none'", "form-action 'self'")
        # Under "no-referrer", browsers send forms without saying where they come from.
        headers = {"Content-Security-Policy": policy, "Referrer-Policy": "same-origin"}
        return Response(text, status, media_type="text/html", headers=headers)


async def _unless_left(request: Request, crew: Crew, job: Job[Answer]) -> Answer:
    """The answer; the computation ends if the page goes away."""
    gone = asyncio.ensure_future(_left(request))
    both: set[asyncio.Future[Any]] = {gone, job.done}
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if not job.done.done():
            crew.cancel(job, "superseded")
        return await job.done
    finally:
        gone.cancel()
        if not job.done.done():
            crew.cancel(job, "ending")


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _sentence(kind: str, **words: object) -> str:
    refusal = Refused(kind, **words).refusal
    return f"{refusal.say} {refusal.do}".strip()
