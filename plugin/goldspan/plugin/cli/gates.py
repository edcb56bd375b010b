"""Gates: the agreement that a round must reach, for scripts and continuous integration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldspan.engine.errors import SettingsError

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.reference.against import Against
    from goldspan.engine.result import Result

AGAINST = "against."
"""How the names of figures against a reference begin."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The least value of some figures: γ, γk of some labels, or any other coefficient.

    Compared is the lower end of the interval (`lower`), or the value itself.
    """

    gamma: float | None = None
    gamma_k: Mapping[str, float] = field(default_factory=dict)
    others: Mapping[str, float] = field(default_factory=dict)
    lower: bool = True

    def failures(self, result: Result) -> Iterator[str]:
        """A sentence for each figure that is not reached."""
        if self.gamma is not None:
            yield from self._check("γ", result.gamma, self.gamma)
        for label, least in self.gamma_k.items():
            figure = result.gamma_k.get(label)
            if figure is None:
                used = ", ".join(result.gamma_k)
                raise SettingsError(
                    f"the gate names the label '{label}', which nobody used; there are {used}"
                )
            yield from self._check(f"γk of '{label}'", figure, least)
        reference = {k: x for k, x in self.others.items() if k.startswith(AGAINST)}
        for key, least in reference.items():
            yield from self._against(result.against, key.removeprefix(AGAINST), least)
        known = _others(result)
        for key, least in self.others.items():
            if key in reference:
                continue
            if key not in known:
                raise SettingsError(
                    f"the gate names the coefficient '{key}', which the result does not have; "
                    f"there are {', '.join(known)}"
                )
            yield from self._check(*known[key], least)

    def _against(self, against: Against | None, key: str, least: float) -> Iterator[str]:
        """Each annotator has to reach it."""
        if against is None:
            raise SettingsError(
                f"the gate {AGAINST}{key} is for annotators against a reference; name one with "
                "--against"
            )
        symbols = {one.key: one.symbol for one in against.coefficients}
        for one in against.annotators:
            figure = one.figures.get((key, ""))
            if figure is None:
                known = ", ".join(f"{AGAINST}{name}" for name, label in one.figures if not label)
                raise SettingsError(
                    f"the gate names '{AGAINST}{key}', which the comparison does not have; there "
                    f"are {known}"
                )
            yield from self._check(
                f"{symbols[key]} of '{one.name}' against the reference", figure, least
            )

    def _check(self, name: str, figure: Figure, least: float) -> Iterator[str]:
        if figure.value is None:
            yield f"{name} is undefined ({figure.reason}); {least:g} was asked for"
            return
        reached, what = figure.value, "is"
        # Perfect agreement has no interval, and needs none.
        if self.lower and figure.value < 1:
            if figure.low is None:
                yield f"the lower limit of {name} is not known ({figure.reason}); --gate value"
                return
            reached, what = figure.low, "has the lower limit"
        if reached < least:
            yield f"{name} {what} {reached:.3f}, below {least:g}"


def _others(result: Result) -> dict[str, tuple[str, Figure]]:
    """Every single figure with what people call it, by the name that a gate has for it; one of a
    layer of labels is LAYER.COEFFICIENT.
    """
    symbols = {one.key: one.symbol for one in result.coefficients}
    found = {
        key: (symbols[key], figure) for (key, label), figure in result.figures.items() if not label
    }
    for name, layer in result.layers.items():
        called = {one.key: f"{one.symbol} of '{name}'" for one in layer.coefficients}
        for (key, label), figure in layer.figures.items():
            if not label:
                found[f"{name}.{key}"] = called[key], figure
    return found


def parse_gate(text: str, what: str) -> tuple[str, float]:
    """NAME=X, of a label or a coefficient; the name may contain an equals sign itself."""
    name, _, number = text.rpartition("=")
    try:
        if name:
            return name, float(number)
    except ValueError:
        pass
    raise SettingsError(f"'{text}' is not a gate for a {what}; write {what.upper()}=0.6")
