"""Message: what happened in a project, as facts. Nothing in it quotes annotated data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure


class Event(Enum):
    """What happened."""

    ROUND_CLOSED = "round_closed"
    GAMMA_FELL = "gamma_fell"
    SYNC_FAILED = "sync_failed"


@dataclass(frozen=True, slots=True)
class Message:
    """Something happened in a project. `before` is γ of the round before; `error` is a sentence
    that the log and the dashboard show too; `link` leads to the project on the dashboard.
    """

    event: Event
    project: int
    title: str = ""
    round: int = 0
    gamma: Figure | None = None
    before: Figure | None = None
    tasks: int = 0
    annotators: int = 0
    error: str = ""
    link: str = ""

    def as_json(self) -> dict[str, Any]:
        """The facts for a program."""
        gamma, before = self.gamma, self.before
        return {
            "event": self.event.value,
            "project": self.project,
            "title": self.title,
            "round": self.round or None,
            "gamma": gamma.value if gamma else None,
            "low": gamma.low if gamma else None,
            "high": gamma.high if gamma else None,
            "gamma_before": before.value if before else None,
            "tasks": self.tasks or None,
            "annotators": self.annotators or None,
            "error": self.error or None,
            "link": self.link or None,
        }
