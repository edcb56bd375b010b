"""Results that are made from columns say what the values of each alignment say."""

from __future__ import annotations

import pickle
import random

import pytest

from goldspan.engine import Continuum, Corpus, Presence, Result, Unit, differences, score
from goldspan.engine.alignment.batch import unitaries
from goldspan.engine.coefficient import difference_columns
from goldspan.engine.coefficient.base import figures, observe_tasks
from goldspan.engine.disagreement import Difference, summarise, summarise_by
from goldspan.engine.dissimilarity import Ordinal
from goldspan.engine.result import TaskResult
from goldspan.engine.task_results import together


def scored(seed: int, *, pairs: bool = False, **settings: object) -> Result:
    """Tasks with nested, split and lone units, and with two to four annotators."""
    rng = random.Random(seed)
    return score(
        Corpus(tuple(_task(rng, number) for number in range(rng.randint(5, 9)))),
        seed=seed,
        precision=0.5,
        pairs=pairs,
        **settings,  # type: ignore[arg-type]
    )


def _task(rng: random.Random, number: int) -> Continuum:
    names = rng.sample("ABCD", rng.randint(2, 4))
    units = []
    for name in names:
        for _ in range(rng.randint(0, 6)):
            start, length = rng.randint(0, 30), rng.choice((1, 2, 3, 5, 12))
            one = Unit(name, start, start + length, rng.choice("xyz"))
            units.append(one)
            if length > 3:  # another annotator has two pieces of it
                other = rng.choice(names)
                middle = start + length // 2
                units.append(Unit(other, start, middle, one.category))
                units.append(Unit(other, middle, start + length, one.category))
    return Continuum(f"task {number}", tuple(set(units)), dict.fromkeys(names, Presence.DONE), 60)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("settings", [{}, {"alpha": 2.0, "distances": Ordinal(("x", "y", "z"))}])
def test_differences_of_tasks_are_those_of_their_alignments(
    seed: int, settings: dict[str, object]
) -> None:
    result = scored(seed, **settings)
    found: list[Difference] = []
    for task in result.tasks.values():
        own = tuple(differences(task.alignment, result.settings.dissimilarity))
        assert task.differences == own
        assert task.disagreements == summarise(own)
        plain = pickle.loads(pickle.dumps(task))  # noqa: S301 - our own bytes
        assert type(plain) is TaskResult
        assert list(task.costs_of_pairs.items()) == list(plain.costs_of_pairs.items())
        assert type(task.differences[0].disorder) is float if own else True
        found += own
    assert result.disagreements == summarise(found)
    assert result.disagreements_by_label == dict(
        sorted(summarise_by(found, lambda one: one.categories).items())
    )


def test_differences_of_pairs_are_those_of_their_alignments() -> None:
    result = scored(2, pairs=True)
    found = [one for task in result.tasks.values() for one in task.differences]
    by_pair = summarise_by(found, lambda one: (one.annotators,))
    assert len(result.pairs) == 6
    for pair in result.pairs:
        assert pair.disagreements == by_pair.get(pair.annotators, summarise(()))


def test_a_corpus_in_several_stretches_has_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = scored(3, pairs=True)
    document = whole.as_json()
    for module in (unitaries, difference_columns):
        monkeypatch.setattr(module, "UNITS_AT_ONCE", 7)
    stretches = list(unitaries.stretches(whole.tasks.observations.columns.begin))  # type: ignore[attr-defined]
    assert len(stretches) > 2
    assert scored(3, pairs=True).as_json() == document


def test_some_of_these_units_are_left_over_because_of_a_split() -> None:
    kinds = [scored(seed).disagreements["split"].count for seed in range(4)]
    assert min(kinds) > 0


def test_what_is_made_for_a_task_is_what_its_alignment_says() -> None:
    for task in scored(3).tasks.values():
        assert task.observed_disorder == task.alignment.disorder
        assert task.lower_bound == task.alignment.lower_bound
        assert task.optimal == task.alignment.optimal
        assert task.n_unitary == len(task.alignment.unitary)
        assert task.gamma == task.figures["gamma", ""]
        assert task.figure(("gamma_cat", "")) == task.gamma_cat
        assert task.figure(("gamma_k", "nobody's")) is None
        assert task.n_units == sum(len(one.units) for one in task.alignment.unitary)


def test_a_result_that_travels_arrives_as_plain_values() -> None:
    result = scored(1)
    there = pickle.loads(pickle.dumps(result))  # noqa: S301 - our own bytes
    assert there.tasks == result.tasks
    assert there.as_json() == result.as_json()
    one, other = (result.tasks[name] for name in list(result.tasks)[:2])
    assert one != other
    assert one == there.tasks[one.id]


@pytest.mark.parametrize("seed", range(8))
def test_results_that_are_made_together_are_those_made_one_by_one(seed: int) -> None:
    result = scored(seed, coefficients=["alpha", "f1"])
    plain = dict(result.tasks)
    for size in (1, 3, 100):
        made = [task for some in together(result.tasks, size) for task in some]
        assert made == list(plain.values()) == list(result.tasks.values())
        assert [list(task.figures) for task in made] == [
            list(task.figures) for task in plain.values()
        ]
        assert made == [task for some in together(plain, size) for task in some]


@pytest.mark.parametrize("seed", range(8))
def test_the_figures_of_a_task_are_those_of_a_corpus_of_this_task(seed: int) -> None:
    result = scored(seed)
    measured = result.tasks.measured  # type: ignore[attr-defined]
    scheme = measured.observations.scheme
    for at, task in enumerate(result.tasks.values()):
        alone = [measured[at]]
        observed = observe_tasks(result.coefficients, alone, scheme)
        assert task.figures == figures(result.coefficients, observed, alone, scheme)


@pytest.mark.parametrize("seed", range(4))
def test_a_value_that_is_known_without_its_interval_is_that_of_the_figure(seed: int) -> None:
    """Tasks of few units, tasks that are long enough for an interval, and tasks without a value."""
    rng = random.Random(seed)
    short = [_task(rng, number) for number in range(8)]
    long = [
        _long_task(rng, f"long {number}", share) for number, share in enumerate((0.0, 0.3, 1.0))
    ]
    result = score(Corpus((*short, *long)), seed=seed, precision=0.5, pairs=False)
    plain = pickle.loads(pickle.dumps(result))  # noqa: S301 - our own bytes
    assert plain.tasks["long 1"].gamma.low is not None
    keys = {key for task in plain.tasks.values() for key in task.figures}
    for name, task in plain.tasks.items():
        made = result.tasks[name]
        assert {key: made.value(key) for key in keys} == {key: task.value(key) for key in keys}
        assert made.labels_of("gamma_k") == task.labels_of("gamma_k") == tuple(task.gamma_k)


def _long_task(rng: random.Random, name: str, other: float) -> Continuum:
    """Three annotators mark the same places; such a share of the labels is another one."""
    units = tuple(
        Unit(who, 10 * at, 10 * at + 7, "y" if rng.random() < other else "x")
        for who in "ABC"
        for at in range(120)
    )
    return Continuum(name, units, length=1200)
