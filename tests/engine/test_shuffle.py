"""The Corpus Shuffling Tool: each kind of error does what it says, and nothing else."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldspan.engine import Continuum, Corpus, InputError, SettingsError, Unit
from goldspan.engine.simulation.confusion import Confusion
from goldspan.engine.simulation.reference import ANNOTATOR, REFERENCES, SEGMENTS, Blueprint, Kind
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
)
seeds = st.integers(0, 2**32)


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
    truth, result = reference(), shuffled(0.1, "position", shift=2)
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
    rows = ((0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0))
    close = Confusion(tuple("ABCD"), rows)
    result = shuffled(0.3, "category", close=close)
    pairs = Counter(
        (u.category, v.category) for u, v in zip(reference().units, result.of("a"), strict=True)
        if u.category != v.category
    )  # fmt: skip
    near = pairs["A", "B"] + pairs["B", "A"] + pairs["C", "D"] + pairs["D", "C"]
    assert near > 0.85 * pairs.total()


@pytest.mark.parametrize("magnitude", [0.1, 0.5])
def test_false_negatives_and_positives_are_as_many_as_said(magnitude: float) -> None:
    missed = shuffled(magnitude, "false_negatives")
    added = shuffled(magnitude, "false_positives", extra=1)
    truth = set(marks(reference(), ANNOTATOR))
    for name in "ab":
        assert set(marks(missed, name)) <= truth <= set(marks(added, name))
        assert len(marks(missed, name)) == pytest.approx(400 * (1 - magnitude), abs=50)
        assert len(marks(added, name)) == pytest.approx(400 * (1 + magnitude), abs=50)
    assert set(marks(missed, "a")) != set(marks(missed, "b"))
    assert shuffled(1.0, "false_negatives").units == ()


def test_added_units_have_lengths_and_categories_of_the_reference() -> None:
    truth = reference()
    added = set(marks(shuffled(1.0, "false_positives", extra=1), "a")) - set(
        marks(truth, ANNOTATOR)
    )
    assert len(added) > 380  # Binomial(400, 1), less what fell on a unit
    assert {int(e) - int(s) for s, e, _ in added} <= {u.length for u in truth.units}  # type: ignore[call-overload]


@pytest.mark.parametrize("magnitude", [0.1, 1.0])
def test_splits_tile_their_unit(magnitude: float) -> None:
    truth, result = reference(), shuffled(magnitude, "splits")
    pieces = result.of("a")
    # These units are short: a quarter of the places inside of them is cut at m = 1.
    places = sum(int(unit.length) - 1 for unit in truth.units)
    assert len(pieces) == 400 + round(places / 4 * magnitude)
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
        (lambda: Errors(segments=True, splits=0.1), "segments cannot have the error splits"),
        (lambda: Errors(prevalence=True, confusion=Confusion.among("A", "B")), "not both"),
        (lambda: Confusion(("A", "B"), ((0.5, 0.2), (0, 1))), "the row of 'A' .* add up to 1"),
        (lambda: Confusion(("A", "B"), ((1.0,),)), "needs 2 rows of 2 numbers"),
        (lambda: Confusion(("A", "A"), ((1.0, 0), (0, 1))), "names 'A' twice"),
        (lambda: Confusion.among("A"), "two categories or more"),
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
        (
            lambda: shuffle_corpus(
                Blueprint().corpus(1, 1), {"a": Errors(), "b": Errors(extra=1)}, 0, shared=0.5
            ),
            "need the same 'extra'",
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


@given(st.sampled_from(sorted(REFERENCES)), magnitudes, st.floats(0, 20), seeds)
@settings(max_examples=60)
def test_position_errors_keep_number_order_and_categories(
    name: str, magnitude: float, shift: float, seed: int
) -> None:
    """2015, §6.3.1: "in the same order, with the correct category, and in the same number"."""
    made = reference(REFERENCES[name], seed)
    own = Errors(shift=shift, apart=True).at(magnitude, "position")
    result = shuffle(made, {"a": own}, np.random.default_rng(seed))
    found = result.of("a")
    assert [u.category for u in found] == [u.category for u in made.units]
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))
    free = shuffle(made, {"a": replace(own, apart=False)}, np.random.default_rng(seed))
    assert Counter(u.category for u in free.of("a")) == Counter(u.category for u in made.units)


@given(blueprints, magnitudes, st.floats(0, 20), seeds)
def test_no_boundary_moves_further_than_its_law_says(
    blueprint: Blueprint, magnitude: float, shift: float, seed: int
) -> None:
    """±shift·m·length of the unit; of one unit, so that it is known which one moved."""
    made = reference(replace(blueprint, units=1, nested=0.0), seed)
    own = Errors(shift=shift).at(magnitude, "position")
    (unit,), (moved,) = made.units, shuffle(made, {"a": own}, np.random.default_rng(seed)).units
    most = shift * magnitude * unit.length + 0.5
    assert abs(moved.start - unit.start) <= most
    assert abs(moved.end - unit.end) <= most


@given(blueprints, magnitudes, magnitudes, seeds)
def test_more_of_the_same_errors_at_a_higher_magnitude(
    blueprint: Blueprint, one: float, other: float, seed: int
) -> None:
    low, high = sorted((one, other))
    made = reference(replace(blueprint, nested=0.0), seed)

    def at(magnitude: float, kind: str) -> list[tuple[object, ...]]:
        own = Errors().at(magnitude, kind)
        return marks(shuffle(made, {"a": own}, np.random.default_rng(seed)), "a")

    assert set(at(high, "false_negatives")) <= set(at(low, "false_negatives"))
    assert set(at(low, "false_positives")) <= set(at(high, "false_positives"))
    edges = [{mark[0] for mark in at(m, "splits")} for m in (low, high)]
    assert edges[0] <= edges[1]
    truth = marks(made, ANNOTATOR)
    wrong = [
        {at for at, (mark, own) in enumerate(zip(at(m, "category"), truth, strict=True))
         if mark != own} for m in (low, high)
    ]  # fmt: skip
    assert wrong[0] <= wrong[1]


def test_at_magnitude_1_categories_are_those_of_chance() -> None:
    result = shuffled(1.0, "category")
    pairs = [u.category == v.category for u, v in zip(result.of("a"), result.of("b"), strict=True)]
    assert np.mean(pairs) == pytest.approx(1 / 4, abs=0.08)


def test_confusion_can_be_confined_to_some_categories() -> None:
    result = shuffled(1.0, "category", confusion=Confusion.among("A", "B"))
    for unit, made in zip(reference().units, result.of("a"), strict=True):
        if unit.category in "CD":
            assert made.category == unit.category
        else:
            assert made.category in "AB"


def test_a_confusion_matrix_is_followed() -> None:
    matrix = Confusion(("A", "B"), ((0.2, 0.8), (0.0, 1.0)))
    result = shuffled(1.0, "category", confusion=matrix)
    pairs = Counter(
        (u.category, v.category) for u, v in zip(reference().units, result.of("a"), strict=True)
    )
    assert pairs["A", "B"] / (pairs["A", "A"] + pairs["A", "B"]) == pytest.approx(0.8, abs=0.1)
    assert pairs["B", "A"] == 0


@pytest.mark.parametrize("scale", [(), ("A", "B", "C", "D", "X")])
def test_a_matrix_with_a_category_that_is_not_used_is_refused(scale: tuple[str, ...]) -> None:
    own = Errors(confusion=Confusion.among("A", "X")).at(0.5, "category")
    with pytest.raises(
        SettingsError, match=r"names 'X', which the reference does not have; .* A, B"
    ):
        shuffle_corpus(replace(Blueprint().corpus(3, 1), scale=scale), {"a": own}, 0)


def test_a_rare_category_is_drawn_even_where_a_task_does_not_have_it() -> None:
    kinds = (Kind("A", 50), Kind("B", 1))
    made = Blueprint(units=3, kinds=kinds).corpus(40, 1)
    result = shuffle_corpus(made, {"a": Errors().at(1.0, "category")}, 2)
    pure = [c.id for c in made if c.categories == ("A",)]
    assert pure
    assert any("B" in result[task].categories for task in pure)


def test_a_reference_with_overlaps_is_refused_where_none_are_allowed() -> None:
    made = Blueprint(nested=1.0).corpus(1, 1)
    with pytest.raises(InputError, match="task 'task-1': the reference has units that overlap"):
        shuffle_corpus(made, {"a": Errors(apart=True).at(0.1, "position")}, 0)


@given(magnitudes, st.sampled_from(["position", "false_negatives", "false_positives"]), seeds)
def test_segments_stay_segments(magnitude: float, kind: str, seed: int) -> None:
    made = reference(SEGMENTS, seed)
    own = Errors(segments=True).at(magnitude, kind)
    found = shuffle(made, {"a": own}, np.random.default_rng(seed)).of("a")
    assert (found[0].start, found[-1].end) == (0, made.length)
    assert all(one.end == other.start for one, other in itertools.pairwise(found))
    if kind == "position":
        assert len(found) == len(made.units)
    truth = {unit.start for unit in made.units}
    if kind == "false_negatives":
        assert {unit.start for unit in found} <= truth
    if kind == "false_positives":
        # One that falls on a boundary of the reference takes the next place.
        assert len(found) >= len(made.units)


def test_segments_with_gaps_are_refused() -> None:
    made = Blueprint(gaps=(5, 5)).corpus(1, 1)
    with pytest.raises(InputError, match="not a segmentation: nothing is marked from"):
        shuffle_corpus(made, {"a": Errors(segments=True).at(0.1, "position")}, 0)
