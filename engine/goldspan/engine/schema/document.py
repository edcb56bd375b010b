"""Documents: a result's values put into the types of its JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import version
from typing import TYPE_CHECKING

from msgspec import UNSET

from goldspan.engine.schema.figure import figure_json
from goldspan.engine.schema.types import (
    AgainstAnnotatorJson,
    AgainstJson,
    AnnotatorJson,
    BindingJson,
    CoefficientJson,
    CorpusJson,
    DisagreementsJson,
    DistancesJson,
    ExcludedJson,
    LayerJson,
    NoteJson,
    PairJson,
    PartJson,
    ResultJson,
    SettingsJson,
    TaskJson,
    UnitaryJson,
    UnitJson,
)

if TYPE_CHECKING:
    from goldspan.engine.alignment.alignment import UnitaryAlignment
    from goldspan.engine.coefficient.base import Coefficient
    from goldspan.engine.disagreement import Disagreements
    from goldspan.engine.reference.against import Against
    from goldspan.engine.result import (
        AnnotatorResult,
        Excluded,
        Figured,
        LayerResult,
        PairResult,
        Result,
        TaskResult,
    )
    from goldspan.engine.schema.figure import FigureJson


def result_json(result: Result, *, with_tasks: bool = True) -> ResultJson:
    """A result, in the stable schema 1; a large one is written with its tasks one by one."""
    return ResultJson(
        schema=1,
        goldspan=version("goldspan"),
        settings=_settings(result),
        corpus=_corpus(result),
        coefficients=_coefficients(result.coefficients),
        tasks=[task_json(task) for task in result.tasks.values()] if with_tasks else [],
        pairs=[_pair(pair) for pair in result.pairs],
        annotators=[_annotator(one) for one in result.annotators],
        disagreements=_disagreements(result.disagreements),
        disagreements_by_label={
            label: _disagreements(parts) for label, parts in result.disagreements_by_label.items()
        },
        excluded=[_excluded(one) for one in result.excluded],
        notes=[NoteJson(**note.as_json()) for note in (*result.notes, *result.cut_short)],
        layers={name: _layer(layer) for name, layer in result.layers.items()},
        against=UNSET if result.against is None else against_json(result.against),
    )


def against_json(against: Against) -> AgainstJson:
    """Annotators against a reference."""
    return AgainstJson(
        kind=against.kind.value,
        reference=against.reference,
        n_tasks=against.n_tasks,
        annotators=[
            AgainstAnnotatorJson(
                name=one.name,
                n_tasks=one.n_tasks,
                n_units=one.n_units,
                n_reference_units=one.n_reference_units,
                gamma=figure_json(one.gamma),
                gamma_cat=figure_json(one.gamma_cat),
                gamma_k=_labels(one),
                also=_also(one),
            )
            for one in against.annotators
        ],
        coefficients=_coefficients(against.coefficients),
        excluded=[_excluded(one) for one in against.excluded],
        notes=[NoteJson(**note.as_json()) for note in against.notes],
    )


def _coefficients(coefficients: Iterable[Coefficient]) -> dict[str, CoefficientJson]:
    return {one.key: _coefficient(one) for one in coefficients}


def _coefficient(one: Coefficient) -> CoefficientJson:
    binding = one.binding()
    return CoefficientJson(
        symbol=one.symbol,
        about=one.about,
        counts=one.counts,
        blind=one.blind,
        binding=None if binding is None else BindingJson(**asdict(binding)),
    )


def _settings(result: Result) -> SettingsJson:
    matrix = result.distance_matrix
    more = {
        "chance": " and ".join(result.chance),
        "chance_asked": result.settings.chance.value,
        "distance_matrix": None if matrix is None else DistancesJson(**matrix),
    }
    return SettingsJson(**(result.settings.as_json() | more))


def _corpus(result: Result) -> CorpusJson:
    return CorpusJson(
        gamma=figure_json(result.gamma),
        gamma_cat=figure_json(result.gamma_cat),
        gamma_k=_labels(result),
        also=_also(result),
        median_gamma=result.median_gamma,
        n_tasks=len(result.tasks),
        n_units=result.n_units,
        n_annotators=len({name for task in result.tasks.values() for name in task.annotators}),
        expected_disorder=result.expected_disorder,
        n_samples=result.n_samples,
        optimal=result.optimal,
        observed_gap=result.observed_gap,
        expected_gap=result.expected_gap,
        n_unitary_alignments=result.n_unitary,
    )


def task_json(task: TaskResult) -> TaskJson:
    """One task."""
    figures = task.figures  # all at once: they are made when somebody looks
    return TaskJson(
        id=task.id,
        annotators=list(task.annotators),
        n_units=task.n_units,
        text_sha256=task.text_sha256,
        gamma=figure_json(figures["gamma", ""]),
        gamma_cat=figure_json(figures["gamma_cat", ""]),
        gamma_k=_labels(task),
        also=_also(task),
        observed_disorder=task.observed_disorder,
        lower_bound=task.lower_bound,
        optimal=task.optimal,
        n_unitary_alignments=task.n_unitary,
        expected_disorder=task.expected_disorder,
        n_samples=task.n_samples,
        chance=task.chance.value,
        disagreements=_disagreements(task.disagreements),
        alignment=[_unitary(one) for one in task.alignment.unitary],
    )


def _unitary(one: UnitaryAlignment) -> UnitaryJson:
    return UnitaryJson(
        units={unit.annotator: UnitJson(unit.start, unit.end, unit.category) for unit in one.units},
        disorder=one.disorder,
        positional=one.positional,
        categorial=one.categorial,
        missing=one.missing,
    )


def _pair(pair: PairResult) -> PairJson:
    return PairJson(
        annotators=list(pair.annotators),
        n_tasks=pair.n_tasks,
        n_units=pair.n_units,
        gamma=figure_json(pair.gamma),
        gamma_cat=figure_json(pair.gamma_cat),
        also=_also(pair),
        disagreements=_disagreements(pair.disagreements),
    )


def _annotator(one: AnnotatorResult) -> AnnotatorJson:
    return AnnotatorJson(
        name=one.name,
        n_tasks=one.n_tasks,
        n_units=one.n_units,
        gamma_without=figure_json(one.gamma_without),
        also_without=_also(one),
    )


def _layer(layer: LayerResult) -> LayerJson:
    return LayerJson(
        fits=layer.fits,
        alpha=figure_json(layer.alpha),
        observed_agreement=figure_json(layer.figures["observed_agreement", ""]),
        labels={k: figure_json(figure) for k, figure in layer.by_label("alpha_k").items()},
        also=_also(layer),
        annotators=list(layer.annotators),
        n_tasks=layer.n_tasks,
        n_labels=layer.n_labels,
        agreement=dict(layer.agreement),
    )


def _labels(holder: Figured) -> dict[str, FigureJson]:
    return {label: figure_json(figure) for label, figure in holder.gamma_k.items()}


def _also(holder: Figured) -> dict[str, FigureJson | dict[str, FigureJson]]:
    """The figures of other coefficients: a single one by itself, those of labels by label."""
    found: dict[str, FigureJson | dict[str, FigureJson]] = {}
    for key, figures in holder.others().items():
        by_label = {label: figure_json(figure) for label, figure in figures.items()}
        found[key] = by_label[""] if list(by_label) == [""] else by_label
    return found


def _excluded(one: Excluded) -> ExcludedJson:
    return ExcludedJson(
        task=one.task,
        reason=str(one.reason),
        reason_code=one.reason.code,
        reason_parameters=one.reason.as_json(),
    )


def _disagreements(parts: Disagreements) -> DisagreementsJson:
    return DisagreementsJson(
        **{
            kind: PartJson(count=part.count, disorder=part.disorder, share=part.share)
            for kind, part in parts.items()
        }
    )
