"""Touching units: laws of joining them, and the option."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from goldspan.adapters import read
from goldspan.adapters.kit.touching import join_touching
from goldspan.engine.model import Unit

units = st.lists(
    st.builds(
        lambda name, start, length, label: Unit(name, start, start + length, label),
        st.sampled_from("ab"), st.integers(0, 12), st.integers(1, 4), st.sampled_from("XY"),
    ),
    unique=True,
)  # fmt: skip


def covered(units: list[Unit]) -> set[tuple[str, str, int]]:
    return {(u.annotator, u.category, at) for u in units for at in range(int(u.start), int(u.end))}


@given(units)
def test_laws(given: list[Unit]) -> None:
    """Nothing touches afterwards, the same places are covered, a second time does nothing."""
    joined = join_touching(given)
    ends = {(u.annotator, u.category, u.end) for u in joined}
    assert not ends & {(u.annotator, u.category, u.start) for u in joined}
    assert covered(joined) == covered(given)
    assert join_touching(joined) == joined
    assert len(joined) <= len(given)


@given(units, st.randoms(use_true_random=False))
def test_the_order_of_the_units_does_not_matter(given: list[Unit], random: object) -> None:
    shuffled = list(given)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert join_touching(shuffled) == join_touching(given)


def test_the_option(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,X,0,5\na,X,5,9\na,Y,9,12\nb,X,0,9\n", encoding="utf-8")
    corpus = read(path, join_touching=True)
    assert [(u.annotator, u.start, u.end, u.category) for u in corpus["t"].units] == [
        ("a", 0, 9, "X"), ("a", 9, 12, "Y"), ("b", 0, 9, "X"),
    ]  # fmt: skip
    assert any("joined to a touching one" in note.message for note in corpus.notes)
    assert len(read(path)["t"].units) == 4
