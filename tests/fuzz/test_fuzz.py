"""What fuzzing has found stays mended, and an input is the same whenever it is made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fuzz import findings, workers
from fuzz.commands import FORMATS, OWN_WORDS, READ_ONLY
from fuzz.inputs import RESULTS, Input, make_input
from fuzz.seeds import make_seeds
from fuzz.trial import Outcome, run_input
from goldspan.adapters import registry
from goldspan.plugin.cli.verbs import VERBS

SEEDS = make_seeds()
DIGEST = (
    "import hashlib; from fuzz.inputs import make_input; from fuzz.seeds import make_seeds; "
    "seeds = make_seeds(); "
    "print(hashlib.sha256(repr([make_input(seeds, 7, k) for k in range(300)])"
    ".encode('utf-8', 'surrogatepass')).hexdigest())"
)


@pytest.mark.parametrize("path", list(findings.stored()), ids=lambda path: path.stem)
def test_a_finding_stays_mended(path: Path, tmp_path: Path) -> None:
    outcome = run_input(findings.load(path), tmp_path / "work")
    assert outcome.fault == "", outcome.said


def test_every_format_is_mutated() -> None:
    assert sorted(FORMATS) == [a.name for a in registry.load_all()[0] if a.reads and a.writes]
    assert sorted(READ_ONLY) == [a.name for a in registry.load_all()[0] if not a.writes]
    assert {seed.format for seed in SEEDS} == {*FORMATS, *READ_ONLY}


@pytest.mark.parametrize("number", range(len(SEEDS)))
def test_a_seed_is_read_without_a_fault(number: int, tmp_path: Path) -> None:
    seed = SEEDS[number]
    words = ["convert", f"{{in}}/{seed.top}", *seed.reading, "--empty", "seen"]
    words += ["--include-annotator", "gold", "--to", "csv", "--output", "{out}/out.csv"]
    outcome = run_input(Input(seed.format, seed.files, tuple(words)), tmp_path / "work")
    assert outcome.fault == ""


def test_every_verb_that_reads_files_is_run() -> None:
    unread = {"conformance", "curves", "demo", "formats", "label-studio", "open"}
    assert {*VERBS} - unread == {*OWN_WORDS, "compare"}
    run = {make_input(SEEDS, 1, number).command[0] for number in range(400)}
    assert run == {*OWN_WORDS, "compare"}


def test_results_are_compared_without_a_fault(tmp_path: Path) -> None:
    files = {path.name: path.read_bytes() for path in RESULTS}
    words = ("compare", *(f"{{in}}/{name}" for name in files))
    assert run_input(Input("results", files, words), tmp_path / "work") == Outcome(0)


def test_a_page_ends_as_soon_as_it_is_there(tmp_path: Path) -> None:
    seed = next(seed for seed in SEEDS if seed.format == "doccano")
    words = ["adjudicate", f"{{in}}/{seed.top}", *seed.reading, "--empty", "seen", "--no-browser"]
    words += ["--to", "csv", "--output", "{out}/out.csv", "--force"]
    outcome = run_input(Input(seed.format, seed.files, tuple(words)), tmp_path / "work")
    assert (outcome.code, outcome.fault) == (0, "")
    assert "settled" in outcome.said


def test_an_input_is_the_same_in_every_process() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", DIGEST], check=True, capture_output=True, text=True,
            env={"PYTHONPATH": ":".join(filter(None, sys.path)), "PYTHONHASHSEED": hashing},
        ).stdout
        for hashing in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1


def test_a_finding_is_stored_and_read_back(tmp_path: Path) -> None:
    given = make_input(SEEDS, 3, 5)
    odd = Input(
        given.format, {**given.files, "caf\udce9/x": b"\xff\0"}, (*given.command, "caf\udce9")
    )
    path = findings.store(odd, Outcome(70, "exit 70", "ValueError: x"), tmp_path)
    assert findings.load(path) == odd


def test_the_oracle_sees_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = make_input(SEEDS, 1, 1)

    def faulty(words: list[str]) -> int:
        (tmp_path / "work" / "out" / ".x.part").write_bytes(b"")
        return 0

    monkeypatch.setattr("goldspan.plugin.cli.main", faulty)
    assert run_input(given, tmp_path / "work").fault == "left out: .x.part"
    monkeypatch.setattr("goldspan.plugin.cli.main", lambda words: 70)
    assert run_input(given, tmp_path / "work").signature.startswith("exit 70")
    monkeypatch.setattr("goldspan.plugin.cli.main", lambda words: 1 / 0)
    assert "ZeroDivisionError" in run_input(given, tmp_path / "work").signature
    monkeypatch.setattr("goldspan.plugin.cli.main", lambda words: 2)
    assert run_input(given, tmp_path / "work").fault == "silent: exit 2 without a sentence"


def test_the_watchdog_ends_a_worker_that_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "READY_SECONDS", 0)
    monkeypatch.setattr(workers, "POLL_SECONDS", 0.02)  # no worker is ready as soon as that
    tally = workers.run(1, 1, 1, tmp_path)
    assert all(signature.startswith("hang") for signature in tally.signatures)
    assert list(findings.stored(tmp_path))
