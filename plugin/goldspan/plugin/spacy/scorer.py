"""The scorer `goldspan.gamma.v1`: agreement between reference and predicted spans, by γ, γcat, γk
and any other coefficient.
"""

# spaCy reads the types of a registered function, so they stand here as themselves.
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import logger

from goldspan.adapters.spacy.documents import document_id
from goldspan.engine.coefficient.base import Coefficient
from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.coefficient.registry import chosen
from goldspan.engine.coefficient.scheme import Scheme
from goldspan.engine.facts import Reason, ReasonKind
from goldspan.engine.model import Continuum, Corpus, Presence, Unit
from goldspan.engine.scoring import score
from goldspan.engine.settings import Settings
from goldspan.plugin.measurement import ComputeRequest, MeasureRequest

REFERENCE, PREDICTED = "reference", "predicted"
"""The two annotators' names; the random sequence depends on them."""

WITHOUT_INTERVAL = {"gamma_cat"}
"""Whose score has never had an interval beside it."""

Scores: TypeAlias = dict[str, Any]
Scorer: TypeAlias = Callable[..., Scores]


def make_scorer(
    spans_key: str | None = None,
    seed: int = 0,
    chance: str | None = None,
    precision: float = 0.02,
    alpha: float | None = None,
    beta: float = 1.0,
    also: Callable[..., Any] | None = None,
    coefficients: Sequence[str] = (),
    *,
    workers: int = 1,
    dask: str | None = None,
    preset: str | None = None,
    position: str = "ratio",
    exponent: float | None = None,
) -> Scorer:
    """A scorer for `doc.ents`, or for `doc.spans` under a key.

    The settings and their defaults are those of `goldspan score`; None is the preset's, or the
    usual one. `also` is another scorer whose
    scores are reported beside ours, such as the component's own. `coefficients` are measured beside
    γ, γcat and γk. `workers` is a number of processes, and `dask` the address of a Dask scheduler;
    neither changes a score.
    """
    # A setting out of range shows when the configuration is read, not after an epoch.
    settings = Settings.of(
        preset,
        alpha=alpha,
        beta=beta,
        position=position,
        exponent=exponent,
        seed=seed,
        chance=chance,
        precision=precision,
    )
    compute = ComputeRequest(workers, dask)
    measuring = MeasureRequest(settings, compute, tuple(coefficients), pairs=False)
    return GammaScorer(spans_key, measuring, also)


@dataclass(frozen=True, slots=True)
class GammaScorer:
    """Agreement between the reference and the pipeline, as between two annotators.

    The score of a coefficient is called after its key: `ents_gamma` or `spans_KEY_gamma`, with
    `_low` and `_high` for the interval, which γcat does not have. Figures by label are in one
    score, such as `ents_gamma_k_per_type`. Whatever is undefined is None.
    """

    spans_key: str | None
    measuring: MeasureRequest
    also: Scorer | None

    @property
    def prefix(self) -> str:
        """How the names of all scores begin."""
        return "ents" if self.spans_key is None else f"spans_{self.spans_key}"

    def __call__(self, examples: Iterable[Example], **settings: Any) -> Scores:
        """The scores of these examples; those of `also` come first and keep their names."""
        given = list(examples)
        others = self.also(given, **settings) if self.also is not None else {}
        return {**others, **self._agreement(corpus_of(given, self.spans_key))}

    def _agreement(self, corpus: Corpus) -> Scores:
        coefficients = chosen(self.measuring.coefficients)
        if not any(continuum.units for continuum in corpus.continua):
            logger.debug("%s_gamma is undefined: there is no span to compare", self.prefix)
            scheme = Scheme.of((), self.measuring.settings)
            return {name: None for one in coefficients for name in self._undefined(one, scheme)}
        result = self.measuring.measure(score, corpus)
        scores: Scores = {}
        for one in coefficients:
            scores |= self._scores(one, result.by_label(one.key))
        return scores

    def _undefined(self, one: Coefficient, scheme: Scheme) -> Iterator[str]:
        """The names of the scores that a coefficient would have."""
        labels = one.labels((), scheme)
        figure = Figure.undefined(Reason.of(ReasonKind.NO_UNIT), scheme.settings.level)
        yield from self._scores(one, dict.fromkeys(labels, figure))

    def _scores(self, one: Coefficient, figures: Mapping[str, Figure]) -> Scores:
        name = f"{self.prefix}_{one.key}"
        scores: Scores = {}
        if (whole := figures.get("")) is not None:
            scores[name] = _value(whole, name)
            if one.key not in WITHOUT_INTERVAL:
                scores |= {f"{name}_low": whole.low, f"{name}_high": whole.high}
        by_label = {label: figure for label, figure in figures.items() if label}
        if by_label or whole is None:
            scores[f"{name}_per_type"] = {
                label: _value(figure, f"{name} of '{label}'") for label, figure in by_label.items()
            }
        return scores


def corpus_of(examples: Sequence[Example], spans_key: str | None) -> Corpus:
    """The examples as tasks of two annotators; without those whose reference is not annotated.

    A task is called `doc.user_data["doc_id"]`, as in the files that goldspan writes and reads,
    or its number.
    """
    names = _names([example.reference for example in examples])
    return Corpus(
        tuple(
            _continuum(name, example, spans_key)
            for name, example in zip(names, examples, strict=True)
            if _is_annotated(example.reference, spans_key)
        )
    )


def _names(docs: Sequence[Doc]) -> list[str]:
    numbers = iter(range(1, len(docs) + 1))
    given = (document_id(doc.user_data.get("doc_id")) for doc in docs)
    names = [name or f"document {next(numbers)}" for name in given]
    if len(set(names)) == len(names):
        return names
    # Parts of one document may carry the same id.
    return [f"document {number}" for number in range(1, len(docs) + 1)]


def _is_annotated(doc: Doc, spans_key: str | None) -> bool:
    return doc.has_annotation("ENT_IOB") if spans_key is None else spans_key in doc.spans


def _continuum(name: str, example: Example, spans_key: str | None) -> Continuum:
    reference, predicted = example.reference, example.predicted
    units = {
        *_units(REFERENCE, _spans(reference, spans_key)),
        *_units(PREDICTED, _judged(reference, _spans(predicted, spans_key), spans_key)),
    }
    return Continuum(
        id=name,
        units=tuple(units),
        presence={REFERENCE: Presence.DONE, PREDICTED: Presence.DONE},
        text=reference.text,
    )


def _spans(doc: Doc, spans_key: str | None) -> Iterable[Span]:
    found: Iterable[Span] = doc.ents if spans_key is None else doc.spans.get(spans_key, ())
    return found


def _units(annotator: str, spans: Iterable[Span]) -> Iterator[Unit]:
    for span in spans:
        # A span of no token has no length to align.
        if span.start_char < span.end_char:
            yield Unit(annotator, span.start_char, span.end_char, span.label_)


def _judged(reference: Doc, spans: Iterable[Span], spans_key: str | None) -> Iterator[Span]:
    """Without entities where the reference says nothing: they are neither right nor wrong."""
    missing = [] if spans_key is not None else [t for t in reference if t.ent_iob == 0]
    for span in spans:
        if not any(t.idx < span.end_char and span.start_char < t.idx + len(t) for t in missing):
            yield span


def _value(figure: Figure, name: str) -> float | None:
    if figure.value is None:
        logger.debug("%s is undefined: %s", name, figure.reason)
    return figure.value
