"""Rounds: results that `goldspan score --json` wrote, read back to be compared."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from goldspan.engine.coefficient.base import Key
from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.coefficient.registry import ALWAYS
from goldspan.engine.comparison import GAMMA, GAMMA_CAT, Round
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Reason
from goldspan.engine.result import SCHEMA


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
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError(f"it is not JSON: {error}; {_ADVICE}", where=where) from error
    except RecursionError as error:
        raise InputError(f"it is nested too deeply; {_ADVICE}", where=where) from error
    if not isinstance(value, dict) or "schema" not in value or "corpus" not in value:
        raise InputError(f"it is not a result of goldspan; {_ADVICE}", where=where)
    if value["schema"] != SCHEMA:
        raise InputError(
            f"it has the schema {value['schema']}, this goldspan reads {SCHEMA}; score again",
            where=where,
        )
    try:
        return _round(value, name)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"it is not complete ({type(error).__name__}: {error}); {_ADVICE}", where=where
        ) from error


_ADVICE = "give files that `goldspan score … --json FILE` wrote"


def _round(value: dict[str, Any], name: str) -> Round:
    corpus = value["corpus"]
    return Round(
        name=name,
        settings=dict(value["settings"]),
        figures=_figures(corpus),
        tasks={str(task["id"]): _figures(task) for task in value["tasks"]},
        marked=marked(value),
        texts={str(task["id"]): t for task in value["tasks"] if (t := task.get("text_sha256"))},
        distances=_distances(value["settings"].get("distance_matrix")),
        n_units=int(corpus["n_units"]),
        n_annotators=int(corpus["n_annotators"]),
        symbols=_symbols(value),
    )


def marked(result: Mapping[str, Any]) -> dict[str, str]:
    """What each annotator marked in each task of a result, as digests."""
    return {str(task["id"]): _marked(task) for task in result["tasks"]}


def _marked(task: Mapping[str, Any]) -> str:
    units = [[who, *unit] for one in task["alignment"] for who, unit in one["units"].items()]
    said = json.dumps([sorted(task["annotators"]), sorted(map(json.dumps, units))])
    return hashlib.sha256(said.encode()).hexdigest()


def _distances(table: Mapping[str, Any] | None) -> dict[tuple[str, str], float]:
    if table is None:
        return {}
    return {
        (one, other): float(distance)
        for one, row in zip(table["categories"], table["rows"], strict=True)
        for other, distance in zip(table["categories"], row, strict=True)
    }


def _figures(value: dict[str, Any]) -> dict[Key, Figure]:
    figures = {GAMMA: _figure(value["gamma"]), GAMMA_CAT: _figure(value["gamma_cat"])}
    for label, figure in value["gamma_k"].items():
        figures["gamma_k", label] = _figure(figure)
    # Results of 0.1 have no other coefficients, and no names for their symbols.
    for name, by_label in value.get("figures", {}).items():
        for label, figure in by_label.items():
            figures[name, label] = _figure(figure)
    return figures


def _symbols(value: dict[str, Any]) -> dict[str, str]:
    stated = {key: str(one["symbol"]) for key, one in value.get("coefficients", {}).items()}
    return {one.key: one.symbol for one in ALWAYS} | stated


def _figure(value: dict[str, Any]) -> Figure:
    return Figure(
        value=_number(value["value"]),
        low=_number(value["low"]),
        high=_number(value["high"]),
        level=float(value["level"]),
        n=int(value["n"]),
        method=value.get("method"),
        reason=_reason(value),
        observed=_number(value.get("observed")),
        expected=_number(value.get("expected")),
        chance=value.get("chance"),
        samples=int(value.get("samples", 0)),
        error=_number(value.get("error")),
        sums=_sums(value),
    )


def _reason(value: dict[str, Any]) -> Reason | None:
    sentence = value.get("reason")
    if sentence is None:
        return None
    return Reason.from_json(str(sentence), value.get("reason_code"), value.get("reason_parameters"))


def _sums(value: dict[str, Any]) -> tuple[float, ...] | None:
    stated = value.get("sums")
    if stated is None and value.get("expected") is not None:
        stated = [value["observed"], value["expected"]]
    return None if stated is None else tuple(float(part) for part in stated)


def _number(value: Any) -> float | None:
    if value is None:
        return None
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value} is not a finite number")
    return number
