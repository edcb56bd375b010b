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
give, with every tenth site drawn at random as in the queue; and whether the errors that are really
left when the desk says "enough" are inside its interval, whose ends the page rounds outwards to
whole errors. At the end the same for each cell, all its runs together.
"""

from __future__ import annotations

import argparse
import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.adjudicator import Truth, Walk, truth_of, walk
from benchmarks.gold.cells import CELLS, Cell
from benchmarks.gold.page import interval
from goldspan.engine import merge, score
from goldspan.engine.adjudication.site import Site, find_sites
from goldspan.engine.adjudication.stop import AUDIT_EVERY
from goldspan.plugin.adjudicate.docket import Docket
from goldspan.plugin.adjudicate.journal.ledger import Ledger

THRESHOLD = 0.01
KINDS = ("mixed", "one bad annotator", "adjacent", "nested", "correlated", "category", "position")
LIGHT = 0.1
SHUFFLES = 20


def decisions_until(order: Iterable[str], truth: Truth, threshold: float = THRESHOLD) -> int:
    """How many decisions in this order leave at most this share of the spans wrong."""
    left = len(truth.wrong)
    for count, site in enumerate(order):
        if left <= threshold * truth.spans:
            return count
        left -= site in truth.wrong
    return len(truth.answers)


def area(order: Sequence[str], truth: Truth) -> float:
    """The errors left, summed over all decisions."""
    left, total = len(truth.wrong), 0
    for site in order:
        total += left
        left -= site in truth.wrong
    return float(total)


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
class Areas:
    """Under the curves of errors left: of the desk's order, the confidences' and a random one."""

    ordered: float
    by_confidence: float
    at_random: float

    @property
    def gain(self) -> float:
        """What the desk's order saves of random's."""
        return 1 - self.ordered / self.at_random if self.at_random else 0.0

    @property
    def gain_by_confidence(self) -> float:
        return 1 - self.by_confidence / self.at_random if self.at_random else 0.0

    def __add__(self, other: Areas) -> Areas:
        return Areas(
            self.ordered + other.ordered,
            self.by_confidence + other.by_confidence,
            self.at_random + other.at_random,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """One project: decisions to the threshold, the areas, and the stop."""

    cell: Cell
    threshold: float
    sites: int
    wrong: int
    ordered: int
    at_random: float
    areas: Areas
    walk: Walk

    @property
    def ratio(self) -> float:
        return self.ordered / self.at_random if self.at_random else 0.0

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
            f"{self.threshold:.0%} after {self.ordered} : {self.at_random:.0f} = {self.ratio:.2f}; "
            f"area {self.areas.gain:.3f}, by confidence "
            f"{self.areas.gain_by_confidence:.3f}; enough {said}"
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
    order = [*found.order, *rest]
    orders = [random.Random(cell.seed + at).sample(order, len(order)) for at in range(SHUFFLES)]  # noqa: S311
    chance = sum(area(one, truth) for one in orders) / SHUFFLES
    return Outcome(
        cell,
        threshold,
        sites=len(sites),
        wrong=len(truth.wrong),
        ordered=decisions_until(order, truth, threshold),
        at_random=sum(decisions_until(one, truth, threshold) for one in orders) / SHUFFLES,
        areas=Areas(area(order, truth), area(by_confidence(sites, cell.seed), truth), chance),
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
    larger = halved = light = known = 0
    for name, own in by_cell.items():
        areas = sum((one.areas for one in own), Areas(0, 0, 0))
        ordered, at_random = sum(one.ordered for one in own), sum(one.at_random for one in own)
        ratio = ordered / at_random if at_random else 0.0
        known += bool(areas.at_random)
        larger += areas.ordered < areas.by_confidence
        if own[0].cell.magnitude == LIGHT and at_random:
            light += 1
            halved += ratio <= 0.5
        print(
            f"{name}: {sum(one.wrong for one in own)} wrong; {found[0].threshold:.0%} after "
            f"{ratio:.2f} of random's decisions; area {areas.gain:.3f}, by confidence "
            f"{areas.gain_by_confidence:.3f}"
        )
    print(
        f"m = {LIGHT}: at most half of random's decisions in {halved} of {light} cells; area "
        f"larger than by confidence in {larger} of {known}"
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
