"""Scoring: corpora, chance models, workers, laws, and bad input."""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.continua import continua, continuum, ends, known
from goldspan.engine import (
    Continuum,
    Corpus,
    InputError,
    Measure,
    Nominal,
    Ordinal,
    Presence,
    Result,
    SettingsError,
    Table,
    Unit,
    score,
)
from goldspan.engine.coefficient.resampling import IntervalMethod, _percentiles, ratio_value


def corpus(
    seed: int = 0, tasks: int = 6, annotators: int = 3, units: int = 8, noise: float = 0.3
) -> Corpus:
    """A reference, and annotators who move, relabel and miss."""
    rng = np.random.default_rng(seed)
    made = []
    for k in range(tasks):
        rows = set()
        reference = [(i * 40 + 5, i * 40 + int(rng.integers(12, 30))) for i in range(units)]
        for a in range(annotators):
            for i, (s, e) in enumerate(reference):
                if rng.random() < noise / 2:
                    continue
                move = rng.integers(-2, 3, 2)
                label = "xyz"[(i + k) % 3] if rng.random() > noise / 2 else "x"
                rows.add(Unit(f"ann{a}", s + int(move[0]), e + int(move[1]), label))
        everybody = {f"ann{a}": Presence.DONE for a in range(annotators)}
        made.append(Continuum(f"t{k}", tuple(rows), everybody, units * 40, Measure.CHARACTER))
    return Corpus(tuple(made))


def same(one: Result, other: Result) -> bool:
    return one.as_json() == other.as_json()


def test_the_same_seed_gives_the_same_figures_and_another_does_not() -> None:
    assert same(score(corpus(), seed=3), score(corpus(), seed=3))
    assert score(corpus(), seed=3).expected_disorder != score(corpus(), seed=4).expected_disorder


def test_any_number_of_workers_gives_the_same_figures() -> None:
    alone = score(corpus())
    assert same(score(corpus(), workers=2), alone)
    with ThreadPoolExecutor(3) as pool:
        assert same(score(corpus(), executor=pool), alone)


def test_a_dask_cluster_gives_the_same_figures() -> None:
    distributed = pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert same(score(corpus(), executor=client.get_executor()), score(corpus()))


def test_chance_is_the_corpus_from_n_tasks_on() -> None:
    assert score(corpus(tasks=3), pairs=False).chance == ("corpus",)
    assert score(corpus(tasks=2), pairs=False).chance == ("shift",)
    with pytest.raises(SettingsError, match="as many tasks as annotators"):
        score(corpus(tasks=2), chance="corpus")


@pytest.mark.parametrize("chance", ["shift", "corpus", "statistical"])
def test_all_chance_models_agree_roughly(chance: str) -> None:
    gamma = score(corpus(), chance=chance, pairs=False).gamma.value
    assert gamma is not None
    assert 0.5 < gamma < 0.9


def test_tasks_with_other_numbers_of_annotators_have_their_own_chance() -> None:
    whole = corpus(tasks=8, annotators=4)
    mixed = Corpus(
        tuple(c if k % 2 else c.only(["ann0", "ann1"]) for k, c in enumerate(whole.continua))
    )
    result = score(mixed, pairs=False)
    expected = {len(t.annotators): t.expected_disorder for t in result.tasks.values()}
    assert expected[2] is not None
    assert expected[4] is not None
    assert expected[2] != expected[4]
    assert {t.chance.value for t in result.tasks.values()} == {"corpus"}


def test_corpus_gamma_is_weighted_by_units() -> None:
    result = score(corpus(), pairs=False)
    tasks = result.tasks.values()
    above = sum(t.alignment.disorder * t.n_units / len(t.annotators) for t in tasks)
    below = sum((t.expected_disorder or 0) * t.n_units / len(t.annotators) for t in tasks)
    assert result.gamma.value == pytest.approx(1 - above / below)


def test_an_interval_over_tasks_is_the_formula() -> None:
    """1 - (1-γ)·exp(± t·s), s² = D/(D-1)·Σe²/(ΣC)² + Cv²/S, written again."""
    result = score(corpus(tasks=6), pairs=False)
    tasks = list(result.tasks.values())
    costs = np.array([t.alignment.disorder * t.n_units / 3 for t in tasks])
    units = np.array([t.n_units / 3 for t in tasks])
    ratio = costs.sum() / units.sum()
    spread = 6 / 5 * ((costs - ratio * units) ** 2).sum() / costs.sum() ** 2
    t_975 = 2.570581836  # of 5 degrees of freedom
    gamma = known(result.gamma)
    low, high = ends(result.gamma)
    reach = math.log((1 - low) / (1 - gamma))
    assert math.log((1 - gamma) / (1 - high)) == pytest.approx(reach)
    chance_part = (reach / t_975) ** 2 - spread
    assert 0 < chance_part < 0.02**2
    assert result.gamma.method == "log-scale t over tasks"


def test_intervals_by_bootstrap_and_within_one_long_task() -> None:
    boot = score(corpus(tasks=8), bootstrap=True, pairs=False).gamma
    assert boot.method == "bootstrap over tasks"
    low, high = ends(boot)
    assert low < known(boot) < high
    long = score(corpus(tasks=1, units=40), pairs=False).gamma
    assert long.method == "bootstrap over blocks of unitary alignments"
    low, high = ends(long)
    assert low < known(long) < high


def test_too_little_data_gives_a_reason_instead_of_an_interval() -> None:
    few = score(corpus(tasks=3), pairs=False).gamma
    assert few.low is None
    assert few.remark == "an interval over tasks needs 5 tasks, there are 3"
    short = score(corpus(tasks=1), pairs=False).gamma
    assert "needs 25 unitary alignments" in (short.remark or "")


def test_a_rare_label_in_a_long_task_has_no_interval_but_a_reason() -> None:
    """Two pairs tell nothing about others, however many units of other labels there are."""
    rare = {("b", 7), ("a", 8)}
    rows = [
        (who, 20.0 * k, 20.0 * k + 8, "RARE" if (who, k) in rare else "X" if k % 3 else "Y")
        for k in range(60)
        for who in ("a", "b")
    ]
    found = score(Corpus((continuum(*rows, length=1300),)), pairs=False).gamma_k
    ends(found["X"])
    assert found["RARE"].low is None
    assert "5 stretches of 5 unitary alignments" in (found["RARE"].remark or "")


@given(st.integers(0, 2**32), st.integers(5, 40), st.integers(1, 3))
def test_draws_without_the_label_do_not_count_as_agreement(
    seed: int, parts: int, telling: int
) -> None:
    """Where every part with a sum disagrees just as chance does, γk is 0, and so is its interval:
    parts without any do not count.
    """
    counts = (np.arange(parts + telling) < telling).astype(float)
    rows = np.column_stack((counts, counts))
    low, high = _percentiles(rows, ratio_value, 0.0, IntervalMethod(seed=seed))
    assert (low, high) == (0, 0)


def test_pairs_and_leaving_out_are_the_same_code_on_fewer_annotators() -> None:
    data = corpus()
    result = score(data)
    alone = score(Corpus(tuple(c.only(["ann0", "ann2"]) for c in data.continua)), pairs=False)
    (pair,) = (p for p in result.pairs if p.annotators == ("ann0", "ann2"))
    # Alone, γk asks for more of the same samples; but for them the figures are the same.
    assert pair.gamma.observed == alone.gamma.observed
    assert pair.gamma_cat.observed == alone.gamma_cat.observed
    assert known(pair.gamma) == pytest.approx(known(alone.gamma), abs=0.01)
    (left,) = (a for a in result.annotators if a.name == "ann1")
    assert left.gamma_without == pair.gamma
    assert score(data, pairs=False).pairs == ()


def test_a_weak_annotator_is_found() -> None:
    data = corpus(tasks=8)
    rng = np.random.default_rng(5)
    worse = []
    for c in data.continua:
        units = {
            u if u.annotator != "ann2" else Unit(
                "ann2", u.start + int(rng.integers(0, 12)), u.end + int(rng.integers(12, 20)), "x"
            )
            for u in c.units
            if u.end < 290
        }  # fmt: skip
        worse.append(Continuum(c.id, tuple(units), c.presence, c.length))
    result = score(Corpus(tuple(worse)))
    without = {a.name: a.gamma_without.value or 0 for a in result.annotators}
    assert max(without, key=lambda name: without[name]) == "ann2"
    assert min(result.pairs, key=lambda p: p.gamma.value or 0).annotators != ("ann0", "ann1")


def test_chance_that_aligns_no_pair_leaves_labels_without_a_figure() -> None:
    units = (Unit("ann", 0, 1, "x"), Unit("ann", 17, 18, "x"))
    alone = Continuum("t", units, {"bob": Presence.EMPTY, "cleo": Presence.EMPTY})
    (task,) = score(Corpus((alone,)), precision=0.2).tasks.values()
    assert task.gamma.value is not None
    assert task.gamma_cat.value is None


@settings(max_examples=25)
@given(st.lists(continua(max_annotators=3), min_size=1, max_size=4))
def test_gamma_is_at_most_1_and_1_only_for_identical_annotations(tasks: list[Continuum]) -> None:
    data = Corpus(
        tuple(
            Continuum(f"t{k}", c.units, c.presence, c.length, c.measure)
            for k, c in enumerate(tasks)
        )
    )
    result = score(data, precision=0.2, pairs=False)
    for task in result.tasks.values():
        c = data[task.id]
        spans = {tuple((u.start, u.end, u.category) for u in c.of(a)) for a in c.annotators}
        if task.gamma.value is not None:
            assert task.gamma.value <= 1
            assert (task.gamma.value == 1) == (len(spans) == 1)
        for figure in (result.gamma_cat, *result.gamma_k.values()):
            assert figure.value is None or figure.value <= 1
            assert (figure.value is None) <= (figure.reason is not None)


@settings(max_examples=15)
@given(st.randoms(use_true_random=False))
def test_order_of_tasks_units_and_annotators_changes_nothing(random: object) -> None:
    data = corpus(tasks=3)
    shuffled = []
    for c in data.continua:
        units, names = list(c.units), list(c.presence)
        random.shuffle(units)  # type: ignore[attr-defined]
        random.shuffle(names)  # type: ignore[attr-defined]
        shuffled.append(Continuum(c.id, tuple(units), {n: c.presence[n] for n in names}, c.length))
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = score(data, precision=0.1), score(Corpus(tuple(shuffled)), precision=0.1)
    assert one.gamma.value == pytest.approx(other.gamma.value)
    assert one.gamma_cat.value == pytest.approx(other.gamma_cat.value)
    assert {t: r.gamma for t, r in one.tasks.items()} == {
        t: r.gamma for t, r in other.tasks.items()
    }


def test_disagreements_add_up_and_name_their_kind() -> None:
    c = continuum(
        ("a", 0, 10, "x"), ("b", 0, 10, "x"),       # the same
        ("a", 100, 110, "x"), ("b", 100, 112, "x"),  # boundary
        ("a", 200, 210, "x"), ("b", 200, 210, "y"),  # label
        ("a", 300, 310, "y"),                        # missed
        ("a", 400, 440, "x"), ("b", 400, 418, "x"), ("b", 420, 440, "x"),  # split
        ("a", 500, 540, "x"), ("b", 500, 540, "x"), ("a", 510, 520, "y"),  # nested, so missed
    )  # fmt: skip
    result = score(Corpus((c,)))
    (task,) = result.tasks.values()
    parts = task.disagreements
    assert {kind: part.count for kind, part in parts.items()} == {
        "missed": 2, "boundary": 2, "label": 1, "split": 1,
    }  # fmt: skip
    total = sum(one.disorder for one in task.alignment.unitary)
    assert sum(part.disorder for part in parts.values()) == pytest.approx(total)
    assert sum(part.share for part in parts.values()) == pytest.approx(1)
    assert result.pairs[0].disagreements == result.disagreements
    by_label = result.disagreements_by_label
    assert by_label["y"]["missed"].count == 2
    assert sum(p.disorder for parts in by_label.values() for p in parts.values()) == pytest.approx(
        total
    )


def test_tasks_that_cannot_be_scored_are_listed_with_reasons() -> None:
    data = corpus(tasks=3)
    odd = (
        Continuum("lonely", (Unit("ann0", 0, 3, "x"),), length=9),
        Continuum("blank", presence=dict.fromkeys(["ann0", "ann1"], Presence.EMPTY), length=9),
        Continuum("skipped", presence={"ann0": Presence.SKIPPED}, length=9),
    )
    result = score(Corpus((*data.continua, *odd)), pairs=False)
    assert {one.task: str(one.reason) for one in result.excluded} == {
        "lonely": "only one annotator",
        "blank": "nobody marked a unit",
        "skipped": "no annotator finished it",
    }
    # Chance draws from the blank task, where two annotators marked nothing, but not from others.
    assert result.gamma == score(Corpus((*data.continua, odd[1])), pairs=False).gamma
    assert result.gamma != score(data, pairs=False).gamma


def test_a_continuum_too_short_for_chance_says_so() -> None:
    c = continuum(("a", 0, 10, "x"), ("b", 1, 10, "x"))
    result = score(Corpus((c,)))
    assert result.gamma.value is None
    assert "score several texts together" in (result.gamma.remark or "")
    assert result.excluded[0].task == "t"


def test_the_result_is_plain_json() -> None:
    result = score(corpus())
    again = json.loads(json.dumps(result.as_json(), allow_nan=False))
    assert again == result.as_json()
    assert again["schema"] == 1
    assert again["settings"]["chance"] == "corpus"
    first = again["tasks"][0]["alignment"][0]
    assert set(first) == {"units", "disorder", "positional", "categorial", "missing"}
    assert all(type(p) is int for p in next(iter(first["units"].values()))[:2])


BAD_CORPORA = {
    "no task": (Corpus(()), "there is no task to score"),
    "one annotator": (
        Corpus((Continuum("t", (Unit("a", 0, 1, "x"),)),)),
        "needs a task with two annotators",
    ),
    "no unit": (
        Corpus((Continuum("t", presence=dict.fromkeys("ab", Presence.EMPTY)),)),
        "nobody marked a unit",
    ),
    "unknown presence": (
        Corpus((Continuum("t", (Unit("a", 0, 1, "x"),), {"b": Presence.UNKNOWN}),)),
        "task 't': nothing tells whether 'b' saw this task",
    ),
}


@pytest.mark.parametrize(("data", "message"), BAD_CORPORA.values(), ids=BAD_CORPORA)
def test_bad_corpora(data: Corpus, message: str) -> None:
    with pytest.raises(InputError, match=message):
        score(data)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"precision": 0}, "precision"),
        ({"precision": math.nan}, "precision"),
        ({"level": 1}, "level"),
        ({"seed": -1}, "seed"),
        ({"chance": "dice"}, "no chance model 'dice'; use one of auto"),
        ({"alpha": -1}, "alpha"),
        ({"beta": 0, "forbid": True}, "forbid separates categories, and with beta 0"),
        ({"workers": 0}, "workers"),
        ({"solver": "Nemo"}, "no solver 'Nemo'"),
        ({"seconds": 0}, "time limit"),
    ],
)
def test_bad_settings(setting: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        score(corpus(), **setting)  # type: ignore[arg-type]


def test_a_category_missing_from_the_distances_is_said() -> None:
    with pytest.raises(InputError, match="the category 'z' is used"):
        score(corpus(), distances=Ordinal(("x", "y")))


def test_progress_is_told() -> None:
    heard: list[tuple[str, int, int]] = []
    score(corpus(), distances=Nominal(), progress=lambda *event: heard.append(event))
    assert {what for what, _, _ in heard} == {
        "aligning", "drawing chance samples", "comparing annotators",
    }  # fmt: skip
    assert all(0 <= done <= total for _, done, total in heard)


def sparse_pair() -> Corpus:
    """Eight tasks of three annotators; only the first task has a fourth, who marked one unit."""
    data = corpus(tasks=8)
    first = data.continua[0]
    units = (*first.units, Unit("late", 5, 20, "x"))
    joined = Continuum(first.id, units, {**first.presence, "late": Presence.DONE}, first.length)
    return Corpus((joined, *data.continua[1:]))


@pytest.mark.parametrize("chance", ["auto", "corpus"])
def test_a_pair_with_too_few_tasks_has_a_reason_and_stops_nothing(chance: str) -> None:
    result = score(sparse_pair(), chance=chance, precision=0.1)
    assert result.gamma.chance == "corpus"
    for pair in result.pairs:
        if "late" in pair.annotators:
            assert pair.gamma.value is None
            assert "as many tasks as annotators" in (pair.gamma.remark or "")
        else:
            assert pair.gamma.chance == "corpus"


def test_the_whole_and_its_pairs_use_one_model_of_chance() -> None:
    """Two tasks are enough for pairs to draw from the corpus, but not for three annotators."""
    result = score(corpus(tasks=2), precision=0.1)
    assert {result.gamma.chance, *(pair.gamma.chance for pair in result.pairs)} == {"shift"}


def test_label_disagreement_is_shared_out_by_distance() -> None:
    distances = Table(("low", "mid", "high"), ((0, 0, 1), (0, 0, 1), (1, 1, 0)))
    rows = [("a", 0, 10, "low"), ("b", 0, 10, "mid"), ("c", 0, 10, "high")]
    result = score(Corpus((continuum(*rows, length=50),)), distances=distances, pairs=True)
    (task,) = result.tasks.values()
    found = {
        pair.annotators: (pair.disagreements["label"].count, pair.disagreements["label"].disorder)
        for pair in result.pairs
    }
    half = task.alignment.unitary[0].categorial / 2
    assert half > 0
    assert found == {("a", "b"): (0, 0), ("a", "c"): (1, half), ("b", "c"): (1, half)}


def test_a_label_of_one_annotator_has_a_reason_and_its_sums() -> None:
    data = corpus(tasks=6)
    odd = [
        Continuum(c.id, (*c.units, Unit("ann0", 1, 4, "mine")), c.presence, c.length)
        for c in data.continua
    ]
    figure = score(Corpus(tuple(odd)), alpha=0.1, pairs=False).gamma_k["mine"]
    assert figure.value is None
    assert figure.low is None
    assert figure.remark == "only 'ann0' used it, so nobody could agree on it" or figure.n == 0


def test_n_counts_what_a_figure_rests_on() -> None:
    """The second task has no room for shifts, so its units are not behind the figure."""
    roomy = continuum(("a", 0, 10, "x"), ("b", 2, 12, "x"), ("b", 30, 40, "y"), length=200)
    full = continuum(("a", 0, 10, "x"), ("b", 1, 10, "x"), length=10, task="full")
    result = score(Corpus((roomy, full)), chance="shift", pairs=False)
    assert result.gamma.n == 3
    far = continuum(("a", 0, 10, "x"), ("b", 10, 20, "x"), length=100, task="far")
    assert score(Corpus((far,)), pairs=False).gamma_cat.n == 0


def test_figures_state_their_sampling_error() -> None:
    result = score(corpus(), precision=0.05)
    for figure in (result.gamma, result.gamma_cat, *result.gamma_k.values()):
        assert figure.samples >= 30
        assert figure.error is not None
        assert figure.error <= 0.05 or figure.samples >= 1000
        assert figure.sampling_bounds is not None
        low, high = figure.sampling_bounds
        assert low <= known(figure) <= high
    assert result.gamma_cat.error is not None
    assert result.gamma_cat.error <= 0.05


def test_a_time_limit_for_the_run_leaves_out_what_there_is_no_time_for() -> None:
    result = score(corpus(tasks=12, units=20), max_seconds=1e-6, precision=0.001)
    assert result.gamma.value is not None
    assert result.gamma.samples == 10
    assert result.gamma.error is not None
    assert result.gamma.error > 0.001
    assert {pair.gamma.remark for pair in result.pairs} == {
        "the time limit for the whole run was over"
    }
    (note,) = result.cut_short
    assert "figures of 3 groups of annotators were left out" in note.message
