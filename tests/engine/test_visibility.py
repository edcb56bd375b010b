"""Visibility: the formulas of the crowd's model written out, and what it finds in crowds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldspan.engine import (
    Continuum,
    Corpus,
    Gold,
    Measure,
    Presence,
    Unit,
    best_alignment,
    merge,
    score,
)
from goldspan.engine.facts import FactKind
from goldspan.engine.gold.sites import Ballot, find_sites
from goldspan.engine.gold.visibility import LEVELS, Floats, Skills, arrange, expect, learn
from goldspan.engine.gold.workers import is_crowd, judge_crowd, least_probability
from goldspan.engine.simulation.reference import Blueprint
from goldspan.engine.simulation.shuffle import Errors, shuffle

NAMES = ("a", "b", "c", "d", "e", "f")
CATEGORIES = ("X", "Y", "Z")


def ballot(marks: Mapping[str, str], seen: Sequence[str]) -> Ballot:
    return tuple(seen), tuple(said for name in sorted(marks) for said in (name, marks[name]))


BALLOTS = st.lists(
    st.tuples(
        st.sets(st.sampled_from(NAMES), min_size=3, max_size=5),
        st.dictionaries(st.sampled_from(NAMES), st.sampled_from(CATEGORIES), min_size=1),
    ).map(lambda one: ballot({n: y for n, y in one[1].items() if n in one[0]}, sorted(one[0]))),
    min_size=1,
    max_size=8,
    unique=True,
).map(lambda found: [one for one in found if one[1]])


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


@settings(max_examples=40)
@given(BALLOTS, st.integers(0, 100))
def test_probabilities_follow_the_formulas(ballots: list[Ballot], seed: int) -> None:
    if not ballots:
        return
    votes = arrange(dict.fromkeys(ballots, 1), NAMES, CATEGORIES)
    rng = np.random.default_rng(seed)
    prior, _ = learn(arrange({ballot({"a": "X"}, NAMES): 1}, NAMES, CATEGORIES))
    skills = replace(
        prior,
        recall=rng.normal(1, 1, (6, 3)),
        confusion=rng.uniform(1, 9, (6, 3, 3)),
        attracted=rng.uniform(0.05, 0.4, 6),
        wrong_label=rng.dirichlet((1, 1, 1), 6),
    )
    found = expect(votes, skills)
    for at, (seen, marks) in enumerate(ballots):
        real, spurious = by_hand(skills, seen, dict(zip(marks[::2], marks[1::2], strict=True)))
        total = sum(real.values()) + spurious
        assert found.spurious[at] == pytest.approx(spurious / total)
        for z, level in product(range(3), range(len(LEVELS))):
            expected = real[z, level] / total
            assert found.candidates[at * 3 + z, level] == pytest.approx(expected)


def by_hand(
    s: Skills, seen: Sequence[str], marks: Mapping[str, str]
) -> tuple[dict[tuple[int, int], float], float]:
    """The module's formulas."""
    real = {}
    for z, level in product(range(3), range(len(LEVELS))):
        p, missed = s.real * s.prevalence[z] * s.levels[level], 1.0
        for name in seen:
            i = NAMES.index(name)
            sees = sigmoid(s.recall[i, z] + LEVELS[level])
            missed *= 1 - sees
            if name in marks:
                row = s.confusion[i, z]
                p *= sees * row[CATEGORIES.index(marks[name])] / row.sum()
            else:
                p *= 1 - sees
        real[z, level] = p / (1 - min(missed, 0.99))
    p, missed = 1 - s.real, 1.0
    for name in seen:
        i = NAMES.index(name)
        tempted = s.attracted[i]
        missed *= 1 - tempted
        if name in marks:
            p *= tempted * s.wrong_label[i, CATEGORIES.index(marks[name])]
        else:
            p *= 1 - tempted
    return real, p / (1 - missed)


def crowd(
    tasks: int = 80,
    workers: int = 12,
    each: int = 4,
    seed: int = 1,
    measure: Measure = Measure.CHARACTER,
) -> tuple[Corpus, Corpus]:
    """A reference, and the work of unequal workers: the first ones good, the last ones bad."""
    reference = Blueprint(units=6, gaps=(30, 90), measure=measure).corpus(tasks, seed)
    rng = np.random.default_rng(seed)
    made = []
    for one in reference.continua:
        chosen = sorted(rng.choice(workers, each, replace=False).tolist())
        errors = {f"w{at:02d}": worker(at / (workers - 1)) for at in chosen}
        made.append(shuffle(one, errors, rng))
    return reference, replace(reference, continua=tuple(made))


def worker(badness: float) -> Errors:
    return Errors(
        position=0.15 * badness, category=0.6 * badness, false_negatives=0.05 + 0.6 * badness,
        false_positives=0.6 * badness, shift=2, extra=1,
    )  # fmt: skip


def merged(corpus: Corpus) -> Gold:
    return merge(corpus, score(corpus, precision=0.9, pairs=False, chance="statistical"))


def shown(gold: Gold) -> dict[str, list[tuple[object, ...]]]:
    return {
        task: [(s.start, s.end, s.category, round(s.confidence, 6)) for s in spans]
        for task, spans in gold.spans.items()
    }


def renamed(corpus: Corpus, names: Mapping[str, str]) -> Corpus:
    return replace(
        corpus,
        continua=tuple(
            Continuum(
                c.id,
                tuple(replace(u, annotator=names[u.annotator]) for u in c.units),
                {names[name]: state for name, state in c.presence.items()},
                c.length,
                c.measure,
            )
            for c in corpus.continua
        ),
    )


def test_names_of_workers_and_the_order_of_tasks_change_nothing() -> None:
    _, corpus = crowd(40)
    names = corpus.annotators
    other = renamed(corpus, dict(zip(names, reversed(names), strict=True)))
    other = replace(other, continua=tuple(reversed(other.continua)))
    one, two = merged(corpus), merged(other)
    assert one.provenance.model is not None
    assert one.provenance.model.kind is FactKind.MODEL_CROWD
    assert shown(one) == shown(two)


def test_who_saw_nothing_changes_nothing() -> None:
    _, corpus = crowd(40)
    absent = {f"absent-{at}": Presence.UNSEEN for at in range(30)}
    other = replace(
        corpus,
        continua=tuple(replace(c, presence={**c.presence, **absent}) for c in corpus.continua),
    )
    assert shown(merged(corpus)) == shown(merged(other))


@pytest.mark.parametrize("measure", [Measure.CHARACTER, Measure.MILLISECOND])
def test_a_crowd_that_agrees_gets_what_it_drew(measure: Measure) -> None:
    reference, corpus = crowd(40, measure=measure)
    made = []
    for right, task in zip(reference.continua, corpus.continua, strict=True):
        units = tuple(
            Unit(name, u.start, u.end, u.category) for name in task.annotators for u in right.units
        )
        made.append(replace(task, units=units))
    gold = merged(replace(corpus, continua=tuple(made)))
    for right in reference.continua:
        found = [(s.start, s.end, s.category) for s in gold.spans[right.id]]
        assert found == sorted((u.start, u.end, u.category) for u in right.units)
        assert all(s.confidence > 0.9 for s in gold.spans[right.id])


def test_skills_come_near_the_truth() -> None:
    _, corpus = crowd(150)
    found = merged(corpus).provenance.reliabilities
    recalls = [1 - worker(at / 11).false_negatives for at in range(12)]
    mean = sum(own["recall"] for own in found.values()) / 12
    assert mean == pytest.approx(sum(recalls) / 12, abs=0.05)
    for at, name in enumerate(sorted(found)):
        errors = worker(at / 11)
        own = found[name]
        assert own["recall"] == pytest.approx(recalls[at], abs=0.16)
        assert own["accuracy"] == pytest.approx(1 - 0.75 * errors.category**2, abs=0.1)
        # All places are equally easy to see here, so some of what is invented passes for real.
        assert own["spurious"] == pytest.approx(6 * errors.false_positives, rel=0.3, abs=0.2)


def test_two_good_workers_outweigh_three_bad_ones() -> None:
    _, corpus = crowd(150, workers=12, each=5)
    good, bad = ("w00", "w01"), ("w09", "w10", "w11")
    seen = {c.id: c.annotators for c in corpus.continua}
    counts: dict[Ballot, int] = {}
    for c in corpus.continua:
        for site in find_sites(c.id, best_alignment(c)):
            counts[site.ballot] = counts.get(site.ballot, 0) + 1
    by_good, by_bad = (ballot(dict.fromkeys(who, "A"), good + bad) for who in (good, bad))
    counts |= {by_good: counts.get(by_good, 0) + 1, by_bad: counts.get(by_bad, 0) + 1}
    odds = judge_crowd(counts, seen, corpus.categories).odds
    assert odds[by_good].exists > 0.9 > odds[by_bad].exists


def test_the_least_probability_is_the_one_of_the_greatest_expected_f1() -> None:
    """Against all thresholds that there are, for any sites."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        likely = rng.beta(0.8, 0.6, 30)
        count = rng.integers(1, 5, 30).astype(np.float64)
        wanted = float(count @ likely) * float(rng.uniform(1, 1.3))

        def expected(
            least: float, likely: Floats = likely, count: Floats = count, wanted: float = wanted
        ) -> float:
            proposed = count * (likely >= least)
            return 2 * float(proposed @ likely) / (float(proposed.sum()) + wanted)

        best = max(expected(least) for least in [*likely, 0.0])
        found = least_probability(likely, count, wanted)
        assert 1 / 3 <= round(found, 8) <= 0.5
        if best / 2 > 1 / 3:
            assert expected(found) == pytest.approx(best)
            assert found == pytest.approx(best / 2)
        else:
            assert found == pytest.approx(1 / 3)


def test_lone_marks_of_a_crowd_that_misses_much_are_suggested() -> None:
    """Nobody invents anything; each finds a third of what is there, of which some is hard to see.
    One mark alone is then most likely right, and less sure than several.
    """
    reference = Blueprint(units=6, gaps=(30, 90)).corpus(120, 5)
    rng = np.random.default_rng(5)
    made = []
    for one in reference.continua:
        names = [f"w{at:02d}" for at in sorted(rng.choice(20, 5, replace=False).tolist())]
        easy = {unit: 1 / (1 + math.exp(0.8 - rng.normal(0, 1.2))) for unit in one.units}
        units = tuple(
            replace(unit, annotator=name)
            for name in names
            for unit in one.units
            if rng.random() < easy[unit]
        )
        made.append(replace(one, units=units, presence=dict.fromkeys(names, Presence.DONE)))
    gold = merged(replace(reference, continua=tuple(made)))
    marked = [len({(u.start, u.end, u.category) for u in c.units}) for c in made]
    suggested = sum(len(own) for own in gold.spans.values())
    assert suggested > 0.9 * sum(marked)
    assert float(gold.provenance.parameters["least_probability"]) < 0.5
    alone = [s.confidence for own in gold.spans.values() for s in own if len(s.votes) == 1]
    shared = [s.confidence for own in gold.spans.values() for s in own if len(s.votes) > 2]
    assert np.mean(alone) < 0.87 < np.mean(shared)


def test_what_is_a_crowd() -> None:
    team = {"t": NAMES[:3], "u": NAMES[:3]}
    assert not is_crowd(team)
    assert not is_crowd(team | {"v": NAMES[1:4]})
    assert is_crowd(team | {"v": NAMES[3:6]})


def test_few_sites_of_a_crowd_are_put_to_the_vote() -> None:
    _, corpus = crowd(4)
    model = merged(corpus).provenance.model
    assert model is not None
    assert model.kind is FactKind.MODEL_VOTES


def test_one_category_and_only_given_categories(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [({"a": "X", "b": "X"}, 30), ({"c": "X"}, 20), ({"d": "X", "e": "X", "f": "X"}, 40)]
    ballots = {ballot(marks, NAMES): count for marks, count in rows}
    one = judge_crowd(ballots, {"t": NAMES}, ("X",))
    assert all(odds.categories == {"X": pytest.approx(1.0)} for odds in one.odds.values())
    several = {**ballots, ballot({"a": "Y", "b": "Y", "c": "X"}, NAMES): 30}
    every = judge_crowd(several, {"t": NAMES}, CATEGORIES)
    monkeypatch.setattr("goldspan.engine.gold.visibility.MOST_CANDIDATES", 0)
    given_ones = judge_crowd(several, {"t": NAMES}, CATEGORIES)
    for own in several:
        likely = max(every.odds[own].categories, key=lambda c: every.odds[own].categories[c])
        assert given_ones.odds[own].categories[likely] >= every.odds[own].categories[likely]
        assert sum(given_ones.odds[own].categories.values()) == pytest.approx(1.0)
