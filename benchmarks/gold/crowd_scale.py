"""`python -m benchmarks.gold.crowd_scale`: what gold of a whole crowd's work costs.

Simulated: 4,740 documents by 312 workers, 3 to 10 on each, about 79,000 spans. `goldspan gold`
reads them as csv and writes the gold as csv. Prints CPU seconds and the peak of memory of the
process.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.gold.crowds import Crowd, Range
from benchmarks.process import run
from goldspan.adapters import write

CELL = Crowd("scale", 312, (3, 10), Range(missing=(0.02, 0.4)), units=3, documents=4740)
MOST_SECONDS, MOST_MB = 60.0, 1024.0


def cost(cell: Crowd, folder: Path, documents: int = 0) -> tuple[int, float, float]:
    """Spans, CPU seconds and megabytes of memory; the process reads, scores, merges and writes."""
    _, corpus = cell.corpora(documents)
    source = folder / "crowd.csv"
    write(corpus, str(source), "csv")
    command = [sys.executable, "-m", "goldspan.plugin", "gold", str(source), "--to", "csv",
               "--output", str(folder / "gold.csv")]  # fmt: skip
    assignments = source.with_suffix(".assignments.csv")
    if assignments.exists():
        command += ["--assignments", str(assignments)]
    outcome = run(command, reports=False, limit=10 * MOST_SECONDS)
    if outcome.cpu is None:
        raise SystemExit(outcome.failure)
    return sum(len(c.units) for c in corpus.continua), outcome.cpu, outcome.peak_mb


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.gold.crowd_scale", description=__doc__
    )
    parser.add_argument("--documents", type=int, default=CELL.documents)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        spans, seconds, megabytes = cost(CELL, Path(folder), args.documents)
    print(
        f"{args.documents} documents, {CELL.workers} workers, {spans} spans: "
        f"{seconds:.1f} s of CPU, {megabytes:.0f} MB"
    )
    return int(seconds > MOST_SECONDS or megabytes > MOST_MB)


if __name__ == "__main__":
    sys.exit(main())
