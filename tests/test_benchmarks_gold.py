"""The benchmark of gold measures what it says, and its targets can be missed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from benchmarks.gold import page
from benchmarks.gold.cells import CELLS, Cell
from benchmarks.gold.crowd import run as run_crowd
from benchmarks.gold.crowd import tables
from benchmarks.gold.crowd_rivals import mace, smallest_distance
from benchmarks.gold.crowd_scale import cost
from benchmarks.gold.crowds import Crowd, Range
from benchmarks.gold.marks import crowd_marks, curve, f1, marks, pairs
from benchmarks.gold.rivals import best_single, exact_majority, token_vote
from benchmarks.gold.trial import ORACLE, run
from goldspan.engine.gold.merging import DEFAULT
from goldspan.engine.model import Continuum, Corpus, Unit

pytestmark = pytest.mark.repository


def corpus(*units: tuple[str, int, int, str]) -> Corpus:
    return Corpus((Continuum("t", tuple(Unit(*unit) for unit in units), length=50),))


def test_pairs_are_the_closest_and_each_counts_once() -> None:
    truth = [(0, 10, "A"), (20, 30, "B")]
    assert pairs([(0, 9, "A"), (0, 10, "A")], truth, 0.5) == [(1, 0)]
    assert pairs([(0, 10, "B")], truth, 0.5) == []
    assert pairs([(0, 10, "B")], truth, 0.5, labelled=False) == [(0, 0)]


def test_f1_exact_and_relaxed() -> None:
    truth: dict[str, list[tuple[float, float, str]]] = {"t": [(0, 10, "A"), (20, 30, "B")]}
    assert f1({"t": [(0, 10, "A"), (20, 29, "B")]}, truth, 1.0) == 0.5
    assert f1({"t": [(0, 10, "A"), (20, 29, "B")]}, truth, 0.5) == 1.0
    assert f1({}, truth, 0.5) == 0.0
    found = marks({"t": [(0, 10, "B"), (21, 30, "B")]}, truth)
    assert found["category"] == 0.5
    assert found["boundary"] == pytest.approx(0.025)
    assert found["relaxed"] == 0.5


def test_rivals() -> None:
    made = corpus(("a", 0, 9, "A"), ("a", 9, 20, "A"), ("b", 0, 9, "A"), ("b", 9, 21, "A"),
                  ("c", 0, 9, "A"), ("c", 40, 50, "B"))  # fmt: skip
    assert exact_majority(made) == {"t": [(0, 9, "A")]}
    assert token_vote(made) == {"t": [(0, 20, "A")]}
    truth: dict[str, list[tuple[float, float, str]]] = {"t": [(40, 50, "B")]}
    assert (40, 50, "B") in best_single(made, truth)["t"]


def test_the_curve_counts_by_confidence() -> None:
    (low, top) = curve([(0.95, True), (0.9, False), (0.55, True)])
    assert (low["low"], low["n"], low["right"]) == (0.5, 1, 1.0)
    assert (top["low"], top["n"], top["right"]) == (0.9, 2, 0.5)


def test_cells_have_their_own_seed_and_give_the_same_corpora() -> None:
    assert len({cell.seed for cell in CELLS}) == len(CELLS)
    cell = Cell("one bad annotator", 3, 0.1)
    assert cell.corpora(2) == cell.corpora(2)


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    """All kinds of error at one magnitude, as a run would give them, from few documents."""
    return [json.loads(json.dumps(run(Cell(kind, 3, 0.1), 12))) for kind in ("mixed", "adjacent")]


def test_a_trial_marks_every_strategy(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        assert {DEFAULT, ORACLE, "token vote", "exact majority", "union"} <= set(row["marks"])
        assert row["marks"][DEFAULT]["relaxed"] > row["marks"]["union"]["relaxed"]
        assert sum(one["n"] for one in row["raw"]) == row["spans"]


def changed(row: dict[str, Any], **marks_: float) -> dict[str, Any]:
    found = json.loads(json.dumps(row))
    for name, value in marks_.items():
        found["marks"][name.replace("_", " ")]["relaxed"] = value
    return found  # type: ignore[no-any-return]


def test_targets_can_be_missed(rows: list[dict[str, Any]]) -> None:
    met = {target.name: target.met for target in page.targets(rows)}
    ahead = [met[name] for name in met if "ahead" in name]
    assert ahead
    assert all(ahead)
    worse = [changed(row, reliability=0.4, token_vote=0.9) for row in rows]
    missed = {target.name: target.met for target in page.targets(worse)}
    behind = [missed[name] for name in missed if "token vote" in name or "at most" in name]
    assert behind
    assert not any(behind)


@pytest.mark.parametrize(
    ("right", "confidence", "enough", "honest"),
    [(0.5, 0.95, False, False), (0.9, 0.93, True, True), (0.999, 0.994, True, True),
     (0.999, 0.95, True, False), (0.89, 0.97, True, False), (0.87, 0.91, False, True)],
)  # fmt: skip
def test_sure_spans_must_be_right_and_say_how_often(
    rows: list[dict[str, Any]], right: float, confidence: float, enough: bool, honest: bool
) -> None:
    made = json.loads(json.dumps(rows))
    for row in made:
        row["calibrated"] = [{"low": 0.9, "n": 500, "confidence": confidence, "right": right}]
    sure, stated = [
        one for one in page.targets(made) if "adjudicated" in one.name or "mean" in one.name
    ]
    assert (sure.met, stated.met) == (enough, honest)
    assert ("2 below (" in sure.found) is not enough
    assert ("2 above 99 % (2 where" in sure.found) is (right > 0.99)


def test_the_interval_of_a_rate() -> None:
    """Wilson (1927), checked by hand: it is where the rate is 1.96 standard errors away."""
    low, high = page.interval(0.9, 100)
    for limit in (low, high):
        assert abs(limit - 0.9) == pytest.approx(1.96 * (limit * (1 - limit) / 100) ** 0.5)
    assert page.interval(1.0, 100)[1] == pytest.approx(1)


def test_the_page_is_filled_between_its_marks(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "gold.md"
    path.write_text(f"before\n{page.BEGIN}\nstale\n{page.END}\nafter\n", encoding="utf-8")
    every = [{**rows[0], "kind": kind} for kind in page.KINDS]
    page.write(every, tmp_path)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "stale" not in text
    assert "| mixed, n = 3, m = 0.1 |" in text
    assert "| from 0.9 |" in text
    drawing = ElementTree.fromstring((tmp_path / "gold.svg").read_text(encoding="utf-8"))  # noqa: S314 - ours
    assert len(drawing.findall("{http://www.w3.org/2000/svg}polyline")) == 10 * len(page.SHOWN)


def test_marks_of_crowds() -> None:
    truth: dict[str, list[tuple[float, float, str]]] = {"t": [(0, 10, "A")], "u": []}
    found = crowd_marks({"t": [(5, 10, "A"), (20, 30, "A")]}, truth)
    assert found["exact"] == 0
    assert found["relaxed"] == found["overlap"] == pytest.approx(2 / 3)
    assert found["token"] == pytest.approx(2 * 5 / 25)
    assert found["mean"] == pytest.approx((2 * 5 / 25 + 1) / 2)


def test_the_version_closest_to_the_others_is_taken() -> None:
    made = corpus(("a", 0, 9, "A"), ("b", 0, 10, "A"), ("c", 40, 50, "B"))
    (found,) = smallest_distance(made)["t"]
    assert found in [(0, 9, "A"), (0, 10, "A")]


def test_mace_learns_who_does_not_know() -> None:
    """Two who know against three who always say B."""
    tasks = []
    for at in range(40):
        right = "AC"[at % 2]
        units = [Unit(name, 0, 10, right) for name in "ab"]
        units += [Unit(name, 0, 10, "B") for name in "cde"]
        tasks.append(Continuum(f"t{at}", tuple(units), length=20))
    alone = Continuum("alone", tuple(Unit(name, 0, 10, "A") for name in "ab"), length=20)
    found = mace(Corpus((*tasks, alone)))
    assert found["alone"] == [(0, 10, "A")]
    assert sum(found[f"t{at}"] == [(0, 10, "AC"[at % 2])] for at in range(40)) >= 38


def test_crowds_are_the_same_each_time_and_spammers_can_be_left_out() -> None:
    cell = Crowd("spammers", 20, (4, 4), Range(spammers=0.5))
    reference, made = cell.corpora(10)
    assert (reference, made) == cell.corpora(10)
    assert all(len(c.annotators) == 4 for c in made.continua)
    left = cell.without_spammers(made)
    assert left.annotators
    assert set(left.annotators) < set(made.annotators)


def test_the_cost_of_a_crowd_is_that_of_the_command(tmp_path: Path) -> None:
    cell = Crowd("scale", 20, (3, 5), units=3)
    spans, seconds, megabytes = cost(cell, tmp_path, 10)
    _, made = cell.corpora(10)
    assert spans == sum(len(c.units) for c in made.continua)
    assert (tmp_path / "gold.csv").read_text(encoding="utf-8").count("\n") > 10
    assert seconds > 0
    assert megabytes > 10


@pytest.mark.simulation
def test_in_a_crowd_the_default_is_ahead_of_votes_and_single_annotators() -> None:
    row = run_crowd(Crowd("unequal skills", 30, (5, 5)), 80)
    ours = row["marks"][DEFAULT]
    for rival in ("vote", "best-annotator", "token vote", "smallest distance"):
        assert ours["relaxed"] > row["marks"][rival]["relaxed"]
    assert row["stated"] == pytest.approx(row["right"], abs=0.06)
    assert "unequal skills" in tables([row])[0]
