"""How often `goldspan annotators` finds a planted weakness, and how often it finds one by chance.

    python -m benchmarks.annotators [--teams 20] [--seed 7000]

Teams of five annotators do 40 tasks of 8 spans. In one kind of team nobody has a weakness; in the
others the first annotator has one.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Mapping
from typing import TypeAlias

from goldspan.engine import Continuum, Corpus, Presence, Settings, Unit, score
from goldspan.engine.annotators.profile import Person
from goldspan.engine.annotators.profiling import profile
from goldspan.engine.annotators.worktime import WorkTime

Place: TypeAlias = tuple[int, int, str]
Weakness: TypeAlias = Callable[[random.Random, int, Place], Place | None]

TASKS, SPANS, PEOPLE = 40, 8, 5
LABELS = "XYZ"


def usual(rng: random.Random, hard: float, place: Place) -> Place | None:
    """Hard tasks are missed more often; labels and boundaries are wrong now and then."""
    start, end, label = place
    if rng.random() < 0.25 * hard:
        return None
    moves = (0, 0, 0, 0, 1, -1, 3, -3)
    if rng.random() < 0.1:
        label = rng.choice(LABELS)
    return start + rng.choice(moves), end + rng.choice(moves), label


WEAKNESSES: Mapping[str, Weakness] = {
    "none": lambda _rng, _task, place: place,
    "starts 1 early": lambda _rng, _task, place: (place[0] - 1, *place[1:]),
    "gives Y for 30 % of X": lambda rng, _task, place: (
        (*place[:2], "Y") if place[2] == "X" and rng.random() < 0.3 else place
    ),
    "misses 30 % of Z more": lambda rng, _task, place: (
        None if place[2] == "Z" and rng.random() < 0.3 else place
    ),
    "recall falls by 20 %": lambda rng, task, place: (
        None if task >= TASKS // 2 and rng.random() < 0.2 else place
    ),
}


def people(weakness: Weakness, seed: int) -> tuple[Person, ...]:
    """The profiles of one team."""
    rng = random.Random(seed)  # noqa: S311 - simulated annotators, not secrets
    names = [f"a{number}" for number in range(PEOPLE)]
    continua, times = [], {}
    for task in range(TASKS):
        hard = rng.random()
        truth = [
            (start, start + rng.randint(8, 20), rng.choice(LABELS))
            for start in range(20, 20 + 55 * SPANS, 55)
        ]
        units = []
        for name in names:
            for place in truth:
                found = usual(rng, hard, place)
                if found is not None and name == names[0]:
                    found = weakness(rng, task, found)
                if found is not None:
                    units.append(Unit(name, *found))
            if rng.random() < 0.3:
                start = rng.randint(480, 500)
                units.append(Unit(name, start, start + 9, "Z"))
            times[f"t{task}", name] = WorkTime(rng.lognormvariate(3, 0.3), 86_400.0 * task)
        presence = dict.fromkeys(names, Presence.DONE)
        continua.append(Continuum(f"t{task}", tuple(units), presence, length=600))
    corpus = Corpus(tuple(continua))
    result = score(corpus, settings=Settings(precision=0.5), pairs=False)
    return profile(corpus, result, times=times).people


def said(person: Person) -> tuple[bool, bool, bool]:
    """Whether something is said about rates, habits and changes."""
    found = person.gold
    if found is None:
        return False, False, False
    habits = [one for one in (found.start, found.end) if one is not None]
    drifts = [*found.drifts, *([person.speed.drift] if person.speed and person.speed.drift else [])]
    return (
        any(one.rate is not None for one in person.advice),
        any(one.is_clear for one in habits),
        any(one.is_clear for one in drifts),
    )


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--teams", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7000)
    args = parser.parse_args()
    print("| weakness of the first | of whom | rates | habits | changes |")
    print("|---|---|---|---|---|")
    for name, weakness in WEAKNESSES.items():
        teams = [people(weakness, args.seed + number) for number in range(args.teams)]
        firsts = [said(team[0]) for team in teams]
        others = [said(person) for team in teams for person in team[1:]]
        for who, rows in (("the first", firsts), ("the others", others)):
            cells = " | ".join(
                f"{sum(column)} of {len(rows)}" for column in zip(*rows, strict=True)
            )
            print(f"| {name} | {who} | {cells} |")


if __name__ == "__main__":
    main()
