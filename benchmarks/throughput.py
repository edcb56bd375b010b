"""A corpus of many small tasks through the command line, with pairs, JSON and report.

    python -m benchmarks.throughput [--tasks 10000] [--large 100000] [--before ENV]

Three annotators mark six spans in each task. Seconds are CPU seconds of the whole command. The
large corpus shows how time and memory grow. `--before` is the environment of an earlier goldspan,
which scores the smaller corpus in the same run.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from pathlib import Path

from benchmarks.continua import Shape, generate
from benchmarks.process import Outcome, run

SHAPE = Shape(3, 6)
LIMIT = 1500


def corpus(tasks: int, folder: Path, shape: Shape = SHAPE) -> Path:
    """A table with so many tasks of a shape, each of them another."""
    path = folder / f"{tasks}x{shape.annotators}x{shape.units}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["task", "annotator", "category", "start", "end"])
        for seed in range(tasks):
            rows.writerows((f"task-{seed}", *row) for row in generate(shape, seed))
    return path


def score(environment: Path, path: Path) -> Outcome:
    """What the command took."""
    outputs = "--json", f"{path}.json", "--html", f"{path}.html"
    command = [str(environment / "bin" / "goldspan"), "score", str(path), *outputs]
    found = run(command, reports=False, limit=LIMIT)
    if found.cpu is None:
        raise SystemExit(found.failure)
    return found


def main() -> None:
    parser = argparse.ArgumentParser("benchmarks.throughput", description=__doc__)
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--large", type=int, default=100_000, help="0 leaves it out")
    parser.add_argument("--before", type=Path, help="the environment of an earlier goldspan")
    args = parser.parse_args()
    ours = Path(sys.prefix)
    with tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        score(ours, corpus(10, folder))  # compiles
        file = corpus(args.tasks, folder)
        now = score(ours, file)
        said = f"{args.tasks} tasks of {SHAPE}: {now.cpu:.1f} s, {now.peak_mb:.0f} MB"
        if args.before is not None:
            score(args.before, corpus(10, folder))
            before = score(args.before, file)
            times = (before.cpu or 0) / (now.cpu or 1)
            said += (
                f"; an earlier goldspan: {before.cpu:.1f} s, {before.peak_mb:.0f} MB; "
                f"{times:.1f} × faster"
            )
        if args.large:
            large = score(ours, corpus(args.large, folder))
            longer = (large.cpu or 0) / (now.cpu or 1) / (args.large / args.tasks)
            said += (
                f"; {args.large} tasks: {large.cpu:.1f} s, {longer:.2f} times as long a task, "
                f"peak memory {large.peak_mb:.0f} MB"
            )
    print(said)


if __name__ == "__main__":
    main()
