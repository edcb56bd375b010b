"""Notebook: what Jupyter shows of a value, small HTML without scripts or styles of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result

MOST_ROWS = 20
"""A longer table ends with a row that says how many are left out."""


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
