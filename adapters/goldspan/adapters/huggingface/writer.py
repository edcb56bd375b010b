"""Writing datasets: a row for each task and annotator, or for each task of gold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.extras import require
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.atomic import new_file
from goldspan.engine.facts import Note
from goldspan.engine.gold.gold import Gold, GoldSpan

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Notes, WriteOptions
    from goldspan.engine.model import Continuum, Corpus, Unit


def write_table(value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
    """Write the file, all or nothing; what comes back is what it could not hold."""
    arrow = require("pyarrow", feature="writing Parquet and Arrow files", extra="huggingface")
    rows = list(_gold_rows(value, options.annotator) if isinstance(value, Gold) else _rows(value))
    number = _number(arrow, rows)
    table = arrow.Table.from_pylist(rows, schema=_schema(arrow, number, isinstance(value, Gold)))
    with new_file(path) as temporary, temporary.open("wb") as file:
        if path.suffix.lower() == ".arrow":
            ipc = require("pyarrow.ipc", feature="writing Arrow files", extra="huggingface")
            with ipc.new_stream(file, table.schema) as stream:
                stream.write_table(table)
        else:
            parquet = require(
                "pyarrow.parquet", feature="writing Parquet files", extra="huggingface"
            )
            parquet.write_table(table, file)
    if isinstance(value, Gold) and (lost := len(value.corpus.continua) - len(rows)):
        return [Note.of(FormatFact.NO_GOLD, count=lost)]
    return []


def _schema(arrow: Any, number: Any, gold: bool) -> Any:
    text, texts = arrow.string(), arrow.list_(arrow.string())
    evidence = [("confidence", arrow.float64()), ("votes", texts), ("seen", arrow.int64())]
    span = [("start", number), ("end", number), ("label", text), *(evidence if gold else [])]
    return arrow.schema([
        ("id", text), ("text", text), ("media", text), ("measure", text), ("length", number),
        ("annotator", text), ("presence", text), ("spans", arrow.list_(arrow.struct(span))),
    ])  # fmt: skip


def _number(arrow: Any, rows: Iterable[Mapping[str, Any]]) -> Any:
    """Whole numbers, unless a position or length is not one."""
    places = [row["length"] for row in rows]
    places += (span[key] for row in rows for span in row["spans"] for key in ("start", "end"))
    exact = all(place is None or isinstance(place, int) for place in places)
    return arrow.int64() if exact else arrow.float64()


def _rows(corpus: Corpus) -> Iterator[dict[str, Any]]:
    for continuum in corpus.continua:
        for name, state in continuum.presence.items():
            spans = [_span(unit) for unit in continuum.of(name)]
            yield _row(continuum, name, spans) | {"presence": str(state)}
        if not continuum.presence:
            yield _row(continuum, None, []) | {"presence": None}


def _gold_rows(gold: Gold, name: str) -> Iterator[dict[str, Any]]:
    for continuum in gold.corpus.continua:
        spans = gold.spans.get(continuum.id)
        if spans is not None:
            found = [_span(one) | _evidence(one) for one in spans]
            yield _row(continuum, name, found) | {"presence": "done" if found else "empty"}


def _row(
    continuum: Continuum, annotator: str | None, spans: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    return {
        "id": continuum.id,
        "text": continuum.text,
        "media": continuum.media,
        "measure": str(continuum.measure),
        "length": continuum.length,
        "annotator": annotator,
        "spans": spans,
    }


def _span(span: Unit | GoldSpan) -> dict[str, Any]:
    return {"start": span.start, "end": span.end, "label": span.category}


def _evidence(span: GoldSpan) -> dict[str, Any]:
    return {"confidence": span.confidence, "votes": list(span.voters), "seen": span.seen}
