"""Facts: values a kind with parameters, equal and ordered by them."""

from __future__ import annotations

import pickle

import pytest

from goldspan.engine.facts import Reason, ReasonKind

FEW = Reason.of(ReasonKind.FEW_TASKS, needed=5, found=3)


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
    ("code", "parameters"),
    [
        (None, None),
        ("few_tasks", {"found": 3}),
        ("few_tasks", {"found": [3], "needed": 5}),
        ("no_room", {"length": "long", "annotators": 2, "needed": 5}),
        ("of_the_future", {}),
    ],
)
def test_a_reason_of_another_version_keeps_its_sentence(code: str, parameters: object) -> None:
    reason = Reason.from_json("there are too few", code, parameters)

    assert reason.kind is ReasonKind.OTHER
    assert str(reason) == "there are too few"


def test_words_of_others_may_have_braces() -> None:
    assert str(Reason.other("{tasks} are few")) == "{tasks} are few"
