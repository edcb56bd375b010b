"""Papers: the experiments of Mathet et al. 2015 (§6.3) and Mathet 2017 (§5), a figure each.

The papers do not give the references, nor most constants. Those here are choices, most of them made
after looking at results; docs/curves.md says which, and has both side by side.
"""

from __future__ import annotations

from dataclasses import replace

from goldspan.engine.errors import SettingsError
from goldspan.engine.simulation.confusion import Confusion
from goldspan.engine.simulation.error_model import Errors
from goldspan.engine.simulation.experiment import (
    CurveFigure,
    Experiment,
    Panel,
    Series,
    label_of,
    one_panel,
)
from goldspan.engine.simulation.reference import DENSE, EVEN, LONG, SEGMENTS, Blueprint, Kind

MEASURES = ("gamma", "gamma_cat", "gamma_k", "u_alpha_2013", "cu_alpha", "kappa_d", "ser")
"""What every experiment on units measures, whichever of them its figure shows."""

SEGMENT_MEASURES = ("gamma", "window_diff", "ghd")
GENERAL = ("gamma", "u_alpha_2013", "cu_alpha", "kappa_d", "ser")
"""What the figures on units without overlaps show (2015, §6.3.4)."""

APART = Errors(apart=True)
NO_MISTAKE_IN_D = Errors(confusion=Confusion.among("A", "B", "C"))
FIXED = Blueprint(
    units=30, kinds=tuple(Kind(name, share, 10, 10) for name, share in zip("ABCD", (4, 3, 2, 1),
    strict=True)), gaps=(10, 10),
)  # fmt: skip
"""Units of one length at fixed places (2015, §6.3.3)."""

LAST_WITH_UNITS = 0.95
"""At magnitude 1 of false negatives nothing is left."""


def _units_of_5(length_of_d: int) -> Blueprint:
    kinds = (*(Kind(name, 1, 5, 5) for name in "ABC"), Kind("D", 1, length_of_d, length_of_d))
    return Blueprint(units=30, kinds=kinds, gaps=(5, 15))


def _experiment(
    name: str, kinds: tuple[str, ...], reference: Blueprint, constants: Errors, last: float = 1.0
) -> Experiment:
    measures = SEGMENT_MEASURES if constants.segments else MEASURES
    return Experiment(name, kinds, reference, constants, measures, last=last)


def _paper(
    name: str, title: str, kinds: str, reference: Blueprint, constants: Errors,
    shown: tuple[str, ...], last: float = 1.0,
) -> CurveFigure:  # fmt: skip
    experiment = _experiment(name, tuple(kinds.split()), reference, constants, last)
    return one_panel(experiment, title, tuple((measure, "") for measure in shown))


_SEGMENTED = Errors(segments=True, shift=2.0)
_GAMMAS = ("gamma_cat", "gamma", "cu_alpha")

_SINGLE = (
    _paper("2015:24a", "missing boundaries of segments", "false_negatives", SEGMENTS, _SEGMENTED,
           SEGMENT_MEASURES, LAST_WITH_UNITS),
    _paper("2015:24b", "shifted boundaries of segments", "position", SEGMENTS, _SEGMENTED,
           SEGMENT_MEASURES),
    _paper("2015:25", "categories, units at fixed places", "category", FIXED,
           Errors(prevalence=True), GENERAL),
    _paper("2015:26a", "positions", "position", DENSE, APART, GENERAL),
    _paper("2015:26b", "positions and categories", "position category", DENSE, APART, GENERAL),
    _paper("2015:27", "splits", "splits", DENSE, APART, GENERAL),
    _paper("2015:28a", "false positives", "false_positives", DENSE, Errors(extra=2.0),
           ("gamma", "cu_alpha", "ser")),
    _paper("2015:28b", "false negatives", "false_negatives", DENSE, Errors(), GENERAL,
           LAST_WITH_UNITS),
    _paper("2015:30", "positions and false positives, with overlaps", "position false_positives",
           DENSE, Errors(shift=2.0, extra=1.0), ("gamma", "cu_alpha")),
    _paper("2017:11", "positions", "position", LONG, Errors(shift=2.0), _GAMMAS),
    _paper("2017:12", "categories", "category", EVEN, Errors(), _GAMMAS),
    _paper("2017:13", "categories and positions", "category position", EVEN, Errors(shift=2.0),
           _GAMMAS),
)  # fmt: skip


def _overview() -> CurveFigure:
    """2015, Fig. 29: the curves of Fig. 26 to 28 again, a panel for each measure."""
    used = [one for one in _SINGLE if one.name in ("2015:26a", "2015:26b", "2015:27", "2015:28a",
                                                   "2015:28b")]  # fmt: skip
    panels = tuple(
        Panel(
            label_of((measure, "")),
            tuple(Series(one.title, one.experiments[0].name, (measure, "")) for one in used),
        )
        for measure in GENERAL
    )
    experiments = tuple(one.experiments[0] for one in used)
    return CurveFigure("2015:29", "each measure in Fig. 26 to 28", experiments, panels)


def _lengths() -> CurveFigure:
    """2017, Fig. 14: confusion among A, B and C, with D as long as the others and longer."""
    short, long = (
        _experiment(f"2017:14{variant}", ("category",), _units_of_5(length), NO_MISTAKE_IN_D)
        for variant, length in (("", 5), (" long", 20))
    )
    series = tuple(
        Series(label_of((measure, "")) + suffix, experiment.name, (measure, ""))
        for measure in ("gamma_cat", "cu_alpha")
        for experiment, suffix in ((short, ""), (long, " long"))
    )
    title = "categories A, B and C, with D of length 5 and 20"
    return CurveFigure("2017:14", title, (short, long), (Panel(title, series),))


def _labels() -> CurveFigure:
    """2017, Fig. 15: the same confusion, for each label."""
    experiment = _experiment("2017:15", ("category",), EVEN, NO_MISTAKE_IN_D)
    keys = (("gamma_cat", ""), *(("gamma_k", label) for label in "ABCD"))
    return one_panel(experiment, "categories A, B and C, by label", keys)


FIGURES = {one.name: one for one in (*_SINGLE, _overview(), _lengths(), _labels())}
FIGURES = dict(sorted(FIGURES.items()))
"""The figures of both papers, by paper and number."""


def paper_figure(name: str) -> CurveFigure:
    """The figure of this name; an unknown name is an error that lists the known ones."""
    if name not in FIGURES:
        raise SettingsError(f"there is no figure '{name}'; there are {', '.join(FIGURES)}")
    return FIGURES[name]


def without_gaps() -> Experiment:
    """2015, Fig. 25 with units that touch: κd reaches 0 then, and uα goes below it."""
    (experiment,) = FIGURES["2015:25"].experiments
    return replace(experiment, name="2015:25 without gaps", reference=replace(FIXED, gaps=(0, 0)))
