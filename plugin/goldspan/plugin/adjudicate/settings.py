"""Settings: how an adjudication is to run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from goldspan.engine.errors import SettingsError


@dataclass(frozen=True, slots=True)
class DeskSettings:
    """What the adjudicator chose.

    seed              of audits and aliases
    blind             annotators' names never reach the page
    show_suggestions  also on audit sites, before the first answer
    new_labels        labels that no annotator used are allowed
    by_length         an error counts by its length
    label_weights     what an error with a label counts; 1 if not given
    threshold         the share of wrong spans that is good enough
    lead              whose answer decides where two differ
    rebase            take a journal of the same texts under other names
    """

    adjudicator: str
    seed: int = 0
    blind: bool = False
    show_suggestions: bool = False
    new_labels: bool = False
    by_length: bool = False
    label_weights: Mapping[str, float] = field(default_factory=dict)
    threshold: float = 0.01
    lead: str = ""
    rebase: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            raise SettingsError(
                f"the threshold is {self.threshold}; it must be between 0 and 1, such as 0.01"
            )
        for label, weight in self.label_weights.items():
            if not 0 <= weight < float("inf"):
                raise SettingsError(f"the weight of '{label}' is {weight}; it must be 0 or more")
