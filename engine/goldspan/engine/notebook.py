"""Notebook: what Jupyter shows of a value, small HTML without scripts or styles of its own.

A task is drawn as the report draws it: a lane for each annotator, with bands that connect aligned
units. It is a still picture, so that it is also seen where nothing runs, as on GitHub.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.alignment.alignment import UnitaryAlignment
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus, Unit
    from goldspan.engine.result import Result, TaskResult

MOST_ROWS = 20
"""A longer table ends with a row that says how many are left out."""

MOST_UNITS = 400
"""A longer task is drawn up to here, and the line above says so."""
WIDTH, NAMES, ROW, GAP = 960, 110, 20, 26
"""Sizes of a drawing in pixels: all of it, the annotators' names, a unit, between two lanes."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c00", "#6b6b6b")


def corpus_html(corpus: Corpus) -> str:
    """What is in a corpus, and a row for each task."""
    units = sum(len(continuum.units) for continuum in corpus)
    words = (
        f"{_many(len(corpus), 'task')}, {_many(units, 'unit')}, "
        f"{_many(len(corpus.annotators), 'annotator')} ({', '.join(corpus.annotators)}); "
        f"categories: {', '.join(corpus.categories)}"
    )
    if corpus.layers:
        words += f"; labels of whole tasks: {', '.join(corpus.layers)}"
    rows = ((one.id, ", ".join(one.annotators), len(one.units)) for one in corpus)
    return _page("Corpus", words, ("task", "annotators", "units"), rows)


def result_html(result: Result) -> str:
    """The figures of the whole, and of each label."""
    rows = []
    symbols = {one.key: one.symbol for one in result.coefficients}
    for (key, label), figure in result.figures.items():
        rows.append((symbols.get(key, key), label, *_figure(figure), figure.n, figure.remark or ""))
    for name, layer in result.layers.items():
        called = f"{layer.symbol} ({name})"
        rows.append((called, "", *_figure(layer.alpha), layer.alpha.n, layer.alpha.remark or ""))
    words = f"{_many(len(result.tasks), 'task')}, {_many(result.n_units, 'unit')}"
    if result.excluded:
        words += f"; {_many(len(result.excluded), 'task')} left out"
    heads = ("coefficient", "label", "value", "interval", "n", "remark")
    return _page("Result", words, heads, rows)


def gold_html(gold: Gold) -> str:
    """How many spans are suggested, and a row for each."""
    words = (
        f"{_many(gold.n_spans, 'span')} by {gold.strategy}, "
        f"{_many(gold.n_decisions, 'decision')} left to a person"
    )
    rows = (
        (task, span.start, span.end, span.category, f"{span.confidence:.2f}", span.grade or "")
        for task, spans in gold.spans.items()
        for span in spans
    )
    heads = ("task", "start", "end", "category", "confidence", "grade")
    return _page("Gold", words, heads, rows)


def task_html(task: TaskResult) -> str:
    """The alignment of a task, drawn to scale."""
    groups: list[UnitaryAlignment] = []
    count = 0
    for group in task.alignment.unitary:
        count += len(group.units)
        if count > MOST_UNITS:
            break
        groups.append(group)
    words = f"γ {_figure(task.gamma)[0] or 'undefined'}, {_many(task.n_units, 'unit')}"
    if len(groups) < task.n_unitary:
        words += f"; the first {sum(len(one.units) for one in groups)} are drawn"
    return (
        f"<div><p><strong>{escape(task.id)}</strong>: {words}. Bands connect aligned units; "
        f"warmer colours mean higher cost.</p>{_drawing(task.annotators, groups)}</div>"
    )


def _drawing(annotators: Sequence[str], groups: Sequence[UnitaryAlignment]) -> str:
    units = sorted(unit for group in groups for unit in group.units)
    if not units:
        return ""
    tops, height = _lanes(annotators, units)
    begin, end = min(u.start for u in units), max(u.end for u in units)
    scale = (WIDTH - NAMES - 4) / (end - begin)
    places = {u: (NAMES + (u.start - begin) * scale, (u.end - u.start) * scale) for u in units}
    colours = dict(zip(sorted({u.category for u in units}), COLOURS * len(units), strict=False))
    highest = max(group.disorder for group in groups) or 1
    parts = [_name(one, tops[one, None]) for one in annotators]
    for group in groups:
        parts += _bands(group, tops, places, group.disorder / highest)
    for unit in units:
        x, wide = places[unit]
        parts.append(_box(unit, x, tops[unit.annotator, unit], wide, colours[unit.category]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="100%" '
        f'role="img" font-family="sans-serif" font-size="11">{"".join(parts)}</svg>'
    )


def _lanes(
    annotators: Sequence[str], units: Sequence[Unit]
) -> tuple[dict[tuple[str, Unit | None], int], int]:
    """Where each annotator's lane and each unit begins from above, and the height of all lanes.

    Units that overlap are on different rows of their lane.
    """
    tops: dict[tuple[str, Unit | None], int] = {}
    y = 4
    for name in annotators:
        tops[name, None] = y
        ends = list[float]()
        for unit in (one for one in units if one.annotator == name):
            row = next((k for k, end in enumerate(ends) if end <= unit.start), len(ends))
            ends[row : row + 1] = [unit.end]
            tops[name, unit] = y + row * ROW
        y += max(1, len(ends)) * ROW + GAP
    return tops, y - GAP + 4


def _bands(
    group: UnitaryAlignment,
    tops: dict[tuple[str, Unit | None], int],
    places: dict[Unit, tuple[float, float]],
    cost: float,
) -> Iterable[str]:
    """Bands between the units of neighbouring lanes: grey if they cost nothing, orange if most."""
    red, green, blue = (round(a + (b - a) * cost) for a, b in ((176, 213), (190, 94), (205, 0)))
    units = sorted(group.units, key=lambda unit: tops[unit.annotator, unit])
    for upper, lower in pairwise(units):
        (left, wide), (below, broad) = places[upper], places[lower]
        y, z = tops[upper.annotator, upper] + ROW - 3, tops[lower.annotator, lower]
        yield (
            f'<path fill="rgb({red},{green},{blue})" fill-opacity="0.5" d="M{left:.1f} {y}h'
            f'{wide:.1f}L{below + broad:.1f} {z}h{-broad:.1f}z"/>'
        )


def _name(annotator: str, y: int) -> str:
    return f'<text x="0" y="{y + 12}" fill="currentColor">{escape(annotator[:16])}</text>'


def _box(unit: Unit, x: float, y: int, wide: float, colour: str) -> str:
    about = f"{unit.annotator}: {unit.category} {unit.start}–{unit.end}"
    shown = unit.category if len(unit.category) * 7 + 4 <= wide else ""
    return (
        f"<g><title>{escape(about)}</title>"
        f'<rect x="{x:.1f}" y="{y}" width="{max(wide, 2):.1f}" height="{ROW - 3}" rx="2" '
        f'fill="#ffffff" stroke="{colour}" stroke-width="2"/>'
        f'<text x="{x + 4:.1f}" y="{y + 12}" fill="#1c1e21">{escape(shown)}</text></g>'
    )


def _page(title: str, words: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    listed = list(rows)
    cells = [_row(one) for one in listed[:MOST_ROWS]]
    if len(listed) > MOST_ROWS:
        more = f"and {len(listed) - MOST_ROWS} more"
        cells.append(f'<tr><td colspan="{len(heads)}">{more}</td></tr>')
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    return (
        f"<div><p><strong>{escape(title)}</strong>: {escape(words)}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(cells)}</tbody></table></div>"
    )


def _row(cells: Iterable[object]) -> str:
    return f"<tr>{''.join(f'<td>{escape(str(one))}</td>' for one in cells)}</tr>"


def _figure(figure: Figure) -> tuple[str, str]:
    value = "" if figure.value is None else f"{figure.value:.3f}"
    if figure.low is None or figure.high is None:
        return value, ""
    return value, f"[{figure.low:.3f}, {figure.high:.3f}]"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
