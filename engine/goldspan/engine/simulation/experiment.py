"""Experiments: what the shuffling tool is set to, and how a figure is made of its curves."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, TypeAlias

from goldspan.engine.errors import SettingsError
from goldspan.engine.simulation.error_model import Errors

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus
    from goldspan.engine.simulation.reference import Blueprint

Key: TypeAlias = tuple[str, str]
"""A coefficient's key and a label; the label is empty for the figure of all labels."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Annotators who make the same kinds of error, at each magnitude.

    name        what it is called in tables
    kinds       the kinds of error
    reference   a model that every set draws its own reference from, or a corpus for all sets
    constants   of the laws of error
    measures    the coefficients to measure, by key
    annotators  how many
    last        the highest magnitude at which there is something to measure
    """

    name: str
    kinds: tuple[str, ...]
    reference: Blueprint | Corpus
    constants: Errors = field(default_factory=Errors)
    measures: tuple[str, ...] = ("gamma",)
    annotators: int = 3
    last: float = 1.0

    def __post_init__(self) -> None:
        if not self.kinds:
            raise SettingsError("an experiment needs a kind of error")
        if self.annotators < 2:
            raise SettingsError(
                f"the number of annotators is {self.annotators}; agreement needs 2 or more"
            )
        self.constants.at(0.0, *self.kinds)  # it refuses unknown kinds

    @property
    def digest(self) -> str:
        """The same for the same experiment, whatever it is called."""
        constants = self.constants.used_by(self.kinds)
        parts = (self.kinds, self.reference, constants, self.measures, self.annotators)
        return sha256(repr(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Series:
    """One curve of a panel: a coefficient in an experiment."""

    label: str
    experiment: str
    key: Key


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves in one pair of axes."""

    title: str
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class CurveFigure:
    """Panels, and the experiments whose curves are in them."""

    name: str
    title: str
    experiments: tuple[Experiment, ...]
    panels: tuple[Panel, ...]


def magnitudes(step: float, last: float = 1.0) -> tuple[float, ...]:
    """0, step, 2·step … up to 1 or to the last one with something to measure."""
    if not 0 < step <= 1:
        raise SettingsError(f"the step of magnitudes is {step}; it must be above 0, and 1 at most")
    count = int(1 / step + 1e-9)
    found = (round(step * number, 10) for number in range(count + 1))
    return tuple(one for one in found if one <= last + 1e-9)


SYMBOLS = {
    "gamma": "γ",
    "gamma_cat": "γcat",
    "gamma_k": "γk",
    "u_alpha_2013": "uα",
    "cu_alpha": "cuα",
    "kappa_d": "κd",
    "ser": "1 - SER",
    "window_diff": "1 - WD",
    "ghd": "1 - GHD",
}
"""How curves are labelled."""


def one_panel(experiment: Experiment, title: str, keys: tuple[Key, ...] = ()) -> CurveFigure:
    """A figure of one experiment, with all of its measures unless keys are named."""
    wanted = keys or tuple((measure, "") for measure in experiment.measures)
    series = tuple(Series(label_of(key), experiment.name, key) for key in wanted)
    return CurveFigure(experiment.name, title, (experiment,), (Panel(title, series),))


def label_of(key: Key) -> str:
    """A coefficient as it is called in a legend."""
    measure, label = key
    symbol = SYMBOLS.get(measure, measure)
    return f"{symbol}({label})" if label else symbol
