"""Wording: the sentences of notifications. None of them quotes what was annotated."""

from __future__ import annotations

from goldspan.plugin.report.wording import interval, many, number
from goldspan.plugin.service.notify.message import Event, Message


def subject(message: Message) -> str:
    """A line for the head of an e-mail."""
    said = {
        Event.ROUND_CLOSED: f"round {message.round} is closed",
        Event.GAMMA_FELL: f"γ fell in round {message.round}",
        Event.SYNC_FAILED: "the project could not be scored",
    }
    return f"goldspan, {name(message)}: {said[message.event]}"


def sentences(message: Message) -> str:
    """The whole message as one paragraph, with the address of the dashboard at its end."""
    if message.event is Event.SYNC_FAILED:
        said = f"goldspan could not score {name(message)}: {message.error.rstrip('.')}."
    elif message.event is Event.GAMMA_FELL:
        said = (
            f"γ of {name(message)} fell from {number(_value(message.before))} in the round before "
            f"to {_gamma(message)} in round {message.round}."
        )
    else:
        said = (
            f"Round {message.round} of {name(message)} is closed: γ {_gamma(message)}; "
            f"{many(message.tasks, 'task')}, {many(message.annotators, 'annotator')}."
        )
    return f"{said} {message.link}".strip()


def name(message: Message) -> str:
    """What people call the project."""
    title = " ".join(message.title.split())
    return f"“{title}” (project {message.project})" if title else f"project {message.project}"


def _gamma(message: Message) -> str:
    if message.gamma is None or message.gamma.value is None:
        return "has no value"
    ends = interval(message.gamma)
    return f"{number(message.gamma.value)}{f' ({ends})' if ends else ''}"


def _value(figure: object) -> float | None:
    return getattr(figure, "value", None)
