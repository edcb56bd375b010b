"""The answers of pygamma-agreement to the conformance set: `python -m benchmarks.peer_answers SET`.

It runs in an environment of its own, so nothing of goldspan is imported here. `make conformance`
runs it.
"""

from __future__ import annotations

import json
import sys
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from pyannote.core import Segment  # type: ignore[import-not-found]
from pygamma_agreement import (  # type: ignore[import-not-found]
    CombinedCategoricalDissimilarity,
    Continuum,
    PositionalSporadicDissimilarity,
    PrecomputedCategoricalDissimilarity,
)
from pygamma_agreement.continuum import Unit  # type: ignore[import-not-found]
from sortedcontainers import SortedSet  # type: ignore[import-untyped]

warnings.simplefilter("ignore")


def answer(example: dict[str, Any]) -> dict[str, Any]:
    """Disorder, alignment and label disagreements of a continuum."""
    continuum = Continuum()
    for name in example["annotators"]:
        continuum.add_annotator(name)
    at = {}
    for number, unit in enumerate(example["units"]):
        segment = Segment(unit["start"], unit["end"])
        continuum.add(unit["annotator"], segment, unit["category"])
        at[unit["annotator"], segment, unit["category"]] = number
    dissimilarity = _dissimilarity(example)
    found = continuum.get_best_alignment(dissimilarity)
    unitary = [
        sorted(
            at[name, unit.segment, unit.annotation]
            for name, unit in one.n_tuple
            if unit is not None
        )
        for one in found.unitary_alignments
    ]
    return {
        "disorder": float(found.disorder),
        "unitary": sorted(unitary),
        "gamma_cat": float(found.gamma_k_disorder(dissimilarity, None)),
        "gamma_k": {
            label: float(found.gamma_k_disorder(dissimilarity, label))
            for label in example["alignments"][0]["gamma_k"]
        },
    }


def _dissimilarity(example: dict[str, Any]) -> CombinedCategoricalDissimilarity:
    table = example["distances"]
    labels = None
    if table is not None:
        rows = np.array(table["rows"], dtype=np.float32)
        labels = PrecomputedCategoricalDissimilarity(SortedSet(table["categories"]), rows)
    return CombinedCategoricalDissimilarity(
        alpha=example["alpha"], beta=example["beta"], delta_empty=1, cat_dissim=labels
    )


def positional(example: dict[str, Any]) -> dict[str, float]:
    """The dissimilarity of two units."""
    one, other = (Unit(Segment(*example[name]), "x") for name in ("one", "other"))
    return {"positional": float(PositionalSporadicDissimilarity().d(one, other))}


def main(path: str) -> None:
    """Print the answers as JSON."""
    given = json.loads(Path(path).read_text(encoding="utf-8"))
    answers = {one["id"]: positional(one) for one in given["dissimilarities"]}
    answers |= {one["id"]: answer(one) for one in given["continua"]}
    lines = ",\n  ".join(f"{json.dumps(key)}: {json.dumps(one)}" for key, one in answers.items())
    name = f"pygamma-agreement {version('pygamma-agreement')}"
    print(f'{{\n "implementation": {json.dumps(name)},\n "answers": {{\n  {lines}\n }}\n}}')


if __name__ == "__main__":
    main(*sys.argv[1:])
