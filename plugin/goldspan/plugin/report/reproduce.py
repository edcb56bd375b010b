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
    if not result.tasks:
        # Labels of whole tasks alone: nothing was aligned or drawn by chance.
        return {"seed": str(settings.seed), "level": f"{settings.level:.0%}"}
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
    words |= unusual_in_words(settings)
    if settings.solver:
        words["solver"] = settings.solver
    if settings.seconds is not None:
        words["time limit"] = f"{settings.seconds:g} s"
    if settings.max_seconds is not None:
        words["time limit of the run"] = f"{settings.max_seconds:g} s"
    return words


def unusual_in_words(settings: Settings) -> dict[str, str]:
    """The settings that few people change, where they are not as usual, by their names."""
    weights, usual = settings.dissimilarity, Settings()
    words = {
        "forbid": (weights.forbid, "no alignment at distance 1"),
        "positions": (weights.positional != usual.dissimilarity.positional, _positions(settings)),
        "spacing of shifts": (settings.spacing != 1, f"{settings.spacing:g} mean lengths"),
        "mean number of units": (settings.floor_mean, "rounded down"),
        "weights of γcat": (settings.alpha_weights, "1 - α·d_pos"),
        "expected disorder from": (settings.average is not usual.average, "the samples' means"),
    }
    return {name: text for name, (is_unusual, text) in words.items() if is_unusual}


def _positions(settings: Settings) -> str:
    exponent = settings.dissimilarity.positional.exponent
    return "1 - IoU" if exponent is None else f"ratio to the power of {exponent:g}"


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
        "--position": (weights.positional.name, usual.dissimilarity.positional.name),
        "--exponent": (weights.positional.exponent, usual.dissimilarity.positional.exponent),
        "--spacing": (settings.spacing, usual.spacing),
        "--average": (settings.average.value, usual.average.value),
        "--interval": ("bootstrap" if settings.bootstrap else "log-t", "log-t"),
        "--solver": (settings.solver, usual.solver),
        "--seconds": (settings.seconds, usual.seconds),
        "--max-seconds": (settings.max_seconds, usual.max_seconds),
    }
    for option, (value, default) in given.items():
        if value != default and value is not None:
            words += [option, _exact(value) if isinstance(value, float) else str(value)]
    for name in request.coefficients:
        words += ["--coefficient", name]
    flags = {
        "--forbid": weights.forbid,
        "--floor-mean": settings.floor_mean,
        "--alpha-weights": settings.alpha_weights,
        "--no-pairs": not request.pairs,
    }
    words += [flag for flag, is_set in flags.items() if is_set]
    if distances:
        words += ["--distances", distances]
    return shlex.join(words)


def _exact(value: float) -> str:
    """The number in few digits, but in all of them where it needs them."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)
