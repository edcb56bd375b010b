"""Reading a large Label Studio export: megabytes a second on one core, and peak memory.

    python -m benchmarks.adapters_label_studio [--megabytes 100]

The export is made up: three annotators a task, an annotation a kilobyte, one to three regions
each, with wide characters, empty and skipped ones; 100 MB are about 100,000 annotations.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from goldspan.adapters import read

ANNOTATORS = 3
LABELS = ("PER", "ORG", "LOC", "DATE", "EVENT")
WORDS = ("the", "quick", "fox", "jumps", "über", "den", "Zaun", "🙂", "naïve", "Ärger", "again")


def make_task(number: int, rng: random.Random) -> dict[str, Any]:
    """One task with everything the server exports."""
    text = " ".join(rng.choices(WORDS, k=60))
    return {
        "id": number,
        "annotations": [
            make_annotation(number, who, text, rng) for who in range(1, ANNOTATORS + 1)
        ],
        "drafts": [],
        "predictions": [],
        "data": {"text": text, "doc": f"d{number}"},
        "meta": {},
        "created_at": "2026-11-16T00:59:46.156242Z",
        "updated_at": "2026-11-16T01:00:47.932402Z",
        "inner_id": number,
        "total_annotations": ANNOTATORS,
        "cancelled_annotations": 0,
        "total_predictions": 0,
        "project": 5,
        "updated_by": 1,
    }


def make_annotation(task: int, who: int, text: str, rng: random.Random) -> dict[str, Any]:
    """One annotation; some are empty, some are skipped."""
    skipped = rng.random() < 0.01
    count = 0 if skipped or rng.random() < 0.03 else rng.randint(1, 3)
    return {
        "id": task * 10 + who,
        "completed_by": who,
        "result": [make_region(text, rng) for _ in range(count)],
        "was_cancelled": skipped,
        "ground_truth": False,
        "created_at": "2026-11-16T01:00:47.661503Z",
        "updated_at": "2026-11-16T01:00:47.661543Z",
        "draft_created_at": None,
        "lead_time": 12.3,
        "prediction": {},
        "result_count": count,
        "unique_id": f"ea3ac89c-7540-41f3-9474-{rng.randrange(16**12):012x}",
        "import_id": None,
        "last_action": None,
        "bulk_created": False,
        "task": task,
        "project": 5,
        "updated_by": 1,
        "parent_prediction": None,
        "parent_annotation": None,
        "last_created_by": None,
    }


def make_region(text: str, rng: random.Random) -> dict[str, Any]:
    """A region as the editor stores it."""
    start = rng.randrange(len(text) - 20)
    end = start + rng.randint(1, 20)
    return {
        "value": {
            "start": start,
            "end": end,
            "text": text[start:end],
            "labels": [rng.choice(LABELS)],
        },
        "id": f"{rng.randrange(16**10):010x}",
        "from_name": "label",
        "to_name": "text",
        "type": "labels",
        "origin": "manual",
    }


def make_export(path: Path, megabytes: int) -> int:
    """Write the export; the number of its annotations."""
    rng = random.Random(0)  # noqa: S311 - the same file every time
    number = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        while file.tell() < megabytes * 1_000_000:
            number += 1
            file.write("," if number > 1 else "")
            file.write(json.dumps(make_task(number, rng), ensure_ascii=False))
        file.write("]")
    return number * ANNOTATORS


YARDSTICK = """
import json, sys, time
text = open(sys.argv[1], encoding="utf-8").read()
before = time.process_time()
json.loads(text)
print(time.process_time() - before)
"""


def json_alone(path: Path) -> float:
    """Seconds that `json.loads` takes for the file, in a process of its own for its memory."""
    done = subprocess.run(
        [sys.executable, "-c", YARDSTICK, str(path)], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def main() -> int:
    """Make the file, read it once, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__, prog="benchmarks.adapters_label_studio")
    parser.add_argument("--megabytes", type=int, default=100)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "export.json")
        annotations = make_export(path, args.megabytes)
        size = path.stat().st_size / 1e6
        alone = json_alone(path)
        before = time.process_time()
        corpus = read(path, format="label-studio")
        seconds = time.process_time() - before
    units = sum(len(continuum.units) for continuum in corpus.continua)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"{size:.0f} MB, {annotations} annotations, {units} units")
    print(f"{seconds:.2f} s of one core, {size / seconds:.1f} MB/s, peak memory {peak:.0f} MB")
    print(f"json.loads alone, on the same machine: {alone:.2f} s, {size / alone:.1f} MB/s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
