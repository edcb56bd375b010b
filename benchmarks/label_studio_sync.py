"""Syncing a large project of a real Label Studio: seconds, peak memory, and what a re-sync costs.

    python -m benchmarks.label_studio_sync [--tasks 2000]

Three annotators mark six spans in each task. Seconds are those of the clock: most of them are
Label Studio's. Needs `make label-studio`.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.process import ROOT

# The server is started by the tests' own module.
sys.path.insert(0, str(ROOT / "tests"))
from label_studio_api import LabelStudioApi
from label_studio_server import MISSING, LabelStudioServer, installed

CONFIG = """<View>
<Labels name="label" toName="text"><Label value="PER"/><Label value="LOC"/></Labels>
<Text name="text" value="$text"/></View>"""
WORDS = ("anna", "rome", "walks", "to", "the", "harbour", "with", "bob", "and", "paris", "sleeps")
SPANS = 6
CHUNK = 250


def main() -> int:
    """Make the project, sync it twice, print what it took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.label_studio_sync")
    parser.add_argument("--tasks", type=int, default=2000)
    count = parser.parse_args().tasks
    if installed() is None:
        print(MISSING)
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with LabelStudioServer(folder / "data") as server:
            project = _project(server.api, count)
            token = folder / "token"
            token.write_text(server.api.token, encoding="utf-8")
            command = [
                sys.executable, "-m", "goldspan.plugin", "label-studio", "sync",
                "--url", server.url, "--project", str(project), "--token-file", str(token),
                "--folder", str(folder / "goldspan"), "--quiet",
            ]  # fmt: skip
            first, peak = _run(command)
            again, _ = _run(command)
            stored = len(server.api.predictions(project, "goldspan"))
    print(
        f"{count} tasks × 3 annotators × {SPANS} spans: first sync {first:.1f} s, peak memory "
        f"{peak:.0f} MB, {stored} suggestions; unchanged re-sync {again:.1f} s, "
        f"{again / first:.1%} of the first"
    )
    return 0


def _project(api: LabelStudioApi, count: int) -> int:
    project = api.project(CONFIG, "A large project", maximum_annotations=3)
    people = api.people(*(f"{name}@example.com" for name in ("ann", "ben", "cleo")))
    tasks = list(_tasks(count, [person.id for person in people]))
    for start in range(0, count, CHUNK):
        api.import_tasks(project, tasks[start : start + CHUNK])
    return project


def _tasks(count: int, people: list[int]) -> Iterator[dict[str, Any]]:
    rng = random.Random(0)  # noqa: S311 - made-up data
    for number in range(count):
        words = [rng.choice(WORDS) for _ in range(40)]
        text = " ".join([*words, str(number)])
        places = sorted(rng.sample(range(len(words)), SPANS))
        yield {
            "data": {"text": text},
            "annotations": [
                {"completed_by": who, "result": list(_regions(rng, words, text, places))}
                for who in people
            ],
        }


def _regions(
    rng: random.Random, words: list[str], text: str, places: list[int]
) -> Iterator[dict[str, Any]]:
    for place in places:
        if rng.random() < 0.1:
            continue
        first = max(0, place - (rng.random() < 0.1))
        start = sum(len(word) + 1 for word in words[:first])
        end = sum(len(word) + 1 for word in words[: place + 1]) - 1
        label = "PER" if rng.random() < 0.9 else "LOC"
        yield {
            "id": f"{place:03}{rng.randrange(10**6):06}", "from_name": "label", "to_name": "text",
            "type": "labels", "origin": "manual",
            "value": {"start": start, "end": end, "text": text[start:end], "labels": [label]},
        }  # fmt: skip


def _run(command: list[str]) -> tuple[float, float]:
    """Seconds and peak memory in MB of a command."""
    begin = time.monotonic()
    with tempfile.TemporaryFile("w+") as complained:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=complained)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        complained.seek(0)
        said = complained.read().strip()
    if process.returncode:
        raise SystemExit(f"exit code {process.returncode}: {said.splitlines()[-1:]}")
    return time.monotonic() - begin, usage.ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
