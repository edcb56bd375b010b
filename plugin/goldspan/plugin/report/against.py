"""Against: annotators beside a reference as plain values, for terminals, pages and comments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.plugin.report import wording
from goldspan.plugin.report.charts import Axis, Whisker, coefficient_axis, whisker

if TYPE_CHECKING:
    from goldspan.engine.coefficient.base import Coefficient
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.facts import Reason
    from goldspan.engine.reference.against import Against, AgainstResult

MATCHES = ("precision", "recall", "f1_overlap", "f1_iou", "f1_blind")
"""Beside F1: what counts the units that match."""

MEASURES = ("gamma", "gamma_cat", "alpha", "ser", "iou", "accuracy")


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A label of one annotator; without a reference there is no precision and no recall."""

    label: str
    annotator: str
    f1: Figure
    precision: Figure | None
    recall: Figure | None


@dataclass(frozen=True, slots=True)
class AgainstView:
    """The comparison: who differs most first, with the place of F1 in a chart."""

    against: Against
    title: str
    about: str
    findings: tuple[str, ...]
    matches: tuple[Coefficient, ...]
    measures: tuple[Coefficient, ...]
    rows: tuple[tuple[AgainstResult, Whisker], ...]
    axis: Axis
    labels: tuple[LabelRow, ...]
    remarks: tuple[str, ...]

    @property
    def is_stability(self) -> bool:
        return self.against.is_stability

    @property
    def by_label(self) -> Mapping[tuple[str, str], LabelRow]:
        """By label and annotator."""
        return {(row.label, row.annotator): row for row in self.labels}


def view_against(against: Against) -> AgainstView:
    """The comparison, laid out."""
    ranked = against.ranked
    axis = coefficient_axis([one.figures["f1", ""] for one in ranked])
    labels = tuple(sorted(_labels(ranked), key=_lowest))
    known = {one.key: one for one in against.coefficients}
    return AgainstView(
        against=against,
        title=wording.against_title(against),
        about=wording.against_about(against),
        findings=tuple(_findings(against, labels)),
        matches=tuple(known[key] for key in MATCHES if key in known),
        measures=tuple(known[key] for key in MEASURES if key in known),
        rows=tuple((one, whisker(one.figures["f1", ""], axis)) for one in ranked),
        axis=axis,
        labels=labels,
        remarks=tuple(_remarks(against)),
    )


def _labels(rows: Sequence[AgainstResult]) -> Iterator[LabelRow]:
    for one in rows:
        for label, figure in one.by_label("f1_k").items():
            rates = (one.figures.get((key, label)) for key in ("precision_k", "recall_k"))
            yield LabelRow(label, one.name, figure, *rates)


def _lowest(row: LabelRow) -> tuple[bool, float, int]:
    """Lowest F1 first; of equals, what more units show."""
    return row.f1.value is None, row.f1.value or 0.0, -row.f1.n


def _findings(against: Against, labels: Sequence[LabelRow]) -> Iterator[str]:
    """The annotator who differs most, and on which label."""
    known = [one for one in against.ranked if one.figures["f1", ""].value is not None]
    if not known:
        return
    value = known[0].figures["f1", ""].value or 0.0
    if value == 1:
        yield wording.nobody_differs(against)
        return
    yield wording.differs_most(against, known[0].name, value)
    own = [row for row in labels if row.annotator == known[0].name and row.f1.value is not None]
    if len(own) > 1 and (own[0].f1.value or 0.0) < 1:
        row = own[0]
        rates = [None if one is None else one.value for one in (row.precision, row.recall)]
        yield wording.weakest_label(row.label, row.f1.value or 0.0, *rates)


def _remarks(against: Against) -> Iterator[str]:
    """Why figures are missing, what was left out, and what only one side has."""
    named: dict[Reason, dict[str, None]] = {}
    open_ended: dict[Reason, None] = {}
    symbols = {one.key: one.symbol for one in against.coefficients}
    for one in against.ranked:
        for (key, label), figure in one.figures.items():
            if figure.reason is None or label or figure.is_unanimous:
                continue
            if figure.value is None:
                named.setdefault(figure.reason, {})[f"{symbols[key]} ({one.name})"] = None
            else:
                open_ended[figure.reason] = None
    for reason, names in named.items():
        yield wording.undefined(list(names), reason)
    yield from map(wording.no_interval, open_ended)
    for excluded in against.excluded:
        yield wording.task_left_out(excluded.task, excluded.reason)
    for note in against.notes:
        yield note.message
