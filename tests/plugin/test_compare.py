"""`goldspan compare`: changes between rounds are measured on what they share, and not made up."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.coefficient.judged import places, random_rows
from goldspan.engine import Corpus, Result, score
from goldspan.engine.change import APART, PAIRED, Round
from goldspan.engine.coefficient.base import GAMMA, GAMMA_CAT
from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.coefficient.resampling import BY_INTERVALS
from goldspan.engine.comparison import Comparison, compare, step
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Reason
from goldspan.plugin.cli import main
from goldspan.plugin.report.markdown import escape
from goldspan.plugin.report.trend import trend, trend_text
from goldspan.plugin.rounds import read_round, read_rounds
from report_corpora import texts


def figure(observed: float, expected: float) -> Figure:
    value = 1 - observed / expected
    sums = (observed, expected)
    return Figure(value, None, None, 0.95, 9, observed=observed, expected=expected, sums=sums)


def made(name: str, sums: dict[str, tuple[float, float]], **settings: Any) -> Round:
    """A round whose γ, γcat and γk of PER are all the same."""
    whole = figure(sum(o for o, _ in sums.values()), sum(e for _, e in sums.values()))
    keys = (GAMMA, GAMMA_CAT, ("gamma_k", "PER"))
    return Round(
        name=name,
        settings={"alpha": 1, "beta": 1, "precision": 0.02, "level": 0.95} | settings,
        figures=dict.fromkeys(keys, whole),
        tasks={task: dict.fromkeys(keys, figure(*own)) for task, own in sums.items()},
        marked={task: str(own) for task, own in sums.items()},
        texts={},
        distances={},
        n_units=9,
        n_annotators=3,
        symbols={"gamma": "γ", "gamma_cat": "γcat", "gamma_k": "γk"},
    )


def drawn(rng: np.random.Generator, tasks: int, gamma: float) -> dict[str, tuple[float, float]]:
    expected = rng.gamma(5, 1, tasks)
    observed = (1 - gamma) * expected * rng.gamma(4, 1 / 4, tasks)
    return {f"t{k}": pair for k, pair in enumerate(zip(observed, expected, strict=True))}


def test_the_sums_of_tasks_add_up_to_the_corpus() -> None:
    """What comparing rests on: 1 - Σ observed / Σ expected over tasks is the corpus's figure."""
    found = score(texts(6), precision=0.2, pairs=False)
    tasks = found.tasks.values()
    for whole, parts in [
        (found.gamma, [t.gamma for t in tasks]),
        (found.gamma_cat, [t.gamma_cat for t in tasks]),
        *((f, [t.gamma_k[k] for t in tasks if k in t.gamma_k]) for k, f in found.gamma_k.items()),
    ]:
        known = [p for p in parts if p.observed is not None and p.expected is not None]
        assert whole.value == pytest.approx(
            1
            - math.fsum(p.observed or 0 for p in known) / math.fsum(p.expected or 0 for p in known)
        )


def test_a_round_is_not_better_than_itself() -> None:
    one = made("a", drawn(np.random.default_rng(1), 12, 0.6), precision=0)
    change = step(one, one).gamma

    assert (change.difference, change.low, change.high) == (0, 0, 0)
    assert change.verdict == "no clear change"
    assert change.method == PAIRED


def test_rounds_of_the_same_quality_seldom_look_changed() -> None:
    rng = np.random.default_rng(7)
    verdicts = [
        step(made("a", drawn(rng, 12, 0.6)), made("b", drawn(rng, 12, 0.6))).gamma.verdict
        for _ in range(100)
    ]
    clear = 100 - verdicts.count("no clear change")
    assert clear <= 9


def test_a_real_change_is_seen() -> None:
    rng = np.random.default_rng(3)
    old, new = made("a", drawn(rng, 40, 0.4)), made("b", drawn(rng, 40, 0.8))

    assert step(old, new).gamma.verdict == "better"
    assert step(new, old).gamma.verdict == "worse"
    assert step(old, new) == step(old, new)
    assert step(old, new, seed=1).gamma.low != step(old, new).gamma.low


def test_pairing_sees_what_unpaired_rounds_hide() -> None:
    """Every task gains a little: clear if the tasks are the same ones, lost in the noise if not."""
    sums = drawn(np.random.default_rng(5), 15, 0.5)
    better = {task: (observed * 0.93, expected) for task, (observed, expected) in sums.items()}
    renamed = {f"other {task}": pair for task, pair in better.items()}
    old = made("a", sums, precision=0.001)

    paired = step(old, made("b", better, precision=0.001)).gamma
    apart = step(old, made("b", renamed, precision=0.001)).gamma
    assert (paired.verdict, paired.method) == ("better", PAIRED)
    assert (apart.verdict, apart.method) == ("no clear change", APART)
    assert paired.difference == pytest.approx(apart.difference)


def test_only_shared_tasks_count_where_there_are_enough() -> None:
    sums = drawn(np.random.default_rng(2), 8, 0.5)
    old = made("a", sums)
    again = {task: (observed * 0.9, expected) for task, (observed, expected) in sums.items()}
    new = made("b", again | {f"new {k}": (9.0, 1.0) for k in range(20)})

    found = step(old, new)
    assert len(found.shared) == found.gamma.n_tasks == 8
    assert found.gamma.difference > 0
    assert new.figures[GAMMA].value < 0


def test_what_nobody_touched_has_not_changed() -> None:
    """Other tasks in a round are another chance, which is no merit of the tasks that stayed."""
    sums = drawn(np.random.default_rng(4), 12, 0.5)
    luckier = {task: (observed, 1.2 * expected) for task, (observed, expected) in sums.items()}
    old, new = made("a", sums), made("b", luckier)
    same = replace(new, marked=old.marked)
    assert step(old, new).gamma.verdict == "better"
    assert step(old, same).gamma.difference == 0
    assert step(old, same).gamma.verdict == "no clear change"

    one_changed = replace(same, marked={**old.marked, "t0": "otherwise"})
    found = step(old, one_changed)
    assert found.gamma.method == PAIRED
    assert len(found.untouched) == 11
    assert found.gamma.verdict == "no clear change"


def test_a_round_that_brings_the_old_tasks_along_is_judged_by_its_new_ones() -> None:
    rng = np.random.default_rng(6)
    sums = drawn(rng, 20, 0.4)
    fresh = {f"new {task}": pair for task, pair in drawn(rng, 20, 0.9).items()}
    old, new = made("a", sums), made("b", sums | fresh)

    found = step(old, new)
    assert found.gamma.verdict == "better"
    assert found.gamma.method == APART
    assert found.gamma.new == pytest.approx(made("c", fresh).figures[GAMMA].value)
    (remark,) = found.remarks
    assert str(remark).startswith("Nobody changed anything in 20 of 20 shared tasks")
    assert trend(Comparison((old, new), (found,))).steps[0].lost == ()

    mended = made("b", sums | fresh | {"t0": (0.1, 1.0)})
    assert len(step(old, mended).untouched) == 19
    assert step(old, mended).gamma.verdict == "better", "one task that was mended changes little"
    again = {task: (observed * 0.99, expected) for task, (observed, expected) in sums.items()}
    redone = step(old, made("b", again | fresh))
    assert redone.gamma.method == PAIRED
    assert [str(one) for one in redone.remarks] == [
        "Only shared tasks are compared, without 20 new tasks."
    ]

    few = {task: fresh[task] for task in list(fresh)[:4]}
    untold = step(old, made("b", sums | few)).gamma
    assert untold.verdict == "cannot be told"
    assert untold.new == pytest.approx(made("c", few).figures[GAMMA].value)


def test_results_say_what_nobody_touched(tmp_path: Path) -> None:
    """Read back from files: the same six tasks, alone and with four more."""
    corpus = texts(10)
    rounds = []
    for count in (6, 10):
        found = score(replace(corpus, continua=corpus.continua[:count]), precision=0.2, pairs=False)
        path = tmp_path / f"{count}.json"
        path.write_text(json.dumps(found.as_json()), encoding="utf-8")
        rounds.append(read_round(path, path.stem))
    assert len(step(*rounds).untouched) == len(step(*rounds).shared) == len(rounds[0].tasks)
    assert set(rounds[1].texts) == set(rounds[1].tasks)


def test_two_texts_under_one_name_are_two_tasks() -> None:
    sums = drawn(np.random.default_rng(8), 8, 0.5)
    old, new = made("a", sums), made("b", sums)
    other = replace(new, texts=dict.fromkeys(sums, "another text"))
    assert len(step(old, other).shared) == 8, "without the text nothing tells them apart"

    known = replace(old, texts=dict.fromkeys(sums, "a text"))
    assert step(known, other).shared == ()
    assert step(known, other).gamma.method == APART


def test_few_tasks_tell_nothing() -> None:
    sums = drawn(np.random.default_rng(2), 4, 0.5)
    found = step(made("a", sums), made("b", sums)).gamma

    assert found.verdict == "cannot be told"
    assert str(found.reason) == "it takes 5 tasks with a figure in both rounds, there are 4"


def test_undefined_figures_and_other_settings_are_said() -> None:
    sums = drawn(np.random.default_rng(2), 6, 0.5)
    old, new = made("a", sums), made("b", sums, beta=2)
    none = Figure.undefined(Reason.other("no pairs"), 0.95)
    silent = replace(new, figures=new.figures | {GAMMA_CAT: none, ("gamma_k", "ORG"): none})

    found = step(old, silent)
    assert (found.gamma_cat.verdict, str(found.gamma_cat.reason)) == ("cannot be told", "no pairs")
    assert "different settings (beta: 1 and 2)" in str(found.remarks[0])
    assert str(found.remarks[1]) == "Labels that are new: ORG."


def test_other_distances_under_the_same_name_are_said() -> None:
    sums = drawn(np.random.default_rng(2), 6, 0.5)

    def spaced(distance: float) -> Round:
        one = made("a", sums, distances="matrix")
        return replace(one, distances={("PER", "LOC"): distance, ("LOC", "PER"): distance})

    assert step(spaced(0.5), spaced(0.5)).remarks == ()
    (remark,) = step(spaced(0.5), spaced(0.7)).remarks
    assert "different distances" in str(remark)
    unsaid = replace(spaced(0.5), distances={})
    assert step(unsaid, spaced(0.7)).remarks == (), "an older result does not say"


def test_labels_share_the_level() -> None:
    """With k labels each interval has the level 1 - (1 - level) / k."""
    sums = drawn(np.random.default_rng(2), 9, 0.5)
    one = made("a", sums)
    many = {("gamma_k", f"L{k}"): one.figures[GAMMA] for k in range(10)}
    wide = replace(one, figures=one.figures | many)

    assert step(one, one).labels[0].level == pytest.approx(0.95)
    assert step(wide, wide).labels[0].level == pytest.approx(1 - 0.05 / 11)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("rounds")
    paths = []
    for name, seed in (("first", 1), ("second", 2), ("third", 3)):
        path = folder / f"{name}.json"
        found = score(texts(6, seed=seed), precision=0.2, pairs=False)
        path.write_text(json.dumps(found.as_json()), encoding="utf-8")
        paths.append(path)
    return paths


def test_reading_back_gives_the_figures_that_were_written(results: list[Path]) -> None:
    found = score(texts(6, seed=1), precision=0.2, pairs=False)
    one = read_round(results[0], "first")

    assert one.figures[GAMMA] == found.gamma
    assert one.tasks["doc2"]["gamma_k", "PER"] == found.tasks["doc2"].gamma_k["PER"]


def test_the_terminal_shows_rounds_and_verdicts(
    results: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *map(str, results[:2])]) == 0
    said = capsys.readouterr().out
    for piece in ("first", "second", "6 shared tasks", "γcat", "γk PER", "paired bootstrap"):
        assert piece in said


def test_several_rounds_draw_a_line(results: list[Path], tmp_path: Path) -> None:
    page, text, program = (tmp_path / name for name in ("t.html", "t.md", "t.json"))
    options = ["--html", str(page), "--markdown", str(text), "--json", str(program), "--quiet"]

    assert main(["compare", *map(str, results), *options]) == 0
    value = json.loads(program.read_text(encoding="utf-8"))
    assert [one["name"] for one in value["rounds"]] == ["first", "second", "third"]
    assert [(s["from"], s["to"]) for s in value["steps"]] == [
        ("first", "second"), ("second", "third"), ("first", "third"),
    ]  # fmt: skip
    rounds = tuple(read_round(path, path.stem) for path in results)
    lines = trend(Comparison(rounds, (step(rounds[0], rounds[2]),))).lines
    assert [(name, [point.x for point in line.points]) for name, line in lines] == [
        ("γ", [0, 50, 100]), ("γcat", [0, 50, 100]),
    ]  # fmt: skip
    assert "**first → third** (6 shared tasks)" in text.read_text(encoding="utf-8")
    assert page.read_text(encoding="utf-8").count("<polyline") >= 2


def test_names_are_escaped(results: list[Path]) -> None:
    one = replace(read_round(results[0], "x"), name="<b>|@me")
    text = trend_text(Comparison((one, one), (step(one, one),)))

    assert "<b>" not in text
    assert escape("<b>|@me") in text


BAD = {
    "no JSON": ("{", "it is not JSON"),
    "a number too long": ('{"schema": ' + "1" * 5000 + "}", "it is not JSON"),
    "no result": ('{"a": 1}', "it is not a result of goldspan"),
    "a list": ("[]", "it is not a result of goldspan"),
    "other schema": ('{"schema": 2, "corpus": {}}', "it has the schema 2, this goldspan reads 1"),
    "parts missing": ('{"schema": 1, "corpus": {}}', "it is not complete"),
    "nested": ("[" * 100_000, "it is"),
}


@pytest.mark.parametrize(("content", "said"), BAD.values(), ids=BAD)
def test_bad_results_give_one_sentence(
    results: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, said: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content, encoding="utf-8")

    assert main(["compare", str(results[0]), str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"goldspan: {path}: ")
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["only"], "needs two results or more"),
        (["both", "--level", "2"], "the level is 2.0"),
        (["both", "--seed", "-1"], "the seed is -1"),
        (["both", "missing.json"], "missing.json: there is no such file"),
        (["both", "--json", "FIRST"], "would replace the input"),
    ],
)
def test_bad_usage_gives_one_sentence(
    results: list[Path], capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    known = {"only": [results[0]], "both": results[:2], "FIRST": [results[0]]}
    given = [str(path) for option in options for path in known.get(option, [option])]

    assert main(["compare", *given]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (math.nan, "nan is not a finite number"),
        (math.inf, "inf is not a finite number"),
        ("NaN", "Expected `float | null`, got `str` - at `$.corpus.gamma.value`"),
        ({}, "Expected `float | null`, got `object` - at `$.corpus.gamma.value`"),
    ],
    ids=str,
)
def test_a_value_that_is_no_number_is_named(
    results: list[Path], tmp_path: Path, number: object, said: str
) -> None:
    value = json.loads(results[0].read_text(encoding="utf-8"))
    value["corpus"]["gamma"]["value"] = number
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(value), encoding="utf-8")

    with pytest.raises(InputError, match=re.escape(said)):
        read_round(path, "bad")


@pytest.mark.parametrize("level", [-0.5, 0, 1, 95, math.nan])
@pytest.mark.parametrize("holder", ["settings", "figure"])
def test_a_level_that_is_no_share_is_refused(
    results: list[Path], tmp_path: Path, holder: str, level: float
) -> None:
    value = json.loads(results[0].read_text(encoding="utf-8"))
    (value["settings"] if holder == "settings" else value["corpus"]["gamma"])["level"] = level
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(value), encoding="utf-8")

    with pytest.raises(InputError, match=r"Expected `float` [<>].*level"):
        read_round(path, "bad")


def test_a_result_that_0_1_wrote_is_read() -> None:
    """`goldspan score round.csv --empty unseen` of 0.1 wrote it, before results stated errors."""
    path = Path(__file__).parent / "recorded" / "result-0.1.json"
    found = read_round(path, "first")
    gamma = found.figures[GAMMA]
    assert (gamma.value, gamma.low, gamma.n) == (0.7017173398285339, -0.049016367869064936, 14)
    assert (gamma.sums, gamma.error) == ((3.0176418301856875, 10.116718915041906), None)
    assert list(found.tasks) == ["one", "two", "three", "four", "five"]
    assert found.labels == ("LOC", "PER")
    assert (found.settings["chance"], found.settings["max_seconds"]) == ("corpus", None)
    assert step(found, found).gamma.method == PAIRED


def test_results_of_version_0_1_can_be_compared(tmp_path: Path) -> None:
    """They state neither samples nor errors, and know γ, γcat and γk alone."""
    value = score(texts(6), precision=0.2, pairs=False).as_json()
    old = json.loads(json.dumps(value))
    del old["coefficients"]
    figures = [old["corpus"], *old["tasks"]]
    for holder in figures:
        del holder["also"]
        for figure in (holder["gamma"], holder["gamma_cat"], *holder["gamma_k"].values()):
            for key in (
                "chance", "samples", "error", "sampling_low", "sampling_high", "sums",
                "reason_code", "reason_parameters",
            ):  # fmt: skip
                del figure[key]
    for name, one in (("old", old), ("new", value)):
        (tmp_path / f"{name}.json").write_text(json.dumps(one), encoding="utf-8")
    change = compare(read_rounds([tmp_path / "old.json", tmp_path / "new.json"])).whole.gamma
    assert change.difference == 0
    assert change.method == PAIRED
    assert change.low is not None


BY_TASK = [
    "alpha", "alpha_ordinal", "alpha_masi", "alpha_k", "multi_kappa", "bias", "s", "u_alpha",
    "cu_alpha", "k_alpha", "kappa_d", "f1", "ser",
]  # fmt: skip


def judged(seed: int, copied: float, labels: str) -> Result:
    """Twelve tasks with six items each, by three annotators."""
    rng = np.random.default_rng(seed)
    rows = random_rows(rng, 3, 72, labels, copied=copied)
    continua = [
        continuum
        for at in range(0, 72, 6)
        for continuum in places(*[row[at : at + 6] for row in rows], task=f"t{at:02}").continua
    ]
    return score(
        Corpus(tuple(continua), scale=tuple(labels)),
        coefficients=BY_TASK,
        precision=0.2,
        pairs=False,
    )


def kept(tmp_path: Path, **rounds: Result) -> list[Path]:
    """The rounds as files."""
    for name, result in rounds.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(result.as_json()), encoding="utf-8")
    return [tmp_path / f"{name}.json" for name in rounds]


def test_coefficients_of_other_labels_are_paired_over_shared_tasks(tmp_path: Path) -> None:
    """The sums of α are by label; each round's own labels say how to read them."""
    old, new = judged(1, 0.2, "123"), judged(2, 0.9, "1234")
    changes = compare(read_rounds(kept(tmp_path, old=old, new=new))).whole.changes
    for key in ("alpha", "alpha_ordinal", "cu_alpha", "u_alpha", "kappa_d", "multi_kappa", "f1"):
        change = changes[key, ""]
        assert (change.method, change.verdict, change.n_tasks) == (PAIRED, "better", 12)
        assert change.old == pytest.approx(old.figures[key, ""].value)
        assert change.new == pytest.approx(new.figures[key, ""].value)
        assert change.low is not None
        assert change.high is not None
        assert change.difference is not None
        assert change.low < change.difference < change.high


def test_pairing_tells_more_than_two_intervals(tmp_path: Path) -> None:
    """Hard tasks are hard in both rounds; a round that does not say what its sums are by is
    compared by its interval.
    """
    paths = kept(tmp_path, old=judged(1, 0.6, "123"), new=judged(1, 0.7, "123"))
    paired = compare(read_rounds(paths)).whole.changes["alpha", ""]
    value = json.loads(paths[0].read_text(encoding="utf-8"))
    value["coefficients"]["alpha"]["binding"] = None
    paths[0].write_text(json.dumps(value), encoding="utf-8")
    apart = compare(read_rounds(paths)).whole.changes["alpha", ""]
    assert (paired.method, apart.method) == (PAIRED, BY_INTERVALS)
    assert paired.high is not None
    assert paired.low is not None
    assert apart.high is not None
    assert apart.low is not None
    assert paired.high - paired.low < apart.high - apart.low


@pytest.mark.parametrize(
    ("place", "damaged"),
    [
        (("coefficients", "alpha", "binding"), {}),
        (("coefficients", "alpha", "binding", "distances"), [[0.0]]),
        (("coefficients", "alpha", "binding", "distances"), [[0.0, 1.0], [1.0]]),
        (("tasks", 0, "also", "alpha", "sums"), [1.0]),
        (("tasks", 0, "gamma", "sums"), [1.0, 2.0, 3.0]),
    ],
)
def test_sums_that_fit_nothing_are_refused(
    tmp_path: Path, place: tuple[str | int, ...], damaged: Any
) -> None:
    paths = kept(tmp_path, old=judged(1, 0.6, "123"), new=judged(1, 0.7, "123"))
    value = json.loads(paths[1].read_text(encoding="utf-8"))
    inner = value
    for name in place[:-1]:
        inner = inner[name]
    assert place[-1] in inner
    inner[place[-1]] = damaged
    paths[1].write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(InputError, match=r"new.*: the sums of '(alpha|gamma)' do not fit"):
        compare(read_rounds(paths))


def test_the_same_round_twice_has_not_changed(tmp_path: Path) -> None:
    same = judged(1, 0.5, "123")
    changes = compare(read_rounds(kept(tmp_path, old=same, new=same))).whole.changes
    told = {key: change for key, change in changes.items() if change.method is not None}
    assert {key for key, _ in told} >= {*BY_TASK}
    for (key, _), change in told.items():
        if key in BY_TASK:
            assert (change.low, change.high) == (0, 0), key


def test_reasons_come_back_as_values_and_without_codes_as_sentences(tmp_path: Path) -> None:
    result = score(texts(2), precision=0.2, pairs=False)
    value = result.as_json()
    path = tmp_path / "round.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    assert read_round(path, "new").figures[GAMMA].reason == result.gamma.reason

    for key in ("reason_code", "reason_parameters"):
        del value["corpus"]["gamma"][key]
    path.write_text(json.dumps(value), encoding="utf-8")
    old = read_round(path, "old").figures[GAMMA]
    assert old.reason == Reason.other("an interval over tasks needs 5 tasks, there are 2")
    assert old.remark == result.gamma.remark
