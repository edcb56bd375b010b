"""Registry: the coefficients that can be asked for, ours and those of other packages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import entry_points

from goldspan.engine.coefficient.base import Coefficient
from goldspan.engine.coefficient.gamma import Gamma
from goldspan.engine.coefficient.gamma_cat import GammaCat, GammaK
from goldspan.engine.errors import SettingsError

GROUP = "goldspan.coefficients"

_KEY = re.compile(r"[a-z][a-z0-9_]*")

ALWAYS: tuple[Coefficient, ...] = (Gamma(), GammaCat(), GammaK())
"""What every result has."""


@cache
def known_coefficients() -> dict[str, Coefficient]:
    """By key: those that every result has, then what is installed."""
    found = {one.key: one for one in ALWAYS}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if point.name not in found:
            found[point.name] = _load(point.load(), point.name)
    return found


def _load(loaded: object, name: str) -> Coefficient:
    made = loaded() if isinstance(loaded, type) else loaded
    if not isinstance(made, Coefficient) or made.key != name:
        raise SettingsError(
            f"the installed coefficient '{name}' is not a goldspan Coefficient with this key; "
            "correct or remove the package that declares it"
        )
    return _checked(made)


def _checked(coefficient: Coefficient) -> Coefficient:
    if not _KEY.fullmatch(coefficient.key):
        raise SettingsError(
            f"'{coefficient.key}' cannot be the key of a coefficient, because it names columns and "
            "scores; write small letters a to z, digits and _, and begin with a letter"
        )
    return coefficient


def chosen(wanted: Iterable[str | Coefficient]) -> Sequence[Coefficient]:
    """Those that every result has, and these as well."""
    known = known_coefficients()
    found = {one.key: one for one in ALWAYS}
    for one in wanted:
        if isinstance(one, Coefficient):
            found.setdefault(_checked(one).key, one)
        elif one in known:
            found.setdefault(one, known[one])
        else:
            raise SettingsError(
                f"there is no coefficient '{one}'; installed are {', '.join(known)}"
            )
    return tuple(found.values())
