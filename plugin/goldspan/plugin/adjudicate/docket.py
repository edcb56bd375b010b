"""Docket: every site with what the journals say of it, and how likely its suggestion is wrong.

The docket is a function of the gold and the journals. An answer whose site is gone, because an
annotation changed there, is shown at the sites that took its place, which are open again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.adjudication.answer import is_right
from goldspan.engine.adjudication.odds import SiteModel, features, fit_sites
from goldspan.engine.adjudication.order import rank, usual_seconds
from goldspan.engine.adjudication.site import Site, find_sites, site_id, task_digest
from goldspan.engine.adjudication.stop import AUDIT_EVERY, LEAST_JUDGED
from goldspan.plugin.adjudicate.journal.event import How, Via
from goldspan.plugin.adjudicate.journal.ledger import Given, Ledger, Mark, State

if TYPE_CHECKING:
    from goldspan.engine.adjudication.odds import Floats
    from goldspan.engine.gold.gold import Gold, Question

NEXT = AUDIT_EVERY
"""A place on which all agree is in the queue if it would be among the next so many: those that are
decided until the model is fitted again.
"""


@dataclass(frozen=True, slots=True)
class Weights:
    """What an error costs: `length` counts it by its length, `labels` by its label."""

    length: bool = False
    labels: Mapping[str, float] | None = None

    def effect(self, site: Site) -> float:
        weight = max([(self.labels or {}).get(one, 1.0) for one in site.labels], default=1.0)
        return weight * float(site.end - site.start) if self.length else weight


@dataclass(frozen=True, slots=True)
class Judged:
    """A site with an answer of a person, who saw it neither in a batch nor as an annotator."""

    site: str
    wrong: bool
    via: Via
    p: float | None


class Docket:
    """The sites of a gold under the events of a ledger."""

    def __init__(
        self,
        gold: Gold,
        ledger: Ledger,
        *,
        weights: Weights | None = None,
        new_labels: bool = False,
    ) -> None:
        self.gold = gold
        self.ledger = ledger
        self._weights = weights or Weights()
        self._new_labels = new_labels
        self.labels = gold.corpus.categories
        self.digests = {one.id: task_digest(one) for one in gold.corpus}
        found = find_sites(gold)
        self._found = {site.id: site for site in found}
        self._rows = features(found)
        self._row = {site.id: at for at, site in enumerate(found)}
        self._effects = {site.id: self._weights.effect(site) for site in found}
        self._sizes = {site.id: len(site.suggestion) for site in found}
        self.sites: dict[str, Site] = {}
        self.earlier: dict[str, tuple[Given, ...]] = {}
        self.forgotten = 0
        self._fitted: tuple[tuple[str, bool], ...] | None = None
        self.model: SiteModel = fit_sites(self._rows[:0], [])
        self._p: dict[str, float] = {}
        self._due: frozenset[str] = frozenset()
        self._seconds: dict[Question, float] = {}
        self.values: dict[str, float] = {}
        self.ranked: list[Site] = []
        # What was derived since something changed; thousands of sites are asked for at each event.
        self._states: dict[str, State] = {}
        self._judgements: dict[str, tuple[int, str, Judged] | None] = {}
        self._undecided: list[str] | None = None
        self._judged: list[Judged] | None = None
        self._n_spans: int | None = None
        self.renew()
        self.learn()

    # What is there.

    def renew(self) -> None:
        """See again which sites there are: those of the gold, added ones, and what is left of
        sites that are gone.
        """
        sites = dict(self._found)
        earlier: dict[str, list[Given]] = defaultdict(list)
        self.forgotten = 0
        for name in self.ledger.sites:
            if name in self._found:
                continue
            mark = self.ledger.mark(name)
            if not mark.answers:
                continue
            given = max(mark.answers.values(), key=lambda one: one.n)
            if self.digests.get(given.task) != given.of or given.place is None:
                self.forgotten += 1
            elif not given.drawn:
                sites[name] = self._bare(name, given)
            else:
                self._carry(given, name, sites, earlier)
        self.sites = sites
        self.earlier = {name: tuple(own) for name, own in earlier.items()}
        self.by_task: dict[str, list[Site]] = defaultdict(list)
        for site in sites.values():
            self.by_task[site.task].append(site)
        for own in self.by_task.values():
            own.sort(key=lambda site: (site.start, site.end, site.id))
        self._seconds = {}
        self._forget(None)

    def _forget(self, touched: Iterable[str] | None) -> None:
        """What was derived of these sites, or of all, does not hold any more."""
        self._undecided = self._judged = self._n_spans = None
        if touched is None:
            self._states.clear()
            self._judgements.clear()
            return
        for name in touched:
            self._states.pop(name, None)
            self._judgements.pop(name, None)

    def _bare(self, name: str, given: Given) -> Site:
        """A site that no annotator marked."""
        start, end = given.place or (0, 0)
        return Site(name, given.task, start, end, seen=self.gold.corpus[given.task].annotators)

    def _carry(
        self, given: Given, name: str, sites: dict[str, Site], earlier: dict[str, list[Given]]
    ) -> None:
        """Show an answer where its site was."""
        start, end = given.place or (0, 0)
        drawn = {(one.start, one.end, one.label, one.annotator) for one in given.drawn}
        own = [site for site in self._found.values() if site.task == given.task]
        heirs = [
            site
            for site in own
            if any((u.start, u.end, u.category, u.annotator) in drawn for u in site.units)
        ]
        heirs = heirs or [site for site in own if site.start < end and start < site.end]
        if not heirs and given.spans:
            left = site_id(given.task, given.of, (), name)
            heirs = [self._bare(left, given)]
            sites.setdefault(left, heirs[0])
        for site in heirs:
            earlier[site.id].append(given)

    def mark(self, site: str) -> Mark:
        return self.ledger.mark(site)

    def state(self, site: str) -> State:
        """Where a site stands."""
        found = self._states.get(site)
        if found is None:
            found = self._states[site] = self._derive_state(site)
        return found

    def _derive_state(self, site: str) -> State:
        mark = self.ledger.mark(site)
        if mark.state in (State.SETTLED, State.CONTESTED) and self._has_gone_label(mark):
            return State.REOPENED
        if mark.state is not None:
            return mark.state
        if site in self.earlier:
            return State.REOPENED
        waits = self.sites[site].questions or site in self._due
        return State.OPEN if waits else State.SUGGESTED

    def settled(self, site: str) -> Given | None:
        """The answer that stands, if one does."""
        return self.mark(site).settled if self.state(site) is State.SETTLED else None

    def _has_gone_label(self, mark: Mark) -> bool:
        if self._new_labels:
            return False
        known = set(self.labels)
        return any(s.label not in known for one in mark.answers.values() for s in one.spans)

    def undecided(self) -> list[str]:
        """The sites of the gold that have no answer yet, in the order of tasks."""
        if self._undecided is None:
            self._undecided = [n for n in self._found if self.state(n) is not State.SETTLED]
        return self._undecided

    # What was learned.

    def p(self, site: str) -> float:
        """The probability that the suggestion is wrong."""
        return self._p.get(site, 0.5)

    def rows(self, sites: Iterable[str]) -> Floats:
        """The features of sites of the gold."""
        found: Floats = self._rows[[self._row[site] for site in sites]]
        return found

    def judged(self) -> list[Judged]:
        """The sites that teach something, in the order in which they were settled."""
        if self._judged is None:
            found = (self._judgement(name) for name in self.ledger.sites if name in self._found)
            kept = sorted((one for one in found if one is not None), key=lambda row: row[:2])
            self._judged = [one for _, _, one in kept]
        return self._judged

    def _judgement(self, name: str) -> tuple[int, str, Judged] | None:
        """What a site teaches, with the number of its event and who judged."""
        if name in self._judgements:
            return self._judgements[name]
        given, site = self.settled(name), self._found[name]
        found = None
        batch = given is None or given.how is How.BATCH
        if given and not batch and given.by not in {unit.annotator for unit in site.units}:
            wrong = not is_right(site.suggestion, given.spans)
            found = given.n, given.by, Judged(name, wrong, given.via, given.p)
        self._judgements[name] = found
        return found

    def learn(self, touched: Iterable[str] | None = None) -> None:
        """Take in what changed, at these sites or anywhere. After every ten judged sites the model
        is fitted again, and what each site is worth is found again.
        """
        self._forget(touched)
        judged = self.judged()
        kept = judged[: len(judged) - len(judged) % AUDIT_EVERY]
        key = tuple((one.site, one.wrong) for one in kept)
        if key != self._fitted:
            self._fitted = key
            rows = self.rows(one.site for one in kept) if kept else self._rows[:0]
            self.model = fit_sites(rows, [one.wrong for one in kept])
            wrong = self.model.wrong(self._rows).tolist() if len(self._rows) else []
            self._p = dict(zip(self._found, wrong, strict=True))
            self._forget(None)
            self._evaluate()
            self._due = self._find_due()
            self._forget(None)
        elif not self._seconds:
            self._evaluate()

    def _evaluate(self) -> None:
        """What each site is worth, with the seconds that decisions took so far."""
        self._seconds = usual_seconds(self._times())
        self.values = {
            site.id: self.p(site.id) * self._effect(site) / self._seconds[site.kind]
            for site in self.sites.values()
        }
        self.ranked = rank(self.sites.values(), self.values)

    def _find_due(self) -> frozenset[str]:
        """The sites without a question that are worth as much as what comes next, once enough sites
        are judged to know.
        """
        if self.model.judged < LEAST_JUDGED:
            return frozenset()
        asked = (name for name, site in self._found.items() if site.questions)
        waiting = (name for name in asked if self.state(name) is not State.SETTLED)
        coming = sorted((self.values[name] for name in waiting), reverse=True)[:NEXT]
        least = coming[-1] if coming else inf
        return frozenset(
            name
            for name, site in self._found.items()
            if not site.questions and self.values[name] >= least
        )

    def _effect(self, site: Site) -> float:
        found = self._effects.get(site.id)
        return self._weights.effect(site) if found is None else found

    def _times(self) -> dict[Question, list[int]]:
        """How long the decisions on each question took, in milliseconds."""
        times: dict[Question, list[int]] = defaultdict(list)
        for name in self.ledger.sites:
            given = self.settled(name) if name in self._found else None
            if given is not None and given.ms is not None and given.how is not How.BATCH:
                times[self._found[name].kind].append(given.ms)
        return times

    @property
    def n_spans(self) -> int:
        """How many spans the gold has now, settled and suggested."""
        if self._n_spans is None:
            settled = {name: self.settled(name) for name in self.ledger.sites if name in self.sites}
            given = {name: len(one.spans) for name, one in settled.items() if one is not None}
            total = sum(given.values())
            total += sum(size for name, size in self._sizes.items() if name not in given)
            self._n_spans = total
        return self._n_spans

    @property
    def unseen(self) -> float | None:
        """How many spans nobody marked, about; None where recalls are not known."""
        recalls = self.gold.provenance.reliabilities
        if not recalls:
            return None
        total = 0.0
        for task in self.gold.corpus:
            known = [recalls[name]["recall"] for name in task.annotators if name in recalls]
            missed = float(np.prod([1 - one for one in known])) if known else 0.0
            total += len(self.gold.spans.get(task.id, ())) * missed / max(1 - missed, 1e-9)
        return total
