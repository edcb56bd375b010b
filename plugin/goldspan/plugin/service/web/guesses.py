"""Guesses: wrong passwords, secrets and keys are slowed down, whoever sends them.

A caller is an address, or an IPv6 network of the size that one customer gets. Each may be wrong a
few times; after that it waits, twice as long after each further guess, up to a minute. While it
waits nothing that it shows is looked at, so nothing is learned. Callers do not wait for each other:
somebody with the right password at another address is let in at once.

An attacker with very many addresses meets a limit for all callers together. Only callers who have
never shown the right thing wait then.

An attacker can share an address with honest callers, behind a proxy or on this machine. Secrets and
keys are too long to be guessed, so a caller that has once shown the right one is always let in. A
password is not; a browser that has shown it once gets a cookie, and waits for its own guesses only.

Showing the same wrong thing again is not another guess. A webhook with an outdated secret repeats
it for ever, from the same address as the good ones, and must not shut them out.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import math
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

FREE = 5
"""Different wrong guesses of a caller that cost nothing."""

LONGEST_WAIT_SECONDS = 60.0
FORGET_SECONDS = 900.0
"""Without a further guess, a caller begins again after this."""

MOST_CALLERS = 4096
"""Callers to remember of each sort; the one that was heard of longest ago is forgotten first."""

OVERALL = 120
"""Wrong guesses of all callers together, at most so many in advance."""

OVERALL_EACH_SECOND = 1.0


class Kind(Enum):
    """What is guessed: a wrong password does not shut out a webhook's secret."""

    PASSWORD = "password"  # noqa: S105 - a word for it
    SECRET = "secret"  # noqa: S105 - as above
    KEY = "key"


class TooManyGuessesError(Exception):
    """A caller has to wait; `seconds` says how long."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = max(1, math.ceil(seconds))


@dataclass(slots=True)
class _Caller:
    """How often a caller was wrong, with what at first, and until when it waits."""

    wrong: int = 0
    shown: set[bytes] = field(default_factory=set)
    last: float = 0.0
    until: float = 0.0


class Guesses:
    """Compares what callers show with what is right, as often as they may try."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._salt = secrets.token_bytes(16)
        self._callers: OrderedDict[tuple[Kind, str], _Caller] = OrderedDict()
        self._good: OrderedDict[tuple[Kind, str], None] = OrderedDict()
        self._left = float(OVERALL)
        self._filled = clock()

    def is_right(self, kind: Kind, caller: str, shown: str, right: str) -> bool:
        """Whether `shown` is right; TooManyGuessesError when that is not looked at.

        `caller` is an address, or any other name for one.
        """
        now, who = self._clock(), (kind, network(caller))
        known = self._known(who, now)
        digest = self._digest(shown)
        if known is not None and digest in known.shown:
            return False
        self._check(who, known, now)
        if hmac.compare_digest(digest, self._digest(right)):
            _remember(self._good, who, None)
            return True
        self._note(who, known or _Caller(), digest, now)
        return False

    def _check(self, who: tuple[Kind, str], known: _Caller | None, now: float) -> None:
        """Let a caller try, or not."""
        if self._is_exempt(who):
            return
        if known is not None and now < known.until:
            raise TooManyGuessesError(known.until - now)
        self._left = min(OVERALL, self._left + (now - self._filled) * OVERALL_EACH_SECOND)
        self._filled = now
        if self._left < 1 and who not in self._good:
            raise TooManyGuessesError((1 - self._left) / OVERALL_EACH_SECOND)

    def _is_exempt(self, who: tuple[Kind, str]) -> bool:
        return who in self._good and who[0] is not Kind.PASSWORD

    def _known(self, who: tuple[Kind, str], now: float) -> _Caller | None:
        known = self._callers.get(who)
        if known is not None and now - known.last >= FORGET_SECONDS:
            del self._callers[who]
            return None
        return known

    def _note(self, who: tuple[Kind, str], known: _Caller, digest: bytes, now: float) -> None:
        known.wrong += 1
        known.last = now
        if len(known.shown) < FREE:
            known.shown.add(digest)
        if known.wrong > FREE:
            # The exponent is bounded: a float has an end.
            known.until = now + min(LONGEST_WAIT_SECONDS, 2.0 ** min(known.wrong - FREE - 1, 10))
        if not self._is_exempt(who):
            # Or one of them could use up what all others have.
            self._left = max(0.0, self._left - 1)
        _remember(self._callers, who, known)

    def _digest(self, text: str) -> bytes:
        shown = text.encode("utf-8", "surrogateescape")
        return hashlib.blake2b(shown, key=self._salt, digest_size=16).digest()


def network(address: str) -> str:
    """The caller that an address belongs to."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address[:100]
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is None:
        return str(ipaddress.ip_network((int(found), 64), strict=False))
    return address


def _remember(table: OrderedDict[K, V], key: K, value: V) -> None:
    table[key] = value
    table.move_to_end(key)
    if len(table) > MOST_CALLERS:
        table.popitem(last=False)
