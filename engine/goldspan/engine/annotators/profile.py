"""Profile: what is known of each annotator, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from goldspan.engine.annotators.estimates import Change, Mean, Rate, Usual, is_beyond

if TYPE_CHECKING:
    from goldspan.engine.annotators.matter import Basis, Matter


NOTHING = Usual()
"""What is usual before anybody was compared."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """How many of a label's spans got another label."""

    given: str
    rate: Rate


@dataclass(frozen=True, slots=True)
class Skill:
    """An annotator and one label; the empty label stands for all.

    recall       the label's spans that have the annotator's unit with this label
    missed       those that have none
    confusions   those that have one with another label, by that label, the most frequent first
    precision    the annotator's units of this label that are at a span of this label
    spurious     those that are at none
    """

    label: str
    recall: Rate
    missed: Rate
    precision: Rate
    spurious: Rate
    confusions: tuple[Confusion, ...] = ()


@dataclass(frozen=True, slots=True)
class Habit:
    """Where the annotator starts (or ends) units, behind the right place; negative for before it.

    `early` and `late` count the units that do not start (end) where they should. `usual` is the
    median of all annotators.
    """

    offset: Mean
    early: int
    late: int
    usual: Usual = NOTHING

    @property
    def is_clear(self) -> bool:
        """Whether the whole interval is beyond 0, and beyond what is usual."""
        return is_beyond(self.offset, self.usual)


@dataclass(frozen=True, slots=True)
class Drift:
    """A figure of the earlier and of the later half of the annotator's tasks. `since` is when the
    later half begins, in seconds since 1970; `tasks` counts both halves. `usual` is the median
    change of all annotators.
    """

    matter: Matter
    change: Change
    tasks: int
    since: float
    usual: Usual = NOTHING

    @property
    def is_clear(self) -> bool:
        """Whether the whole interval is beyond 0, and beyond what is usual."""
        return is_beyond(self.change, self.usual)


@dataclass(frozen=True, slots=True)
class Comparison:
    """An annotator beside one version of their tasks.

    `unsettled` counts units at places where the others do not agree: they are neither right nor
    wrong. `exact` is the rate of found spans with the same start and end.
    """

    basis: Basis
    n_tasks: int
    n_spans: int
    n_units: int
    unsettled: int
    overall: Skill
    labels: tuple[Skill, ...]
    exact: Rate
    start: Habit | None
    end: Habit | None
    joined: Rate
    split: Rate
    drifts: tuple[Drift, ...] = ()


@dataclass(frozen=True, slots=True)
class Speed:
    """How long the annotator takes for a task: the median, and the others' median for the same
    task divided into it (a geometric mean, `tasks_shared` of them), where their times are known.
    """

    n_tasks: int
    median: float
    ratio: Mean | None
    tasks_shared: int
    drift: Drift | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """Something to train, and what shows it: `count` of `n` cases, where the others have the rate
    `usual`; or for a habit the mean `offset`. `cases` is how many mistakes it explains.
    """

    matter: Matter
    basis: Basis
    label: str = ""
    given: str = ""
    rate: Rate | None = None
    usual: float | None = None
    offset: Mean | None = None
    change: Change | None = None
    cases: float = 0.0


@dataclass(frozen=True, slots=True)
class Person:
    """One annotator; `gold` and `adjudicated` are None where there is nothing to compare with."""

    name: str
    n_tasks: int
    n_units: int
    gold: Comparison | None
    adjudicated: Comparison | None
    speed: Speed | None
    advice: tuple[Advice, ...] = ()

    @property
    def best(self) -> Comparison | None:
        """With what a person settled if that is known, else with the gold."""
        return self.adjudicated or self.gold


@dataclass(frozen=True, slots=True)
class AnnotatorProfiles:
    """All annotators by name. `everybody` is what all of them do, so that the guidelines are to be
    changed. `two_or_fewer` counts tasks of so few annotators that the others' gold is unknown;
    `measure` says what offsets are counted in, empty where tasks differ.
    """

    people: tuple[Person, ...]
    everybody: tuple[Advice, ...]
    n_tasks: int
    two_or_fewer: int
    adjudicated_tasks: int
    other_text: int
    measure: str
    level: float

    def __getitem__(self, name: str) -> Person:
        for one in self.people:
            if one.name == name:
                return one
        raise KeyError(name)

    def as_json(self) -> dict[str, Any]:
        """The profiles as plain values, in the stable schema 1."""
        from goldspan.engine.annotators.document import plain_json  # noqa: PLC0415 - loads msgspec

        return plain_json(self)
