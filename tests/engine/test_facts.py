"""Facts: values with a kind and parameters, and words for each kind."""

from __future__ import annotations

import pickle
import string

import pytest

from goldspan.engine.facts import Fact, FactKind, Kind, Reason, ReasonKind

FEW = Reason.of(ReasonKind.FEW_TASKS, needed=5, found=3)


def sample(kind: Kind) -> Fact:
    """A fact of this kind; a one for every parameter, which is a count, a name or a sentence."""
    return Fact.of(kind, **dict.fromkeys(kind.names, 1))


@pytest.mark.parametrize("kind", [*ReasonKind, *FactKind], ids=str)
def test_every_kind_has_words_that_use_its_parameters(kind: Kind) -> None:
    template = kind.table()[kind.code]

    assert str(sample(kind))
    if isinstance(template, str):
        assert {name for _, name, _, _ in string.Formatter().parse(template) if name} == kind.names


@pytest.mark.parametrize("kinds", [ReasonKind, FactKind])
def test_all_words_belong_to_a_kind(kinds: type[Kind]) -> None:
    assert sorted(kinds.table()) == sorted(kind.code for kind in kinds)


def test_a_reason_is_a_value() -> None:
    again = Reason.of(ReasonKind.FEW_TASKS, found=3, needed=5)

    assert again == FEW
    assert hash(again) == hash(FEW)
    copy = pickle.loads(pickle.dumps(FEW))  # noqa: S301 - made in the same line
    assert copy == FEW
    assert copy.kind is ReasonKind.FEW_TASKS


def test_reasons_are_in_the_order_of_their_kinds_and_parameters() -> None:
    one, two = (Reason.of(ReasonKind.FEW_TASKS, needed=5, found=n) for n in (1, 2))
    certain, other = Reason.of(ReasonKind.CERTAIN_CHANCE), Reason.other("a sentence of its own")

    assert sorted([other, two, certain, one]) == [one, two, certain, other]


def test_a_reason_without_its_parameters_cannot_be_built() -> None:
    with pytest.raises(ValueError, match="FEW_TASKS needs found, needed, not found"):
        Reason.of(ReasonKind.FEW_TASKS, found=3)


def test_a_reason_comes_back_from_its_code_and_parameters() -> None:
    assert Reason.from_json("in other words", FEW.code, FEW.as_json()) == FEW


@pytest.mark.parametrize(
    ("code", "parameters"), [(None, None), ("few_tasks", {"found": 3}), ("of_the_future", {})]
)
def test_a_reason_of_another_version_keeps_its_sentence(code: str, parameters: object) -> None:
    reason = Reason.from_json("there are too few", code, parameters)

    assert reason.kind is ReasonKind.OTHER
    assert str(reason) == "there are too few"


def test_words_of_others_may_have_braces() -> None:
    assert str(Reason.other("{tasks} are few")) == "{tasks} are few"
