"""Frontend: Label Studio as the service's dashboard and webhook know it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote, urlsplit

from markupsafe import Markup
from starlette.routing import Route

from goldspan.plugin.label_studio.connection import project_page, task_page
from goldspan.plugin.label_studio.events import read_event
from goldspan.plugin.label_studio.ml_backend.endpoint import ModelEndpoint
from goldspan.plugin.label_studio.ml_backend.retrieval import PAGE, Limits
from goldspan.plugin.label_studio.ml_backend.retrievals import Retrievals
from goldspan.plugin.label_studio.ml_backend.suggestions import suggestions
from goldspan.plugin.label_studio.routing.endpoint import RouteEndpoint, last_routing
from goldspan.plugin.label_studio.webhook import REFUSED_ADDRESS, is_inner
from goldspan.plugin.service.web.dashboard import environment, pages
from goldspan.plugin.service.web.frontend import Action, Context, Frontend

if TYPE_CHECKING:
    from goldspan.plugin.label_studio.connection import ConnectionRequest
    from goldspan.plugin.service.web.events import Event

TEMPLATES = "goldspan.plugin.label_studio.ml_backend"
BASES = "/model/{key}", "/model", ""
"""Where the model can be connected. A caller without the key may use the others, with the password
if there is one.
"""


@dataclass(frozen=True, slots=True)
class LabelStudioFrontend(Frontend):
    """Label Studio's webhooks, its model protocol, and how people get along with both. People open
    Label Studio at `browser_url`, or at `url` if there is none.
    """

    limits: Limits = field(default_factory=Limits)
    connection: ConnectionRequest | None = None
    browser_url: str = ""

    PAGES: ClassVar[Mapping[str, str]] = {
        PAGE: "the report of the tasks whose predictions were last retrieved"
    }
    REFUSED: ClassVar[str] = (
        "refused a webhook whose secret is missing or wrong; `goldspan label-studio status` tells "
        "whether it is a project's own"
    )

    def read_event(self, body: bytes, project: str | None = None) -> Event | None:
        """The event in a call; None if its action is none of ours."""
        return read_event(body, project)

    @property
    def home_url(self) -> str:
        """Label Studio as people open it."""
        return self.browser_url or self.url

    def project_url(self, project: int) -> str:
        """The project's Data Manager."""
        return project_page(self.home_url, project)

    def task_url(self, project: int, task: str) -> str:
        """The task, opened in the Data Manager."""
        return task_page(self.home_url, project, quote(task, safe="", errors="replace"))

    def how_to_add(self) -> Markup:
        """By `setup`, or by its number."""
        return Markup(
            "Run <code>goldspan label-studio setup</code> for one, or give its number here: it is "
            "the one in the address of its page in Label Studio."
        )

    def how_to_undo(self, project: int) -> str:
        """`sync --undo`."""
        return f"goldspan label-studio sync --undo --url {self.url} --project {project}"

    def how_to_adjudicate(self, project: int) -> str:
        """`goldspan adjudicate`."""
        return f"goldspan adjudicate --url {self.home_url} --project {project}"

    def routes(self, context: Context) -> Sequence[Route]:
        """The model protocol."""
        model = ModelEndpoint(
            context.access, Retrievals(context.database, context.clock), context.archive.folder,
            context.executor, suggestions, context.limit, self.limits,
        )  # fmt: skip
        found = [route for base in BASES for route in _model(base, context, model)]
        if self.connection is not None:
            endpoint = RouteEndpoint(context, self.connection)
            found.append(Route("/route", endpoint.route, methods=["POST"]))
        return found

    def actions(self, context: Context, project: int) -> Sequence[Action]:
        """“Get another annotator”, with a token."""
        if self.connection is None:
            return ()
        last = last_routing(context.archive, project)
        about = (
            "gives up to 20 tasks with γ below 0.6 or with places to decide to one more annotator, "
            "and lists them in the tab “Needs another annotator”."
        )
        return (Action("route", "Get another annotator", f"{about} Last time: {last}." if last
                       else about),)  # fmt: skip

    def section(self, context: Context, base_url: str) -> Markup:
        """How to connect the model, and what came of the last retrievals."""
        retrievals = [
            (one.at, one.retrieval, pages(one.retrieval.project, context.archive))
            for one in Retrievals(context.database, context.clock).latest()
        ]
        text = environment(TEMPLATES).get_template("model.html.j2").render(
            retrievals=retrievals,
            model_url=f"{base_url}/model/{context.access.key}",
            host=urlsplit(base_url).hostname or "this address",
            is_inner=is_inner(base_url),
            refused=REFUSED_ADDRESS,
            now=context.clock(),
        )  # fmt: skip
        return Markup(text)  # noqa: S704 - the template escapes


def _model(base: str, context: Context, model: ModelEndpoint) -> Iterator[Route]:
    yield Route(f"{base}/health", model.health)
    yield Route(f"{base}/versions", model.versions)
    yield Route(f"{base}/setup", model.setup, methods=["POST"])
    yield Route(f"{base}/predict", model.predict, methods=["POST"])
    yield Route(f"{base}/webhook", context.webhook, methods=["POST"])
