"""Refusal: why something was not done, as a value and as an exception."""

from __future__ import annotations

import msgspec

from goldspan.plugin.open.wording import REFUSALS


class Refusal(msgspec.Struct, frozen=True):
    """What happened, and what to do; `status` is that of HTTP."""

    error: str
    say: str
    do: str
    status: int


class Refused(Exception):  # noqa: N818 - it carries an answer
    """The call is not answered; `refusal` says why."""

    def __init__(self, error: str, **words: object) -> None:
        status, say, do = REFUSALS[error]
        self.refusal = Refusal(error, say.format(**words), do.format(**words), status)
        super().__init__(self.refusal.say)
