"""Which figures a task keeps, because they changed by less than they are known."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.plugin.label_studio.columns import ANNOTATORS, DIFFER, GAMMA, TO_DECIDE
from goldspan.plugin.label_studio.kept_figures import (
    CONFIDENCE_PRECISION,
    are_columns_kept,
    is_suggestion_kept,
)

COLUMNS = {ANNOTATORS: 3.0, TO_DECIDE: 1.0, DIFFER: "2 missed", GAMMA: 0.5}


def prediction(confidence: float, score: float | None = 0.5, votes: str = "ann") -> Any:
    """As a sync writes it."""
    meta = {"text": [f"confidence {confidence:.2f}, 2 of 3: {votes}"],
            "goldspan": {"confidence": confidence, "votes": [[votes, 0, 4, "PER"]]}}  # fmt: skip
    region = {"id": "goldspan-1", "value": {"start": 0, "end": 4}, "score": confidence}
    return {"result": [region | {"meta": meta}], "score": score}


@given(
    st.floats(-3, 0.99),
    st.floats(0.001, 0.05),
    st.floats(-1, 1),
    st.floats(-1, 1),
)
def test_two_estimates_within_the_precision_are_one_figure(
    gamma: float, precision: float, once: float, again: float
) -> None:
    """Law: whatever two estimates of the expected disorder are, if both have the precision, what
    the first gave stays.
    """
    observed = 1 - gamma
    before = round(1 - observed / (1 + precision * once), 2)
    after = round(1 - observed / (1 + precision * again), 2)
    # To first order: the estimates may be (1 + p) / (1 - p) apart, a little more than 1 + 2 p.
    more = precision * (1 + 4 * precision)
    assert are_columns_kept({GAMMA: before}, {GAMMA: after}, more)


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({GAMMA: 0.51}, True), ({GAMMA: 0.53}, True), ({GAMMA: 0.54}, False),
        ({GAMMA: 0.46}, False), ({ANNOTATORS: 4}, False), ({TO_DECIDE: 2}, False),
        ({DIFFER: "3 missed"}, False), ({"goldspan_a": 0.5}, False), ({ANNOTATORS: 3}, True),
    ],
)  # fmt: skip
def test_only_figures_may_differ(change: dict[str, Any], kept: bool) -> None:
    assert are_columns_kept(COLUMNS, COLUMNS | change, 0.02) is kept


def test_a_column_that_is_no_longer_wanted_goes() -> None:
    assert not are_columns_kept(COLUMNS, {k: v for k, v in COLUMNS.items() if k != GAMMA}, 0.02)


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        (prediction(0.80 + CONFIDENCE_PRECISION - 0.001), True),
        (prediction(0.80 + CONFIDENCE_PRECISION + 0.001), False),
        (prediction(0.80, 0.52), True), (prediction(0.80, 0.6), False),
        (prediction(0.80, None), False), (prediction(0.80, votes="ben"), False),
        ({"result": [], "score": 0.5}, False),
    ],
)  # fmt: skip
def test_a_suggestion_is_kept_if_it_suggests_the_same(wanted: Any, kept: bool) -> None:
    assert is_suggestion_kept(prediction(0.80), wanted, 0.02) is kept
