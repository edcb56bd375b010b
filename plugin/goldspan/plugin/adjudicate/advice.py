"""Advice: how many errors are left, and whether a person should go on."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor
from typing import TYPE_CHECKING

from goldspan.engine.adjudication.stop import (
    CONFIRMATION,
    LEAST_JUDGED,
    Advice,
    Audit,
    Remaining,
    decisions_to,
    remaining,
)
from goldspan.plugin.adjudicate import wording
from goldspan.plugin.adjudicate.journal.event import Via
from goldspan.plugin.adjudicate.journal.ledger import State
from goldspan.plugin.adjudicate.views import Stop

if TYPE_CHECKING:
    from goldspan.plugin.adjudicate.docket import Docket


def advise(docket: Docket, threshold: float, confirmed: Callable[[], int]) -> Stop:
    """What is left to do; `confirmed` counts random sites in a row, if that matters."""
    spans = docket.n_spans
    target = threshold * spans
    judged = docket.judged()
    left = docket.undecided()
    waiting = any(docket.state(name) is not State.SUGGESTED for name in left)
    if len(judged) < LEAST_JUDGED and waiting:
        say = wording.EARLY.format(done=len(judged), needed=LEAST_JUDGED)
        return _stop(Advice.EARLY, None, docket, target, None, 0, say)
    rows = docket.rows(left)
    audits = [
        Audit(one.p, one.wrong) for one in judged if one.via is Via.AUDIT and one.p is not None
    ]
    reached = max((docket.p(name) for name in left), default=0.0)
    found = remaining(rows, docket.model, audits, reached)
    if found.high > target and left:
        place = {name: at for at, name in enumerate(left)}
        order = (place[site.id] for site in docket.ranked if site.id in place)
        more = decisions_to(rows, docket.model, order, found, target)
        advice = wording.MANY if more is None else wording.MORE
        if not waiting:
            advice = wording.AGREED
        count = len(left) if more is None else more
        say = f"{_left(found, spans)} {advice.format(more=count, percent=f'{100 * threshold:g}')}"
        return _stop(Advice.CONTINUE, found, docket, target, more, 0, say)
    needed = min(CONFIRMATION, len(left)) if waiting else 0
    confirm = needed - confirmed() if needed else 0
    if confirm > 0:
        say = wording.CONFIRM.format(confirm=confirm, most=wording.number(target + 1))
        return _stop(Advice.CONFIRM, found, docket, target, confirm, confirm, say)
    say = wording.ENOUGH.format(most=wording.number(ceil(found.high)))
    return _stop(Advice.ENOUGH, found, docket, target, 0, 0, say)


def _left(found: Remaining, spans: int) -> str:
    return wording.LEFT.format(
        expected=wording.number(found.expected),
        low=wording.number(floor(found.low)),
        high=wording.number(ceil(found.high)),
        spans=wording.number(spans),
    )


def _stop(
    advice: Advice, found: Remaining | None, docket: Docket, target: float, more: int | None,
    confirm: int, say: str,
) -> Stop:  # fmt: skip
    return Stop(
        state=advice.value,
        expected=found.expected if found else None,
        low=found.low if found else None,
        high=found.high if found else None,
        spans=docket.n_spans,
        threshold=target,
        more=more,
        confirm=confirm,
        audits=found.audits if found else 0,
        audit_errors=found.audit_errors if found else 0,
        audit_expected=found.audit_expected if found else 0.0,
        unseen=docket.unseen,
        say=say,
    )
