"""The roll: who of those that the files and options name counts as an annotator."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.naming import listed
from goldspan.engine.facts import Note

if TYPE_CHECKING:
    from goldspan.adapters.adapter import ReadOptions

PSEUDO_ANNOTATORS = frozenset(
    {
        "adjudicated", "adjudication", "consensus", "curation", "curation_user", "gold",
        "goldspan", "initial_cas", "majority", "merged", "silver",
    }
)  # fmt: skip
"""Names of merged versions: scoring one against its own sources would flatter them."""

FURTHER = re.compile(r"( votes|-\d+| \[\d+\])+$")
"""What our writers put behind a name, where a merged version takes more tiers than one."""


def is_merged(name: str) -> bool:
    """Whether the name says merged version, or a part of one as our writers call it."""
    return FURTHER.sub("", _folded(name)) in PSEUDO_ANNOTATORS


class Roll:
    """Everybody met in one reading, and whose work the options leave out."""

    def __init__(self, options: ReadOptions) -> None:
        self.options = options
        self._found: set[str] = set()
        self._assigned: set[str] = set()
        self._kept: set[str] = set()
        self._excluded: dict[str, int] = {}
        self._included = {_folded(name) for name in options.include_annotators}
        self._asked = {name.strip() for name in options.exclude_annotators}

    def away(self, found: set[str], assigned: Iterable[str]) -> set[str]:
        """The annotators to leave out of a task, of those in its files or assigned to it."""
        self._found |= found
        self._assigned.update(assigned)
        return {name for name in found.union(assigned) - self._kept if self._excludes(name)}

    def notes(self) -> Iterator[Note]:
        """The annotators left out, and the names in options that match nobody. One set of options
        serves many exports, so the latter are not errors.
        """
        for name, count in sorted(self._excluded.items()):
            kind = FormatFact.EXCLUDED if name in self._asked else FormatFact.MERGED_VERSION
            yield Note.of(kind, count=count, annotator=name)
        known = self._found | self._assigned
        folded = {_folded(name) for name in known}
        included = {n for n in self.options.include_annotators if _folded(n) not in folded}
        for kind, names in (
            (FormatFact.UNKNOWN_EXCLUDED, self._asked - known),
            (FormatFact.UNKNOWN_INCLUDED, included),
            (FormatFact.UNKNOWN_ASSIGNED, self._assigned - self._found),
        ):
            if names:
                yield Note.of(kind, names=listed(names))

    def _excludes(self, name: str) -> bool:
        """Whether the annotator's work does not count; how often that was so is kept for notes."""
        if name in self._asked or (is_merged(name) and _folded(name) not in self._included):
            self._excluded[name] = self._excluded.get(name, 0) + 1
            return True
        self._kept.add(name)
        return False


def _folded(name: str) -> str:
    return name.strip().casefold()
