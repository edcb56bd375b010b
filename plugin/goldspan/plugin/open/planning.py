"""Planning: how many more tasks or annotators would narrow the intervals of the page's figures."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import msgspec

from goldspan.engine.errors import GoldspanError
from goldspan.plugin.open.refusal import Refused
from goldspan.plugin.planning import plan_study

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.plugin.measurement import MeasureRequest
    from goldspan.plugin.open.measuring import Measurer
    from goldspan.plugin.open.state import State

Rows = tuple[tuple[str, ...], ...]


class Planned(msgspec.Struct, frozen=True):
    """What `goldspan plan` says: tables, each with its head, and remarks; `plan` is its JSON."""

    tables: tuple[Rows, ...]
    remarks: tuple[str, ...]
    plan: dict[str, Any]
    command: str


class Planner:
    """Plans a study, with the files of the page as the pilot."""

    def __init__(self, measurer: Measurer) -> None:
        self._measurer = measurer

    def plan(self, state: State, half_width: float, more: int, tab: str) -> Planned:
        """The plan for intervals of ± `half_width`, and what so many more tasks bring; a Refused
        if the page changed a setting meanwhile.
        """
        from goldspan.engine.planning import Target  # noqa: PLC0415 - loads numpy
        from goldspan.plugin.report.plan.tables import (  # noqa: PLC0415 - as above
            plan_json,
            plan_tables,
            remarks,
        )

        stop = self._measurer.watch(tab)
        found = self._measurer.find(state, "figures", stop)

        def measure(request: MeasureRequest, corpus: Corpus) -> Result:
            return self._measurer.measure_other(request, corpus, stop)

        settings = found.request.settings
        try:
            target = Target(half_width, more=more, level=settings.level, seed=settings.seed)
            made = plan_study(found.corpus, found.result, found.request, target, measure)
        except GoldspanError as error:
            raise Refused("invalid", reason=str(error)) from error
        return Planned(
            tables=tuple(tuple(rows) for rows in plan_tables(made)),
            remarks=tuple(remarks(made)),
            plan=plan_json(made),
            command=_command(found.command, target.half_width, target.more),
        )


def _command(score: str, half_width: float, more: int) -> str:
    """The command that plans, from the one that measures."""
    words = shlex.split(score)
    words[1] = "plan"
    while "--coefficient" in words:
        at = words.index("--coefficient")
        del words[at : at + 2]
    return shlex.join([*words, "--half-width", f"{half_width!r}", "--more-tasks", str(more)])
