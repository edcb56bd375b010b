"""Groups: sites that are alike, to be accepted in one go.

The same kind, labels and text first; then the same kind and labels; then the same kind with a
suggestion that is right with a probability above .95. Sites whose suggestions differ in more than
their place are never in one group.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.plugin.adjudicate.journal.ledger import State
from goldspan.plugin.adjudicate.texts import around, quote, text_of
from goldspan.plugin.adjudicate.views import BatchItem, BatchPlan

if TYPE_CHECKING:
    from goldspan.engine.adjudication.site import Site
    from goldspan.plugin.adjudicate.docket import Docket

SURE = 0.95
LEAST_SIZE = 2
LONGEST_SURFACE = 80
GROUPED = (State.OPEN, State.REOPENED, State.SKIPPED)


@dataclass(frozen=True, slots=True)
class Group:
    """Sites that are alike, in the order of the text; `surface` is what is written there."""

    key: str
    kind: str
    labels: tuple[str, ...]
    surface: str
    sites: tuple[Site, ...]

    @property
    def say(self) -> str:
        """What the sites have in common."""
        words = [self.kind, "/".join(self.labels), f"“{self.surface}”" if self.surface else ""]
        return ", ".join(word for word in words if word)


class Grouping:
    """The groups of the sites that wait for a person, as they are now."""

    def __init__(self, docket: Docket) -> None:
        self._docket = docket
        self._alike: dict[str, tuple[str, ...]] = {}
        self._members: dict[str, list[Site]] | None = None

    def renew(self) -> None:
        """Something changed: see again which sites wait."""
        self._members = None

    def all(self) -> list[Group]:
        """Every group; the narrowest and largest first."""
        groups = [_group(key, own, self._docket) for key, own in self._found.items()]
        kept = [group for group in groups if len(group.sites) >= LEAST_SIZE]
        return sorted(kept, key=lambda one: (one.key.split("|", 1)[0], -len(one.sites), one.key))

    def get(self, key: str) -> Group | None:
        """The group of this key."""
        own = self._found.get(key, ())
        return _group(key, own, self._docket) if len(own) >= LEAST_SIZE else None

    def of(self, site: Site) -> tuple[str, int]:
        """The narrowest group that a site is in, and its size; no key where it is in none."""
        if self._docket.state(site.id) in GROUPED:
            for key in self._keys(site):
                size = len(self._found.get(key, ()))
                if size >= LEAST_SIZE:
                    return key, size
        return "", 0

    @property
    def _found(self) -> dict[str, list[Site]]:
        if self._members is None:
            self._members = defaultdict(list)
            for own in self._docket.by_task.values():
                for site in own:
                    if self._docket.state(site.id) in GROUPED:
                        for key in self._keys(site):
                            self._members[key].append(site)
        return self._members

    def _keys(self, site: Site) -> tuple[str, ...]:
        """The groups that a site belongs to, the narrowest first."""
        found = self._alike.get(site.id)
        if found is None:
            found = self._alike[site.id] = _alike(site, self._docket)
        if 1 - self._docket.p(site.id) > SURE:
            return (*found, f"3|{site.kind.value}||{_suggested(site)}")
        return found


def _alike(site: Site, docket: Docket) -> tuple[str, ...]:
    """What a site has in common with others, whatever is known of it: text and labels first."""
    key = f"{site.kind.value}|{','.join(site.labels)}|{_suggested(site)}"
    surface = surface_of(site, docket)
    return (f"1|{key}|{surface}", f"2|{key}|") if surface else (f"2|{key}|",)


def _suggested(site: Site) -> str:
    return ",".join(span.label for span in site.suggestion)


def surface_of(site: Site, docket: Docket) -> str:
    """What is written at a site, in a form that ignores case, width and white space."""
    text = text_of(docket.gold.corpus[site.task])
    if text is None:
        return ""
    said = text[int(site.start) : int(site.end)][: LONGEST_SURFACE + 1]
    plain = " ".join(unicodedata.normalize("NFKC", said).casefold().split())
    return plain if len(said) <= LONGEST_SURFACE else ""


def _group(key: str, sites: Sequence[Site], docket: Docket) -> Group:
    first = sites[0]
    level = key.split("|", 1)[0]
    return Group(
        key=key,
        kind=first.kind.value,
        labels=first.labels if level != "3" else (),
        surface=surface_of(first, docket) if level == "1" else "",
        sites=tuple(sites),
    )


def plan_batch(group: Group, docket: Docket) -> BatchPlan:
    """What accepting the suggestions of a group would do."""
    numbers = {one.id: n for n, one in enumerate(docket.gold.corpus)}
    items = []
    for site in group.sites:
        task = docket.gold.corpus[site.task]
        before, after = around(task, site.start, site.end)
        item = BatchItem(
            site=site.id,
            n=numbers[site.task],
            task=site.task,
            base=docket.mark(site.id).n,
            before=before,
            quote=quote(task, site.start, site.end),
            after=after,
            spans=site.suggestion,
            p=docket.p(site.id),
        )
        items.append(item)
    return BatchPlan(group.key, group.say, tuple(items))
