"""Notifier: decides what is worth a message and sends it; no sync waits long or fails for it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from goldspan.plugin.service.log import LOG
from goldspan.plugin.service.notify.channels import SEND_SECONDS, Channel, ChannelError
from goldspan.plugin.service.notify.message import Event, Message
from goldspan.plugin.service.redaction import place

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.plugin.service.history import Project, Scored

DROP = 0.05
"""γ fell if it is lower than in the round before by more than this."""

EVERYWHERE = 0
"""In place of a project's number, for what concerns all of them."""

ATTEMPTS = 3
"""Failed attempts until a fault that waiting may mend is worth a message."""


@dataclass(slots=True)
class Notifier:
    """Sends messages by all channels, each at most `SEND_SECONDS` long. `public_url` is where
    people reach the dashboard; "" leaves the address out.
    """

    channels: Sequence[Channel] = ()
    public_url: str = ""
    drop: float = DROP
    _told: dict[int, str] = field(default_factory=dict)

    def scored(self, before: Project, now: Project, number: int) -> None:
        """A round was scored; `before` is the project as it was until then. A round is
        reported once, however often its score is renewed, and so is a fall of γ.
        """
        new, old = _round(now, number), _round(before, number)
        if new is None:
            return
        last = max((one for one in now.rounds if one.number < number), key=_number, default=None)
        message = Message(
            Event.ROUND_CLOSED, now.id, now.title, number, new.gamma,
            last.gamma if last else None, new.tasks, new.annotators,
        )  # fmt: skip
        if old is None:
            self.send(message)
        if last is None or not self._fell(last.gamma, new.gamma):
            return
        if old is None or not self._fell(last.gamma, old.gamma):
            self.send(replace(message, event=Event.GAMMA_FELL))

    def failed(self, project: Project, *, concerns_all: bool = False) -> None:
        """A project could not be scored. A fault that is tried again is worth a message after a few
        attempts. The same fault is reported once until it is over; one that `concerns_all`
        projects is reported for one of them.
        """
        if project.attempts and project.attempts < ATTEMPTS:
            return
        key = EVERYWHERE if concerns_all else project.id
        if self._told.get(key) != project.error:
            self._told[key] = project.error
            self.send(Message(Event.SYNC_FAILED, project.id, project.title, error=project.error))

    def is_well(self, project: int) -> None:
        """The project is up to date, so the server is well: the next fault is a new one."""
        self._told.pop(project, None)
        self._told.pop(EVERYWHERE, None)

    def send(self, message: Message) -> None:
        """Send by every channel; a failure is a line in the log."""
        if self.public_url:
            message = replace(message, link=f"{self.public_url}/#project-{message.project}")
        sending = [threading.Thread(target=_send, args=(one, message), daemon=True)
                   for one in self.channels]  # fmt: skip
        for thread in sending:
            thread.start()
        for thread in sending:
            # A server that answers a byte at a time outlasts the time limits of its socket.
            thread.join(SEND_SECONDS + 1)

    def _fell(self, before: Figure, now: Figure) -> bool:
        return (
            before.value is not None
            and now.value is not None
            and before.value - now.value > self.drop
        )


def _send(channel: Channel, message: Message) -> None:
    try:
        channel.send(message)
    except ChannelError as error:
        LOG.warning("a notification was not delivered, %s: %s", channel.name, error)
    except Exception as error:  # noqa: BLE001 - a sync never fails because of this
        LOG.warning("a notification was not delivered, %s: %s", channel.name, place(error))


def _round(project: Project, number: int) -> Scored | None:
    return next((one for one in project.rounds if one.number == number), None)


def _number(scored: Scored) -> int:
    return scored.number
