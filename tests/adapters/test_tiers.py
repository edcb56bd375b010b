"""Tiers: names taken apart, and as few tiers as overlapping spans need."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.adapters.kit.tiers import TierNaming, chosen, stacks
from goldspan.engine.errors import SettingsError
from goldspan.engine.model import Unit

SPANS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 12)).map(
        lambda pair: Unit("a", pair[0], pair[0] + pair[1], "X")
    )
)


@given(SPANS)
def test_stacks_keep_all_overlap_nowhere_and_are_few(spans: list[Unit]) -> None:
    tiers = stacks(spans)
    assert sorted(span for tier in tiers for span in tier) == sorted(spans)
    assert all(one.end <= other.start for tier in tiers for one, other in pairwise(tier))
    deepest = max((sum(s.start <= at < s.end for s in spans) for at in range(50)), default=0)
    assert len(tiers) == deepest


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("{annotator}", "Maureen", ("Maureen", "Maureen")),
        ("{layer}@{annotator}", "vcm@CHI", ("CHI", "vcm")),
        ("Rater #{annotator} {layer}", "Rater #1 FACE", ("1", "FACE")),
        ("Rater {annotator} *", "Rater 2 ", ("2", "Rater 2")),
        ("{layer}@{annotator}", "CHI", None),
        ("a.{annotator}", "axb", None),
    ],
)
def test_patterns(pattern: str, name: str, expected: tuple[str, str] | None) -> None:
    assert TierNaming(pattern).read(name) == expected


@pytest.mark.parametrize("pattern", ["x", "{layer}", "{annotator}{annotator}", "{annotator}{who}"])
def test_patterns_that_tell_nothing(pattern: str) -> None:
    with pytest.raises(SettingsError, match=r"tier pattern .* should hold \{annotator\}"):
        TierNaming(pattern)


def test_choosing() -> None:
    assert chosen((), ["anything"])
    assert chosen(("x", "FACE@*"), ["FACE@1", "main"])
    assert chosen(("main",), ["FACE@1", "main"])
    assert not chosen(("face@*",), ["FACE@1"])
