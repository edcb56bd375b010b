"""Invariance: what names and order cannot change. Figures depend on units and lengths alone."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.continua import continuum
from engine.test_scoring import corpus
from goldspan.engine import Continuum, Corpus, Measure, Presence, Result, Unit, score
from goldspan.engine.facts import ReasonKind
from strategies import continua

CHANCE = st.sampled_from(["auto", "shift", "statistical"])


def renamed(
    data: Corpus, people: dict[str, str], tasks: dict[str, str], random: Random | None = None
) -> Corpus:
    """The same corpus with other names, and in another order."""
    made = []
    for c in data.continua:
        units = [Unit(people[u.annotator], u.start, u.end, u.category) for u in c.units]
        presence = {people[name]: state for name, state in c.presence.items()}
        made.append(Continuum(tasks[c.id], tuple(units), presence, c.length, c.measure, c.text))
    if random is not None:
        random.shuffle(made)
    return Corpus(tuple(made), data.scale)


def figures(result: Result, people: dict[str, str], tasks: dict[str, str]) -> Any:
    """Everything in the JSON of a result, with the names translated and in their order."""
    found = json.loads(json.dumps(result.as_json()))
    for task in found["tasks"]:
        task["id"] = tasks[task["id"]]
        task["annotators"] = sorted(people[name] for name in task["annotators"])
        for one in task["alignment"]:
            one["units"] = {people[name]: unit for name, unit in one["units"].items()}
    for pair in found["pairs"]:
        pair["annotators"] = sorted(people[name] for name in pair["annotators"])
    for annotator in found["annotators"]:
        annotator["name"] = people[annotator["name"]]
    for one in found["excluded"]:
        one["task"] = tasks[one["task"]]
    found["tasks"].sort(key=lambda task: task["id"])
    found["pairs"].sort(key=lambda pair: pair["annotators"])
    found["annotators"].sort(key=lambda annotator: annotator["name"])
    found["excluded"].sort(key=lambda one: one["task"])
    return _without_names_in_reasons(found)


def _without_names_in_reasons(found: Any) -> Any:
    """A reason may name an annotator; that is not a figure."""
    if isinstance(found, dict):
        if found.get("reason_code") == ReasonKind.ONE_USER.code:
            found = found | {"reason": "only one used it", "reason_parameters": {}}
        return {key: _without_names_in_reasons(value) for key, value in found.items()}
    return [_without_names_in_reasons(one) for one in found] if isinstance(found, list) else found


def check(data: Corpus, seed: int, **options: Any) -> None:
    random = Random(seed)
    names = sorted({name for c in data.continua for name in c.presence})
    people = dict(zip(names, random.sample([f"p{k}" for k in range(99)], len(names)), strict=True))
    ids = [c.id for c in data.continua]
    tasks = dict(zip(ids, random.sample([f"t{k}" for k in range(99)], len(ids)), strict=True))
    same = {name: name for name in (*people.values(), *tasks.values())}
    one = score(data, **options)
    other = score(renamed(data, people, tasks, random), **options)
    assert figures(one, people, tasks) == figures(other, same, same)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32), CHANCE, st.booleans())
def test_names_and_order_change_no_figure(seed: int, chance: str, bootstrap: bool) -> None:
    data = corpus(seed=seed % 97, tasks=5, annotators=3, units=4, noise=0.6)
    check(data, seed, chance=chance, bootstrap=bootstrap, precision=0.2)


@settings(max_examples=12, deadline=None)
@given(
    st.lists(
        continua(
            categories=st.sampled_from("xy"),
            presences=(Presence.DONE,),
            measure=Measure.STEP,
            with_text=False,
            length=12,
            unmeasured=True,
        ),
        min_size=1,
        max_size=4,
    ).filter(lambda tasks: any(c.units for c in tasks)),
    st.integers(0, 2**32),
)
def test_names_decide_no_tie(tasks: list[Continuum], seed: int) -> None:
    """Many units at few places: there are equally good alignments, and one is taken."""
    data = tuple(
        Continuum(f"t{k}", c.units, c.presence, c.length, c.measure) for k, c in enumerate(tasks)
    )
    check(Corpus(data), seed, precision=0.5)


def test_ids_of_equal_checksum_do_not_share_chance() -> None:
    """The CRC-32 of 'plumless' and 'buckeroo' is the same."""
    dense = [(a, 10 * k + ("ab".index(a)), 10 * k + 4, "xy"[k % 2]) for k in range(9) for a in "ab"]
    sparse = [("a", 3, 30, "x"), ("b", 55, 80, "x"), ("b", 100, 110, "y")]

    def gammas(*names: str) -> list[float | None]:
        tasks = [
            continuum(*rows, length=400, task=name)
            for rows, name in zip((dense, sparse), names, strict=True)
        ]
        found = score(Corpus(tuple(tasks)), chance="shift", precision=0.3, pairs=False)
        return [found.tasks[name].gamma.value for name in names]

    assert gammas("plumless", "buckeroo") == gammas("one", "two")


@pytest.mark.parametrize("scale", [1000, 0.04, 1 / 3])
def test_scale_changes_next_to_nothing(scale: float) -> None:
    data = corpus(tasks=4)
    scaled = [
        Continuum(
            c.id,
            tuple(Unit(u.annotator, u.start * scale, u.end * scale, u.category) for u in c.units),
            c.presence,
            None if c.length is None else c.length * scale,
        )
        for c in data.continua
    ]
    one, other = score(data, pairs=False), score(Corpus(tuple(scaled)), pairs=False)
    assert one.gamma.value == pytest.approx(other.gamma.value, abs=1e-6)
    assert one.gamma_cat.value == pytest.approx(other.gamma_cat.value, abs=1e-6)
