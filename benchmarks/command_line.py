"""What a command costs before it has much to do, in CPU seconds: the fastest of several runs.

    python -m benchmarks.command_line

Caches are warm, also those of Python's own bytecode. The first run on a machine has no compiled
code yet; what it takes more than the others is the compiling.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from benchmarks.continua import Shape, write
from benchmarks.process import run

SMALL = Shape(2, 30)
RUNS = 7
GOLDSPAN = (sys.executable, "-m", "goldspan.plugin")


def cost(*words: str) -> float:
    """CPU seconds of the command, import and all."""
    outcome = run([*GOLDSPAN, *words], reports=False)
    if outcome.cpu is None:
        raise SystemExit(outcome.failure)
    return outcome.cpu


def main() -> None:
    # A run without bytecode would compile all of goldspan's modules each time.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        small = str(write(SMALL, Path(folder)))
        os.environ["NUMBA_CACHE_DIR"] = f"{folder}/store"
        first = cost("score", small)
        score = min(cost("score", small) for _ in range(RUNS))
        usage = min(cost("--help") for _ in range(RUNS))
    print(f"score {score:.2f} s of CPU for a file of {SMALL}, --help {usage:.2f} s, "
          f"the first run compiles for {first - score:.1f} s")  # fmt: skip


if __name__ == "__main__":
    main()
