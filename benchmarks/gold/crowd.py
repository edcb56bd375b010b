"""`python -m benchmarks.gold.crowd`: gold of simulated crowds against strategies and rivals.

Prints a table for each measure, and the confidences before calibration and after 60 adjudicated
documents. `--only long` runs the cells whose name holds this; with all cells, the tables between
the markers of docs/gold.md are written.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from benchmarks.gold.crowd_rivals import mace, smallest_distance
from benchmarks.gold.crowds import CELLS, Crowd
from benchmarks.gold.marks import crowd_marks, spans_of
from benchmarks.gold.rivals import token_vote
from benchmarks.process import ROOT
from goldspan.engine import merge, score
from goldspan.engine.gold.calibration import Judged, fit, judge_spans
from goldspan.engine.gold.merging import DEFAULT, NAMES
from goldspan.engine.gold.task_gold import SURE
from goldspan.engine.model import Corpus

Row: TypeAlias = dict[str, Any]

BEGIN, END = "<!-- crowds: python -m benchmarks.gold.crowd -->", "<!-- end of crowds -->"
ADJUDICATED = 60
MEASURES = ("exact", "relaxed", "overlap", "token", "mean")
SHOWN = (DEFAULT, "vote", "best-annotator", "dawid-skene", "hmm-crowd", "MACE", "smallest distance",
         "token vote")  # fmt: skip


def run(cell: Crowd, documents: int = 0) -> Row:
    """The marks of each strategy in one cell, and what the default's confidences are worth."""
    reference, corpus = cell.corpora(documents)
    truth = spans_of(reference)
    result = score(corpus, pairs=False, precision=0.1)
    golds = {name: merge(corpus, result, strategy=name) for name in NAMES if name in SHOWN}
    versions = {name: spans_of(gold) for name, gold in golds.items()}
    versions |= {
        "MACE": mace(corpus),
        "smallest distance": smallest_distance(corpus),
        "token vote": token_vote(corpus),
    }
    judged, _ = judge_spans(golds[DEFAULT], reference)
    row: Row = {
        "name": cell.name,
        "marks": {name: crowd_marks(spans, truth) for name, spans in versions.items()},
        "stated": float(np.mean([one.span.confidence for one in judged])),
        "right": float(np.mean([one.right for one in judged])),
        **_calibrated(judged, corpus, cell.seed),
    }
    if cell.skills.spammers:
        fewer = cell.without_spammers(corpus)
        clean = merge(fewer, score(fewer, pairs=False, precision=0.1))
        row["without spammers"] = crowd_marks(spans_of(clean), truth)["relaxed"]
    return row


def _calibrated(judged: Sequence[Judged], corpus: Corpus, seed: int) -> Row:
    """Confidences of the other tasks after 60 random ones were adjudicated."""
    tasks = [c.id for c in corpus.continua]
    chosen = set(np.random.default_rng(seed).permutation(tasks)[:ADJUDICATED].tolist())
    known = fit([one for one in judged if one.task in chosen], DEFAULT)
    tested = []
    for one in judged:
        span = one.span
        if one.task not in chosen and span.grade is not None and span.evidence is not None:
            p = known.confidence(span.evidence.product, span.grade, span.seen)
            tested.append((p, one.right))
    sure = [one for one in tested if one[0] >= SURE]
    return {
        "tested": len(tested),
        "sure": len(sure),
        "sure stated": float(np.mean([p for p, _ in sure])) if sure else float("nan"),
        "sure right": float(np.mean([right for _, right in sure])) if sure else float("nan"),
    }


def tables(rows: Sequence[Row]) -> list[str]:
    """All that is printed and written."""
    found = []
    for measure in MEASURES:
        lines = [[f"{measure} F1", *SHOWN]]
        lines += [
            [row["name"], *(f"{row['marks'][n][measure]:.3f}" for n in SHOWN)] for row in rows
        ]
        means = [np.mean([row["marks"][n][measure] for row in rows]) for n in SHOWN]
        found.append(_table([*lines, ["all", *(f"{mean:.3f}" for mean in means)]]))
    lines = [["confidence", "stated", "right", f"≥ .9 after {ADJUDICATED} documents", "stated",
              "right"]]  # fmt: skip
    for row in rows:
        lines.append(
            [row["name"], f"{row['stated']:.3f}", f"{row['right']:.3f}",
             f"{row['sure']} of {row['tested']}", f"{row['sure stated']:.3f}",
             f"{row['sure right']:.3f}"]
        )  # fmt: skip
    found.append(_table(lines))
    return [*found, *_findings(rows)]


def _findings(rows: Sequence[Row]) -> list[str]:
    """What was to be shown, whether or not it was."""
    lines = []
    for measure, most in (("exact", 0.01), ("relaxed", 0.01), ("overlap", 0.01), ("token", 0.02)):
        behind = []
        for row in rows:
            marks = {name: one[measure] for name, one in row["marks"].items()}
            best = max(marks, key=lambda name: marks[name])
            if marks[best] - marks[DEFAULT] > most:
                behind.append(f"{row['name']} ({marks[best] - marks[DEFAULT]:.3f}, {best})")
        said = "; ".join(behind) if behind else "nowhere"
        lines.append(f"- {measure} F1 more than {most:g} behind the best: {said}")
    off = [row["name"] for row in rows if abs(row["stated"] - row["right"]) > 0.03]
    said = "; ".join(off) if off else "nowhere"
    lines.append(f"- stated confidence more than .03 from the rate right: {said}")
    for row in rows:
        if "without spammers" in row:
            cost = row["without spammers"] - row["marks"][DEFAULT]["relaxed"]
            lines.append(f"- relaxed F1 that spammers cost ({row['name']}): {cost:.3f}")
    return ["\n".join(lines)]


def _table(lines: Sequence[Sequence[str]]) -> str:
    head, *rest = lines
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rest))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gold.crowd", description=__doc__)
    parser.add_argument("--only", default="", help="cells whose name holds this; writes no page")
    parser.add_argument("--documents", type=int, default=0, help="documents a cell; writes no page")
    args = parser.parse_args()
    rows = []
    for cell in CELLS:
        if args.only in cell.name:
            rows.append(run(cell, args.documents))
            print(cell.name, rows[-1]["marks"][DEFAULT], flush=True)
    text = "\n\n".join((BEGIN, *tables(rows), END))
    print(text)
    if len(rows) == len(CELLS) and not args.documents:
        page = ROOT / "docs" / "gold.md"
        marked = re.compile(re.escape(BEGIN) + ".*" + re.escape(END), re.DOTALL)
        page.write_text(
            marked.sub(lambda _: text, page.read_text(encoding="utf-8")), encoding="utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
