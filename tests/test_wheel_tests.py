"""What the wheel runs: every verb and every format has a test there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from goldspan.adapters import registry
from goldspan.plugin.cli.verbs import VERBS
from running_order import LONGEST
from wheel_tests import WHEEL_TESTS

ROOT = Path(__file__).parents[1]


def sources() -> str:
    return "\n".join((ROOT / name).read_text(encoding="utf-8") for name in WHEEL_TESTS)


@pytest.mark.parametrize("name", [*WHEEL_TESTS, *LONGEST])
def test_every_file_is_there(name: str) -> None:
    assert (ROOT / name).is_file()


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_runs(verb: str) -> None:
    assert re.search(rf"""["'`]{verb}["'` ]""", sources())


@pytest.mark.parametrize("name", registry.names())
def test_every_format_is_read(name: str) -> None:
    """tests/adapters/test_any_to_any.py takes all that are written; the others have a file."""
    adapter = registry.get(name)
    own = f"tests/adapters/test_{name.replace('-', '_')}.py"
    assert (adapter.reads and adapter.writes) or own in WHEEL_TESTS
