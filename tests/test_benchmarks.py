"""The benchmark harness measures what it says."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.bench import _compared
from benchmarks.cells import CELLS, READINGS, Reading
from benchmarks.continua import Shape, generate
from benchmarks.label_studio_sync import Cost, Costs
from benchmarks.process import Outcome, run
from benchmarks.report import HEADER, Line, Row, WorstRow, write_page

shapes = st.builds(Shape, annotators=st.integers(1, 5), units=st.integers(1, 40))

pytestmark = pytest.mark.repository


@given(shapes, st.integers(0, 2**32))
def test_generated_continua_have_their_shape(shape: Shape, seed: int) -> None:
    rows = generate(shape, seed)

    counts = Counter(annotator for annotator, *_ in rows)
    assert set(counts.values()) == {shape.units}
    assert len(counts) == shape.annotators
    assert len(set(rows)) == len(rows)
    assert all(0 <= start < end for _, _, start, end in rows)
    assert generate(shape, seed) == rows


def test_generated_continua_are_the_same_on_every_python() -> None:
    assert generate(Shape(2, 3)) == [
        ("annotator_1", "Prep", 4, 21),
        ("annotator_1", "Prep", 29, 37),
        ("annotator_1", "Prep", 47, 62),
        ("annotator_2", "Noun", 4, 18),
        ("annotator_2", "Prep", 30, 37),
        ("annotator_2", "Prep", 46, 62),
    ]


def worker(body: str) -> list[str]:
    return [sys.executable, "-c", f"from benchmarks.stopwatch import *\n{body}"]


def test_a_worker_answers_with_its_median() -> None:
    outcome = run(worker("hand_over(measure(lambda: 3, lambda n: {'sum': sum(range(n * 10**5))}))"))

    assert outcome.failure == ""
    assert outcome.cpu is not None
    assert outcome.cpu > 0
    assert outcome.answer["sum"] == sum(range(3 * 10**5))
    assert 15 < outcome.answer["runs"] <= 300
    assert outcome.peak_mb > 1


def test_children_are_counted() -> None:
    busy = "import time\nwhile time.process_time() < 0.1: pass"
    outcome = run(
        worker(
            "import subprocess\n"
            f"child = [sys.executable, '-c', {busy!r}]\n"
            "hand_over(measure(lambda: child, lambda c: {'code': subprocess.call(c)}))"
        )
    )

    assert outcome.answer["code"] == 0
    assert outcome.cpu is not None
    assert outcome.cpu >= 0.09


@pytest.mark.parametrize(
    ("body", "failure", "least"),
    [
        ("measure(lambda: 0, lambda n: sum(iter(int, 1)))", "no answer in 1 s", 1),
        ("measure(lambda: 0, lambda n: time.sleep(60))", "stopped: it only waited", None),
        ("measure(lambda: 0, lambda n: bytearray(2**60))", "out of memory", None),
        ("raise ValueError('broken file')", "failed: ValueError: broken file", None),
        ("sys.exit(3)", "failed: exit code 3", None),
    ],
)
def test_no_answer_has_its_reason(body: str, failure: str, least: float | None) -> None:
    outcome = run(worker(body), limit=1)

    assert outcome.cpu is None
    assert outcome.failure == failure
    assert outcome.least_cpu == least


def test_the_limit_counts_from_the_beginning_of_a_run() -> None:
    busy = "while time.process_time() < 1.5: pass"
    outcome = run(worker(f"{busy}\nhand_over(measure(lambda: 0, lambda n: {{}}))"), limit=2)
    again = run(
        worker("hand_over(measure(lambda: 0, lambda n: {'n': sum(range(10**7))}))"), limit=1.5
    )

    assert outcome.failure == ""
    assert again.failure == ""


def test_short_jobs_are_measured_to_the_microsecond() -> None:
    """Timers that count CPU time make Linux round it; 15 runs of nothing would cost nothing."""
    outcome = run(
        worker(
            "work = lambda n: {'sum': sum(range(n))}\n"
            "def alone():\n"
            "    begun = time.process_time(); work(10**4); return time.process_time() - begun\n"
            "known = statistics.median(alone() for _ in range(15))\n"
            "hand_over({'known': known, **measure(lambda: 10**4, work)})"
        )
    )

    assert outcome.cpu is not None
    assert outcome.answer["known"] / 3 < outcome.cpu < outcome.answer["known"] * 3


def test_a_command_costs_its_whole_process() -> None:
    busy = "import time\nwhile time.process_time() < 0.5: pass"

    assert (run([sys.executable, "-c", busy], reports=False).cpu or 0) >= 0.5


def test_the_page_says_what_was_not_reached(tmp_path: Path) -> None:
    ours = Outcome(2.0, 300, {"disorder": 0.25})
    theirs = Outcome(6.0, 300, {"disorder": 0.5})
    stopped = Outcome(None, 300, {}, "no answer in 180 s", least_cpu=180)
    rows = [
        Row("slow", ours, theirs, "fast", 3.0, "≥ 10 ×", reached=False),
        Row(
            "guess", replace(ours, answer={"proved": False}), None, "", None, "< 1 GB", reached=True
        ),
        Row("never", ours, stopped, "exact", 90.0, "≥ 10 ×", reached=True),
        Row("alone", ours, None, "", None, "< 1 GB", reached=True),
        Row(
            "earlier",
            replace(ours, answer={"samples": 40}),
            None,
            "",
            None,
            "< 1 GB",
            reached=True,
            before=Outcome(1.6, 300, {"samples": 30}),
        ),
    ]
    page = tmp_path / "benchmarks.md"
    gap = {"proved": False, "disorder": 0.5, "lower_bound": 0.25}
    write_page(
        page,
        rows,
        [
            WorstRow("hard", Outcome(9.0, 300, gap), 2048),
            WorstRow("easy", Outcome(0.5, 300, gap | {"proved": True}), 2048),
            WorstRow("large", Outcome(9.0, 3000, gap), 2048),
            WorstRow("endless", stopped, 2048),
        ],
        [Line("brat: 3 s", {"< 2 s": False, "< 1 GB": True})],
        ["a machine", "our versions", "their versions"],
    )

    lines = page.read_text(encoding="utf-8").splitlines()
    slow = "| slow | 2 s [0.250000] |  | 300 MB | 6 s [0.500000] (fast) | 3 × | ≥ 10 × | NO |"
    assert slow in lines
    assert "| guess | 2 s, not proved |  | 300 MB |  |  | < 1 GB | NO |" in lines
    assert (
        "| never | 2 s [0.250000] |  | 300 MB | no answer in 180 s (exact) "
        "| > 90 × | ≥ 10 × | yes |"
    ) in lines
    assert "| alone | 2 s [0.250000] |  | 300 MB |  |  | < 1 GB | yes |" in lines
    earlier = (
        "| earlier | 2 s, 40 samples | 1.6 s, 30 samples: 1.25 × | 300 MB |  |  | < 1 GB | yes |"
    )
    assert earlier in lines
    assert f"| {' | '.join(HEADER)} |" in lines
    target = "an answer, < 2 GB"
    assert f"| hard | 9 s | 300 MB | between 0.25 and 0.5 | {target} | yes |" in lines
    assert f"| easy | 0.5 s | 300 MB | proved | {target} | yes |" in lines
    assert f"| large | 9 s | 3000 MB | between 0.25 and 0.5 | {target} | NO |" in lines
    assert f"| endless | no answer in 180 s | 300 MB |  | {target} | NO |" in lines
    assert "- brat: 3 s (target < 2 s: NO, target < 1 GB: yes)" in lines
    assert "Machine: a machine." in lines


def test_every_cell_has_its_own_name() -> None:
    assert len({(cell.name, type(cell)) for cell in CELLS}) == len(CELLS)


@pytest.mark.parametrize(
    ("said", "reached"), [("12.9 MB/s", False), ("20.0 MB/s", True), ("it broke", False)]
)
def test_a_reading_is_held_against_its_target(said: str, reached: bool) -> None:
    assert Reading("x", "≥ 20 MB/s", r"([\d.]+) MB/s", least=20).reached(said) is reached


def test_the_words_of_a_sync_hold_what_its_targets_ask_for() -> None:
    first, unchanged, changed = (Cost(20.0, 10.0, calls, 300.0) for calls in (350, 6, 30))
    now = Costs(first, unchanged, changed, 500)
    targets = [one for one in READINGS if one.script == "label_studio_sync" and not one.compared]
    assert targets
    assert all(one.reached(f"500 tasks: {now}") for one in targets)


@pytest.mark.parametrize(("earlier", "reached"), [(24.0, True), (15.0, False), (None, False)])
def test_a_cell_can_ask_for_more_speed_than_before(earlier: float | None, reached: bool) -> None:
    before = Outcome(earlier, 300, {}, least_cpu=earlier)
    row = Row("crowd", Outcome(2.0, 300, {}), None, "", None, "< 2 GB", reached=True, before=before)

    assert _compared(row, 8).reached is reached
    assert _compared(row, 8).target == "< 2 GB, ≥ 8 × faster than before"
