"""What the order of the queue saves, and whether the stop advice keeps its word.

    python -m benchmarks.adjudication [--documents 60] [--again 900] [--runs 1] [--only mixed]
                                      [--but adjacent] [--threshold 0.01]

Projects come from the shuffling tool, so the reference is known and a perfect adjudicator answers.
The adjudicator takes what the desk offers until the queue is empty, then the other sites, the
likeliest errors first. `--again` numbers corpora that nothing was tuned on; each run takes the
next number.

Printed for each project: the decisions until at most 1 % (`--threshold`) of the spans are wrong, in
this order and in a random order of all sites (mean of 20); the area between the two curves of
errors left, as a share of random's, and the same for the order that the merge's confidences alone
give, with every tenth site drawn at random as in the queue; and whether the errors that are really
left when the desk says "enough" are inside its interval, whose ends the page rounds outwards to
whole errors. At the end the same for each cell, all its runs together.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from pathlib import Path

from benchmarks.gold.cells import CELLS, Cell
from goldspan.engine import merge, score
from goldspan.engine.adjudication.answer import Answer, answer, is_right
from goldspan.engine.adjudication.site import Site, find_sites
from goldspan.engine.adjudication.stop import AUDIT_EVERY
from goldspan.engine.gold.boundaries import overlap
from goldspan.engine.model import Corpus, Unit
from goldspan.plugin.adjudicate.desk import Desk, DeskSettings, open_desk
from goldspan.plugin.adjudicate.journal.event import Event, Op, Via
from goldspan.plugin.adjudicate.views import QueueQuery, Recorded, SiteView

THRESHOLD = 0.01
KINDS = ("mixed", "one bad annotator", "adjacent", "nested", "correlated", "category", "position")
LIGHT = 0.1
SHUFFLES = 20
FIRST = QueueQuery(limit=1)


@dataclass(frozen=True, slots=True)
class Truth:
    """What a perfect adjudicator answers at each site, and which suggestions are wrong."""

    answers: dict[str, Answer]
    wrong: frozenset[str]
    spans: int


def truth_of(sites: Sequence[Site], reference: Corpus) -> Truth:
    """What belongs to each site: the closest pairs of a span of the reference and a site come
    first, each once; a span that is left over belongs to the site that it overlaps most.
    """
    by_task: dict[str, list[Site]] = {}
    for site in sites:
        by_task.setdefault(site.task, []).append(site)
    own: dict[str, list[Unit]] = {site.id: [] for site in sites}
    total = 0
    for task in reference:
        total += len(task.units)
        pairs = sorted(
            (-shared, u, s)
            for u, unit in enumerate(task.units)
            for s, site in enumerate(by_task.get(task.id, ()))
            if (shared := _shared(site, unit)) > 0
        )
        placed: set[int] = set()
        for once in (True, False):
            for _, u, s in pairs:
                site = by_task[task.id][s]
                if u not in placed and not (once and own[site.id]):
                    own[site.id].append(task.units[u])
                    placed.add(u)
    answers = {
        name: answer((unit.start, unit.end, unit.category) for unit in units)
        for name, units in own.items()
    }
    wrong = frozenset(s.id for s in sites if not is_right(s.suggestion, answers[s.id]))
    return Truth(answers, wrong, total)


def _shared(site: Site, unit: Unit) -> float:
    """How much the best unit of a site shares with a span; the same label counts as half."""
    return max(
        shared + 0.5 * (one.category == unit.category)
        if (shared := overlap((one.start, one.end), (unit.start, unit.end))) > 0
        else 0.0
        for one in site.units
    )


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


@dataclass(frozen=True, slots=True)
class Walk:
    """An adjudication: the sites in the order decided, and what the desk said at its first stop."""

    order: tuple[str, ...]
    stopped: int | None = None
    interval: tuple[float, float] = (0.0, 0.0)
    left: int = 0

    @property
    def holds(self) -> bool:
        return floor(self.interval[0]) <= self.left <= ceil(self.interval[1])

    @property
    def holds_exactly(self) -> bool:
        """Whether the errors left are inside the interval as it was before it was rounded; its
        lower end is above 0 although none may be left.
        """
        return floor(self.interval[0]) <= self.left <= self.interval[1]


def walk(desk: Desk, truth: Truth) -> Walk:
    """Decide everything that the queue gives, in its order, and note the first "enough"."""
    order: list[str] = []
    stop: Walk | None = None
    left = len(truth.wrong)
    while (site := _next(desk)) is not None:
        event = Event(
            id=f"event-{len(order):08}", op=Op.SETTLE, site=site.id, spans=truth.answers[site.id],
            base=site.base, via=Via(site.via),
        )  # fmt: skip
        reply = desk.record(event, query=FIRST)
        if not isinstance(reply, Recorded):
            raise SystemExit(f"the desk refused an answer: {reply.say}")
        order.append(site.id)
        left -= site.id in truth.wrong
        if stop is None and reply.stop.state == "enough":
            low, high = reply.stop.low or 0.0, reply.stop.high or 0.0
            stop = Walk((), len(order), (low, high), left)
    return replace(stop or Walk(()), order=tuple(order))


def _next(desk: Desk) -> SiteView | None:
    queue = desk.queue(FIRST)
    items = getattr(queue, "items", ())
    shown = desk.site(items[0].id) if items else None
    return shown if isinstance(shown, SiteView) else None


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
    with tempfile.TemporaryDirectory() as folder:
        settings = DeskSettings("ana", seed=cell.seed, threshold=threshold)
        desk = open_desk(gold, Path(folder), settings)
        found = walk(desk, truth)
        rest = sorted(desk.docket.undecided(), key=lambda name: (-desk.docket.p(name), name))
        desk.close()
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
    found = []
    for number in range(args.runs):
        for cell in cells:
            found.append(
                run(replace(cell, again=args.again + number), args.documents, args.threshold)
            )
            print(found[-1], flush=True)
    _sum_up(found)


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
    stopped = [one.walk for one in found if one.walk.stopped is not None]
    print(
        f"m = {LIGHT}: at most half of random's decisions in {halved} of {light} cells; area "
        f"larger than by confidence in {larger} of {known}; truth inside the interval at "
        f"{sum(one.holds for one in stopped)} of {len(stopped)} stops, before rounding at "
        f"{sum(one.holds_exactly for one in stopped)}; errors left at "
        f"{sum(one.left > 0 for one in stopped)} of them"
    )


if __name__ == "__main__":
    main()
