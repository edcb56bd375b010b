"""Trials: an input is run as the command line runs it, and what must hold afterwards is checked."""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fuzz.commands import IN, OUT
from fuzz.inputs import Input
from goldspan.adapters import registry
from goldspan.plugin import cli

MOST_SECONDS = 20
"""How long a command on a small file may take."""

LONGEST = 1500
"""Characters of a sentence on standard error."""

OLD = b"what was there before\n"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The exit code, and what is wrong; nothing is wrong when `fault` is empty."""

    code: int
    fault: str = ""
    said: str = ""

    @property
    def signature(self) -> str:
        """The same for the same fault, whatever the names and numbers in it."""
        places = re.findall(r'File "[^"]*?/(goldspan/[^"]*)", line \d+, in (\w+)', self.said)
        kinds = re.findall(
            r"^([\w.]*(?:Error|Exception|Warning|Iteration))\b", self.said, re.MULTILINE
        )
        place = ":".join(places[-1]) if places else ""
        kind = kinds[-1] if kinds else re.sub(r"\W+", " ", self.fault)[:40]
        return f"{self.fault.partition(':')[0]} {place} {kind}"


def warm_up() -> None:
    """Look once for what a process of its own would look for each time: it does not change."""
    registry.entry_points = cache(registry.entry_points)  # type: ignore[attr-defined]
    cli.build_parser = cache(cli.build_parser)


def run_input(given: Input, folder: Path, *, apart: bool = False) -> Outcome:
    """Run the input in this process, or `apart` in one of its own; the folder is emptied."""
    shutil.rmtree(folder, ignore_errors=True)
    inputs, outputs = folder / "in", folder / "out"
    try:
        lay_out(given, inputs)
        outputs.mkdir()
    except (OSError, ValueError):
        return Outcome(0)  # no file system holds such a name
    before = _digest(inputs)
    target = _target(given, outputs)
    replaced = target is not None and target.suffix != "" and len(given.files) % 2 == 0
    if target is not None and replaced:
        target.write_bytes(OLD)
    words = [word.replace(IN, str(inputs)).replace(OUT, str(outputs)) for word in given.command]
    # A page waits for Ctrl-C, which `Screen` presses.
    code, said = _apart(words) if apart and words[0] != "adjudicate" else _here(words)
    fault = _fault(code, said)
    if not fault and _digest(inputs) != before:
        fault = "input changed: the files that were read are not what they were"
    fault = fault or "".join(_left(outputs))
    if not fault and target is not None:
        fault = _half(target, code, replaced=replaced)
    shutil.rmtree(folder, ignore_errors=True)
    return Outcome(code, fault, said)


def lay_out(given: Input, folder: Path) -> None:
    """Write the files of an input."""
    folder.mkdir(parents=True)
    for name, data in given.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


class Screen(io.TextIOWrapper):
    """What a person sees, who presses Ctrl-C as soon as the address of a page is there."""

    def write(self, text: str, /) -> int:
        """Keep the text."""
        if text.startswith("http://127.0.0.1:"):
            signal.raise_signal(signal.SIGINT)
        return super().write(text)


def _here(words: list[str]) -> tuple[int, str]:
    out, err = (Screen(io.BytesIO(), encoding="utf-8") for _ in range(2))
    before = os.environ.get(cli.DEBUG, "")
    os.environ[cli.DEBUG] = "1"
    with redirect_stdout(out), redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            code = cli.main(words)
        except BaseException:  # noqa: BLE001 - nothing may leave main
            code = -1
            traceback.print_exc(file=err)
        finally:
            os.environ[cli.DEBUG] = before
        err.flush()
    return code, err.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined]


def _apart(words: list[str]) -> tuple[int, str]:
    command = [sys.executable, "-m", "goldspan.plugin", *words]
    try:
        done = subprocess.run(command, capture_output=True, timeout=3 * MOST_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return -2, f"no answer after {MOST_SECONDS} s"
    return done.returncode, done.stderr.decode("utf-8", "replace")


def _fault(code: int, said: str) -> str:
    lines = said.splitlines()
    if code not in (0, 1, 2):
        return f"exit {code}"
    if "Traceback" in said:
        return "traceback: shown to the user"
    stray = [line for line in lines if not line.startswith("goldspan: ")]
    if stray:
        return f"noise: {stray[0][:200]}"
    if code == 2 and not lines:
        return "silent: exit 2 without a sentence"
    if code == 2 and len(lines[-1]) > LONGEST:
        return "long: a sentence that nobody reads"
    return ""


def _target(given: Input, outputs: Path) -> Path | None:
    if "--output" not in given.command:
        return None
    word = given.command[given.command.index("--output") + 1]
    return Path(word.replace(OUT, str(outputs)))


def _left(outputs: Path) -> Iterator[str]:
    for path in sorted(outputs.rglob("*")):
        if path.suffix in (".part", ".old"):
            yield f"left out: {path.name}"
            return


def _half(target: Path, code: int, *, replaced: bool) -> str:
    """Whether the output is all or nothing."""
    if code == 0:
        fresh = target.exists() and not (target.is_file() and target.read_bytes() == OLD)
        return "" if fresh else "no output: exit 0, and nothing was written"
    kept = target.is_file() and target.read_bytes() == OLD if replaced else not target.exists()
    return "" if kept else f"half written: exit {code}, and the output was touched"


def _digest(folder: Path) -> str:
    known = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        known.update(os.fsencode(path))
        known.update(path.read_bytes() if path.is_file() else b"/")
    return known.hexdigest()
