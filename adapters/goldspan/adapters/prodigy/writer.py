"""Writing for Prodigy: an answer a row, and gold as rows for its review."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.layers import USUAL, gold_labels, labels_by_task
from goldspan.adapters.kit.record import Record, write_records
from goldspan.adapters.kit.roundtrip import KEY, leftover, text_of
from goldspan.adapters.options import GROUND_TRUTH
from goldspan.adapters.prodigy.questions import LayerSheet
from goldspan.engine.facts import Note
from goldspan.engine.gold.gold import Gold
from goldspan.engine.model import Continuum, Corpus, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Notes, WriteOptions
    from goldspan.engine.gold.gold import GoldSpan

VIEW = "spans_manual"
ACCEPTED = (Presence.DONE, Presence.EMPTY, Presence.PARTIAL)
CARRIED = ("meta", "tokens", "_input_hash")
"""What a row takes over from the source's row of the same task."""

TOKEN = ("start", "end", "id")
"""Whole numbers that every token has."""

LabelledSpan = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class _Sheet:
    """One task to write: what all of its rows share, and where its tokens begin and end."""

    shared: Mapping[str, Any]
    starts: Mapping[int, int]
    ends: Mapping[int, int]

    def spans(self, spans: Iterable[LabelledSpan], extras: Iterable[Mapping[str, Any]] = ()) -> Any:
        """The spans with the tokens they cover; `token_end` is the last one, as Prodigy has it."""
        rows = []
        given = list(extras)
        for number, (start, end, label) in enumerate(spans):
            row = {
                "start": start,
                "end": end,
                "token_start": self.starts[start],
                "token_end": self.ends[end],
                "label": label,
            }
            rows.append(row | (dict(given[number]) if given else {}))
        return rows


def write_prodigy(
    value: Corpus | Gold, path: Path, options: WriteOptions, known: Mapping[str, Record]
) -> Notes:
    """Write the rows; notes tell where the source's tokens could not be kept."""
    corpus = value.corpus if isinstance(value, Gold) else value
    texts = {continuum.id: text_of(continuum, "Prodigy") for continuum in corpus.continua}
    hashes = _Hashes(known.values())
    layers = [LayerSheet.of(name, layer) for name, layer in corpus.layers.items()]
    labels = labels_by_task(corpus)
    spans_asked = not layers or any(continuum.units for continuum in corpus.continua)
    notes: list[Note] = []
    rows: list[Mapping[str, Any]] = []
    for continuum in corpus.continua:
        spans = {(int(u.start), int(u.end)) for u in continuum.units}
        if isinstance(value, Gold):
            found = value.spans.get(continuum.id, ())
            spans.update((int(s.start), int(s.end)) for s in found)
        source = known.get(continuum.id)
        sheet = _sheet(continuum, texts[continuum.id], spans, source, hashes)
        if source is not None and source.values.get("tokens") not in (None, sheet.shared["tokens"]):
            notes.append(Note.of(FormatFact.TOKENS_CUT_AGAIN, task=continuum.id))
        if isinstance(value, Gold):
            if spans_asked:
                rows.append(_review(value, continuum, sheet, path.stem, options))
            own = gold_labels(value, continuum.id)
            rows.extend(
                _layer_review(value, one, own.get(one.name, ()), sheet, path.stem, options)
                for one in layers
            )
        else:
            if spans_asked:
                rows.extend(_answers(corpus, continuum, sheet, path.stem))
            for one in layers:
                given = labels[continuum.id].get(one.name, {})
                names = set(given) if spans_asked else None
                rows.extend(_labelled(corpus, continuum, sheet, path.stem, one, given, names))
    write_records(path, rows)
    return notes


def _answers(
    corpus: Corpus, continuum: Continuum, sheet: _Sheet, dataset: str
) -> Iterator[Mapping[str, Any]]:
    """A row for everybody who answered; a bare row when nobody did."""
    told = (Presence.DONE, Presence.EMPTY, Presence.SKIPPED)
    shown = [name for name, state in continuum.presence.items() if state in told]
    kept = leftover(corpus, continuum, shown)
    extra = {KEY: kept} if kept else {}
    answered = [
        (name, state)
        for name, state in continuum.presence.items()
        if state in ACCEPTED or state is Presence.SKIPPED
    ]
    for name, state in answered:
        session = f"{dataset}-{name}"
        units = [(int(u.start), int(u.end), u.category) for u in continuum.of(name)]
        spans = sheet.spans(units if state in ACCEPTED else [])
        yield {
            **sheet.shared,
            "spans": spans,
            "_task_hash": _hash(sheet.shared["_input_hash"], spans),
            "_view_id": VIEW,
            "answer": "accept" if state in ACCEPTED else "ignore",
            "_annotator_id": session,
            "_session_id": session,
            **extra,
        }
    if not answered:
        yield {**sheet.shared, "_view_id": VIEW, **extra}


def _labelled(
    corpus: Corpus,
    continuum: Continuum,
    sheet: _Sheet,
    dataset: str,
    layer: LayerSheet,
    given: Mapping[str, Sequence[str]],
    names: set[str] | None,
) -> Iterator[Mapping[str, Any]]:
    """A row for the labels of everybody, or of these names; a bare row when there is none."""
    told = (Presence.DONE, Presence.EMPTY, Presence.SKIPPED)
    shown = [name for name, state in continuum.presence.items() if state in told]
    kept = {**leftover(corpus, continuum, shown), **({} if layer.name == USUAL else
            {"layer": layer.name})}  # fmt: skip
    extra = {KEY: kept} if kept else {}
    answering = [
        (name, state)
        for name, state in continuum.presence.items()
        if (name in names if names is not None else state in (*ACCEPTED, Presence.SKIPPED))
    ]
    for name, state in answering:
        row = layer.row(None if state is Presence.SKIPPED and name not in given else
                        given.get(name, ()))  # fmt: skip
        session = f"{dataset}-{name}"
        yield {
            **sheet.shared,
            **row,
            "_task_hash": _hash(sheet.shared["_input_hash"], layer.name),
            "_view_id": layer.view,
            "_annotator_id": session,
            "_session_id": session,
            **extra,
        }
    if not answering and names is None:
        asked = {key: said for key, said in layer.row(()).items() if key in ("options", "label")}
        yield {**sheet.shared, **asked, "_view_id": layer.view, **extra}


def _layer_review(
    gold: Gold,
    layer: LayerSheet,
    found: Sequence[GoldSpan],
    sheet: _Sheet,
    dataset: str,
    options: WriteOptions,
) -> Mapping[str, Any]:
    """The suggested labels as the version to correct."""
    choice = replace(layer, is_binary=False)
    said = choice.row([one.category for one in found])
    del said["answer"]
    row = {
        **sheet.shared,
        **said,
        "_task_hash": _hash(sheet.shared["_input_hash"], layer.name),
        "_view_id": "review",
        "view_id": "choice",
        "versions": [],
        "meta": {
            **sheet.shared.get("meta", {}),
            "layer": layer.name,
            "strategy": gold.strategy,
            "confidence": [one.confidence for one in found],
            "votes": [list(one.voters) for one in found],
        },
        KEY: {"layer": layer.name},
    }
    return row | _answer_of_gold(dataset, options)


def _answer_of_gold(dataset: str, options: WriteOptions) -> dict[str, Any]:
    if not GROUND_TRUTH.of(options):
        return {}
    session = f"{dataset}-{options.annotator}"
    return {"answer": "accept", "_annotator_id": session, "_session_id": session}


def _review(
    gold: Gold, continuum: Continuum, sheet: _Sheet, dataset: str, options: WriteOptions
) -> Mapping[str, Any]:
    """Gold as the version to correct, with the annotators' own versions beside it."""
    found = gold.spans.get(continuum.id, ())
    plain = [(int(s.start), int(s.end), s.category) for s in found]
    extras = [{"confidence": s.confidence, "votes": list(s.voters), "seen": s.seen} for s in found]
    spans = sheet.spans(plain, extras)
    row = {
        **sheet.shared,
        "spans": spans,
        "_task_hash": _hash(sheet.shared["_input_hash"], spans),
        "_view_id": "review",
        "view_id": VIEW,
        "versions": _versions(continuum, sheet, dataset, plain),
        "meta": {**sheet.shared.get("meta", {}), "strategy": gold.strategy},
    }
    return row | _answer_of_gold(dataset, options)


def _versions(
    continuum: Continuum, sheet: _Sheet, dataset: str, gold: Sequence[LabelledSpan]
) -> list[dict[str, Any]]:
    """Each different annotation once, with the sessions that made it."""
    versions: dict[tuple[LabelledSpan, ...], list[str]] = {}
    for name in continuum.annotators:
        own = tuple((int(u.start), int(u.end), u.category) for u in continuum.of(name))
        versions.setdefault(own, []).append(f"{dataset}-{name}")
    return [
        {
            "text": sheet.shared["text"],
            "tokens": sheet.shared["tokens"],
            "spans": sheet.spans(own),
            "answer": "accept",
            "sessions": sessions,
            "default": sorted(own) == sorted(gold),
        }
        for own, sessions in versions.items()
    ]


class _Hashes:
    """Input hashes for tasks that have none: 32 bits as Prodigy's, no two alike."""

    def __init__(self, known: Iterable[Record]) -> None:
        given = (record.values.get("_input_hash") for record in known)
        self.taken = {one for one in given if isinstance(one, int)}

    def new(self, task: str, text: str) -> int:
        """The same hash for the same task and text, unless another task has it already."""
        attempt = 0
        while (found := _hash(task, text, attempt)) in self.taken:
            attempt += 1
        self.taken.add(found)
        return found


def _hash(*parts: object) -> int:
    digest = hashlib.sha256(json.dumps(parts).encode()).digest()
    return int.from_bytes(digest[:4], "big", signed=True)


def _sheet(
    continuum: Continuum,
    text: str,
    spans: set[tuple[int, int]],
    source: Record | None,
    hashes: _Hashes,
) -> _Sheet:
    kept = {}
    if source is not None and source.values.get("text") == text:
        kept = {key: source.values[key] for key in CARRIED if key in source.values}
    if not isinstance(kept.get("meta", {}), dict):
        del kept["meta"]
    if not _covers(kept.get("tokens"), spans):
        kept["tokens"] = tokenise(text, spans)
    if not isinstance(kept.get("_input_hash"), int):
        kept["_input_hash"] = hashes.new(continuum.id, text)
    starts = {token["start"]: token["id"] for token in kept["tokens"]}
    ends = {token["end"]: token["id"] for token in kept["tokens"]}
    return _Sheet({"id": continuum.id, "text": text, **kept}, starts, ends)


def _covers(tokens: object, spans: set[tuple[int, int]]) -> bool:
    if not isinstance(tokens, list):
        return False
    whole = all(
        isinstance(token, dict) and all(type(token.get(key)) is int for key in TOKEN)
        for token in tokens
    )
    return (
        whole
        and {start for start, _ in spans} <= {token["start"] for token in tokens}
        and {end for _, end in spans} <= {token["end"] for token in tokens}
    )


def tokenise(text: str, spans: set[tuple[int, int]]) -> list[dict[str, Any]]:
    """Words, signs and blanks, cut wherever a span begins or ends; `ws` stands for one blank.

    Every span begins and ends with a token, which Prodigy's manual views need.
    """
    starts, ends = ({span[side] for span in spans} for side in (0, 1))
    cuts = sorted({*starts, *ends, len(text)})
    tokens: list[dict[str, Any]] = []
    begun = 0
    for cut in cuts:
        for match in re.finditer(r"\w+|[^\w\s]|\s", text[begun:cut]):
            start, end = begun + match.start(), begun + match.end()
            swallowed = match[0] == " " and start not in starts and end not in ends
            if swallowed and tokens and tokens[-1]["end"] == start:
                tokens[-1]["ws"] = True
                continue
            token = {"text": match[0], "start": start, "end": end, "id": len(tokens), "ws": False}
            tokens.append(token)
        begun = cut
    return tokens
