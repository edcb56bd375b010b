"""The command: run the cells that are not done yet, then write docs/gold.md's table and chart.

Each finished cell is a file in the folder `--results`; an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from benchmarks.gold.cells import CELLS, DOCUMENTS
from benchmarks.gold.page import targets, write
from benchmarks.gold.trial import run
from benchmarks.process import ROOT


def main() -> int:
    """0 when every target is met, else 1."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gold")
    parser.add_argument("--results", type=Path, default=ROOT / ".benchmarks" / "gold")
    parser.add_argument("--only", default="", help="cells whose name holds this; writes no page")
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help="documents a cell")
    parser.add_argument(
        "--again",
        type=int,
        default=0,
        help="number of a repetition with other corpora; writes no page",
    )
    parser.add_argument("--part", default="1/1", metavar="K/N", help="each Nth cell, from the Kth")
    args = parser.parse_args()
    args.results.mkdir(parents=True, exist_ok=True)
    first, step = (int(part) for part in args.part.split("/"))
    cells = [replace(cell, again=args.again) for cell in CELLS if args.only in cell.name]
    chosen = cells[first - 1 :: step]
    rows = []
    for number, cell in enumerate(chosen, 1):
        path = args.results / f"{cell.seed:08x}-{args.documents}.json"
        if not path.exists():
            temporary = path.with_suffix(".part")
            temporary.write_text(json.dumps(run(cell, args.documents)), encoding="utf-8")
            temporary.replace(path)
        rows.append(json.loads(path.read_text(encoding="utf-8")))
        relaxed = {name: f"{m['relaxed']:.3f}" for name, m in rows[-1]["marks"].items()}
        print(f"{number}/{len(chosen)}", cell.name, relaxed, flush=True)
    for target in targets(rows):
        print(target)
    if len(rows) == len(CELLS) and args.documents >= DOCUMENTS and not args.again:
        write(rows, ROOT / "docs")
        print("wrote docs/gold.md and docs/gold.svg")
    return 0 if all(target.met for target in targets(rows)) else 1


if __name__ == "__main__":
    sys.exit(main())
