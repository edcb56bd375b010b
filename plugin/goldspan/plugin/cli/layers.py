"""Labels of whole tasks in the terminal summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from goldspan.plugin.cli.cells import MOST_ROWS, interval, many, rank, rest, value
from goldspan.plugin.cli.console import escape
from goldspan.plugin.report.wording import LAYERS

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.result import LayerResult, Result

FIGURE = "value", "interval", "tasks", "coverage"
"""The columns of a figure."""


def print_layer_headlines(result: Result, console: Console) -> None:
    """The first lines where nobody marked places: the α of each layer."""
    for name, layer in result.layers.items():
        console.print(
            f"[bold]{escape(layer.symbol)} = {value(layer.alpha)}[/bold]  {interval(layer.alpha)}"
            f"   labels of '{escape(name)}': {many(layer.n_tasks, 'task')}, "
            f"{many(len(layer.annotators), 'annotator')}, {_agreement(layer)} of pairs agree"
        )
    console.print("1: all agree. 0: no better than chance. Below 0: worse than chance.")
    if result.gamma.reason:
        console.print(f"γ: {escape(str(result.gamma.reason))}.")


def print_layers(result: Result, console: Console) -> None:
    """Every coefficient of every layer, and each label."""
    if not result.layers:
        return
    table = Table(title=LAYERS, title_justify="left")
    for heading in ("layer", "coefficient", *FIGURE):
        table.add_column(heading, overflow="fold")
    remarks: dict[str, list[str]] = {}
    for name, layer in result.layers.items():
        for one in layer.coefficients:
            figure = layer.figures.get((one.key, ""))
            if figure is not None:
                table.add_row(escape(name), escape(one.symbol), *_cells(figure))
                if figure.remark:
                    remarks.setdefault(figure.remark, []).append(f"{one.symbol} of '{name}'")
    console.print(table)
    for remark, called in remarks.items():
        console.print(escape(f"{', '.join(called)}: {remark}."))
    for name, layer in result.layers.items():
        _print_labels(name, layer, console)


def _print_labels(name: str, layer: LayerResult, console: Console) -> None:
    figures = sorted(layer.by_label("alpha_k").items(), key=lambda row: rank(row[1]))
    if not figures:
        return
    table = Table(title=escape(f"Labels of '{name}' (αk)"), title_justify="left")
    for heading in ("label", *FIGURE, "remark"):
        table.add_column(heading, overflow="fold")
    for label, figure in figures[:MOST_ROWS]:
        table.add_row(escape(label), *_cells(figure), escape(figure.remark or ""))
    console.print(table)
    rest(len(figures), "labels", console)


def _cells(figure: Figure) -> tuple[str, ...]:
    coverage = "" if figure.coverage is None else f"{figure.coverage:.0%}"
    return value(figure), interval(figure), str(figure.n), coverage


def _agreement(layer: LayerResult) -> str:
    figure = layer.figures["observed_agreement", ""]
    return "none" if figure.value is None else f"{figure.value:.0%}"
