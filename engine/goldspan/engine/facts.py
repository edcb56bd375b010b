"""Facts: what was found, as values that code can decide by; `wording` makes sentences of them.

A `Reason` says why a figure has no value or no interval, or why a task was left out. A `Fact` is
something that a person should know. Both are a kind and parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, Union

from goldspan.engine import wording

if TYPE_CHECKING:
    from typing_extensions import Self

Parameter: TypeAlias = Union[str, int, float, tuple[str, ...], "Fact"]


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
    WHOLE_TASKS = "whole_tasks"
    ONLY_REFERENCE = "only_reference"
    NO_SHARED_TASK = "no_shared_task"
    OTHER_TEXT = "other_text"
    OTHER_LENGTH = "other_length", "length", "other"
    OTHER_MEASURE = "other_measure", "first", "second"
    OTHER = "other", "sentence"

    @classmethod
    def table(cls) -> Mapping[str, wording.Words]:
        return wording.REASONS


class FactKind(Kind):
    """What a person should know of a result, of gold or of a comparison."""

    GROUPS_LEFT_OUT = "groups_left_out", "seconds", "groups"
    LESS_PRECISE = "less_precise", "seconds"
    TASK_NOT_MERGED = "task_not_merged", "reason"
    TASKS_NOT_MERGED = "tasks_not_merged", "reason"
    NOTHING_TO_MERGE = "nothing_to_merge"
    OVERLAPS_DROPPED = "overlaps_dropped"
    UNSURE_DROPPED = "unsure_dropped"
    LOW_AGREEMENT = "low_agreement", "low", "least"
    TWO_ANNOTATORS = "two_annotators"
    FEW_SITES = "few_sites", "found", "needed"
    MODEL_PAIR = "model_pair"
    MODEL_VOTES = "model_votes", "found", "needed"
    MODEL_TEAM = "model_team", "annotators"
    MODEL_CROWD = "model_crowd", "annotators", "each"
    MODEL_SIMPLE = "model_simple", "strategy"
    FEW_ADJUDICATED = "few_adjudicated", "found", "needed"
    ADJUDICATED_ELSEWHERE = "adjudicated_elsewhere", "name"
    CATEGORY_NOT_ADJUDICATED = "category_not_adjudicated", "category"
    TASKS_CARRIED = "tasks_carried", "untouched", "shared", "judged"
    NEW_TASKS_IGNORED = "new_tasks_ignored", "fresh"
    SETTINGS_DIFFER = "settings_differ", "name", "before", "after"
    DISTANCES_DIFFER = "distances_differ"
    LABELS_GONE = "labels_gone", "labels"
    LABELS_NEW = "labels_new", "labels"
    TASKS_WITHOUT_REFERENCE = "tasks_without_reference", "tasks"
    TASKS_WITHOUT_ANNOTATORS = "tasks_without_annotators", "tasks"
    TASKS_ONCE = "tasks_once", "tasks"
    ANNOTATORS_ONCE = "annotators_once", "names"
    OTHER = "other", "sentence"


class Verdict(Kind):
    """What became of a figure from one round to the next."""

    BETTER = "better"
    WORSE = "worse"
    NO_CLEAR_CHANGE = "no_clear_change"
    CANNOT_BE_TOLD = "cannot_be_told"

    @classmethod
    def table(cls) -> Mapping[str, wording.Words]:
        return wording.VERDICTS


@dataclass(frozen=True, slots=True, order=True)
class Fact:
    """A kind with its parameters; `str` gives the sentence."""

    kind: Kind
    parameters: tuple[tuple[str, Parameter], ...] = ()

    kinds: ClassVar[type[Kind]] = FactKind

    def __post_init__(self) -> None:
        if not self.parameters and not self.kind.names:
            return
        given = {name for name, _ in self.parameters}
        if given != self.kind.names:
            needs = ", ".join(sorted(self.kind.names)) or "no parameters"
            raise ValueError(f"{self.kind.name} needs {needs}, not {', '.join(sorted(given))}")

    @classmethod
    def of(cls, kind: Kind, **parameters: Parameter) -> Self:
        return cls(kind, tuple(sorted(parameters.items())) if parameters else ())

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
        found = cls.of(kind, **parameters)
        try:
            str(found)
        except (ValueError, TypeError):
            # A name where a number belongs: somebody edited the file.
            return cls.other(sentence)
        return found

    def __str__(self) -> str:
        return wording.words(self.kind.table()[self.kind.code], dict(self.parameters))

    @property
    def code(self) -> str:
        return self.kind.code

    def as_json(self) -> dict[str, object]:
        """The parameters as plain values."""
        return {name: _plain(value) for name, value in self.parameters}


def _plain(value: Parameter) -> object:
    if isinstance(value, Fact):
        return {"code": value.code, "parameters": value.as_json()}
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True, order=True)
class Reason(Fact):
    """Why something is missing."""

    kinds: ClassVar[type[Kind]] = ReasonKind


@dataclass(frozen=True, slots=True)
class Note:
    """A fact that a person should know, of which task, and how often."""

    fact: Fact
    task: str = ""
    count: int = 1

    @classmethod
    def of(
        cls, kind: Kind | str, /, *, task: str = "", count: int = 1, **parameters: Parameter
    ) -> Note:
        """A note of this kind with its parameters; or of a sentence, for other packages."""
        fact = Fact.other(kind) if isinstance(kind, str) else Fact.of(kind, **parameters)
        return cls(fact, task, count)

    @property
    def message(self) -> str:
        """The fact in words."""
        return str(self.fact)

    def as_json(self) -> dict[str, Any]:
        """The sentence for people, and the code and parameters for programs."""
        return {
            "message": self.message,
            "task": self.task,
            "count": self.count,
            "code": self.fact.code,
            "parameters": self.fact.as_json(),
        }
