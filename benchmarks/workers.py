"""How much faster two processes are than one, and whether they write the same bytes.

    python -m benchmarks.workers [--rounds 3] [--only "8 × 100"]

The whole command with pairs, JSON and report, one process and two in turn. Seconds are those of a
clock, because processes share the work; each figure is the fastest of the rounds. Nothing else
should run on the machine, which needs two cores.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.continua import Shape
from benchmarks.throughput import corpus

CORPORA = ((100, Shape(8, 100)), (200, Shape(6, 50)), (10_000, Shape(3, 6)))
ENDINGS = "json", "html"


def seconds(path: Path, workers: int) -> float:
    """The time of a clock that the command takes; its files are named after the workers."""
    files = [f"{path}.{workers}.{ending}" for ending in ENDINGS]
    outputs = [word for pair in zip(("--json", "--html"), files, strict=True) for word in pair]
    command = [str(Path(sys.prefix) / "bin" / "goldspan"), "score", str(path), *outputs]
    begun = time.perf_counter()
    subprocess.run([*command, "--workers", str(workers)], check=True, capture_output=True)
    return time.perf_counter() - begun


def are_same(path: Path) -> bool:
    """Whether one process and two wrote the same bytes."""
    pairs = ([Path(f"{path}.{workers}.{ending}") for workers in (1, 2)] for ending in ENDINGS)
    return all(one.read_bytes() == other.read_bytes() for one, other in pairs)


def main() -> None:
    parser = argparse.ArgumentParser("benchmarks.workers", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="corpora whose shape holds this")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        seconds(corpus(10, folder), 2)  # compiles
        for tasks, shape in CORPORA:
            if args.only not in str(shape):
                continue
            path = corpus(tasks, folder, shape)
            rounds = [(seconds(path, 1), seconds(path, 2)) for _ in range(args.rounds)]
            one, two = map(min, zip(*rounds, strict=True))
            bytes_are = "the same bytes" if are_same(path) else "OTHER BYTES"
            print(
                f"{tasks} tasks of {shape}: one process {one:.1f} s, two {two:.1f} s, "
                f"{one / two:.2f} times as fast, {bytes_are}",
                flush=True,
            )


if __name__ == "__main__":
    main()
