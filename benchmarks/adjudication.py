"""What the order of the queue saves, and whether the stop advice keeps its word.

    python -m benchmarks.adjudication [--documents 60] [--again 900] [--runs 1] [--only mixed]
                                      [--but adjacent] [--threshold 0.01]
    python -m benchmarks.adjudication --stops 100 [--documents 40] [--again 900]

Projects come from the shuffling tool, so the reference is known and a perfect adjudicator answers.
The adjudicator takes what the desk offers until the queue is empty, then the other sites, the
likeliest errors first. `--again` numbers corpora that nothing was tuned on; each run takes the
next number. With `--stops`, run follows run, each with its cells in a random order, until the desk
has said "enough" in so many projects.

Printed for each project: the decisions until at most 1 % (`--threshold`) of the spans are wrong, in
this order and in a random order of all sites (mean of 20); the area between the two curves of
errors left, as a share of random's, and the same for the order that the merge's confidences alone
give, with every tenth site drawn at random as in the queue; both again in seconds, with what the
desk takes for a decision on each kind of question; and whether the errors that are really left when
the desk says "enough" are inside its interval, whose ends the page rounds outwards to whole errors.
At the end the same for each cell, all its runs together.
"""

from __future__ import annotations

import argparse
import itertools
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.adjudicator import Truth, Walk, truth_of, walk
from benchmarks.gold.cells import CELLS, Cell
from benchmarks.gold.page import interval
from goldspan.engine import merge, score
from goldspan.engine.adjudication.order import SECONDS
from goldspan.engine.adjudication.site import Site, find_sites
from goldspan.engine.adjudication.stop import AUDIT_EVERY
from goldspan.plugin.adjudicate.docket import Docket
from goldspan.plugin.adjudicate.journal.ledger import Ledger

THRESHOLD = 0.01
KINDS = ("mixed", "one bad annotator", "adjacent", "nested", "correlated", "category", "position")
LIGHT = 0.1
SHUFFLES = 20


def cost_until(
    order: Iterable[str], truth: Truth, cost: Mapping[str, float], threshold: float = THRESHOLD
) -> float:
    """What the decisions cost that leave at most this share of the spans wrong, in this order."""
    left, total = len(truth.wrong), 0.0
    for site in order:
        if left <= threshold * truth.spans:
            break
        left -= site in truth.wrong
        total += cost[site]
    return total


def area(order: Iterable[str], truth: Truth, cost: Mapping[str, float]) -> float:
    """The errors left, summed over what all decisions cost."""
    left, total = len(truth.wrong), 0.0
    for site in order:
        total += left * cost[site]
        left -= site in truth.wrong
    return total


def by_confidence(sites: Sequence[Site], seed: int) -> list[str]:
    """The order that the merge's confidences alone give; nothing is known of what it left out.
    Every tenth site is drawn at random.
    """

    def sure(site: Site) -> float:
        return min((span.confidence for span in site.suggested), default=0.5)

    left = [site.id for site in sorted(sites, key=lambda site: (sure(site), site.id))]
    drawing = random.Random(seed)  # noqa: S311 - no secret
    found: list[str] = []
    while left:
        audit = len(found) % AUDIT_EVERY == AUDIT_EVERY - 1
        found.append(left.pop(drawing.randrange(len(left)) if audit else 0))
    return found


@dataclass(frozen=True, slots=True)
class Savings:
    """What the desk's order costs, in decisions or in seconds, beside other orders: until the
    threshold, and as areas under the curves of errors left. Those of several projects add up.
    """

    ordered: float = 0.0
    at_random: float = 0.0
    area: float = 0.0
    area_by_confidence: float = 0.0
    area_at_random: float = 0.0

    @property
    def ratio(self) -> float:
        """The cost until the threshold, as a share of a random order's."""
        return self.ordered / self.at_random if self.at_random else 0.0

    @property
    def gain(self) -> float:
        """The area that the desk's order saves, as a share of a random order's."""
        return 1 - self.area / self.area_at_random if self.area_at_random else 0.0

    @property
    def gain_by_confidence(self) -> float:
        return 1 - self.area_by_confidence / self.area_at_random if self.area_at_random else 0.0

    def __add__(self, other: Savings) -> Savings:
        return Savings(
            self.ordered + other.ordered,
            self.at_random + other.at_random,
            self.area + other.area,
            self.area_by_confidence + other.area_by_confidence,
            self.area_at_random + other.area_at_random,
        )

    def __str__(self) -> str:
        return (
            f"{self.ratio:.2f} of random's, area {self.gain:.3f}, by confidence "
            f"{self.gain_by_confidence:.3f}"
        )


def savings(
    order: Sequence[str], rival: Sequence[str], truth: Truth, cost: Mapping[str, float],
    threshold: float, seed: int,
) -> Savings:  # fmt: skip
    """What an order saves beside random ones, and the area of its rival."""
    orders = [random.Random(seed + at).sample(order, len(order)) for at in range(SHUFFLES)]  # noqa: S311
    return Savings(
        ordered=cost_until(order, truth, cost, threshold),
        at_random=sum(cost_until(one, truth, cost, threshold) for one in orders) / SHUFFLES,
        area=area(order, truth, cost),
        area_by_confidence=area(rival, truth, cost),
        area_at_random=sum(area(one, truth, cost) for one in orders) / SHUFFLES,
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """One project: what the order saves, and the stop."""

    cell: Cell
    threshold: float
    sites: int
    wrong: int
    decisions: Savings
    seconds: Savings
    walk: Walk

    def __str__(self) -> str:
        low, high = self.walk.interval
        said = "never"
        if self.walk.stopped is not None:
            inside = "inside" if self.walk.holds else "OUTSIDE"
            said = (
                f"at {self.walk.stopped}: {self.walk.left} left in {low:.1f}..{high:.1f}, {inside}"
            )
        return (
            f"{self.cell.name} ({self.cell.again}): {self.sites} sites, {self.wrong} wrong; "
            f"{self.threshold:.0%} after {self.decisions.ordered:.0f} decisions, "
            f"{self.decisions}; in seconds {self.seconds}; enough {said}"
        )


def run(cell: Cell, documents: int, threshold: float = THRESHOLD) -> Outcome:
    """Adjudicate one project."""
    reference, corpus = cell.corpora(documents)
    gold = merge(corpus, score(corpus))
    sites = find_sites(gold)
    truth = truth_of(sites, reference)
    docket = Docket(gold, Ledger())
    found = walk(docket, truth, cell.seed, threshold)
    rest = sorted(docket.undecided(), key=lambda name: (-docket.p(name), name))
    order, rival = [*found.order, *rest], by_confidence(sites, cell.seed)
    each = dict.fromkeys(order, 1.0)
    seconds = {site.id: SECONDS[site.kind] for site in sites}
    return Outcome(
        cell,
        threshold,
        sites=len(sites),
        wrong=len(truth.wrong),
        decisions=savings(order, rival, truth, each, threshold, cell.seed),
        seconds=savings(order, rival, truth, seconds, threshold, cell.seed),
        walk=found,
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adjudication")
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--again", type=int, default=900, help="number of the first corpus")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--stops", type=int, help="as many runs as bring so many stops")
    parser.add_argument("--threshold", type=float, default=THRESHOLD)
    parser.add_argument("--only", default="", help="cells whose name holds this")
    parser.add_argument("--but", default="nothing", help="cells whose name does not hold this")
    args = parser.parse_args()
    cells = [
        cell
        for cell in CELLS
        if cell.kind in KINDS and cell.n > 2
        if args.only in cell.name and args.but not in cell.name
    ]
    found: list[Outcome] = []
    for cell in _projects(cells, args.again, None if args.stops else args.runs):
        found.append(run(cell, args.documents, args.threshold))
        print(found[-1], flush=True)
        if args.stops and sum(one.walk.stopped is not None for one in found) >= args.stops:
            break
    _sum_up(found)


def _projects(cells: Sequence[Cell], again: int, runs: int | None) -> Iterator[Cell]:
    """The cells with the corpora of each run; without an end if no number of runs is given, and
    then each run in an order of its own, since it may be broken off.
    """
    for number in itertools.count(again) if runs is None else range(again, again + runs):
        own = random.Random(number).sample(cells, len(cells)) if runs is None else cells  # noqa: S311
        yield from (replace(cell, again=number) for cell in own)


def _sum_up(found: Sequence[Outcome]) -> None:
    by_cell: dict[str, list[Outcome]] = {}
    for one in found:
        by_cell.setdefault(one.cell.name, []).append(one)
    sums = [
        (
            own[0].cell,
            sum(one.wrong for one in own),
            sum((one.decisions for one in own), Savings()),
            sum((one.seconds for one in own), Savings()),
        )
        for own in by_cell.values()
    ]
    for cell, wrong, decisions, seconds in sums:
        print(
            f"{cell.name}: {wrong} wrong; {found[0].threshold:.0%} after {decisions}; "
            f"in seconds {seconds}"
        )
    for unit, pooled in (
        ("decisions", [(cell, decisions) for cell, _, decisions, _ in sums]),
        ("seconds", [(cell, seconds) for cell, _, _, seconds in sums]),
    ):
        light = [one for cell, one in pooled if cell.magnitude == LIGHT and one.at_random]
        known = [one for _, one in pooled if one.area_at_random]
        halved = sum(one.ratio <= 0.5 for one in light)
        larger = sum(one.gain > one.gain_by_confidence for one in known)
        print(
            f"m = {LIGHT}: at most half of random's {unit} in {halved} of {len(light)} cells; area "
            f"in {unit} larger than by confidence in {larger} of {len(known)}"
        )
    stopped = [one for one in found if one.walk.stopped is not None]
    _sum_up_stops("all", stopped)
    _sum_up_stops("with errors in the corpus", [one for one in stopped if one.wrong])
    _sum_up_stops("with errors left", [one for one in stopped if one.walk.left])
    print(f"{len(found) - len(stopped)} of {len(found)} projects came to no stop")


def _sum_up_stops(which: str, stopped: Sequence[Outcome]) -> None:
    if not stopped:
        return
    inside = sum(one.walk.holds for one in stopped)
    low, high = interval(inside / len(stopped), len(stopped))
    print(
        f"stops, {which}: truth inside the interval at {inside} of {len(stopped)} "
        f"(95 % interval of the share {low:.2f}..{high:.2f}), before rounding at "
        f"{sum(one.walk.holds_exactly for one in stopped)}"
    )


if __name__ == "__main__":
    main()
