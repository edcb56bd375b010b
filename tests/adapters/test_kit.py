"""The kit is public: what it exports is complete, stable and documented."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from goldspan.adapters import kit

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "adapters.md").read_text(encoding="utf-8")


def test_everything_exported_is_there_once() -> None:
    assert sorted(set(kit.__all__)) == sorted(kit.__all__)
    assert [name for name in kit.__all__ if not hasattr(kit, name)] == []


@pytest.mark.parametrize("name", kit.__all__)
def test_everything_exported_is_explained(name: str) -> None:
    value = getattr(kit, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert inspect.getdoc(value)
    assert f"`{name}`" in PAGE or f"`{name}(" in PAGE
