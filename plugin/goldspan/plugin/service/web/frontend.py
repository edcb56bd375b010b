"""Frontend: what the process that listens knows about a platform. It never calls the platform.

This one serves any platform whose webhook sends `{"action": "CHANGED", "project": 12}`. A platform
with payloads, addresses or pages of its own extends it.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from goldspan.plugin.service.web.events import Event, project_number, read_action

if TYPE_CHECKING:
    from goldspan.plugin.service.archive import Archive
    from goldspan.plugin.service.database import Database
    from goldspan.plugin.service.web.access import Access

CHANGED = "CHANGED"


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of the running service that a platform's own addresses and pages may use.

    `webhook` takes events. `executor` does work that takes long, in processes of its own. `limit`
    is how many bytes a call may hold. `only` are the projects that the service may look at, or
    none for all of them.
    """

    access: Access
    database: Database
    archive: Archive
    executor: Executor
    webhook: Callable[[Request], Awaitable[Response]]
    limit: int
    clock: Callable[[], float] = time.time
    only: frozenset[int] = frozenset()


class Action(NamedTuple):
    """A button of the platform's own for a project: where its form goes, what it is called, and
    what it does.
    """

    address: str
    label: str
    about: str


@dataclass(frozen=True, slots=True)
class Frontend:
    """A platform's `name` and address; without a `url` the service looks at no project."""

    name: str
    url: str = ""

    PAGES: ClassVar[Mapping[str, str]] = {}
    """Files of a project's folder that are shown as well, and what each is called."""

    REFUSED: ClassVar[str] = "refused a webhook whose secret is missing or wrong"
    """What the log says then, and perhaps what to do about it."""

    def read_event(self, body: bytes, project: str | None = None) -> Event | None:
        """The event in a call; None if it is none of ours, an InputError if it cannot be read.

        `project` is what the call's address says, if it says anything.
        """
        value = read_action(body)
        if value["action"] != CHANGED:
            return None
        return Event(project_number(value.get("project") if project is None else project), CHANGED)

    @property
    def home_url(self) -> str:
        """Where people open the platform; "" if none is named."""
        return self.url

    def project_url(self, project: int) -> str:  # noqa: ARG002 - others have an address for each
        """Where people see the project."""
        return self.home_url

    def task_url(self, project: int, task: str) -> str:  # noqa: ARG002 - as above
        """Where people see a task; "" if it has no page of its own."""
        return ""

    def how_to_add(self) -> str | Markup:
        """How the service gets to know a project, in a sentence; Markup for HTML."""
        return "Give its number here."

    def how_to_undo(self, project: int) -> str:  # noqa: ARG002 - others have a command for it
        """The command that removes what was written into a project; "" if there is none."""
        return ""

    def how_to_adjudicate(self, project: int) -> str:  # noqa: ARG002 - as above
        """The command that opens a page to settle disagreements; "" if there is none."""
        return ""

    def actions(self, context: Context, project: int) -> Sequence[Action]:  # noqa: ARG002 - as above
        """Buttons of the platform's own for a project; `routes` answers them."""
        return ()

    def routes(self, context: Context) -> Sequence[Route]:  # noqa: ARG002 - others have some
        """Addresses of the platform's own."""
        return ()

    def section(self, context: Context, base_url: str) -> str | Markup:  # noqa: ARG002 - as above
        """The platform's own part of the dashboard; `base_url` is how others reach the service."""
        return ""
