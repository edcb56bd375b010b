"""How long a run will still take."""

from __future__ import annotations

from goldspan.plugin.cli.remaining import Remaining


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_an_even_pace_gives_the_time_that_is_left() -> None:
    clock = Clock()
    remaining = Remaining(clock)
    said = ""
    for done in range(1, 11):
        clock.now = float(done)
        said = remaining.estimate("aligning", done, 40)
    assert said == "about 30 s left in this step"


def test_nothing_is_said_before_something_is_known() -> None:
    clock = Clock()
    remaining = Remaining(clock)
    assert remaining.estimate("aligning", 10, 1000) == ""
    clock.now = 1.0
    assert remaining.estimate("aligning", 20, 1000) == ""


def test_work_that_was_only_loaded_is_forgotten() -> None:
    clock = Clock()
    remaining = Remaining(clock)
    remaining.estimate("aligning", 900, 2000)
    said = ""
    for done in range(901, 1001):
        clock.now += 1.0
        said = remaining.estimate("aligning", done, 2000)
    assert said == "about 17 min left in this step"


def test_comparisons_are_estimated_as_a_whole() -> None:
    clock = Clock()
    remaining = Remaining(clock)
    assert remaining.estimate("comparing annotators", 0, 5) == ""
    clock.now = 60.0
    assert remaining.estimate("aligning", 10, 10) == ""
    clock.now = 100.0
    assert remaining.estimate("comparing annotators", 1, 5) == "about 7 min left"
    clock.now = 150.0
    assert remaining.estimate("aligning", 1, 10) == "about 6 min left"
