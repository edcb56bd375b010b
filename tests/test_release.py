"""What a release says of itself is the same everywhere, and says it once."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import metadata, requires, version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.repository
def test_the_version_is_the_one_that_the_changes_begin_with() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## ([\d.]+)", changes, re.MULTILINE)[0] == version("goldspan")


@pytest.mark.repository
def test_the_conda_recipe_needs_what_the_package_needs() -> None:
    recipe = (ROOT / "conda" / "meta.yaml").read_text(encoding="utf-8")
    listed = re.findall(r"^    - (.+)$", recipe.partition("  run:\n")[2], re.MULTILINE)
    run = set(listed[1 : listed.index("goldspan.engine")])
    core = [one for one in requires("goldspan") or () if "extra ==" not in one]
    assert run == {_conda(one) for one in core}
    assert f'version = "{version("goldspan")}"' in recipe
    assert metadata("goldspan")["Summary"] in recipe


def _conda(requirement: str) -> str:
    """A requirement as conda writes it: the lowest version first."""
    found = re.fullmatch(r"([\w-]+)(.*)", requirement)
    assert found is not None
    name, bounds = found.groups()
    return f"{name} {','.join(sorted(bounds.split(','), reverse=True))}"


@pytest.mark.repository
def test_the_page_at_pypi_has_full_addresses(tmp_path: Path) -> None:
    """Hatchling reads what the release workflow fills in; each address leads to a file."""
    for name in ("README.md", "pyproject.toml", "LICENSE", "docs/fill_urls.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    address = "https://example.org/us/goldspan"
    fill = [sys.executable, str(tmp_path / "docs" / "fill_urls.py"), address, "v9"]
    subprocess.run(fill, check=True)
    shown = subprocess.run(
        [sys.executable, "-m", "hatchling", "metadata"],
        cwd=tmp_path, check=True, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    package = json.loads(shown.stdout)
    assert package["urls"]["Homepage"] == address
    page = package["readme"]["text"]
    assert re.search(r"^    pip install goldspan {2,}the engine", page, re.MULTILINE)
    assert re.search(r'^    pip install "goldspan\[all\]" {2,}also', page, re.MULTILINE)
    assert "checkout of goldspan" not in page
    targets = re.findall(r"\]\(([^)\s]+)\)", page)
    assert targets
    for target in (*targets, package["urls"]["Changes"], package["urls"]["Documentation"]):
        kind, _, file = target.removeprefix(f"{address}/").partition("/v9/")
        assert (ROOT / file.partition("#")[0]).is_file(), target
        assert kind == ("raw" if file.endswith(".png") else "blob")
    again = subprocess.run(fill, check=False, capture_output=True)
    assert again.returncode == 1
