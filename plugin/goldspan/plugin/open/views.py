"""Views: what the page gets to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.result import Result


class Choice(msgspec.Struct, frozen=True):
    """A value that an option can have; `says` is what it means, `example` what it gives here."""

    value: str
    says: str = ""
    example: str = ""


class Question(msgspec.Struct, frozen=True):
    """An option that the files leave open; `free` if any other value may be written."""

    option: str
    say: str
    suggested: str
    choices: tuple[Choice, ...] = ()
    free: bool = True


class Asked(msgspec.Struct, frozen=True):
    """What has to be said before the files can be read, and why."""

    say: str
    questions: tuple[Question, ...]


class Annotator(msgspec.Struct, frozen=True):
    """How much an annotator did."""

    name: str
    tasks: int
    units: int


class Opened(msgspec.Struct, frozen=True):
    """What the files were taken for, and what is in them."""

    format: str
    summary: str
    files: tuple[str, ...]
    tasks: int
    units: int
    annotators: tuple[Annotator, ...]
    labels: tuple[str, ...]
    label_units: tuple[int, ...]
    task_names: tuple[str, ...]
    task_units: tuple[int, ...]
    notes: tuple[str, ...]
    version: str
    place: str


class FigureView(msgspec.Struct, frozen=True):
    """A figure; `label` is empty for one of all labels."""

    key: str
    symbol: str
    label: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    remark: str | None


class Measured(msgspec.Struct, frozen=True):
    """A result; `stage` says how far it goes, `report` opens its report."""

    stage: str
    figures: tuple[FigureView, ...]
    tasks: int
    units: int
    chance: tuple[str, ...]
    command: str
    report: str = ""
    adjudicate: str = ""


def figure_views(result: Result) -> Iterator[FigureView]:
    """Every figure of a result, those of whole tasks after those of spans."""
    symbols = {one.key: one.symbol for one in result.coefficients}
    for (key, label), figure in result.figures.items():
        yield _view(key, symbols.get(key, key), label, figure)
    for name, layer in result.layers.items():
        yield from _of_layer(
            name, {one.key: one.symbol for one in layer.coefficients}, layer.figures
        )


def _of_layer(
    name: str, symbols: Mapping[str, str], figures: Mapping[tuple[str, str], Figure]
) -> Iterator[FigureView]:
    for (key, label), figure in figures.items():
        if not label:
            yield _view(f"{name}.{key}", f"{symbols.get(key, key)} of '{name}'", label, figure)


def _view(key: str, symbol: str, label: str, figure: Figure) -> FigureView:
    return FigureView(
        key, symbol, label, figure.value, figure.low, figure.high, figure.n, figure.remark
    )
