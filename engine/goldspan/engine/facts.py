"""Facts: what was found, as values that code can decide by; `wording` makes sentences of them.

A `Reason` says why a figure has no value or no interval, or why a task was left out. A `Fact` is
something that a person should know. Both are a kind and parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, TypeAlias, Union

from goldspan.engine import wording

if TYPE_CHECKING:
    from typing_extensions import Self

Parameter: TypeAlias = Union[str, int, float, "Fact"]


class Kind(Enum):
    """What a fact says: its code, which names it in JSON, and the names of its parameters.

    Kinds of one enum are in the order in which it names them.
    """

    def __init__(self, code: str, *names: str) -> None:
        self.code = code
        self.names = frozenset(names)
        self._place = len(type(self).__members__)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Kind):
            return NotImplemented
        return (type(self).__name__, self._place) < (type(other).__name__, other._place)

    @classmethod
    def table(cls) -> Mapping[str, wording.Words]:
        """The words for each kind, by code."""
        return wording.FACTS


class ReasonKind(Kind):
    """Why a figure has no value or no interval, or a task no figure.

    Of two reasons that hold equally often, the earlier in this list is given.
    """

    FEW_TASKS = "few_tasks", "needed", "found"
    FEW_UNITARY_ALIGNMENTS = "few_unitary_alignments", "needed", "found"
    FEW_STRETCHES = "few_stretches", "needed", "size", "found"
    FEW_TASKS_FOR_CHANCE = "few_tasks_for_chance", "tasks", "annotators"
    ONE_CATEGORY = "one_category", "label"
    CERTAIN_CHANCE = "certain_chance"
    FEW_COMPARED_TASKS = "few_compared_tasks", "needed", "found"
    NOT_REQUESTED = "not_requested"
    NO_ANNOTATOR = "no_annotator"
    NO_CHANCE_ALIGNMENT = "no_chance_alignment", "label"
    UNANIMOUS = "unanimous"
    NO_COMPARABLE_PAIR = "no_comparable_pair", "label"
    NO_OTHER_PAIR = "no_other_pair"
    NO_UNIT = "no_unit"
    ONE_USER = "one_user", "annotator"
    ONE_ANNOTATOR = "one_annotator"
    NOT_INSTALLED = "not_installed", "coefficient"
    NO_ROOM = "no_room", "length", "annotators", "needed"
    OUT_OF_TIME = "out_of_time"
    NO_EXPECTATION = "no_expectation"
    NO_SHARED_ITEM = "no_shared_item"
    INCOMPLETE = "incomplete"
    SEVERAL_LABELS = "several_labels"
    TOO_MANY_ANNOTATORS = "too_many_annotators", "most", "found"
    UNKNOWN_SCHEME = "unknown_scheme"
    LABEL_NOT_A_NUMBER = "label_not_a_number", "label"
    LABEL_WITHOUT_RANK = "label_without_rank", "label"
    NEGATIVE_LABEL = "negative_label", "label"
    OVERLAP = "overlap", "annotator"
    GAPS = "gaps", "annotator"
    NOTHING_SHARED = "nothing_shared"
    LABEL_NOT_SHARED = "label_not_shared"
    NO_BOUNDARY = "no_boundary"
    FRACTIONS = "fractions"
    NO_REFERENCE = "no_reference", "annotator"
    OTHER = "other", "sentence"

    @classmethod
    def table(cls) -> Mapping[str, wording.Words]:
        return wording.REASONS


class FactKind(Kind):
    """What a person should know of a result, gold or comparison."""

    OTHER = "other", "sentence"


@dataclass(frozen=True, slots=True, order=True)
class Fact:
    """A kind with its parameters; `str` gives the sentence."""

    kind: Kind
    parameters: tuple[tuple[str, Parameter], ...] = ()

    kinds: ClassVar[type[Kind]] = FactKind

    def __post_init__(self) -> None:
        given = {name for name, _ in self.parameters}
        if given != self.kind.names:
            needs = ", ".join(sorted(self.kind.names)) or "no parameters"
            raise ValueError(f"{self.kind.name} needs {needs}, not {', '.join(sorted(given))}")

    @classmethod
    def of(cls, kind: Kind, **parameters: Parameter) -> Self:
        return cls(kind, tuple(sorted(parameters.items())))

    @classmethod
    def other(cls, sentence: str) -> Self:
        """What no kind is for, in its own words: for formats and coefficients of other packages."""
        return cls.of(cls.kinds["OTHER"], sentence=sentence)

    @classmethod
    def from_json(cls, sentence: str, code: str | None, parameters: object) -> Self:
        """What `as_json` and `str` gave; a sentence alone, or an unknown code, in its own words."""
        kind = next((one for one in cls.kinds if one.code == code), None)
        if kind is None or not isinstance(parameters, dict) or kind.names != parameters.keys():
            return cls.other(sentence)
        if not all(isinstance(one, str | int | float) for one in parameters.values()):
            return cls.other(sentence)
        return cls.of(kind, **parameters)

    def __str__(self) -> str:
        return wording.words(self.kind.table()[self.kind.code], dict(self.parameters))

    @property
    def code(self) -> str:
        return self.kind.code

    def as_json(self) -> dict[str, object]:
        """The parameters as plain values."""
        return {
            name: str(value) if isinstance(value, Fact) else value
            for name, value in self.parameters
        }


@dataclass(frozen=True, slots=True, order=True)
class Reason(Fact):
    """Why something is missing."""

    kinds: ClassVar[type[Kind]] = ReasonKind


def reason_json(reason: Reason | None) -> dict[str, object]:
    """The sentence for people, and the code and parameters for programs."""
    if reason is None:
        return {"reason": None, "reason_code": None, "reason_parameters": None}
    return {
        "reason": str(reason),
        "reason_code": reason.code,
        "reason_parameters": reason.as_json(),
    }
