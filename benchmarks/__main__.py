"""The command behind `make bench`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.cells import CELLS, READINGS, WORST_CASES
from benchmarks.machine import describe
from benchmarks.process import ROOT
from benchmarks.report import print_table, write_page


def main() -> int:
    """Run the cells and report; 0 when every target is met, else 1."""
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--peer", type=Path, required=True, help="the peer's environment")
    parser.add_argument("--before", type=Path, help="the environment of an earlier goldspan")
    parser.add_argument("--only", default="", help="cells whose name holds this; writes no page")
    args = parser.parse_args()
    chosen = [cell for cell in CELLS if args.only in cell.name]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args.peer, Path(folder), args.before)
        for number, cell in enumerate(chosen, 1):
            rows.append(bench.row(cell))
            print(f"{number}/{len(chosen)}", *rows[-1].cells(), sep="  ", flush=True)
        worst = []
        for case in WORST_CASES:
            if args.only in case.name:
                worst.append(bench.worst(case))
                print(*worst[-1].cells(), sep="  ", flush=True)
        readings = [*bench.readings(one for one in READINGS if args.only in one.script)]
    print(*readings, sep="\n")
    machine = describe(args.peer)
    print_table(rows, worst, machine)
    if not args.only:
        page = ROOT / "docs" / "benchmarks.md"
        write_page(page, rows, worst, readings, machine)
        print(f"wrote {page.relative_to(ROOT)}; renew the notes on the run in benchmarks/notes.md")
    met = [row.met for row in rows] + [row.met for row in worst] + [line.met for line in readings]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
