"""A bench: where the tools and the files are, and how a cell becomes a row of the report."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Literal, TypeAlias

from benchmarks import continua, worst
from benchmarks.cells import Cell, Growth, Job, Material, Mode, Race, Reach, Reading, Worst
from benchmarks.continua import Shape
from benchmarks.process import Outcome, run
from benchmarks.report import Line, Row, WorstRow

Worker: TypeAlias = Literal["ours", "peer", "before"]

COMMAND_RUNS = 3
READING_LIMIT = 1800
"""CPU seconds for a script that runs goldspan alone, a server beside it included."""

WORST_LIMIT = 1800
"""CPU seconds for a worst case."""


@dataclass(frozen=True, slots=True)
class Bench:
    """`peer` is the environment with pygamma-agreement; made-up files go to `folder`.

    `before`, if given, is the environment of an earlier goldspan that runs the same cells.
    """

    peer: Path
    folder: Path
    before: Path | None = None

    def row(self, cell: Cell) -> Row:
        """Run what the cell asks for and hold it against its target."""
        if isinstance(cell, Race):
            row = self._race(cell)
        elif isinstance(cell, Reach):
            row = self._reach(cell)
        else:
            row = self._growth(cell)
        if self.before is None:
            return row
        row = replace(row, before=self._earlier(cell, self.before))
        return _compared(row, cell.faster) if isinstance(cell, Reach) and cell.faster else row

    def _earlier(self, cell: Cell, before: Path) -> Outcome:
        """The earlier goldspan on the same file."""
        material = cell.large if isinstance(cell, Growth) else cell.material
        if cell.job == "command":
            return _command([str(before / "bin" / "goldspan"), "score", str(self._file(material))])
        return self._run("before", cell.job, "exact", material)

    def worst(self, cell: Worst) -> WorstRow:
        """Align a worst case."""
        path = worst.write(cell.case, self.folder)
        ours = self._align(path, str(self._file(Shape(6, 10))))
        return WorstRow(cell.case, ours, cell.most_mb)

    def _align(self, path: Path, warm_up: str) -> Outcome:
        worker = [sys.executable, "-m", "benchmarks.ours", "align", "exact"]
        return run([*worker, str(path), warm_up], limit=WORST_LIMIT)

    def readings(self, readings: Iterable[Reading]) -> Iterator[Line]:
        """Run each script once and hold what it printed against every target it has."""
        for script, group in groupby(readings, key=lambda reading: reading.script):
            command = [sys.executable, "-m", f"benchmarks.{script}"]
            targets = list(group)
            if any(one.compared for one in targets) and self.before is not None:
                command += ["--before", str(self.before)]
            else:
                targets = [one for one in targets if not one.compared]
            outcome = run(command, reports=False, limit=READING_LIMIT)
            said = outcome.failure or "; ".join(outcome.answer["said"].splitlines())
            yield Line(
                f"{script.removeprefix('adapters_')}: {said}",
                {reading.target: reading.reached(said) for reading in targets},
            )

    def _race(self, cell: Race) -> Row:
        if cell.job == "command":
            ours, theirs = self._commands(cell.material)
        else:
            ours = self._run("ours", cell.job, "exact", cell.material)
            theirs = self._run("peer", cell.job, cell.mode, cell.material)
        ratio = theirs.least_cpu / ours.cpu if ours.cpu and theirs.least_cpu else None
        mode = "" if cell.job == "command" else cell.mode
        return Row(cell.name, ours, theirs, mode, ratio, f"≥ {cell.factor:g} ×",
                   reached=ratio is not None and ratio >= cell.factor)  # fmt: skip

    def _reach(self, cell: Reach) -> Row:
        ours = self._run("ours", cell.job, "exact", cell.material)
        theirs = self._run("peer", *cell.peer, cell.material) if cell.peer else None
        mode = f"{cell.peer[1]}, alignment only" if cell.peer else ""
        return Row(cell.name, ours, theirs, mode, None, f"< {cell.most_mb / 1024:g} GB",
                   reached=ours.cpu is not None and ours.peak_mb < cell.most_mb)  # fmt: skip

    def _growth(self, cell: Growth) -> Row:
        small, large = (self._run("ours", cell.job, "exact", s) for s in (cell.small, cell.large))
        ratio = large.cpu / small.cpu if large.cpu and small.cpu else None
        return Row(cell.name, large, None, "", ratio, f"≤ {cell.factor:g} × the smaller",
                   reached=ratio is not None and ratio <= cell.factor)  # fmt: skip

    def _run(self, worker: Worker, job: Job, mode: Mode, material: Material) -> Outcome:
        path = self._file(material)
        annotators = len({line.split(",")[0] for line in path.read_text().splitlines()})
        # The peer lists every combination of units: more annotators would be no warm-up.
        warm = Shape(min(annotators, 3) if worker == "peer" else annotators, 10)
        folders = {"ours": Path(sys.prefix), "peer": self.peer, "before": self.before or Path()}
        script = "peer" if worker == "peer" else "ours"
        worker_files = str(path), str(self._file(warm))
        python = str(folders[worker] / "bin" / "python")
        return run([python, "-m", f"benchmarks.{script}", job, mode, *worker_files])

    def _commands(self, material: Material) -> tuple[Outcome, Outcome]:
        file = str(self._file(material))
        ours = Path(sys.executable).with_name("goldspan")
        theirs = self.peer / "bin" / "pygamma-agreement"
        return (_command([str(ours), "score", file]), _command([str(theirs), file]))

    def _file(self, material: Material) -> Path:
        if isinstance(material, Shape):
            return continua.write(material, self.folder)
        return self.peer / "source" / "tests" / "data" / f"{material}.csv"


def _compared(row: Row, faster: float) -> Row:
    """The row of a cell that must also be so many times faster than before."""
    earlier = row.before.least_cpu if row.before else None
    times = earlier / row.ours.cpu if earlier and row.ours.cpu else 0.0
    target = f"{row.target}, ≥ {faster:g} × faster than before"
    return replace(row, target=target, reached=row.reached and times >= faster)


def _command(command: list[str]) -> Outcome:
    """The median of three runs, after one that fills the caches."""
    outcomes = [run(command, reports=False) for _ in range(1 + COMMAND_RUNS)][1:]
    failed = [outcome for outcome in outcomes if outcome.cpu is None]
    if failed:
        return failed[0]
    seconds = statistics.median(outcome.cpu or 0 for outcome in outcomes)
    peak = max(outcome.peak_mb for outcome in outcomes)
    return Outcome(seconds, peak, {}, least_cpu=seconds)
