"""Repeating: the settings behind a result, in words and as the options that give them again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from goldspan.engine.settings import Settings

if TYPE_CHECKING:
    from goldspan.engine.result import Result
    from goldspan.plugin.measurement import MeasureRequest


def settings_in_words(result: Result) -> dict[str, str]:
    """Every setting that decides the figures, by its name."""
    settings, weights = result.settings, result.settings.dissimilarity
    disorder = result.expected_disorder
    words = {
        "seed": str(settings.seed),
        "chance": " and ".join(result.chance),
        "expected disorder": "undefined" if disorder is None else f"{disorder:.4f}",
        "chance samples": f"{result.n_samples:,}",
        "unitary alignments": f"{result.n_unitary:,}",
        "precision": f"{settings.precision:g}",
        "level": f"{settings.level:.0%}",
        "α": f"{weights.alpha:g}",
        "β": f"{weights.beta:g}",
        "distances": weights.distances.name,
        "interval": result.gamma.method or "none",
        "alignments": "proved best" if result.optimal else "not all proved best",
    }
    if weights.forbid:
        words["forbid"] = "no alignment at distance 1"
    if settings.solver:
        words["solver"] = settings.solver
    if settings.seconds is not None:
        words["time limit"] = f"{settings.seconds:g} s"
    if settings.max_seconds is not None:
        words["time limit of the run"] = f"{settings.max_seconds:g} s"
    return words


def command(reading: Sequence[str], request: MeasureRequest, distances: str = "") -> str:
    """The command that measures the same again: what is read and how, the seed, and what is not as
    usual. `distances` is the name of the file that has them. Where the work runs is left out,
    because it changes no figure.
    """
    settings, usual = request.settings, Settings()
    weights = settings.dissimilarity
    words = ["goldspan", "score", *reading, "--seed", str(settings.seed)]
    given = {
        "--chance": (settings.chance.value, usual.chance.value),
        "--precision": (settings.precision, usual.precision),
        "--level": (settings.level, usual.level),
        "--alpha": (weights.alpha, usual.dissimilarity.alpha),
        "--beta": (weights.beta, usual.dissimilarity.beta),
        "--interval": ("bootstrap" if settings.bootstrap else "log-t", "log-t"),
        "--solver": (settings.solver, usual.solver),
        "--seconds": (settings.seconds, usual.seconds),
        "--max-seconds": (settings.max_seconds, usual.max_seconds),
    }
    for option, (value, default) in given.items():
        if value != default:
            words += [option, _exact(value) if isinstance(value, float) else str(value)]
    for name in request.coefficients:
        words += ["--coefficient", name]
    words += ["--forbid"] * weights.forbid + ["--no-pairs"] * (not request.pairs)
    if distances:
        words += ["--distances", distances]
    return shlex.join(words)


def _exact(value: float) -> str:
    """The number in few digits, but in all of them where it needs them."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)
