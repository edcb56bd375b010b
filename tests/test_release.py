"""What a release says of itself is the same everywhere, and says it once."""

from __future__ import annotations

import re
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
