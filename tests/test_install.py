"""The installed goldspan: it is the one under test, and it is complete."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.metadata import distribution, entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("engine", "adapters", "plugin")


def is_editable() -> bool:
    origin = json.loads(distribution("goldspan").read_text("direct_url.json") or "{}")
    return bool(origin.get("dir_info", {}).get("editable"))


def installed(part: str) -> Path:
    found = import_module(f"goldspan.{part}").__file__
    assert found is not None
    return Path(found).resolve().parent


@pytest.mark.parametrize("part", PARTS)
def test_what_is_imported_is_what_is_installed(part: str) -> None:
    """A wheel is tested as a wheel: nothing may come from the tree behind its back."""
    tree = ROOT / part / "goldspan" / part
    wheel = Path(str(distribution("goldspan").locate_file(f"goldspan/{part}")))

    assert installed(part) == (tree if is_editable() else wheel).resolve()


@pytest.mark.parametrize("part", PARTS)
def test_every_file_is_installed_byte_by_byte(part: str) -> None:
    def files(folder: Path) -> dict[str, bytes]:
        found = (path for path in folder.rglob("*") if path.is_file())
        return {
            str(p.relative_to(folder)): p.read_bytes()
            for p in found
            if "__pycache__" not in p.parts
        }

    assert files(installed(part)) == files(ROOT / part / "goldspan" / part)


def test_only_goldspan_lands_in_site_packages() -> None:
    if is_editable():
        pytest.skip("an editable installation has one .pth file; the wheel is what counts")
    tops = {path.parts[0] for path in distribution("goldspan").files or ()}

    assert {top for top in tops if not top.endswith(".dist-info") and top != ".."} == {"goldspan"}


def test_every_adapter_is_declared_and_loads() -> None:
    found = entry_points(group="goldspan.adapters")

    assert len(found) > 0
    for entry in found:
        assert entry.load() is not None


def test_the_command_is_installed_and_knows_its_version() -> None:
    command = shutil.which("goldspan", path=os.path.dirname(sys.executable))  # noqa: PTH120
    assert command is not None

    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["goldspan", distribution("goldspan").version]


def test_help_is_quick_to_import() -> None:
    """`goldspan --help` must not load what only measuring and printing results needs."""
    heavy = ("numpy", "numba", "llvmlite", "scipy", "highspy", "pulp", "spacy", "rich", "msgspec")
    script = (
        "import sys; from goldspan.plugin.cli import main; main(['--help']);"
        f"print(*sorted(set({heavy}) & set(sys.modules)), file=sys.stderr)"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "usage: goldspan" in said.stdout
    assert said.stderr.strip() == ""
