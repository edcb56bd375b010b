"""Rounds: results that `goldspan score --json` wrote, read back to be compared."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from goldspan.engine.change import Round
from goldspan.engine.coefficient.base import GAMMA, GAMMA_CAT, Binding
from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.coefficient.registry import ALWAYS
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Reason
from goldspan.engine.result import SCHEMA
from goldspan.engine.schema.figure import FigureJson, figures_by_label
from goldspan.engine.schema.types import CorpusJson, DistancesJson, ResultJson, TaskJson

if TYPE_CHECKING:
    from goldspan.engine.coefficient.base import Key


def read_rounds(paths: Sequence[Path]) -> tuple[Round, ...]:
    """The rounds in the order given, with names that tell them apart."""
    names = [path.stem for path in paths]
    if len(set(names)) < len(names):
        names = [str(path) for path in paths]
    if len(set(names)) < len(names):
        names = [f"{name} ({place})" for place, name in enumerate(names, start=1)]
    return tuple(read_round(path, name) for path, name in zip(paths, names, strict=True))


def read_round(path: Path, name: str) -> Round:
    """One round; a file that is not a result is an InputError."""
    where = str(path)
    try:
        value = json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:  # also bytes that are not UTF-8, and numbers of too many digits
        raise InputError(f"it is not JSON: {error}; {_ADVICE}", where=where) from error
    except RecursionError as error:
        raise InputError(f"it is nested too deeply; {_ADVICE}", where=where) from error
    return round_of(value, name, where)


def round_of(value: Any, name: str, where: str = "") -> Round:
    """One round, of the plain values of a result; values that are none are an InputError."""
    if not isinstance(value, dict) or "schema" not in value or "corpus" not in value:
        raise InputError(f"it is not a result of goldspan; {_ADVICE}", where=where)
    if value["schema"] != SCHEMA:
        raise InputError(
            f"it has the schema {value['schema']}, this goldspan reads {SCHEMA}; score again",
            where=where,
        )
    try:
        return _round(msgspec.convert(value, ResultJson), marked(value), name)
    except (msgspec.ValidationError, ValueError) as error:
        raise InputError(
            f"it is not complete, or not as goldspan writes it ({error}); {_ADVICE}", where=where
        ) from error


_ADVICE = "give files that `goldspan score … --json FILE` wrote"


def _round(document: ResultJson, digests: Mapping[str, str], name: str) -> Round:
    corpus, settings = document.corpus, document.settings
    return Round(
        name=name,
        settings=msgspec.structs.asdict(settings),
        figures=_figures(corpus),
        tasks={task.id: _figures(task) for task in document.tasks},
        marked=digests,
        texts={task.id: task.text_sha256 for task in document.tasks if task.text_sha256},
        distances=_distances(settings.distance_matrix),
        n_units=corpus.n_units,
        n_annotators=corpus.n_annotators,
        symbols=_symbols(document),
        bindings={
            key: Binding(**msgspec.structs.asdict(one.binding))
            for key, one in document.coefficients.items()
            if one.binding is not None
        },
    )


def marked(result: Mapping[str, Any]) -> dict[str, str]:
    """What each annotator marked in each task of a result, as digests."""
    return {str(task["id"]): _marked(task) for task in result["tasks"]}


def _marked(task: Mapping[str, Any]) -> str:
    units = [[who, *unit] for one in task["alignment"] for who, unit in one["units"].items()]
    said = json.dumps([sorted(task["annotators"]), sorted(map(json.dumps, units))])
    return hashlib.sha256(said.encode()).hexdigest()


def _distances(table: DistancesJson | None) -> dict[tuple[str, str], float]:
    if table is None:
        return {}
    return {
        (one, other): distance
        for one, row in zip(table.categories, table.rows, strict=True)
        for other, distance in zip(table.categories, row, strict=True)
    }


def _figures(holder: CorpusJson | TaskJson) -> dict[Key, Figure]:
    figures = {GAMMA: _figure(holder.gamma), GAMMA_CAT: _figure(holder.gamma_cat)}
    for label, figure in holder.gamma_k.items():
        figures["gamma_k", label] = _figure(figure)
    for name, also in holder.also.items():
        for label, figure in figures_by_label(also).items():
            figures[name, label] = _figure(figure)
    return figures


def _symbols(document: ResultJson) -> dict[str, str]:
    # Results of 0.1 have no names for their symbols.
    stated = {key: one.symbol for key, one in document.coefficients.items()}
    return {one.key: one.symbol for one in ALWAYS} | stated


def _figure(figure: FigureJson) -> Figure:
    found = Figure(
        value=figure.value,
        low=figure.low,
        high=figure.high,
        level=figure.level,
        n=figure.n,
        method=figure.method,
        reason=_reason(figure),
        observed=figure.observed,
        expected=figure.expected,
        chance=figure.chance,
        samples=figure.samples,
        error=figure.error,
        sums=_sums(figure),
        sums_of=None if figure.sums_of is None else tuple(figure.sums_of),
    )
    ends = (found.value, found.low, found.high, found.error, *(found.sums or ()))
    for number in ends:
        if number is not None and not math.isfinite(number):
            raise ValueError(f"{number} is not a finite number")
    return found


def _reason(figure: FigureJson) -> Reason | None:
    """Results of 0.1 have only the sentence."""
    if figure.reason is None:
        return None
    return Reason.from_json(figure.reason, figure.reason_code, figure.reason_parameters)


def _sums(figure: FigureJson) -> tuple[float, ...] | None:
    if figure.sums is not None:
        return tuple(figure.sums)
    if figure.observed is None or figure.expected is None:
        return None
    return figure.observed, figure.expected
