"""The corpus reader `goldspan.GoldCorpus.v1`: examples from merged gold, by confidence."""

# spaCy reads the types of a registered function, so they stand here as themselves.
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Corpus, Example
from spacy.util import logger

from goldspan.adapters.kit.roundtrip import KEY
from goldspan.adapters.spacy.documents import OFF_TOKEN, load_docs
from goldspan.engine.errors import InputError, SettingsError

SHOWN = 8
LAYERS = ("TAG", "POS", "MORPH", "LEMMA", "DEP", "SENT_START")
"""What a document may hold in addition to spans, and would lose with its tokens."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A gold span in a file, in characters."""

    start: int
    end: int
    label: str
    confidence: float

    def __str__(self) -> str:
        return f"[{self.start}, {self.end}) '{self.label}'"


@dataclass(frozen=True, slots=True)
class Placed:
    """A document's suggestions on its tokens: what to learn, and what was set aside, and why."""

    kept: tuple[Span, ...]
    unsure: tuple[Suggestion, ...]
    off_token: tuple[Suggestion, ...]
    overlapping: tuple[Suggestion, ...]

    @property
    def aside(self) -> tuple[Suggestion, ...]:
        return (*self.unsure, *self.off_token, *self.overlapping)


def make_corpus(
    path: str | Path | None,
    min_confidence: float = 0.0,
    spans_key: str | None = None,
    gold: str = "gold",
    max_length: int = 0,
    limit: int = 0,
    augmenter: Callable[..., Any] | None = None,
) -> Callable[[Language], Iterator[Example]]:
    """A reader of the .spacy file, or of all in a folder, that `goldspan gold` wrote.

    `gold` is the span key it wrote to. With `spans_key` the reference has the spans under that
    key, without it has them as `doc.ents`. The last three are those of `spacy.Corpus.v1`.
    """
    if path is None:
        raise SettingsError("the gold corpus has no path; give one, such as --paths.train FILE")
    if not 0 <= min_confidence <= 1:
        raise SettingsError(f"min_confidence is {min_confidence}; it must be from 0 to 1")
    examples = Corpus(path, max_length=max_length, augmenter=augmenter)
    return GoldCorpus(Path(path), min_confidence, spans_key, gold, limit, examples)


class GoldCorpus:
    """Examples whose reference is merged gold of a least confidence.

    As entities, whatever is set aside (too little confidence, off the tokens, overlapping) is
    missing annotation: the model learns neither that it is an entity nor that it is none. Under a
    span key overlapping spans stay, and what is set aside is left out. The first round says what
    that is.
    """

    def __init__(
        self,
        path: Path,
        min_confidence: float,
        spans_key: str | None,
        gold: str,
        limit: int,
        examples: Corpus,
    ) -> None:
        self.path = path
        self.min_confidence = min_confidence
        self.spans_key = spans_key
        self.gold = gold
        self.limit = limit
        self.examples = examples
        self.told = False

    def __call__(self, nlp: Language) -> Iterator[Example]:
        """The examples, in the order of files and documents."""
        for example in self.examples.make_examples(nlp, self._references(nlp)):
            yield from self.examples.augmenter(nlp, example)

    def _references(self, nlp: Language) -> Iterator[Doc]:
        tally = _Tally()
        for where, doc in islice(_load(self.path, nlp), self.limit or None):
            reference = _retokenized(doc, nlp)
            placed = self._place(reference, list(_suggestions(doc, self.gold, where)), where)
            self._fill(reference, placed)
            tally.add(where, placed)
            yield reference
        if not self.told:
            self.told = True
            tally.tell(self.path, self.min_confidence)

    def _place(self, doc: Doc, suggestions: Sequence[Suggestion], where: str) -> Placed:
        sure, unsure, off, spans = [], [], [], {}
        for one in suggestions:
            if not 0 <= one.start < one.end <= len(doc.text):
                raise InputError(f"the gold span {one} is outside the text", where=where)
            if one.confidence < self.min_confidence:
                unsure.append(one)
                continue
            span = doc.char_span(one.start, one.end, label=one.label)
            if span is None:
                off.append(one)
            else:
                sure.append(one)
                spans[one] = span
        clashes = set() if self.spans_key is not None else _overlapping(sure)
        return Placed(
            kept=tuple(spans[one] for one in sure if one not in clashes),
            unsure=tuple(unsure),
            off_token=tuple(off),
            overlapping=tuple(one for one in sure if one in clashes),
        )

    def _fill(self, doc: Doc, placed: Placed) -> None:
        if self.spans_key is not None:
            doc.spans[self.spans_key] = list(placed.kept)
            return
        kept = {token.i for span in placed.kept for token in span}
        missing = {
            token.i
            for one in placed.aside
            for token in doc
            if token.idx < one.end and one.start < token.idx + len(token)
        }
        doc.set_ents(
            list(placed.kept),
            missing=[doc[i : i + 1] for i in sorted(missing - kept)],
        )


class _Tally:
    """How many spans were used, and which ones were not."""

    def __init__(self) -> None:
        self.kept = 0
        self.unsure = 0
        self.off_token: list[str] = []
        self.overlapping = 0

    def add(self, where: str, placed: Placed) -> None:
        self.kept += len(placed.kept)
        self.unsure += len(placed.unsure)
        self.off_token += [f"{one} in {where}" for one in placed.off_token]
        self.overlapping += len(placed.overlapping)

    def tell(self, path: Path, least: float) -> None:
        logger.info(
            "%s: %d gold spans to learn from, %d below the confidence %g",
            path, self.kept, self.unsure, least,
        )  # fmt: skip
        if self.overlapping:
            logger.warning(
                "%s: %d gold spans overlap, which doc.ents cannot hold; name a spans_key to "
                "learn them with a span categorizer",
                path, self.overlapping,
            )  # fmt: skip
        if self.off_token:
            more = len(self.off_token) - SHOWN
            logger.warning(
                "%s: %d gold spans do not fit the token boundaries: %s%s",
                path, len(self.off_token), ", ".join(self.off_token[:SHOWN]),
                f" and {more} more" if more > 0 else "",
            )  # fmt: skip


def _load(path: Path, nlp: Language) -> Iterator[tuple[str, Doc]]:
    for file in _files(path):
        for number, doc in enumerate(load_docs(file, nlp.vocab), start=1):
            yield f"{file}, document {number}", doc


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    files = sorted(file for file in path.rglob("*.spacy") if file.is_file())
    if not files:
        raise InputError("there is no .spacy file; write one with goldspan gold", where=str(path))
    return files


def _retokenized(doc: Doc, nlp: Language) -> Doc:
    """The document in the pipeline's own tokens, unless it holds more than spans."""
    if doc.has_unknown_spaces or doc.cats or any(map(doc.has_annotation, LAYERS)):
        return doc
    made = nlp.make_doc(doc.text)
    made.user_data.update(doc.user_data)
    return made


def _suggestions(doc: Doc, key: str, where: str) -> Iterator[Suggestion]:
    """The gold under the key, and what the writer had to keep beside the tokens."""
    if key not in doc.spans:
        keys = ", ".join(f"'{name}'" for name in doc.spans) or "none"
        raise InputError(
            f"there is no gold under the span key '{key}' (there are {keys}); write it with "
            "goldspan gold",
            where=where,
        )
    group = doc.spans[key]
    confidences = group.attrs.get("confidence", ())
    if len(group) and len(confidences) != len(group):
        raise InputError(
            f"the {len(group)} gold spans have {len(confidences)} confidences; write them again "
            "with goldspan gold",
            where=where,
        )
    rows = [
        (span.start_char, span.end_char, span.label_, confidence)
        for span, confidence in zip(group, confidences, strict=False)
    ]
    kept = doc.user_data.get(KEY)
    off = kept.get(OFF_TOKEN) if isinstance(kept, Mapping) else None
    rows += [tuple(row[:4]) for row in (off.get(key, ()) if isinstance(off, Mapping) else ())]
    for start, end, label, confidence in rows:
        if not isinstance(confidence, (int, float)):
            raise InputError(f"the confidence '{confidence}' is not a number", where=where)
        yield Suggestion(start, end, label, confidence)


def _overlapping(suggestions: Sequence[Suggestion]) -> set[Suggestion]:
    """All that share a character with another one."""
    found: set[Suggestion] = set()
    reach: Suggestion | None = None
    for one, other in pairwise(sorted(suggestions, key=lambda s: (s.start, s.end))):
        reach = one if reach is None or one.end > reach.end else reach
        if other.start < reach.end:
            found |= {reach, other}
    return found
