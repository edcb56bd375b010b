"""The Corpus Shuffling Tool: each kind of error does what it says, and nothing else."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldspan.engine import Continuum, Corpus, InputError, SettingsError, Unit
from goldspan.engine.simulation.reference import ANNOTATOR, Blueprint, Kind
from goldspan.engine.simulation.shuffle import ERROR_KINDS, Errors, shuffle, shuffle_corpus

MANY = Blueprint(units=400)
magnitudes = st.floats(0, 1)
blueprints = st.builds(
    Blueprint,
    units=st.integers(1, 12),
    gaps=st.sampled_from([(0, 0), (1, 5), (5, 15)]),
    adjacent=magnitudes,
    nested=magnitudes,
)
errors = st.builds(
    Errors,
    **dict.fromkeys(ERROR_KINDS, magnitudes),
    prevalence=st.booleans(),
    apart=st.booleans(),
)


def reference(blueprint: Blueprint = MANY, seed: int = 1) -> Continuum:
    return blueprint.continuum(np.random.default_rng(seed))


def marks(continuum: Continuum, annotator: str) -> list[tuple[object, ...]]:
    return [(u.start, u.end, u.category) for u in continuum.of(annotator)]


def shuffled(magnitude: float, *kinds: str, seed: int = 2, **constants: object) -> Continuum:
    own = Errors(**constants).at(magnitude, *kinds)  # type: ignore[arg-type]
    return shuffle(reference(), {"a": own, "b": own}, np.random.default_rng(seed))


@given(blueprints, errors, st.floats(0, 1), st.integers(0, 2**32))
@settings(max_examples=60)
def test_whatever_the_errors_the_result_is_a_continuum_without_the_reference(
    blueprint: Blueprint, own: Errors, shared: float, seed: int
) -> None:
    made = reference(blueprint, seed)
    result = shuffle(made, {"a": own, "b": own}, np.random.default_rng(seed), shared=shared)
    assert ANNOTATOR not in result.presence
    assert result.annotators == ("a", "b")
    assert result.length == made.length
    assert set(result.categories) <= set(made.categories)
    again = shuffle(made, {"a": own, "b": own}, np.random.default_rng(seed), shared=shared)
    assert again == result


@given(blueprints, st.integers(0, 2**32))
def test_without_errors_everybody_is_right(blueprint: Blueprint, seed: int) -> None:
    made = reference(blueprint, seed)
    result = shuffle(made, {"a": Errors(), "b": Errors()}, np.random.default_rng(seed))
    assert marks(result, "a") == marks(result, "b") == marks(made, ANNOTATOR)


def test_positions_move_in_proportion_and_nothing_else_changes() -> None:
    truth, result = reference(), shuffled(0.1, "position")
    for unit, (start, end, category) in zip(truth.units, marks(result, "a"), strict=True):
        assert isinstance(start, int)
        assert isinstance(end, int)
        # shiftmax = 2·m·length, and rounding adds a half at most.
        assert abs(start - unit.start) <= 0.2 * unit.length + 0.5
        assert abs(end - unit.end) <= 0.2 * unit.length + 0.5
        assert category == unit.category
    moved = [abs(int(s) - u.start) / u.length
             for u, (s, _, _) in zip(truth.units, marks(result, "a"), strict=True)]  # type: ignore[call-overload]  # fmt: skip
    assert 0.08 < float(np.mean(moved)) < 0.12  # the mean of |uniform(-0.2, 0.2)|


def test_the_shift_constant_scales() -> None:
    def spread(shift: float) -> float:
        result = shuffled(0.2, "position", shift=shift)
        pairs = zip(reference().units, result.of("a"), strict=True)
        return float(np.mean([abs(u.start - v.start) / u.length for u, v in pairs]))

    assert spread(2.0) == pytest.approx(2 * spread(1.0), rel=0.2)


def test_units_can_be_kept_apart() -> None:
    free, tight = shuffled(0.9, "position"), shuffled(0.9, "position", apart=True)

    def overlaps(continuum: Continuum) -> int:
        units = continuum.of("a")
        return sum(one.end > other.start for one, other in itertools.pairwise(units))

    assert overlaps(free) > 0
    assert overlaps(tight) == 0


@pytest.mark.parametrize("magnitude", [0.1, 0.5, 1.0])
def test_categories_follow_the_matrix(magnitude: float) -> None:
    """The diagonal of (1-m²)·I + m²/4 is what stays right."""
    result = shuffled(magnitude, "category")
    truth = reference()
    assert [m[:2] for m in marks(result, "a")] == [m[:2] for m in marks(truth, ANNOTATOR)]
    right = np.mean(
        [u.category == v.category for u, v in zip(truth.units, result.of("a"), strict=True)]
    )
    assert right == pytest.approx(1 - magnitude**2 * 3 / 4, abs=0.08)


def test_wrong_categories_by_prevalence() -> None:
    uniform, frequent = (
        Counter(u.category for u in shuffled(1.0, "category", prevalence=p).of("a"))
        for p in (False, True)
    )
    assert uniform["D"] == pytest.approx(100, abs=30)
    assert frequent["D"] == pytest.approx(40, abs=20)


def test_close_categories_are_confused_first() -> None:
    close = ((0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0))
    result = shuffled(0.3, "category", close=close)
    pairs = Counter(
        (u.category, v.category) for u, v in zip(reference().units, result.of("a"), strict=True)
        if u.category != v.category
    )  # fmt: skip
    near = pairs["A", "B"] + pairs["B", "A"] + pairs["C", "D"] + pairs["D", "C"]
    assert near > 0.85 * pairs.total()
    with pytest.raises(SettingsError, match="need 4 rows"):
        shuffled(0.3, "category", close=((1.0,),))


@pytest.mark.parametrize("magnitude", [0.1, 0.5])
def test_false_negatives_and_positives_are_as_many_as_said(magnitude: float) -> None:
    missed, added = shuffled(magnitude, "false_negatives"), shuffled(magnitude, "false_positives")
    truth = set(marks(reference(), ANNOTATOR))
    for name in "ab":
        assert set(marks(missed, name)) <= truth <= set(marks(added, name))
        assert len(marks(missed, name)) == pytest.approx(400 * (1 - magnitude), abs=50)
        assert len(marks(added, name)) == pytest.approx(400 * (1 + magnitude), abs=50)
    assert set(marks(missed, "a")) != set(marks(missed, "b"))
    assert shuffled(1.0, "false_negatives").units == ()


def test_added_units_have_lengths_and_categories_of_the_reference() -> None:
    truth = reference()
    added = set(marks(shuffled(1.0, "false_positives"), "a")) - set(marks(truth, ANNOTATOR))
    assert len(added) > 380  # Binomial(400, 1), less what fell on a unit
    assert {int(e) - int(s) for s, e, _ in added} <= {u.length for u in truth.units}  # type: ignore[call-overload]


@pytest.mark.parametrize("magnitude", [0.1, 1.0])
def test_splits_tile_their_unit(magnitude: float) -> None:
    truth, result = reference(), shuffled(magnitude, "splits")
    pieces = result.of("a")
    # 5·N·m cuts; what is one position long cannot be cut.
    assert 400 < len(pieces) <= 400 + round(5 * 400 * magnitude)
    assert len(pieces) > 400 + 0.5 * min(5 * 400 * magnitude, 1500)
    for unit in truth.units:
        own = [p for p in pieces if unit.start <= p.start and p.end <= unit.end]
        assert own[0].start == unit.start
        assert own[-1].end == unit.end
        assert all(a.end == b.start for a, b in itertools.pairwise(own))
        assert {p.category for p in own} == {unit.category}


def test_shared_errors_are_correlated() -> None:
    truth = set(marks(reference(), ANNOTATOR))

    def common(shared: float) -> float:
        own = Errors().at(0.3, "false_negatives")
        made = shuffle(reference(), {"a": own, "b": own}, np.random.default_rng(5), shared=shared)
        a, b = (truth - set(marks(made, name)) for name in "ab")
        return len(a & b) / len(a | b)

    assert common(0.0) < 0.3 < 0.5 < common(0.8)
    assert common(1.0) == 1.0


def test_floats_stay_floats() -> None:
    units = (Unit("x", 0.5, 2.25, "A"), Unit("x", 4.0, 9.5, "B"))
    made = Continuum("t", units, length=10.0)
    own = Errors().at(0.4, "position", "splits")
    result = shuffle(made, {"a": own}, np.random.default_rng(0))
    assert all(isinstance(u.start, float) for u in result.units)


def test_a_corpus_is_the_same_for_the_same_seed() -> None:
    made = Blueprint(units=3).corpus(4, 7)
    own = {"a": Errors().at(0.5, *ERROR_KINDS)}
    assert shuffle_corpus(made, own, 1) == shuffle_corpus(made, own, 1)
    assert shuffle_corpus(made, own, 1) != shuffle_corpus(made, own, 2)
    assert [c.id for c in made.continua] == ["task-1", "task-2", "task-3", "task-4"]
    assert made.scale == ("A", "B", "C", "D")


def test_references_follow_their_blueprint() -> None:
    truth = reference()
    counts = Counter(u.category for u in truth.units)
    assert counts["A"] == pytest.approx(160, abs=30)
    assert counts["D"] == pytest.approx(40, abs=20)
    assert {u.length for u in truth.units} == set(range(5, 16))
    touching = reference(Blueprint(units=50, adjacent=1.0)).units
    assert all(a.end == b.start for a, b in itertools.pairwise(touching))
    assert len({u.category for u in touching}) == 1
    nested = reference(Blueprint(units=50, nested=1.0)).units
    assert len(nested) == 100


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Errors(position=1.5), "the magnitude of position is 1.5"),
        (lambda: Errors(shift=-1), "'shift' must be a finite number"),
        (lambda: Errors(close=((0.5, 0.2),)), "must add up to 1"),
        (lambda: Errors().at(0.1, "typos"), "there is no error 'typos'; there are position"),
        (lambda: Kind("A", 0), "the prevalence of 'A' is 0"),
        (lambda: Kind("A", 1, 9, 3), "the lengths of 'A' go from 9 to 3"),
        (lambda: Blueprint(units=0), "one unit and one category"),
        (lambda: Blueprint(gaps=(4, 2)), "the gaps go from 4 to 2"),
        (lambda: Blueprint(nested=2), "'nested' is 2"),
        (lambda: shuffle(reference(), {}, np.random.default_rng(0)), "no annotator to make"),
        (
            lambda: shuffle(reference(), {"a": Errors()}, np.random.default_rng(0), shared=2),
            "the shared part is 2",
        ),
    ],
)
def test_bad_settings(make: object, sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        make()  # type: ignore[operator]


def test_an_empty_reference_is_refused() -> None:
    empty = Corpus((Continuum("t", length=5),))
    with pytest.raises(InputError, match="task 't': the reference has no unit"):
        shuffle_corpus(empty, {"a": Errors()}, 0)
