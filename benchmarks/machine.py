"""The machine and the versions behind the figures."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

OURS = ("goldspan", "numpy", "scipy", "numba", "highspy", "pulp")
THEIRS = ("pygamma-agreement", "numpy", "scipy", "numba", "cvxpy", "cvxopt")


def describe(peer: Path) -> list[str]:
    """A line for the machine and one for each environment."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return [
        f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GB, {platform.system()}",
        _line(sys.version_info[:2], {name: version(name) for name in OURS}),
        _line(sys.version_info[:2], _versions(peer)),
    ]


def _line(python: tuple[int, ...], versions: dict[str, str]) -> str:
    listed = ", ".join(f"{name} {number}" for name, number in versions.items())
    return f"{listed}, Python {'.'.join(map(str, python))}"


def _versions(peer: Path) -> dict[str, str]:
    script = (
        "import json, sys; from importlib.metadata import version;"
        "print(json.dumps({name: version(name) for name in sys.argv[1:]}))"
    )
    command = [str(peer / "bin" / "python"), "-c", script, *THEIRS]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    versions: dict[str, str] = json.loads(said)
    return versions


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
