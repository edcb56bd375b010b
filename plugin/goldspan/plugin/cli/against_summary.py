"""The terminal summary of a comparison with a reference: who differs, and on which labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from goldspan.plugin.cli.cells import MOST_ROWS, interval, rest, value
from goldspan.plugin.cli.console import escape
from goldspan.plugin.report.against import AgainstView, view_against

if TYPE_CHECKING:
    from rich.console import Console

    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.reference.against import Against


MOST_IN_LINE = 4
"""So many annotators are named in the short form."""


def print_against(against: Against, console: Console) -> None:
    """What differs most, the units that match, γ and the like, and the labels."""
    view = view_against(against)
    console.print(f"\n[bold]{escape(view.title)}[/bold]")
    for said in view.findings:
        console.print(escape(said))
    console.print(f"[dim]{escape(view.about)}[/dim]")
    _matches(view, console)
    _measures(view, console)
    _labels(view, console)
    for remark in view.remarks[:MOST_ROWS]:
        console.print(escape(remark))
    rest(len(view.remarks), "remarks", console)


def print_against_line(against: Against, console: Console) -> None:
    """The comparison in one line: F1 of each annotator, lowest first."""
    view = view_against(against)
    known = [(one.name, one.figures["f1", ""]) for one, _ in view.rows]
    said = ", ".join(f"{name} {_short(figure)}" for name, figure in known[:MOST_IN_LINE])
    more = f" and {len(known) - MOST_IN_LINE} more" if len(known) > MOST_IN_LINE else ""
    console.print(escape(f"{view.title}, F1: {said}{more}."))


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(escape(heading), overflow="fold")
    return table


def _matches(view: AgainstView, console: Console) -> None:
    symbols = [one.symbol for one in view.matches]
    table = _table("Units that match, lowest F1 first", "annotator", "F1", "interval", *symbols)
    for one, _ in view.rows[:MOST_ROWS]:
        f1 = one.figures["f1", ""]
        cells = [_short(one.figures[column.key, ""]) for column in view.matches]
        table.add_row(escape(one.name), _short(f1), interval(f1), *cells)
    console.print(table)
    rest(len(view.rows), "annotators", console)


def _measures(view: AgainstView, console: Console) -> None:
    symbols = [one.symbol for one in view.measures]
    whom = "with themselves" if view.is_stability else "with the reference"
    other = "units again" if view.is_stability else "reference's"
    table = _table(f"Each annotator {whom}", "annotator", *symbols, "tasks", "units", other)
    for one, _ in view.rows[:MOST_ROWS]:
        cells = [_short(one.figures[column.key, ""]) for column in view.measures]
        counts = (one.n_tasks, one.n_units, one.n_reference_units)
        table.add_row(escape(one.name), *cells, *map(str, counts))
    console.print(table)


def _labels(view: AgainstView, console: Console) -> None:
    rates = [] if view.is_stability else ["precision", "recall"]
    headings = ("label", "annotator", "F1", "interval", *rates, "units")
    table = _table("Labels, lowest F1 first", *headings)
    for row in view.labels[:MOST_ROWS]:
        cells = [_short(one) for one in (row.precision, row.recall) if one is not None]
        table.add_row(
            escape(row.label), escape(row.annotator), _short(row.f1), interval(row.f1), *cells,
            str(row.f1.n),
        )  # fmt: skip
    console.print(table)
    rest(len(view.labels), "labels of annotators", console)


def _short(figure: Figure) -> str:
    return "–" if figure.value is None else value(figure)
