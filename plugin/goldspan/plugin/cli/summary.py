"""The terminal summary of a result: what a person needs in one minute."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from rich.table import Table

from goldspan.engine.coefficient.base import GAMMA, GAMMA_CAT
from goldspan.engine.result import OWN_NAMES, Result
from goldspan.plugin.cli.cells import MOST_ROWS, interval, many, rank, rest, value
from goldspan.plugin.cli.console import escape
from goldspan.plugin.cli.layers import print_layer_headlines, print_layers
from goldspan.plugin.report import wording
from goldspan.plugin.report.counts import count
from goldspan.plugin.report.findings import find, rank_task
from goldspan.plugin.report.reproduce import unusual_in_words

if TYPE_CHECKING:
    from rich.console import Console

    from goldspan.engine.coefficient.base import Coefficient
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.comparison import Comparison, Step
    from goldspan.engine.facts import Reason
    from goldspan.engine.settings import Settings

WORST_TASKS = 5

_KINDS = {
    "missed": "one marked it, another did not",
    "boundary": "same unit, other start or end",
    "label": "same unit, other label",
    "split": "one unit against several",
}


FEW_LEFT_OUT = 2
"""So many tasks that were left out are named in the first ten lines; more are counted."""


def print_brief(
    result: Result, console: Console, settled: Collection[str] = (), *, compares: bool = True
) -> None:
    """The first ten lines: in words, the figures, and what to look at first, without tasks that are
    `settled`. The comparison with a reference is there in full if somebody asked for it
    (`compares`), else in a line. Where nobody marked places there are no tables to leave out, and
    all of it is printed.
    """
    if not result.tasks:
        print_summary(result, console)
        return
    if verdict := wording.verdict(result.gamma):
        console.print(f"[bold]{verdict}.[/bold] {wording.advice(result.gamma)}")
    _headline(result, console)
    unsettled = [task for task in result.tasks.values() if task.id not in settled]
    worst = sorted(unsettled, key=rank_task)
    for finding in find(result, count(result), worst):
        console.print(escape(finding.said))
    if result.layers:
        console.print(f"[bold]{wording.LAYERS}[/bold]")
        print_layer_headlines(result, console)
    if len(result.excluded) > FEW_LEFT_OUT:
        console.print(f"Left out: {wording.many(len(result.excluded), 'task')}; --full says why.")
    else:
        _left_out(result, console)
    _footer(result, console)
    if compares:
        _against(result, console)
    elif result.against is not None:
        from goldspan.plugin.cli.against_summary import print_against_line  # noqa: PLC0415 - few ask

        print_against_line(result.against, console)
    console.print("--full prints the tables: labels, annotators, kinds of disagreement, tasks.")


def print_summary(result: Result, console: Console, settled: Collection[str] = ()) -> None:
    """Headline, labels, annotators, kinds of disagreement, and the tasks to open first, without
    those that are `settled`; then labels of whole tasks, which come first where there is nothing
    else, and the comparison with a reference, where there is one.
    """
    if not result.tasks and result.layers:
        print_layer_headlines(result, console)
        print_layers(result, console)
        _against(result, console)
        return
    if result.against is not None and not result.tasks:
        console.print(f"No agreement between annotators was measured: {result.gamma.remark}.")
        _against(result, console)
        return
    _headline(result, console)
    _labels(result, console)
    _annotators(result, console)
    _kinds(result, console)
    _tasks(result, console, settled)
    print_layers(result, console)
    _left_out(result, console)
    _footer(result, console)
    _against(result, console)


def _against(result: Result, console: Console) -> None:
    """The comparison with a reference, where there is one."""
    if result.against is not None:
        from goldspan.plugin.cli.against_summary import print_against  # noqa: PLC0415 - few ask

        print_against(result.against, console)


def _headline(result: Result, console: Console) -> None:
    people = {name for task in result.tasks.values() for name in task.annotators}
    console.print(
        f"[bold]γ = {value(result.gamma)}[/bold]  {interval(result.gamma)}   "
        f"{many(result.gamma.n or result.n_units, 'unit')}, {many(len(result.tasks), 'task')}, "
        f"{many(len(people), 'annotator')}"
    )
    console.print(
        f"[bold]γcat = {value(result.gamma_cat)}[/bold]  {interval(result.gamma_cat)}   "
        f"labels only, on {many(result.gamma_cat.n, 'pair')} "
        f"in {many(result.n_unitary, 'unitary alignment')}"
    )
    console.print("1: all marked the same. 0: no better than chance. Below 0: worse than chance.")
    named: dict[Reason, list[str]] = {}
    for name, figure in (("γ", result.gamma), ("γcat", result.gamma_cat)):
        if figure.reason:
            named.setdefault(figure.reason, []).append(name)
    for one in result.coefficients:
        other = result.figures.get((one.key, ""))
        if other is not None and one.key not in OWN_NAMES:
            console.print(
                f"[bold]{escape(one.symbol)} = {value(other)}[/bold]  {interval(other)}   "
                f"{escape(one.about)}, on {many(other.n, one.counts)}{_coverage(other)}"
            )
            if one.blind and other.value is not None:
                console.print(f"  [dim]{escape(one.blind)}[/dim]")
            if other.reason:
                named.setdefault(other.reason, []).append(escape(one.symbol))
    for reason, names in named.items():
        console.print(f"{' and '.join(names)}: {escape(str(reason))}.")
    for name, figure in (("γ", result.gamma), ("γcat", result.gamma_cat)):
        remark = wording.imprecise(figure, result.settings.precision)
        if remark:
            console.print(f"{name}: {remark}.")


def _coverage(figure: Figure) -> str:
    """The part of the data that was looked at, unless it is all."""
    if figure.coverage is None or figure.coverage == 1:
        return ""
    return f", {figure.coverage:.0%} of the data"


def _labels(result: Result, console: Console) -> None:
    for one in result.coefficients:
        figures = {label: f for label, f in result.by_label(one.key).items() if label}
        if figures:
            _label_table(result, one, figures, console)


def _label_table(
    result: Result, one: Coefficient, figures: Mapping[str, Figure], console: Console
) -> None:
    table = Table(title=escape(f"Labels ({one.symbol})"), title_justify="left")
    for heading in ("label", escape(one.symbol), "interval", f"{one.counts}s", "remark"):
        table.add_column(heading, overflow="fold")
    rows = sorted(figures.items(), key=lambda row: rank(row[1]))
    for label, figure in rows[:MOST_ROWS]:
        remark = figure.remark or wording.imprecise(figure, result.settings.precision)
        if figure.reason is not None and figure.reason == result.gamma_cat.reason:
            remark = "as γcat"
        table.add_row(escape(label), value(figure), interval(figure), str(figure.n), escape(remark))
    console.print(table)
    rest(len(rows), "labels", console)


def _annotators(result: Result, console: Console) -> None:
    if result.pairs:
        table = Table(title="Pairs of annotators", title_justify="left")
        for heading in ("pair", "γ", "interval", "γcat", "tasks", "units"):
            table.add_column(heading, overflow="fold")
        rows = sorted(result.pairs, key=lambda pair: rank(pair.gamma))
        for pair in rows[:MOST_ROWS]:
            table.add_row(
                escape(" × ".join(pair.annotators)), value(pair.gamma), interval(pair.gamma),
                value(pair.gamma_cat), str(pair.n_tasks), str(pair.n_units),
            )  # fmt: skip
        console.print(table)
        rest(len(rows), "pairs", console)
    if len(result.annotators) > 2 and result.pairs:
        table = Table(title="Annotators", title_justify="left")
        for heading in ("annotator", "units", "tasks", "γ of the others without them"):
            table.add_column(heading, overflow="fold")
        for one in result.annotators[:MOST_ROWS]:
            table.add_row(
                escape(one.name), str(one.n_units), str(one.n_tasks),
                f"{value(one.gamma_without)}  {interval(one.gamma_without)}",
            )  # fmt: skip
        console.print(table)
        rest(len(result.annotators), "annotators", console)


def _kinds(result: Result, console: Console) -> None:
    table = Table(title="Where the disagreement comes from", title_justify="left")
    for heading in ("kind", "share", "cases", ""):
        table.add_column(heading)
    for kind, part in result.disagreements.items():
        table.add_row(kind, f"{part.share:.0%}", str(part.count), _KINDS[kind])
    console.print(table)


def _tasks(result: Result, console: Console, settled: Collection[str]) -> None:
    if len(result.tasks) < 2:
        return
    unsettled = [task for task in result.tasks.values() if task.id not in settled]
    rows = sorted(unsettled, key=rank_task)
    table = Table(title="Tasks to look at first", title_justify="left")
    for heading in ("task", "γ", "units", "annotators", "mostly"):
        table.add_column(heading, overflow="fold")
    for task in rows[:WORST_TASKS]:
        kind, part = max(task.disagreements.items(), key=lambda one: one[1].disorder)
        table.add_row(
            escape(task.id), value(task.gamma), str(task.n_units), str(len(task.annotators)),
            f"{kind} ({part.share:.0%})" if part.count else "",
        )  # fmt: skip
    console.print(table)
    if result.median_gamma is not None:
        console.print(f"The median γ of the tasks is {result.median_gamma:.3f}.")


def _left_out(result: Result, console: Console) -> None:
    for one in result.excluded[:MOST_ROWS]:
        why = (
            "for the reason above" if one.reason == result.gamma.reason else escape(str(one.reason))
        )
        console.print(f"Left out: task '{escape(one.task)}': {why}.")
    rest(len(result.excluded), "tasks left out", console)


def _footer(result: Result, console: Console) -> None:
    settings, weights = result.settings, result.settings.dissimilarity
    disorder = result.expected_disorder
    console.print(
        f"Chance: {' and '.join(result.chance)}, expected disorder "
        f"{'undefined' if disorder is None else f'{disorder:.4f}'} from {result.n_samples} samples "
        f"(precision {settings.precision:g}); α = {weights.alpha:g}, β = {weights.beta:g}, "
        f"{weights.distances.name} distances; {_unusual(settings)}seed {settings.seed}; "
        f"{settings.level:.0%} intervals, for these annotators."
    )
    for note in result.cut_short:
        console.print(f"[bold]{escape(note.message)}.[/bold]")
    if not result.optimal:
        console.print(f"[bold]{wording.approximate(result)}[/bold] Give more time, or no limit.")


def _unusual(settings: Settings) -> str:
    """The settings that few people change, where they are not as usual."""
    return "".join(f"{name}: {text}; " for name, text in unusual_in_words(settings).items())


def print_comparison(comparison: Comparison, console: Console) -> None:
    """The rounds in a table, then every step with its verdict."""
    table = Table(title="Rounds", title_justify="left")
    for heading in ("round", "γ", "interval", "γcat", "tasks", "units", "annotators"):
        table.add_column(heading, overflow="fold")
    for one in comparison.rounds:
        gamma, cat = one.figures[GAMMA], one.figures[GAMMA_CAT]
        table.add_row(
            escape(one.name), value(gamma), interval(gamma), value(cat),
            str(len(one.tasks)), str(one.n_units), str(one.n_annotators),
        )  # fmt: skip
    console.print(table)
    for step in comparison.steps:
        _step(step, console)


def _step(step: Step, console: Console) -> None:
    title = f"{step.old.name} → {step.new.name}: {many(len(step.shared), 'shared task')}"
    table = Table(title=escape(title), title_justify="left")
    for heading in ("", "old", "new", "change", "interval", "verdict"):
        table.add_column(heading, overflow="fold")
    for change in (*step.overall, *step.labels[:MOST_ROWS]):
        ends = "" if change.low is None else f"[{change.low:+.3f}, {change.high:+.3f}]"
        table.add_row(
            escape(f"{change.name} {change.label}".strip()),
            *("" if one is None else f"{one:.3f}" for one in (change.old, change.new)),
            "" if change.difference is None else f"{change.difference:+.3f}",
            escape(ends), change.verdict + (escape(f": {change.reason}") if change.reason else ""),
        )  # fmt: skip
    console.print(table)
    rest(len(step.labels), "labels", console)
    if step.gamma.method:
        console.print(f"{step.gamma.level:.0%} intervals, {step.gamma.method}.")
    for remark in step.remarks:
        console.print(escape(str(remark)))
