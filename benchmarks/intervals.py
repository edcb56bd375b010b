"""How often the 95 % intervals over tasks contain the value of the population.

python -m benchmarks.intervals

Rounds of 5 to 50 tasks are drawn from the populations of `benchmarks.planning`, and their intervals
are made as `score` makes them: t on the log scale, and the bootstrap. Chance is measured once for
each population, so its sampling error has no part in it. Rounds in which nobody differs have no
interval and are not counted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.planning import KEYS, POPULATIONS, PRECISION
from goldspan.engine import score
from goldspan.engine.coefficient.resampling import IntervalMethod, Sums, interval_of, ratio_value
from goldspan.engine.planning import pilot_of

if TYPE_CHECKING:
    from goldspan.engine.planning.pilot import Floats

SIZES = (5, 10, 20, 50)
ROUNDS = {False: 2000, True: 500}
"""How many rounds are drawn; fewer for the bootstrap, which takes longer."""


def share_covered(pool: Floats, size: int, *, bootstrap: bool) -> float:
    """In which share of rounds of this many tasks the interval contains the pool's value."""
    rng = np.random.default_rng(5)
    total = pool.sum(axis=0)
    true = 1 - total[0] / total[1]
    covered = []
    for number in range(ROUNDS[bootstrap]):
        rows = pool[rng.integers(len(pool), size=size)]
        if not rows[:, 0].sum():
            continue
        method = IntervalMethod(bootstrap=bootstrap, seed=number)
        single = Sums(tuple(rows[0].tolist()), 1)
        ends = interval_of(rows, 0.0, single, ratio_value, method, is_ratio=True)
        if ends.low is not None and ends.high is not None:
            covered.append(ends.low <= true <= ends.high)
    return float(np.mean(covered))


def table() -> Iterator[str]:
    """A line for each population, figure and method."""
    yield f"| population | figure | method | {' | '.join(f'{size} tasks' for size in SIZES)} |"
    yield "|---|---|---|" + "---|" * len(SIZES)
    for one in POPULATIONS:
        result = score(one.corpus(), pairs=False, precision=PRECISION)
        for name, key in KEYS.items():
            rows = pilot_of(result, key).rows
            pool = rows[rows[:, 1] > 0]
            for bootstrap in ROUNDS:
                shares = [share_covered(pool, size, bootstrap=bootstrap) for size in SIZES]
                shown = " | ".join(f"{share:.0%}" for share in shares)
                method = "bootstrap" if bootstrap else "log scale"
                yield f"| {one.words} | {name} | {method} | {shown} |"


def main() -> None:
    """Print the table."""
    for line in table():
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
