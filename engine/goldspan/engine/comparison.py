"""Comparison: what became of agreement from one round to the next, coefficient by coefficient.

The rounds' settings and labels are compared too, because a change may be theirs. How a change is
measured is in `change`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from goldspan.engine.change import Change, Round, RoundTasks, change_of
from goldspan.engine.coefficient.base import GAMMA, GAMMA_CAT
from goldspan.engine.coefficient.resampling import LEAST_TASKS
from goldspan.engine.facts import Fact, FactKind
from goldspan.engine.result import SCHEMA
from goldspan.engine.settings import COMPARABLE, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldspan.engine.coefficient.base import Key


@dataclass(frozen=True, slots=True)
class Step:
    """From one round to another: the changes, the shared tasks, those among them in which nobody
    changed anything, and what hinders comparing.
    """

    old: Round
    new: Round
    changes: Mapping[Key, Change]
    shared: tuple[str, ...]
    untouched: frozenset[str]
    remarks: tuple[Fact, ...]

    @property
    def gamma(self) -> Change:
        return self.changes[GAMMA]

    @property
    def gamma_cat(self) -> Change:
        return self.changes[GAMMA_CAT]

    @property
    def overall(self) -> tuple[Change, ...]:
        """Of all labels together, γ and γcat first."""
        return tuple(change for change in self.changes.values() if not change.label)

    @property
    def labels(self) -> tuple[Change, ...]:
        """Of one label each."""
        return tuple(change for change in self.changes.values() if change.label)

    def as_json(self) -> dict[str, Any]:
        return {
            "from": self.old.name,
            "to": self.new.name,
            "n_shared_tasks": len(self.shared),
            "n_untouched_tasks": len(self.untouched),
            "changes": [change.as_json() for change in (*self.overall, *self.labels)],
            "remarks": [str(one) for one in self.remarks],
            "remark_codes": [one.code for one in self.remarks],
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rounds in order, each compared with the next, and last the first with the last if several."""

    rounds: tuple[Round, ...]
    steps: tuple[Step, ...]

    @property
    def whole(self) -> Step:
        """From the first round to the last."""
        return self.steps[-1]

    def as_json(self) -> dict[str, Any]:
        """The comparison as plain values."""
        return {
            "schema": SCHEMA,
            "goldspan": version("goldspan"),
            "rounds": [
                {
                    "name": one.name,
                    "n_tasks": len(one.tasks),
                    "n_units": one.n_units,
                    "n_annotators": one.n_annotators,
                    "gamma": one.figures[GAMMA].as_json(),
                    "gamma_cat": one.figures[GAMMA_CAT].as_json(),
                    "gamma_k": {k: one.figures["gamma_k", k].as_json() for k in one.labels},
                }
                for one in self.rounds
            ],
            "steps": [one.as_json() for one in self.steps],
        }


def compare(rounds: Sequence[Round], *, seed: int = 0, level: float = 0.95) -> Comparison:
    """Compare two rounds or more: each with the next and, if there are several, first with last."""
    couples = list(pairwise(rounds))
    if len(rounds) > 2:
        couples.append((rounds[0], rounds[-1]))
    steps = tuple(step(*couple, seed=seed, level=level) for couple in couples)
    return Comparison(tuple(rounds), steps)


def step(old: Round, new: Round, *, seed: int = 0, level: float = 0.95) -> Step:
    """Compare two rounds; intervals of labels are widened, so that all of them hold together."""
    tasks = RoundTasks.of(old, new)
    keys = [key for key in new.figures if key in old.figures]
    of_labels = Counter(name for name, label in keys if label)
    levels = {name: 1 - (1 - level) / count for name, count in of_labels.items()}
    return Step(
        old=old,
        new=new,
        changes={
            key: change_of(old, new, key, tasks, levels[key[0]] if key[1] else level, seed)
            for key in keys
        },
        shared=tasks.shared,
        untouched=tasks.untouched,
        remarks=tuple(_remarks(old, new, tasks)),
    )


def _are_spaced_otherwise(old: Round, new: Round) -> bool:
    """Whether shared labels are at different distances, although these have the same name."""
    if old.settings.get("distances") != new.settings.get("distances"):
        return False
    shared = old.distances.keys() & new.distances.keys()
    return any(old.distances[pair] != new.distances[pair] for pair in shared)


def _remarks(old: Round, new: Round, tasks: RoundTasks) -> Iterator[Fact]:
    if tasks.are_carried:
        yield Fact.of(
            FactKind.TASKS_CARRIED,
            untouched=len(tasks.untouched),
            shared=len(tasks.shared),
            judged=len(tasks.judged),
        )
    elif len(tasks.shared) >= LEAST_TASKS and tasks.fresh:
        yield Fact.of(FactKind.NEW_TASKS_IGNORED, fresh=len(tasks.fresh))
    usual = Settings().as_json()  # an older result does not name what could not be set
    for name in COMPARABLE:
        before, after = (one.settings.get(name, usual[name]) for one in (old, new))
        if before != after:
            values = {"before": str(before), "after": str(after)}
            yield Fact.of(FactKind.SETTINGS_DIFFER, name=name, **values)
    if _are_spaced_otherwise(old, new):
        yield Fact.of(FactKind.DISTANCES_DIFFER)
    gone = tuple(label for label in old.labels if label not in new.labels)
    come = tuple(label for label in new.labels if label not in old.labels)
    if gone:
        yield Fact.of(FactKind.LABELS_GONE, labels=gone)
    if come:
        yield Fact.of(FactKind.LABELS_NEW, labels=come)
