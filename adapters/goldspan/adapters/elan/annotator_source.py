"""Whose tier it is: ANNOTATOR, a pattern for tier names, or the file's own name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from goldspan.adapters.elan.document import TASK, Eaf, Tier
from goldspan.adapters.kit.naming import Naming
from goldspan.adapters.kit.rules.file_layout import usual_source
from goldspan.adapters.kit.tiers import DEFAULT, TierNaming
from goldspan.engine.errors import InputError, SettingsError

ATTRIBUTES = {
    "annotator": "annotator (the tiers' ANNOTATOR)",
    "participant": "participant (usually the speaker, not who annotated)",
}
NAMES = (
    "tier (a tier each), 'tier:{layer}@{annotator}' (a pattern for tier names), file, dir, "
    "or a pattern for paths such as '{annotator}/{task}.eaf'"
)
WORDS = ", ".join((*ATTRIBUTES.values(), NAMES))


@dataclass(frozen=True, slots=True)
class Whose:
    """Where annotators' names come from; exactly one of the three is set."""

    attribute: str | None = None
    tiers: TierNaming | None = None
    files: Naming | None = None

    @classmethod
    def of(cls, source: str) -> Whose:
        if source in ("annotator", "participant"):
            return cls(attribute=source)
        if source == "tier":
            return cls(tiers=TierNaming())
        if source.startswith("tier:"):
            return cls(tiers=TierNaming(source.removeprefix("tier:")))
        if source in ("file", "dir") or "{" in source:
            return cls(files=Naming(source))
        raise SettingsError(f"--annotator-from '{source}' is not valid here; it can be {WORDS}")

    @classmethod
    def judged(cls, documents: Iterable[Eaf]) -> Whose:
        """ANNOTATOR, where two people or more have tiers by it, or every tier has one."""
        tiers = [(eaf, tier) for eaf in documents for tier in eaf.tiers.values() if tier.aligned]
        names = {tier.annotator for _, tier in tiers if tier.annotator}
        if len(names) > 1 or (tiers and all(tier.annotator for _, tier in tiers)):
            return cls(attribute="annotator")
        where = str(tiers[0][0].path) if tiers else ""
        found = f"one, '{names.pop()}'" if names else "none"
        given = [said for name, said in ATTRIBUTES.items()
                 if any(getattr(tier, name) for _, tier in tiers)]  # fmt: skip
        raise InputError(
            f"nothing distinguishes the annotators (on tiers with times, ANNOTATOR names {found}); "
            f"use --annotator-from: {', '.join((*given, NAMES))}",
            where=where,
            remedy=("--annotator-from", usual_source([eaf.path for eaf, _ in tiers])),
        )

    def read(self, tier: Tier, path: Path) -> tuple[str, str] | None:
        """The annotator and the name of the layer; None for a tier that is nobody's."""
        if self.files is not None:
            return self.files.read(path.resolve())[0], tier.id
        if self.tiers is not None:
            if tier.id.casefold() == DEFAULT and not tier.annotations:
                return None
            return self.tiers.read(tier.id)
        name = tier.annotator if self.attribute == "annotator" else tier.participant
        return (name, tier.id) if name else None

    def task(self, eaf: Eaf) -> str:
        """The task: what the path says, what goldspan wrote, the recording, the file's name."""
        path = eaf.path.resolve()
        named = self.files.read(path)[1] if self.files is not None else None
        known = named or eaf.properties.get(TASK) or eaf.recording
        return known or (path.stem if self.files is None else path.parent.name)
