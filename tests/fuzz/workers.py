"""Workers: processes that run inputs one after another, and the watchdog over them.

Goldspan is imported once in each. A worker that hangs, grows or dies is ended, the input it was at
is a finding, and another worker goes on with the next one.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from fuzz import findings
from fuzz.commands import IN, OUT
from fuzz.inputs import Input, make_input
from fuzz.seeds import Seed, make_seeds
from fuzz.trial import MOST_SECONDS, Outcome, run_input, warm_up

MOST_BYTES = 2 * 1024**3
"""Memory of a worker."""

READY_SECONDS = 300
"""Seconds until a worker has imported and compiled everything."""

WALL_FACTOR = 4
"""How many times as long as its share of a core an input may take on a busy machine."""

APART_EVERY = 400
"""Every so many inputs one runs in a process of its own, as a user starts it."""

MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
POLL_SECONDS, REPORT_SECONDS = 0.5, 60


@dataclass(slots=True)
class Tally:
    """What a run has seen."""

    codes: Counter[int] = field(default_factory=Counter)
    formats: Counter[str] = field(default_factory=Counter)
    signatures: Counter[str] = field(default_factory=Counter)
    paths: dict[str, Path] = field(default_factory=dict)

    @property
    def inputs(self) -> int:
        return sum(self.codes.values())

    def add(self, name: str, outcome: Outcome) -> None:
        """Count an input of a format."""
        self.codes[outcome.code] += 1
        self.formats[name] += 1

    def found(self, given: Input, outcome: Outcome, folder: Path) -> None:
        """Store what went wrong."""
        self.signatures[outcome.signature] += 1
        self.paths[outcome.signature] = findings.store(given, outcome, folder)


class Worker:
    """One process and what it is at."""

    def __init__(self, seed: int, first: int, step: int) -> None:
        self.seed, self.step, self.at = seed, step, first
        self.ready = False
        context = multiprocessing.get_context("spawn")
        self.ours, theirs = context.Pipe()
        self.folder = Path(mkdtemp(prefix="fuzz-", dir=MEMORY if MEMORY.is_dir() else None))
        self.process = context.Process(
            target=_work, args=(theirs, seed, first, step, self.folder), daemon=True
        )
        self.process.start()
        theirs.close()
        self.begin()

    def begin(self) -> None:
        """Start the clocks for the next input."""
        self.begun, self.worked = time.monotonic(), _worked(self.process.pid)

    def trouble(self) -> str:
        """Why the process has to be ended, or ""."""
        waited = time.monotonic() - self.begun
        if not self.ready:
            return f"hang: not ready after {READY_SECONDS} s" if waited > READY_SECONDS else ""
        worked = _worked(self.process.pid) - self.worked
        if worked > MOST_SECONDS or waited > WALL_FACTOR * MOST_SECONDS:
            return f"hang: no answer after {MOST_SECONDS} s"
        if _resident(self.process.pid) > MOST_BYTES:
            return f"memory: more than {MOST_BYTES >> 30} GiB"
        return ""

    def end(self) -> None:
        """Stop the process and remove its folder."""
        self.process.kill()
        self.process.join()
        self.ours.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def run(seed: int, seconds: float, count: int, folder: Path, first: int = 0) -> Tally:
    """Run inputs for so long, on so many workers; findings go to the folder."""
    end = time.monotonic() + seconds
    seeds = make_seeds()  # before a worker begins, because its clock runs from then on
    crew = [Worker(seed, first + number, count) for number in range(count)]
    tally, told = Tally(), time.monotonic()
    try:
        while not tally.inputs or time.monotonic() < end:
            wait([worker.ours for worker in crew], POLL_SECONDS)
            crew = [_attend(worker, tally, seeds, folder) for worker in crew]
            if time.monotonic() - told > REPORT_SECONDS:
                told = time.monotonic()
                found = len(tally.signatures)
                sys.stdout.write(f"fuzz: {tally.inputs:,} inputs, {found} findings so far\n")
                sys.stdout.flush()
    finally:
        for worker in crew:
            worker.end()
    return tally


def _attend(worker: Worker, tally: Tally, seeds: tuple[Seed, ...], folder: Path) -> Worker:
    """Take what the worker has to say; the worker itself comes back, or the one after it."""
    fault = ""
    try:
        while worker.ours.poll():
            name, outcome = worker.ours.recv()
            if worker.ready:
                tally.add(name, outcome)
                if outcome.fault:
                    tally.found(make_input(seeds, worker.seed, worker.at), outcome, folder)
                worker.at += worker.step
            worker.ready = True
            worker.begin()
    except (EOFError, OSError):
        fault = f"crash: the process ended with {worker.process.exitcode}"
    fault = fault or worker.trouble()
    if not fault:
        return worker
    given = make_input(seeds, worker.seed, worker.at)
    outcome = Outcome(-9, f"{fault}, {given.format} {given.command[0]}")
    tally.add(given.format, outcome)
    tally.found(given, outcome, folder)
    worker.end()
    return Worker(worker.seed, worker.at + worker.step, worker.step)


def _work(theirs: Any, seed: int, first: int, step: int, folder: Path) -> None:
    warm_up()
    seeds = make_seeds()
    theirs.send(("", _compile_all(seeds, folder / "work")))
    number = first
    while True:
        given = make_input(seeds, seed, number)
        apart = number % APART_EVERY == APART_EVERY - 1
        theirs.send((given.format, run_input(given, folder / "work", apart=apart)))
        number += step


def _compile_all(seeds: tuple[Seed, ...], folder: Path) -> Outcome:
    """Measure and merge whole files of one format: kernels are compiled before a clock runs."""
    gold = "gold", "--to", "csv", "--output", f"{OUT}/out.csv"
    verbs = ("score", "--also", "all"), gold, ("annotators",)
    rough = "--precision", "0.3", "--seconds", "2"
    outcome = Outcome(0)
    for seed in seeds:
        if seed.format == "csv":
            for verb in verbs:
                words = (*verb, f"{IN}/{seed.top}", *seed.reading, *rough)
                outcome = run_input(Input("csv", seed.files, words), folder)
    return outcome


def _worked(pid: int | None) -> float:
    """Seconds that the process has computed."""
    try:
        cells = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(cells[11]) + int(cells[12])) / os.sysconf("SC_CLK_TCK")


def _resident(pid: int | None) -> int:
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
