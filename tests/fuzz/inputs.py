"""Inputs: the files and the command line that a seed and a number give, always the same."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fuzz.commands import IN, OUT, Command, command, perhaps
from fuzz.mutations import mutate_file
from fuzz.seeds import Files, Seed

RESULTS = tuple(sorted((Path(__file__).parent / "results").iterdir()))
"""What `goldspan score --json` wrote, for `compare`."""


@dataclass(frozen=True, slots=True)
class Input:
    """Files by name, and the words of a command on them."""

    format: str
    files: Files
    command: Command


def make_input(seeds: Sequence[Seed], seed: int, number: int) -> Input:
    """Input `number` of a run with this seed."""
    rng = Random(f"{seed}:{number}")
    if rng.random() < 0.04:
        return _rounds(rng)
    base = rng.choice(seeds)
    files = dict(base.files)
    top = base.top
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        name = rng.choice(sorted(files))
        files[name] = mutate_file(name, files[name], rng)
    if rng.random() < 0.12:
        top = _rename(files, top, rng)
    words = command(rng, base, top, files, seeds)
    return Input(base.format, files, words)


def _rounds(rng: Random) -> Input:
    """Results of rounds, of which one or more are damaged, to compare."""
    files = {path.name: path.read_bytes() for path in RESULTS}
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        name = rng.choice(sorted(files))
        files[name] = mutate_file(name, files[name], rng)
    words = [f"{IN}/{name}" for name in files]
    words += perhaps(rng, 0.3, "--json", f"{OUT}/changes.json")
    words += perhaps(rng, 0.3, "--markdown", f"{OUT}/changes.md")
    words += perhaps(rng, 0.1, "--html", f"{OUT}/trend.html")
    return Input("results", files, ("compare", *words))


def _rename(files: dict[str, bytes], top: str, rng: Random) -> str:
    """Another name for a file or for all of them, one file less, or one more."""
    name = rng.choice(sorted(files))
    kind = rng.randrange(4)
    odd = rng.choice((os.fsdecode(b"caf\xe9"), "a b", "é", "x" * 200, "-x", "a\nb", "[red]", "%s"))
    if kind == 0:
        for one in sorted(files):
            if one.split("/")[0] == top:
                head, dot, suffix = top.rpartition(".")
                new = f"{odd}{dot}{suffix}" if head else odd
                files[new + one.removeprefix(top)] = files.pop(one)
        return f"{odd}{dot}{suffix}" if head else odd
    if kind == 1 and "/" in name:
        folder, _, last = name.rpartition("/")
        files[f"{folder}/{odd}{last[last.rfind('.') :]}"] = files.pop(name)
    elif kind == 2 and "/" in name and len(files) > 1:
        del files[name]
    else:
        files[f"{name}.copy{name[name.rfind('.') :]}"] = files[name]
    return top if any(one.split("/")[0] == top for one in files) else min(files).split("/")[0]
