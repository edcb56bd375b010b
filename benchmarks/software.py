"""How much figures differ between ways to measure: `python -m benchmarks.software [--peer FOLDER]`.

It measures the public continua with goldspan's presets, and with pygamma-agreement itself where its
environment is given (`make bench` makes it), and prints the table in docs/scoring.md.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.process import run
from goldspan.engine import Continuum, Corpus, Figure, Measure, Settings, Unit, score

DATA = Path(__file__).parents[2] / "shared" / "data" / "pygamma_tests" / "tests" / "data"
CONTINUA = ("AlexPaulSuzan", "annotation_paul_suzann_alex", "annotation_dalton", "3by100")
PRECISION = 0.01
WAYS: Mapping[str, Mapping[str, Any]] = {
    "goldspan": {},
    "the papers": {"chance": "shift", "average": "samples"},
    "`--preset authors`": {"preset": "authors"},
    "`--preset pygamma`": {"preset": "pygamma"},
}
PEER_JOBS = {"pygamma": "chance", "pygamma, α = 3, shifts": "shift"}


def read(path: Path) -> Corpus:
    """Annotator, category, start, end; units without a length are left out, as the peer does."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [(a, float(s), float(e), c) for a, c, s, e in csv.reader(file)]
    units = {Unit(*row) for row in rows if row[1] < row[2]}
    return Corpus((Continuum(path.stem, tuple(units), measure=Measure.STEP),))


def figures(path: Path, peer: Path | None) -> Iterator[str]:
    """γ and γcat in every way, as cells."""
    corpus = read(path)
    for settings in WAYS.values():
        result = score(corpus, settings=Settings.of(**settings, precision=PRECISION), pairs=False)
        yield f"{_short(result.gamma)} / {_short(result.gamma_cat)}"
    for job in PEER_JOBS.values() if peer is not None else ():
        worker = [f"{peer}/bin/python", "-m", "benchmarks.peer"]
        found = run([*worker, job, "exact", str(path), str(path)])
        answer = found.answer
        yield found.failure or f"{answer['gamma']:.2f} / {answer['gamma_cat']:.2f}"


def _short(figure: Figure) -> str:
    return "–" if figure.value is None else f"{figure.value:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", type=Path, help="the environment with pygamma-agreement")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the public continua")
    args = parser.parse_args()
    headings = ["γ / γcat", *WAYS, *(PEER_JOBS if args.peer else ())]
    sys.stdout.write(f"| {' | '.join(headings)} |\n|{'---|' * len(headings)}\n")
    for name in CONTINUA:
        cells = figures(args.data / f"{name}.csv", args.peer)
        sys.stdout.write(f"| {' | '.join([f'`{name}`', *cells])} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
