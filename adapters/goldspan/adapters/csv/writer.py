"""Writer: one table with a header, and a table of who saw what where rows cannot say it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.csv.columns import PLAIN
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.files.table import write_rows
from goldspan.adapters.kit.assignments import assignment_rows, with_assignments
from goldspan.engine.errors import SettingsError
from goldspan.engine.facts import Note
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Corpus, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Notes
    from goldspan.adapters.options import WriteOptions


def write_csv(value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
    """The table, and `NAME.assignments.csv` when rows cannot tell it all."""
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    if isinstance(value, Gold):
        evidence = ("confidence", "votes", "seen", *(["layer"] if value.labels else []))
        rows_of_gold = _gold_rows(value, options.annotator)
        _write_table(path, ("task", *PLAIN, *evidence), rows_of_gold, delimiter)
        return _losses(value.corpus)
    rows = _assignments(value) if _needs_assignments(value) else ()
    with with_assignments(path, rows, options) as told:
        known = any(continuum.length is not None for continuum in value.continua)
        more = [*(["length"] if known else []), *(["layer"] if value.layers else [])]
        _write_table(path, ("task", *PLAIN, *more), _rows(value, with_length=known), delimiter)
    return [*_losses(value), *_without_rows(value), *told]


def _rows(corpus: Corpus, *, with_length: bool) -> Iterator[Sequence[object]]:
    """Spans, then labels of whole tasks, which have no positions."""
    unnamed = [""] if corpus.layers else []
    lengths: dict[str, list[object]] = {}
    for continuum in corpus.continua:
        length = "" if continuum.length is None else continuum.length
        lengths[continuum.id] = [length] if with_length else []
        for unit in continuum.units:
            row = (continuum.id, unit.annotator, unit.category, unit.start, unit.end)
            yield *row, *lengths[continuum.id], *unnamed
    for name, layer in corpus.layers.items():
        for unit, task in ((unit, one.id) for one in layer for unit in one.units):
            yield (
                task,
                unit.annotator,
                unit.category,
                "",
                "",
                *lengths.get(task, [""] if with_length else []),
                name,
            )


def _gold_rows(gold: Gold, name: str) -> Iterator[Sequence[object]]:
    unnamed = [""] if gold.labels else []
    for continuum in gold.corpus.continua:
        for span in gold.spans.get(continuum.id, ()):
            place = (continuum.id, name, span.category, span.start, span.end)
            yield *place, *_evidence(span), *unnamed
    for layer, tasks in gold.labels.items():
        for task, label in ((task, one) for task, labels in tasks.items() for one in labels):
            yield task, name, label.category, "", "", *_evidence(label), layer


def _evidence(span: GoldSpan) -> tuple[object, ...]:
    return span.confidence, ";".join(span.voters), span.seen


def _losses(corpus: Corpus) -> list[Note]:
    lost = sum(c.text is not None or c.media is not None for c in corpus.continua)
    return [Note.of(FormatFact.TEXTS_LEFT_OUT, count=lost)] if lost else []


def _without_rows(corpus: Corpus) -> list[Note]:
    labelled = {one.id for layer in corpus.layers.values() for one in layer if one.units}
    lost = sum(
        c.length is not None and not c.units and c.id not in labelled for c in corpus.continua
    )
    return [Note.of(FormatFact.LENGTHS_LEFT_OUT, count=lost)] if lost else []


def _assignments(corpus: Corpus) -> Iterator[tuple[str, str, Presence]]:
    """Everybody in every task: whom the table does not name may have seen it, for all rows tell."""
    yield from assignment_rows(corpus)
    for continuum in corpus.continua:
        for name in corpus.annotators:
            if name not in continuum.presence:
                yield continuum.id, name, Presence.UNSEEN


def _needs_assignments(corpus: Corpus) -> bool:
    return len(corpus.continua) > 1 or any(
        state is not Presence.DONE for c in corpus.continua for state in c.presence.values()
    )


def _write_table(
    path: Path, header: Sequence[str], rows: Iterable[Sequence[object]], delimiter: str
) -> None:
    with new_file(path) as temporary:
        try:
            with temporary.open("w", encoding="utf-8", newline="") as file:
                write_rows(file, chain([header], rows), delimiter=delimiter)
        except UnicodeEncodeError as error:
            raise SettingsError(f"{path} cannot hold half of a surrogate pair") from error
