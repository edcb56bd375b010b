"""Annotators: how each one's work differs from the others', for a page of feedback.

A sync writes these facts beside its report. They name labels, tasks and counts; they quote no text.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean, median
from typing import TYPE_CHECKING, Any

from goldspan.engine.model import Measure

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import JsonObject
    from goldspan.engine.disagreement import Difference
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result

FILE = "annotators.json"
"""The facts in a project's folder."""

MOST_EXAMPLES = 5
"""Tasks named as examples of one thing."""

LEAST_ALIGNED = 5
"""A habit is not seen in fewer aligned units."""


def page_name(name: str) -> str:
    """What an annotator's page is called in its address: the same in every round, and no other
    annotator's, such as `bruno-81b637`.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.partition("@")[0].casefold()).strip("-")
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{plain or 'annotator'}-{digest[:6]}"


def annotator_facts(
    corpus: Corpus, result: Result, lead_times: Mapping[str, Sequence[float]]
) -> list[JsonObject]:
    """The facts of every annotator who shares a task with another, by name. `lead_times` are the
    seconds that each took for each task, where the platform knows.
    """
    names = sorted({name for task in result.tasks.values() for name in task.annotators})
    measure = _measure(corpus)
    return [
        {
            "name": name,
            "tasks": sum(name in task.annotators for task in result.tasks.values()),
            "units": _marked(result, name),
            "labels": _labels(result, name),
            "confusions": _confusions(result, name),
            "boundaries": _boundaries(result, name) | {"measure": measure},
            "seconds": _times(lead_times.get(name, ())),
        }
        for name in names
    ]


def agreement(document: Mapping[str, Any], name: str) -> JsonObject:
    """How far an annotator agrees with the others in a result as JSON: γ with each of them, the
    plain mean of these, γ of the others alone, and F1 with a reference if there is one.
    """
    with_others: dict[str, float] = {}
    for pair in document.get("pairs") or ():
        value = (pair.get("gamma") or {}).get("value")
        if name in pair["annotators"] and value is not None:
            (other,) = (one for one in pair["annotators"] if one != name)
            with_others[other] = value
    mine = [one for one in document.get("annotators") or () if one.get("name") == name]
    without = (mine[0].get("gamma_without") or {}).get("value") if mine else None
    return {
        "with": with_others,
        "mean": mean(with_others.values()) if with_others else None,
        "without": without,
        "settled": _settled(document.get("against"), name),
    }


def _settled(against: Any, name: str) -> float | None:
    """F1 with the reference, of exactly equal units, where the result has one."""
    if not isinstance(against, Mapping) or against.get("kind") != "reference":
        return None
    for one in against.get("annotators") or ():
        if one.get("name") == name:
            value = ((one.get("also") or {}).get("f1") or one.get("f1") or {}).get("value")
            return None if value is None else float(value)
    return None


def _differences(result: Result, name: str) -> Iterable[tuple[str, Difference]]:
    for task in result.tasks.values():
        for one in task.differences:
            if name in one.annotators:
                yield task.id, one


def _marked(result: Result, name: str) -> int:
    return sum(
        unit.annotator == name
        for task in result.tasks.values()
        for unitary in task.alignment.unitary
        for unit in unitary.units
    )


def _labels(result: Result, name: str) -> list[JsonObject]:
    """For each label γk with the others, what the annotator marked, what others marked and the
    annotator did not, what the annotator alone marked, and where. Counts are of units.
    """
    marked: Counter[str] = Counter()
    tasks: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for task in result.tasks.values():
        if name not in task.annotators:
            continue
        for unitary in task.alignment.unitary:
            mine = [unit for unit in unitary.units if unit.annotator == name]
            marked.update(unit.category for unit in mine)
            if not mine:
                label = Counter(unit.category for unit in unitary.units).most_common(1)[0][0]
                tasks["missed", label][task.id] += 1
            elif len(unitary.units) == 1:
                tasks["alone", mine[0].category][task.id] += 1
    return [
        {
            "label": label,
            "gamma_k": _label_agreement(result, name, label),
            "marked": marked[label],
            "missed": sum(tasks["missed", label].values()),
            "alone": sum(tasks["alone", label].values()),
            "missed_in": _examples(tasks["missed", label]),
            "alone_in": _examples(tasks["alone", label]),
        }
        for label in sorted({*marked, *(label for _, label in tasks)})
    ]


def _label_agreement(result: Result, name: str, label: str) -> JsonObject | None:
    """The plain mean of γk over the annotator's pairs, and how many pairs of units it rests on;
    None where no pair has one.
    """
    found = [
        figure
        for pair in result.pairs
        if name in pair.annotators
        and (figure := pair.figures.get(("gamma_k", label))) is not None
        and figure.value is not None
    ]
    if not found:
        return None
    return {"mean": mean(one.value or 0.0 for one in found), "n": sum(one.n for one in found)}


def _confusions(result: Result, name: str) -> list[JsonObject]:
    """Which label the annotator chose where others chose which, the most frequent first; counts
    are of pairs of units.
    """
    counts: Counter[tuple[str, str]] = Counter()
    tasks: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for task, one in _differences(result, name):
        if one.kind != "label" or one.other is None:
            continue
        mine, theirs = sorted((one.unit, one.other), key=lambda unit: unit.annotator != name)
        counts[mine.category, theirs.category] += 1
        tasks[mine.category, theirs.category][task] += 1
    return [
        {"mine": mine, "theirs": theirs, "count": count, "tasks": _examples(tasks[mine, theirs])}
        for (mine, theirs), count in counts.most_common(10)
    ]


def _boundaries(result: Result, name: str) -> JsonObject:
    """How far before (negative) or after the others' mean the annotator's units start and end,
    on average over units that others marked too.
    """
    starts: list[float] = []
    ends: list[float] = []
    tasks: Counter[str] = Counter()
    for task in result.tasks.values():
        for unitary in task.alignment.unitary:
            mine = [unit for unit in unitary.units if unit.annotator == name]
            others = [unit for unit in unitary.units if unit.annotator != name]
            if mine and others:
                starts.append(mine[0].start - mean(unit.start for unit in others))
                ends.append(mine[0].end - mean(unit.end for unit in others))
                tasks[task.id] += bool(starts[-1] or ends[-1])
    enough = len(starts) >= LEAST_ALIGNED
    return {
        "aligned": len(starts),
        "same": sum(not (start or end) for start, end in zip(starts, ends, strict=True)),
        "start": mean(starts) if enough else None,
        "end": mean(ends) if enough else None,
        "tasks": _examples(+tasks),
    }


def _times(seconds: Sequence[float]) -> JsonObject | None:
    known = [one for one in seconds if one > 0]
    return {"median": median(known), "tasks": len(known)} if known else None


def _examples(tasks: Counter[str]) -> list[str]:
    return [task for task, _ in tasks.most_common(MOST_EXAMPLES)]


def _measure(corpus: Corpus) -> str:
    measures = {continuum.measure for continuum in corpus.continua}
    return str(measures.pop().value) if len(measures) == 1 else Measure.CHARACTER.value
