"""Times: exact decimals, a half up, and back without loss."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.adapters.kit.times import Tally, decimal_seconds, half_up, milliseconds, seconds_text
from goldspan.engine.errors import InputError
from goldspan.engine.model import Continuum, Measure, Unit


@given(st.integers(0, 10**9))
def test_milliseconds_survive(position: int) -> None:
    assert milliseconds(decimal_seconds(seconds_text(position), "here")) == position
    assert half_up(position) == position


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0.0005", 1), ("1.0005", 1001), ("2.0005", 2001), ("1.00049999", 1000), ("1e2", 100_000),
     ("-0.0005", 0), ("-0.0006", -1), ("1.602202475775698", 1602)],
)  # fmt: skip
def test_a_half_goes_up_whatever_the_neighbour(text: str, expected: int) -> None:
    assert milliseconds(Decimal(text)) == expected


@pytest.mark.parametrize(
    "text", ["", "x", "nan", "inf", "-Infinity", "1_0", "1,5", "1e999999", "-1e5000", "9" * 5000]
)
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(InputError, match=r"^here: .*write seconds"):
        decimal_seconds(text, "here")


def test_what_a_writer_of_times_leaves_out_is_counted() -> None:
    units = (Unit("a", 0, 2, "X"), Unit("a", 1.6, 2.4, "X"))
    steps = Continuum("t", units, measure=Measure.STEP)
    tally = Tally(skipped=3)
    assert [times[:2] for times in tally.rounded(units, steps)] == [(0, 2)]
    assert [(note.message.split()[0], note.count) for note in tally.notes()] == [
        ("positions", 1), ("spans", 1), ("tasks", 3),
    ]  # fmt: skip
    assert list(Tally().notes()) == []
