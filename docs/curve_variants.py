"""Other set-ups than those of the figures: which of them explain a curve that differs from its
paper, and what magnitude 1 is with other constants. `make_curves.py` measures them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from goldspan.engine.simulation.error_model import Errors
from goldspan.engine.simulation.experiment import Experiment, label_of
from goldspan.engine.simulation.papers import FIGURES, FIXED
from goldspan.engine.simulation.point import Mean, PointRequest, measure_point
from goldspan.engine.simulation.reference import DENSE, LONG, MIXED, SPARSE, Blueprint

SETS, PRECISION = 20, 0.03


@dataclass(frozen=True, slots=True)
class Variant:
    """A figure with another reference or other constants, and where to look."""

    figure: str
    words: str
    reference: Blueprint
    look: tuple[tuple[str, float], ...]
    constants: Errors | None = None


TOUCHING = replace(FIXED, gaps=(0, 0))

VARIANTS = (
    Variant("2015:25", "gaps of 0", TOUCHING,
            (("u_alpha_2013", 0.6), ("u_alpha_2013", 0.7), ("u_alpha_2013", 1.0),
             ("kappa_d", 1.0))),
    Variant("2015:26a", "`mixed`", MIXED, (("u_alpha_2013", 0.6), ("u_alpha_2013", 0.8),
                                           ("gamma", 1.0))),
    Variant("2015:26b", "`mixed`", MIXED, (("u_alpha_2013", 0.6), ("u_alpha_2013", 0.8),
                                           ("gamma", 1.0))),
    Variant("2015:28b", "`mixed`", MIXED, (("u_alpha_2013", 0.3), ("u_alpha_2013", 0.4),
                                           ("gamma", 0.95))),
    Variant("2015:28a", "`sparse`", SPARSE, (("ser", 0.6), ("ser", 0.8), ("ser", 1.0),
                                             ("gamma", 1.0))),
    Variant("2017:11", "shift 3", LONG, (("gamma_cat", 0.8), ("cu_alpha", 0.8), ("gamma", 1.0)),
            Errors(shift=3.0)),
    Variant("2017:11", "shift 10, no overlap", LONG,
            (("gamma_cat", 0.8), ("cu_alpha", 0.8), ("gamma", 1.0)),
            Errors(shift=10.0, apart=True)),
)  # fmt: skip

Law = tuple[str, str, str, Errors, Blueprint]
LAST: tuple[Law, ...] = (
    *(("position", "dense", f"--no-overlap --shift {shift}", Errors(apart=True, shift=shift), DENSE)
      for shift in (5, 12, 20, 40)),
    *(("position", "dense", f"--shift {shift}", Errors(shift=shift), DENSE) for shift in (2, 5)),
    ("category", "dense", "", Errors(), DENSE),
    ("position,category", "dense", "--no-overlap", Errors(apart=True), DENSE),
    *(("false-positives", "long", f"--extra {extra}", Errors(extra=extra), LONG)
      for extra in (2, 5)),
    *(("splits", "dense", f"--splits {cuts}", Errors(cuts=cuts), DENSE) for cuts in (5, 12)),
)  # fmt: skip
"""Errors at magnitude 1, with their options."""


def _measured(experiment: Experiment, magnitude: float) -> dict[str, Mean]:
    point = measure_point(PointRequest(experiment, magnitude, SETS, precision=PRECISION))
    return {key[0]: mean for key, mean in point.means.items() if not key[1]}


def _shown(mean: Mean) -> str:
    return f"{mean.value:.3f} [{mean.low:.3f}, {mean.high:.3f}]"


def variants_text() -> Iterator[str]:
    """What each variant gives, a row each."""
    yield "| figure | with | measure | magnitude | value, with interval |"
    yield "|---|---|---|---|---|"
    for one in VARIANTS:
        (experiment,) = FIGURES[one.figure].experiments
        constants = one.constants or experiment.constants
        changed = replace(experiment, reference=one.reference, constants=constants)
        found = {magnitude: _measured(changed, magnitude) for _, magnitude in one.look}
        for measure, magnitude in one.look:
            value = _shown(found[magnitude][measure])
            yield (
                f"| {one.figure} | {one.words} | {label_of((measure, ''))} | {magnitude:g} "
                f"| {value} |"
            )


def last_text() -> Iterator[str]:
    """What is left at magnitude 1, by kind of error and constant."""
    yield "| `--errors` | `--reference` | constants | γ at magnitude 1 | γcat |"
    yield "|---|---|---|---|---|"
    for kinds, reference, options, constants, blueprint in LAST:
        names = tuple(kind.replace("-", "_") for kind in kinds.split(","))
        experiment = Experiment(kinds, names, blueprint, constants, ("gamma", "gamma_cat"))
        found = _measured(experiment, 1.0)
        shown = f"`{options}`" if options else "–"
        yield (
            f"| `{kinds}` | `{reference}` | {shown} | {_shown(found['gamma'])} "
            f"| {_shown(found['gamma_cat'])} |"
        )
