"""Figure: the JSON of one coefficient, and the kinds of numbers that results are made of."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from msgspec import Meta, Struct, convert, to_builtins

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.facts import Reason

Count = Annotated[int, Meta(ge=0)]
# Bounds of sums are for people: the last digit may be off, and a result is read all the same.
Cost = Annotated[float, Meta(extra_json_schema={"minimum": 0})]
Share = Annotated[float, Meta(extra_json_schema={"minimum": 0, "maximum": 1})]
Level = Annotated[float, Meta(gt=0, lt=1, description="The level of intervals and precision.")]
Position = int | float
"""A whole number stays one: what people marked is recognised by its digits."""


def words(description: str, **more: Any) -> Meta:
    """A description, and more that only the schema says."""
    return Meta(description=description, extra_json_schema=more or None)


ReasonCode = Annotated[
    str | None, words("The reason for programs: it stays the same when the words change.")
]
Parameters = Annotated[dict[str, Any] | None, words("The names and numbers in the sentence.")]


class FigureJson(Struct, frozen=True, kw_only=True):
    """A coefficient. Whatever is missing is null, and `reason` says why."""

    value: Annotated[
        float | None,
        words("γ, γcat and γk: 1 if all marked the same, 0 if no better than chance."),
    ]
    low: Annotated[float | None, words("The lower end of the interval.")]
    high: Annotated[float | None, words("The upper end of the interval.")]
    level: Annotated[Level, Meta(description="The level of the interval from low to high.")]
    n: Annotated[
        int,
        Meta(ge=0, description="What it rests on: units for γ, pairs of aligned units for γcat."),
    ]
    method: Annotated[str | None, words("Over what the interval was taken.")]
    reason: Annotated[str | None, words("Why there is no value or no interval, for people.")]
    observed: Annotated[
        float | None, words("value = 1 - observed / expected; both add up over tasks.")
    ]
    expected: Annotated[float | None, words("What is expected by chance; see `observed`.")]
    chance: Annotated[str | None, words("The model of chance that `expected` comes from.")] = None
    samples: Annotated[int, Meta(ge=0, description="Chance samples behind `expected`.")] = 0
    error: Annotated[
        float | None,
        words("The relative error of `expected` at `level` that comes from sampling."),
    ] = None
    sampling_low: Annotated[
        float | None,
        words("The value is between sampling_low and sampling_high as far as chance was sampled."),
    ] = None
    sampling_high: Annotated[float | None, words("See `sampling_low`.")] = None
    sums: Annotated[
        list[float] | None,
        words("The sums that the coefficient is a function of; they add up over tasks."),
    ] = None
    reason_code: ReasonCode = None
    reason_parameters: Parameters = None
    coverage: Annotated[
        float | None,
        words("The part of the data that was looked at, for coefficients that may not see all."),
    ] = None
    sums_of: Annotated[
        list[tuple[str, str]] | None,
        words("The pairs of annotators that the sums are of, equally many each; null if of all."),
    ] = None


Labels = dict[str, FigureJson]
_FIGURE = {"$ref": "#/$defs/FigureJson"}
Also = Annotated[
    dict[str, Any],
    words(
        "Figures of other coefficients, by key: the figure, or where there is one for each label, "
        "the figures by label.",
        additionalProperties={
            "anyOf": [_FIGURE, {"type": "object", "additionalProperties": _FIGURE}]
        },
    ),
]
"""The figures are `FigureJson`; `figures_by_label` reads them back."""


def figures_by_label(also: Any) -> dict[str, FigureJson]:
    """One value of `also`: the figures by label, which is empty where there is a single figure."""
    if isinstance(also, dict) and isinstance(also.get("level"), (int, float)):
        return {"": convert(also, FigureJson)}
    return convert(also, Labels)


def figure_json(figure: Figure) -> FigureJson:
    """A figure."""
    low, high = figure.sampling_bounds or (None, None)
    remark, code, parameters = _said(figure.reason)
    return FigureJson(
        value=figure.value,
        low=figure.low,
        high=figure.high,
        level=figure.level,
        n=figure.n,
        method=figure.method,
        reason=remark,
        observed=figure.observed,
        expected=figure.expected,
        chance=figure.chance,
        samples=figure.samples,
        error=figure.error,
        sampling_low=low,
        sampling_high=high,
        sums=None if figure.sums is None else list(figure.sums),
        reason_code=code,
        reason_parameters=parameters,
        coverage=figure.coverage,
        sums_of=None if figure.sums_of is None else list(figure.sums_of),
    )


_Said: TypeAlias = tuple[str | None, str | None, dict[str, Any] | None]
"""A reason in words, its code and its parameters."""

_SIMPLE = frozenset((str, int, float, tuple))


def _said(reason: Reason | None) -> _Said:
    if reason is None:
        return None, None, None
    # 1 and 1.0 are equal, but not in JSON.
    types = tuple([type(value) for _, value in reason.parameters])
    return _said_once(reason, types) if _SIMPLE.issuperset(types) else _in_words(reason)


@lru_cache(maxsize=1024)
def _said_once(reason: Reason, _types: tuple[type, ...]) -> _Said:
    """The same; few reasons stand in many figures."""
    return _in_words(reason)


def _in_words(reason: Reason) -> _Said:
    return str(reason), reason.code, reason.as_json()


def plain(document: Struct) -> dict[str, Any]:
    """A document as dictionaries, lists and numbers."""
    found: dict[str, Any] = to_builtins(document)
    return found
