"""Against: annotators beside a reference, or beside themselves at another time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from goldspan.engine.result import Excluded, Figured

if TYPE_CHECKING:
    from goldspan.engine.coefficient.base import Coefficient
    from goldspan.engine.facts import Note


class AgainstKind(str, Enum):
    """What annotators are compared with.

    reference  one version that is taken for right
    stability  the same annotator's work on the same tasks at another time
    """

    REFERENCE = "reference"
    STABILITY = "stability"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstResult(Figured):
    """One annotator and the reference, on the tasks that both did.

    `n_units` are the annotator's, `n_reference_units` those of the reference.
    """

    name: str
    n_tasks: int
    n_units: int
    n_reference_units: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """Annotators against a reference, by name. The reference's own name is empty for stability.

    The figures of each annotator are by key and label, as in a `Result`: `gamma`, `gamma_cat`,
    `gamma_k`, `f1` and the like.
    """

    kind: AgainstKind
    reference: str
    coefficients: tuple[Coefficient, ...]
    annotators: tuple[AgainstResult, ...]
    n_tasks: int
    excluded: tuple[Excluded, ...] = ()
    notes: tuple[Note, ...] = ()

    def __getitem__(self, name: str) -> AgainstResult:
        for one in self.annotators:
            if one.name == name:
                return one
        raise KeyError(name)

    @property
    def is_stability(self) -> bool:
        """Whether annotators are compared with themselves at another time."""
        return self.kind is AgainstKind.STABILITY

    @property
    def ranked(self) -> tuple[AgainstResult, ...]:
        """The annotators by F1, the lowest first and undefined ones last."""
        return tuple(sorted(self.annotators, key=_rank))

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that somebody used, in the order of the scheme."""
        found = (label for one in self.annotators for _, label in one.figures if label)
        return tuple(dict.fromkeys(found))

    def as_json(self) -> dict[str, Any]:
        """The comparison as plain values, as in the JSON of a result."""
        from goldspan.engine.schema.document import against_json  # noqa: PLC0415 - loads msgspec
        from goldspan.engine.schema.figure import plain  # noqa: PLC0415

        return plain(against_json(self))


def _rank(one: AgainstResult) -> tuple[bool, float, str]:
    value = one.figures["f1", ""].value
    return value is None, value or 0.0, one.name
