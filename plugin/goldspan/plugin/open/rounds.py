"""Rounds: the files of the page compared with those of a later round, in the same settings."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from goldspan.engine.errors import GoldspanError
from goldspan.plugin.open.refusal import Refused

if TYPE_CHECKING:
    from goldspan.engine.comparison import Comparison
    from goldspan.plugin.open.measuring import Found, Measurer
    from goldspan.plugin.open.state import State

MOST_COMPARISONS = 12


class Compared(msgspec.Struct, frozen=True):
    """What `goldspan compare --json` writes; `report` opens the page that `--html` writes."""

    comparison: dict[str, Any]
    report: str


class Rounds:
    """Compares rounds, and remembers the last comparisons."""

    def __init__(self, measurer: Measurer) -> None:
        self._measurer = measurer
        self._compared: dict[str, Comparison] = {}

    def compare(self, state: State, later: State, tab: str, turn: int = 0) -> Compared:
        """The files of the state compared with those of a later one; a Refused if a newer call of
        the page came meanwhile.
        """
        stop = self._measurer.begin(tab, turn)
        found = self._measurer.find(state, "figures", stop)
        comparison = _comparison(found, self._later(later, stop))
        token = secrets.token_urlsafe(24)
        self._compared[token] = comparison
        while len(self._compared) > MOST_COMPARISONS:
            self._compared.pop(next(iter(self._compared)), None)
        return Compared(comparison.as_json(), token)

    def page(self, token: str) -> Iterator[str]:
        """The page of a comparison, piece by piece."""
        from goldspan.plugin.report.trend import trend_pieces  # noqa: PLC0415 - loads templates

        if token not in self._compared:
            raise Refused("gone")
        return trend_pieces(self._compared[token])

    def _later(self, later: State, stop: Callable[[], bool]) -> Found:
        try:
            return self._measurer.find(later, "figures", stop)
        except Refused as error:
            if error.refusal.error != "invalid":
                raise
            raise Refused("later-round", reason=error.refusal.say) from error


def _comparison(*found: Found) -> Comparison:
    from goldspan.engine.comparison import compare  # noqa: PLC0415 - loads compiled code
    from goldspan.plugin.rounds import round_of  # noqa: PLC0415 - as above

    names = [_name(one) for one in found]
    if len(set(names)) < len(names):
        names = [f"{name} ({place})" for place, name in enumerate(names, start=1)]
    try:
        return compare(
            [round_of(one.result.as_json(), name) for one, name in zip(found, names, strict=True)]
        )
    except GoldspanError as error:
        raise Refused("invalid", reason=str(error)) from error


def _name(found: Found) -> str:
    """What a round is called: its files, without their endings."""
    paths = found.source.data.paths
    return ", ".join(path.stem for path in paths[:3]) + (" …" if len(paths) > 3 else "")
