"""Registry: the coefficients that can be asked for, ours and those of other packages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from goldspan.engine.coefficient.base import Coefficient
from goldspan.engine.coefficient.gamma import Gamma
from goldspan.engine.coefficient.gamma_cat import GammaCat, GammaK
from goldspan.engine.errors import SettingsError

GROUP = "goldspan.coefficients"

_KEY = re.compile(r"[a-z][a-z0-9_]*")

ALWAYS: tuple[Coefficient, ...] = (Gamma(), GammaCat(), GammaK())
"""What every result has."""

LITERATURE: dict[str, tuple[str, ...]] = {
    "items.pi": ("ObservedAgreement", "S", "Pi", "MultiPi", "MultiPiByItem", "MultiPiK"),
    "items.kappa": ("Kappa", "MultiKappa", "WeightedKappa", "AlphaKappa", "AnnotatorBias"),
    "items.alpha": (
        "Alpha", "AlphaByItem", "AlphaOrdinal", "AlphaInterval", "AlphaRatio", "AlphaWeighted",
        "AlphaB", "AlphaPassonneau", "AlphaJaccard", "AlphaDice", "AlphaMasi", "AlphaK",
        "NaiveAlpha",
    ),
    "continua.unitized_alpha": (
        "UAlpha", "BarUAlpha", "CuAlpha", "CuAlphaInterval", "CuAlphaWeighted", "KAlpha",
    ),
    "continua.earlier_alpha": ("UAlpha2013", "AlphaU", "AlphaUK"),
    "continua.kappa_d": ("KappaD",),
    "continua.span_matches": (
        "F1", "F1Overlap", "F1Iou", "F1Blind", "F1OverlapBlind", "F1K", "AtomF1", "SlotErrors",
        "Iou", "OverlapRatio",
    ),
    "continua.reference_matches": ("Precision", "Recall"),
    "continua.segmentation": (
        "Pk", "WindowDiff", "GeneralizedHamming", "SegmentationSimilarity", "BoundarySimilarity",
        "PiB", "PiS", "KappaB",
    ),
}  # fmt: skip
"""Other coefficients of the literature, by module; measured when they are asked for."""


@cache
def known_coefficients() -> dict[str, Coefficient]:
    """By key: those that every result has, those of the literature, then what is installed."""
    found = {one.key: one for one in (*ALWAYS, *_literature())}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if point.name not in found:
            found[point.name] = _load(point.load(), point.name)
    return found


def listed(text: str) -> list[str]:
    """The names in a list with commas; `all` stands for those of the literature."""
    names = [name.strip() for name in text.split(",")]
    if "all" not in names:
        return names
    return [one.key for one in _literature()] + [name for name in names if name != "all"]


def _literature() -> Iterator[Coefficient]:
    for module, classes in LITERATURE.items():
        loaded = import_module(f"goldspan.engine.coefficient.{module}")
        for name in classes:
            yield _load(getattr(loaded, name), getattr(loaded, name).key)


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


def found_coefficients(wanted: Iterable[str | Coefficient]) -> Sequence[Coefficient]:
    """These, each once; names may be lists with commas, and be written with hyphens."""
    found: dict[str, Coefficient] = {}
    for one in wanted:
        for name in [one] if isinstance(one, Coefficient) else listed(one):
            made = _checked(name) if isinstance(name, Coefficient) else _named(name)
            found.setdefault(made.key, made)
    return tuple(found.values())


def _named(name: str) -> Coefficient:
    known = known_coefficients()
    found = known.get(name) or known.get(name.replace("-", "_"))
    if found is None:
        raise SettingsError(f"there is no coefficient '{name}'; installed are {', '.join(known)}")
    return found


def chosen(wanted: Iterable[str | Coefficient]) -> Sequence[Coefficient]:
    """Those that every result has, and these as well."""
    return found_coefficients((*ALWAYS, *wanted))
