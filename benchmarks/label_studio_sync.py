"""Syncing a large project of a real Label Studio: seconds, calls, peak memory, and re-syncs.

    python -m benchmarks.label_studio_sync [--tasks 2000] [--before ENV]

Three annotators mark six spans in each task. The project is synced, synced again, and synced after
three annotations were changed. Seconds are those of the clock: most of them are Label Studio's.
`--before` is the environment of an earlier goldspan, which does the same in a project of its own
on the same server. Needs `make label-studio`.
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
from dataclasses import dataclass
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


COUNTING = """
import atexit, runpy, sys
from pathlib import Path
import httpx
file, sys.argv = Path(sys.argv[1]), ["goldspan", *sys.argv[2:]]
made, send = [0], httpx.Client.send
def counted(self, *given, **more):
    made[0] += 1
    return send(self, *given, **more)
httpx.Client.send = counted
atexit.register(lambda: file.write_text(str(made[0])))
runpy.run_module("goldspan.plugin", run_name="__main__")
"""
"""A goldspan of any version that writes into a file how many requests it made."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a sync took: seconds of the clock, and `cpu` seconds of goldspan alone."""

    seconds: float
    cpu: float
    calls: int
    peak_mb: float

    def __str__(self) -> str:
        return f"{self.seconds:.1f} s in {self.calls} calls and {self.cpu:.1f} s of own CPU"


@dataclass(frozen=True, slots=True)
class Costs:
    """What the three syncs of a project took, and the suggestions it has after them."""

    first: Cost
    unchanged: Cost
    changed: Cost
    suggestions: int

    def __str__(self) -> str:
        return (
            f"first sync {self.first}, peak memory {self.first.peak_mb:.0f} MB, "
            f"{self.suggestions} suggestions; unchanged re-sync {self.unchanged}, "
            f"{self.unchanged.seconds / self.first.seconds:.1%} of the first; "
            f"with three changed annotations {self.changed}"
        )


def main() -> int:
    """Make the projects, sync them, print what it took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.label_studio_sync")
    parser.add_argument("--tasks", type=int, default=2000)
    parser.add_argument("--before", type=Path, help="the environment of an earlier goldspan")
    args = parser.parse_args()
    if installed() is None:
        print(MISSING)
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with LabelStudioServer(folder / "data") as server:
            now = _costs(server, Path(sys.prefix), args.tasks, folder / "now")
            said = f"{args.tasks} tasks × 3 annotators × {SPANS} spans: {now}"
            if args.before is not None:
                before = _costs(server, args.before, args.tasks, folder / "before")
                times = before.first.seconds / now.first.seconds
                said += f"; an earlier goldspan: {before}; the first sync is {times:.1f} × faster"
    print(said)
    return 0


def _costs(server: LabelStudioServer, environment: Path, count: int, folder: Path) -> Costs:
    """Sync a new project with the goldspan of this environment."""
    folder.mkdir()
    project = _project(server.api, count)
    token, calls = folder / "token", folder / "calls"
    token.write_text(server.api.token, encoding="utf-8")
    command = [
        str(environment / "bin" / "python"), "-c", COUNTING, str(calls), "label-studio", "sync",
        "--url", server.url, "--project", str(project), "--token-file", str(token),
        "--folder", str(folder / "goldspan"), "--quiet",
    ]  # fmt: skip
    first = _run(command, calls)
    unchanged = _run(command, calls)
    for task in server.api.tasks(project)[:3]:
        one = task["annotations"][0]
        path = f"/api/annotations/{one['id']}/"
        server.api.ask("PATCH", path, {"result": one["result"][1:]})
    changed = _run(command, calls)
    return Costs(first, unchanged, changed, len(server.api.predictions(project, "goldspan")))


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


def _run(command: list[str], calls: Path) -> Cost:
    """What a command took; it leaves the number of its calls in a file."""
    begin = time.monotonic()
    with tempfile.TemporaryFile("w+") as complained:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=complained)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        complained.seek(0)
        said = complained.read().strip()
    if process.returncode:
        raise SystemExit(f"exit code {process.returncode}: {said.splitlines()[-1:]}")
    seconds = time.monotonic() - begin
    made = int(calls.read_text(encoding="ascii"))
    return Cost(seconds, usage.ru_utime + usage.ru_stime, made, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    sys.exit(main())
