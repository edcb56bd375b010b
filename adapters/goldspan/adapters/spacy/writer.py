"""Writing for spaCy: span groups in a DocBin, or the same with character offsets in JSONL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.extras import require
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.kit.layers import gold_labels, labels_by_task
from goldspan.adapters.kit.record import write_records
from goldspan.adapters.kit.roundtrip import KEY, leftover, text_of
from goldspan.adapters.spacy.documents import (
    CATS,
    ENTS,
    OFF_TOKEN,
    PREFIX,
    document_id,
    load_docs,
)
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Note
from goldspan.engine.gold.gold import Gold
from goldspan.engine.model import Continuum, Corpus, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Notes, WriteOptions

SHOWN = 8
HELD = (Presence.DONE, Presence.EMPTY, Presence.PARTIAL)
"""The states that get a span group; the roundtrip data holds the others."""


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    label: str
    extra: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Sheet:
    """One document to write: its groups by key, each with attributes, and the leftover."""

    id: str
    text: str
    groups: Mapping[str, tuple[tuple[_Span, ...], Mapping[str, Any]]]
    leftover: Mapping[str, Any]
    gold: str = ""
    cats: Mapping[str, float] = field(default_factory=dict)

    @property
    def is_flat(self) -> bool:
        """Whether gold can be `doc.ents` too, where no two spans may overlap."""
        spans = sorted((s.start, s.end) for s in self.groups[self.gold][0])
        return all(one[1] <= other[0] for one, other in pairwise(spans))


def write_jsonl(value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
    """Rows as `Doc.to_json` writes them; what they cannot hold comes back in notes."""
    sheets = list(_sheets(value, options))
    write_records(path, (_row(sheet) for sheet in sheets))
    return _overlap_note(sheets)


def _row(sheet: _Sheet) -> dict[str, Any]:
    row: dict[str, Any] = {"id": sheet.id, "text": sheet.text}
    groups = {key: [_object(span) for span in spans] for key, (spans, _) in sheet.groups.items()}
    if sheet.gold and sheet.is_flat:
        row[ENTS] = [
            {"start": s.start, "end": s.end, "label": s.label} for s in sheet.groups[sheet.gold][0]
        ]
    row["spans"] = groups
    if sheet.cats:
        row[CATS] = dict(sheet.cats)
    return row | ({KEY: sheet.leftover} if sheet.leftover else {})


def _object(span: _Span) -> dict[str, Any]:
    return {"start": span.start, "end": span.end, "label": span.label, **span.extra}


def write_docbin(value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
    """A DocBin with user data; spans off token boundaries keep their characters there only."""
    spacy = require("spacy", feature="writing .spacy files", extra="spacy")
    tokens = require("spacy.tokens", feature="writing .spacy files", extra="spacy")
    sources = _Sources(options.source)
    tokenizer = spacy.blank("xx").tokenizer
    packed = tokens.DocBin(store_user_data=True)
    off: list[str] = []
    sheets = []
    for sheet in _sheets(value, options):
        sheets.append(sheet)
        try:
            doc = sources.doc(sheet) or tokenizer(sheet.text)
            off += _fill(doc, sheet, tokens.SpanGroup)
            packed.add(doc)
        except UnicodeEncodeError as error:
            raise InputError(
                "spaCy cannot hold half a surrogate pair; correct the text or its labels",
                where=f"task '{sheet.id}'",
            ) from error
        except KeyError as error:
            raise InputError(
                "the source's document lacks strings that its tokens refer to; write the source "
                "again with DocBin.to_disk, or name another --source",
                where=f"task '{sheet.id}'",
            ) from error
    with new_file(path) as temporary:
        temporary.write_bytes(packed.to_bytes())
    return [*_off_token_note(off), *_overlap_note(sheets)]


class _Sources:
    """The documents of the source files, whose tokens and other layers are kept."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.docs: dict[tuple[str, str], Any] = {}
        for path in paths:
            if path.is_file() and path.suffix.lower() == ".spacy":
                for doc in load_docs(path):
                    name = document_id(doc.user_data.get("doc_id"))
                    self.docs.setdefault((name, doc.text), doc)

    def doc(self, sheet: _Sheet) -> Any:
        """The source's document, None when there is none; gold is added to what it holds, a
        corpus takes the place of its annotators.
        """
        doc = self.docs.pop((sheet.id, sheet.text), None) or self.docs.pop(("", sheet.text), None)
        if doc is not None and not sheet.gold:
            for key in [key for key in doc.spans if key.startswith(PREFIX)]:
                del doc.spans[key]
            doc.user_data.pop(KEY, None)
        return doc


def _fill(doc: Any, sheet: _Sheet, group_type: Any) -> list[str]:
    """Put the groups on the document; what comes back names the spans that are off its tokens."""
    off: dict[str, list[list[Any]]] = {}
    listed: list[str] = []
    for key, (spans, attrs) in sheet.groups.items():
        placed = [(span, doc.char_span(span.start, span.end, label=span.label)) for span in spans]
        kept = [span for span, on in placed if on is not None]
        extras = {name: [span.extra[name] for span in kept] for name in _names(spans)}
        doc.spans[key] = group_type(
            doc, name=key, spans=[on for _, on in placed if on is not None],
            attrs={**attrs, **extras},
        )  # fmt: skip
        for span, on in placed:
            if on is None:
                row = [span.start, span.end, span.label, *span.extra.values()]
                off.setdefault(key, []).append(row)
                place = f"'{key}' of task '{sheet.id}'"
                listed.append(f"[{span.start}, {span.end}) '{span.label}' in {place}")
    doc.user_data["doc_id"] = sheet.id
    values = {**doc.user_data.get(KEY, {}), **sheet.leftover}
    before = values.pop(OFF_TOKEN, {})
    off_token = {key: rows for key, rows in before.items() if key not in sheet.groups} | off
    if off_token:
        values[OFF_TOKEN] = off_token
    doc.user_data[KEY] = values
    if not values:
        del doc.user_data[KEY]
    if sheet.cats:
        doc.cats = dict(sheet.cats)
    if sheet.gold:
        # Entities that the source came with are an annotator's or a model's: never left as gold.
        whole = not off and sheet.is_flat
        ents = list(doc.spans[sheet.gold]) if whole else []
        doc.set_ents(ents, default="outside" if whole else "missing")
    return listed


def _off_token_note(off: Sequence[str]) -> list[Note]:
    if not off:
        return []
    more = f" and {len(off) - SHOWN} more" if len(off) > SHOWN else ""
    return [
        Note.of(
            FormatFact.OFF_TOKENS,
            count=len(off),
            key=KEY,
            off_key=OFF_TOKEN,
            spans=f"{', '.join(off[:SHOWN])}{more}",
        )
    ]


def _names(spans: Sequence[_Span]) -> tuple[str, ...]:
    return tuple(spans[0].extra) if spans else ()


def _sheets(value: Corpus | Gold, options: WriteOptions) -> Iterator[_Sheet]:
    corpus = value.corpus if isinstance(value, Gold) else value
    labels = labels_by_task(corpus)
    for continuum in corpus.continua:
        text = text_of(continuum, "spaCy")
        if isinstance(value, Gold):
            group = _gold_group(value, continuum)
            cats = _cats(value, continuum.id)
            yield _Sheet(
                continuum.id, text, {options.annotator: group}, {}, options.annotator, cats
            )
        else:
            groups = _groups(continuum)
            shown = [n for n, s in continuum.presence.items() if s in HELD[:2]]
            kept = leftover(corpus, continuum, shown)
            # `doc.cats` is one version; those of several annotators go where spaCy keeps them.
            if own := {layer: given for layer, given in labels[continuum.id].items() if given}:
                kept["labels"] = own
            yield _Sheet(continuum.id, text, groups, kept)


def _groups(continuum: Continuum) -> Mapping[str, tuple[tuple[_Span, ...], Mapping[str, Any]]]:
    groups = {}
    for name, state in continuum.presence.items():
        if state in HELD:
            spans = tuple(
                _Span(int(u.start), int(u.end), u.category, {}) for u in continuum.of(name)
            )
            status = Presence.DONE if state is Presence.EMPTY else state
            groups[f"{PREFIX}{name}"] = spans, {"annotator": name, "status": str(status)}
    return groups


def _gold_group(gold: Gold, continuum: Continuum) -> tuple[tuple[_Span, ...], Mapping[str, Any]]:
    spans = tuple(
        _Span(
            int(span.start),
            int(span.end),
            span.category,
            {"confidence": span.confidence, "votes": list(span.voters), "seen": span.seen},
        )
        for span in gold.spans.get(continuum.id, ())
    )
    return spans, {"strategy": gold.strategy, "calibrated": gold.calibrated}


def _cats(gold: Gold, task: str) -> dict[str, float]:
    """1 for the suggested labels and 0 for the others, as spaCy trains text classifiers; with
    several layers each label is called LAYER/LABEL. Nothing where a layer has no suggestion.
    """
    cats: dict[str, float] = {}
    for layer, found in gold_labels(gold, task).items():
        given = {one.category for one in found}
        for label in gold.corpus.layers[layer].categories:
            name = label if len(gold.labels) == 1 else f"{layer}/{label}"
            cats[name] = float(label in given)
    return cats


def _overlap_note(sheets: Sequence[_Sheet]) -> list[Note]:
    nested = sum(1 for sheet in sheets if sheet.gold and not sheet.is_flat)
    if not nested:
        return []
    return [Note.of(FormatFact.GOLD_OVERLAPS, count=nested)]
