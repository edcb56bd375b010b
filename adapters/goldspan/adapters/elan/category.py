"""Where an annotation's category comes from in an EAF file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.adapters.kit.tiers import chosen
from goldspan.engine.errors import SettingsError

if TYPE_CHECKING:
    from goldspan.adapters.elan.document import Annotation, Eaf, Tier


@dataclass(slots=True)
class Category:
    """The value, the tier's name, or the values of annotations that refer to the span.

    `found` says whether a file had the child tier that was asked for.
    """

    tier: bool = False
    child: str | None = None
    found: bool = False

    @classmethod
    def of(cls, source: str | None) -> Category:
        if source in (None, "value", "tier"):
            return cls(tier=source == "tier")
        if source.startswith("child:") and source != "child:":
            return cls(child=source.removeprefix("child:"))
        raise SettingsError(
            f"--category-from '{source}' is not valid here; it can be value, tier, or child:NAME "
            "for a tier (or linguistic type) whose annotations refer to the spans"
        )

    def children(self, eaf: Eaf) -> Mapping[str, Sequence[str]]:
        """Annotation id to the values of the child tier that refer to it, at any depth."""
        if self.child is None:
            return {}
        parents = {a.id: a.parent for tier in eaf.tiers.values() for a in tier.annotations}
        values: dict[str, list[str]] = {}
        for tier in eaf.tiers.values():
            if tier.aligned or not self.asks_for(tier):
                continue
            self.found = True
            for annotation in tier.annotations:
                for owner in _ancestors(annotation.id, parents):
                    values.setdefault(owner, []).append(annotation.value)
        return values

    def asks_for(self, tier: Tier) -> bool:
        """Whether this is the child tier."""
        return self.child is not None and chosen((self.child,), (tier.id, tier.type))

    def scale(self, tier: Tier, eaf: Eaf) -> tuple[str, ...]:
        if self.tier:
            return ()
        if self.child is None:
            return eaf.values(tier)
        tiers = (one for one in eaf.tiers.values() if self.asks_for(one))
        return tuple(value for one in tiers for value in eaf.values(one))

    def labels(
        self, annotation: Annotation, layer: str, children: Mapping[str, Sequence[str]]
    ) -> tuple[str, ...]:
        """One category or several; "" is none."""
        if self.tier:
            return (layer,)
        if self.child is None:
            return (annotation.value,)
        return tuple(dict.fromkeys(filter(None, children.get(annotation.id, ())))) or ("",)


def _ancestors(name: str, parents: Mapping[str, str | None]) -> Iterator[str]:
    seen = {name}
    parent = parents[name]
    while parent is not None and parent not in seen:
        yield parent
        seen.add(parent)
        parent = parents[parent]
