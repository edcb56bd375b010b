"""Document: the JSON of annotators' profiles. `docs/annotators.schema.json` is generated from it.

Schema 1 is stable: names and their meanings stay, and further names may be added.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Struct, to_builtins

from goldspan.engine.annotators import wording
from goldspan.engine.annotators.matter import Basis, Matter  # noqa: TC001 - msgspec reads them
from goldspan.engine.schema.figure import Count, Share, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldspan.engine.annotators.estimates import Change, Mean, Rate
    from goldspan.engine.annotators.profile import (
        Advice,
        AnnotatorProfiles,
        Comparison,
        Drift,
        Habit,
        Person,
        Skill,
        Speed,
    )


class RateJson(Struct, frozen=True, kw_only=True):
    """A rate; without cases `value` is null, and nothing is known."""

    value: Share | None
    low: Share
    high: Share
    count: Count
    n: Count


class MeanJson(Struct, frozen=True, kw_only=True):
    """A mean; `low` and `high` are null where there are too few values or tasks."""

    value: float
    low: float | None
    high: float | None
    n: Count


class ChangeJson(Struct, frozen=True, kw_only=True):
    """From the earlier half to the later one; `low` to `high` is the interval of the difference."""

    first: float
    second: float
    difference: float
    low: float
    high: float


class ConfusionJson(Struct, frozen=True, kw_only=True):
    """Of the spans of a label that the annotator marked: how many got another label."""

    given: str
    rate: RateJson


class SkillJson(Struct, frozen=True, kw_only=True):
    """An annotator and one label."""

    label: Annotated[str, words("Empty for all labels together.")]
    recall: Annotated[RateJson, words("The spans of the label that got this label.")]
    missed: Annotated[RateJson, words("The spans of the label that were not marked at all.")]
    precision: Annotated[RateJson, words("The units of the label that are right.")]
    spurious: Annotated[RateJson, words("The units of the label where there is no span.")]
    confusions: list[ConfusionJson]


class HabitJson(Struct, frozen=True, kw_only=True):
    """Where units start or end, behind the right place."""

    offset: Annotated[MeanJson, words("In the measure of the tasks; negative for before it.")]
    early: Count
    late: Count
    usual: Annotated[float, words("The median of all annotators.")]
    is_clear: Annotated[bool, words("Whether the interval is beyond 0 and beyond what is usual.")]


class DriftJson(Struct, frozen=True, kw_only=True):
    """A figure of the earlier and of the later half of the annotator's tasks."""

    message: Annotated[str | None, words("The change as a sentence; null if it is not clear.")]
    matter: Matter
    change: Annotated[ChangeJson, words("For seconds: of the logarithm of the ratio to others.")]
    tasks: Count
    since: Annotated[float, words("When the later half begins, in seconds since 1970.")]
    usual: Annotated[float, words("The median change of all annotators.")]
    is_clear: Annotated[bool, words("Whether the interval is beyond 0 and beyond what is usual.")]


class ComparisonJson(Struct, frozen=True, kw_only=True):
    """An annotator beside one version of their tasks."""

    tasks: Count
    spans: Annotated[Count, words("Of the version.")]
    units: Annotated[Count, words("Of the annotator.")]
    unsettled: Annotated[Count, words("Units where the others disagree, which count nowhere.")]
    overall: SkillJson
    labels: list[SkillJson]
    exact: Annotated[RateJson, words("Found spans with the same start and end.")]
    start: HabitJson | None
    end: HabitJson | None
    habits: Annotated[list[str], words("The habits that are clear, as sentences.")]
    joined: Annotated[RateJson, words("Units over several spans of their label.")]
    split: Annotated[RateJson, words("Spans with several units of their label.")]
    drift: list[DriftJson]


class SpeedJson(Struct, frozen=True, kw_only=True):
    """How long tasks take."""

    tasks: Count
    median_seconds: float
    ratio: Annotated[
        MeanJson | None, words("To the others' median for the same task: 2 is twice as long.")
    ]
    shared_tasks: Count
    drift: DriftJson | None


class AdviceJson(Struct, frozen=True, kw_only=True):
    """Something to train. `message` is the sentence; the other names say what shows it."""

    message: str
    matter: Matter
    basis: Basis
    label: str
    given: str
    rate: RateJson | None
    usual: Annotated[Share | None, words("The rate of the other annotators together.")]
    offset: MeanJson | None
    change: ChangeJson | None
    cases: Annotated[float, words("How many mistakes it explains; advice is sorted by it.")]


class PersonJson(Struct, frozen=True, kw_only=True):
    """One annotator."""

    name: str
    tasks: Count
    units: Count
    gold: Annotated[
        ComparisonJson | None, words("Beside the gold of the others, without this annotator.")
    ]
    adjudicated: Annotated[ComparisonJson | None, words("Beside what a person settled.")]
    speed: SpeedJson | None
    advice: list[AdviceJson]


class ProfilesJson(Struct, frozen=True, kw_only=True):
    """All annotators."""

    schema: Literal[1]
    goldspan: Annotated[str, words("The version of goldspan.")]
    level: Annotated[float, words("The level of the intervals of rates.")]
    measure: Annotated[str, words("What offsets are counted in; empty where tasks differ.")]
    tasks: Count
    tasks_of_two_or_fewer: Annotated[Count, words("Not compared with gold.")]
    adjudicated_tasks: Count
    annotators: list[PersonJson]
    everybody: Annotated[list[AdviceJson], words("What most annotators get wrong.")]


def plain_json(found: AnnotatorProfiles) -> dict[str, Any]:
    """The profiles as plain values."""
    plain: dict[str, Any] = to_builtins(profiles_json(found))
    return plain


def profiles_json(found: AnnotatorProfiles) -> ProfilesJson:
    """The profiles in the types of the schema."""
    return ProfilesJson(
        schema=1,
        goldspan=version("goldspan"),
        level=found.level,
        measure=found.measure,
        tasks=found.n_tasks,
        tasks_of_two_or_fewer=found.two_or_fewer,
        adjudicated_tasks=found.adjudicated_tasks,
        annotators=[_person(one, found.measure) for one in found.people],
        everybody=_advice(found.everybody, found.measure),
    )


def _person(one: Person, measure: str) -> PersonJson:
    return PersonJson(
        name=one.name,
        tasks=one.n_tasks,
        units=one.n_units,
        gold=_comparison(one.gold, measure) if one.gold else None,
        adjudicated=_comparison(one.adjudicated, measure) if one.adjudicated else None,
        speed=_speed(one.speed, measure) if one.speed else None,
        advice=_advice(one.advice, measure),
    )


def _comparison(one: Comparison, measure: str) -> ComparisonJson:
    return ComparisonJson(
        tasks=one.n_tasks,
        spans=one.n_spans,
        units=one.n_units,
        unsettled=one.unsettled,
        overall=_skill(one.overall),
        labels=[_skill(skill) for skill in one.labels],
        exact=_rate(one.exact),
        start=_habit(one.start) if one.start else None,
        end=_habit(one.end) if one.end else None,
        habits=list(wording.habits(one, measure)),
        joined=_rate(one.joined),
        split=_rate(one.split),
        drift=[_drift(drift, measure) for drift in one.drifts],
    )


def _skill(one: Skill) -> SkillJson:
    return SkillJson(
        label=one.label,
        recall=_rate(one.recall),
        missed=_rate(one.missed),
        precision=_rate(one.precision),
        spurious=_rate(one.spurious),
        confusions=[
            ConfusionJson(given=other.given, rate=_rate(other.rate)) for other in one.confusions
        ],
    )


def _habit(one: Habit) -> HabitJson:
    return HabitJson(
        offset=_mean(one.offset),
        early=one.early,
        late=one.late,
        usual=one.usual.value,
        is_clear=one.is_clear,
    )


def _drift(one: Drift, measure: str) -> DriftJson:
    return DriftJson(
        message=wording.drift(one, measure) if one.is_clear else None,
        matter=one.matter,
        change=_change(one.change),
        tasks=one.tasks,
        since=one.since,
        usual=one.usual.value,
        is_clear=one.is_clear,
    )


def _speed(one: Speed, measure: str) -> SpeedJson:
    return SpeedJson(
        tasks=one.n_tasks,
        median_seconds=one.median,
        ratio=_mean(one.ratio) if one.ratio else None,
        shared_tasks=one.tasks_shared,
        drift=_drift(one.drift, measure) if one.drift else None,
    )


def _advice(found: Iterable[Advice], measure: str) -> list[AdviceJson]:
    return [
        AdviceJson(
            message=wording.advice(one, measure),
            matter=one.matter,
            basis=one.basis,
            label=one.label,
            given=one.given,
            rate=_rate(one.rate) if one.rate else None,
            usual=one.usual,
            offset=_mean(one.offset) if one.offset else None,
            change=_change(one.change) if one.change else None,
            cases=one.cases,
        )
        for one in found
    ]


def _rate(one: Rate) -> RateJson:
    return RateJson(value=one.value, low=one.low, high=one.high, count=one.count, n=one.n)


def _mean(one: Mean) -> MeanJson:
    return MeanJson(value=one.value, low=one.low, high=one.high, n=one.n)


def _change(one: Change) -> ChangeJson:
    return ChangeJson(
        first=one.first, second=one.second, difference=one.value, low=one.low, high=one.high
    )
