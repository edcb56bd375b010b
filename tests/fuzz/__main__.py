"""The runner: `python -m fuzz --seconds 60 --seed 1`, or one input, or the findings again."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from tempfile import mkdtemp

from fuzz import findings, workers
from fuzz.inputs import make_input
from fuzz.seeds import make_seeds
from fuzz.trial import Outcome, lay_out, run_input


def main() -> int:
    """0 when nothing was found, 1 otherwise."""
    parser = argparse.ArgumentParser(prog="fuzz", description="Damaged files of every format.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--findings", type=Path, default=findings.FOLDER, metavar="FOLDER")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="the input to begin with")
    parser.add_argument("--input", type=int, metavar="K", help="lay out and run this input only")
    args = parser.parse_args()
    if args.input is not None:
        return _one(args.seed, args.input)
    return _many(args)


def _one(seed: int, number: int) -> int:
    given = make_input(make_seeds(), seed, number)
    folder = Path(mkdtemp(prefix=f"fuzz-{seed}-{number}-"))
    lay_out(given, folder / "in")
    outcome = run_input(given, folder / "run")
    sys.stdout.write(f"files: {folder / 'in'}\ngoldspan {' '.join(given.command)}\n")
    return _tell(outcome)


def _tell(outcome: Outcome) -> int:
    sys.stdout.write(f"{outcome.said}\nexit {outcome.code} {outcome.fault}\n")
    return 1 if outcome.fault else 0


def _many(args: argparse.Namespace) -> int:
    begun = time.monotonic()
    tally = workers.run(args.seed, args.seconds, args.workers, args.findings, args.first)
    took = time.monotonic() - begun
    codes = ", ".join(f"{count:,} × exit {code}" for code, count in sorted(tally.codes.items()))
    formats = ", ".join(f"{name} {count:,}" for name, count in sorted(tally.formats.items()))
    sys.stdout.write(
        f"fuzz: {tally.inputs:,} inputs of seed {args.seed} in {took:.0f} s "
        f"({tally.inputs / took:.0f}/s): {codes}\nfuzz: {formats}\n"
    )
    for signature, count in tally.signatures.most_common():
        sys.stdout.write(f"fuzz: FOUND {count} × {signature}: {tally.paths[signature]}\n")
    return 1 if tally.signatures else 0


if __name__ == "__main__":
    sys.exit(main())
