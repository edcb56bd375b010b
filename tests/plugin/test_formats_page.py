"""The page of formats names every format and every option of reading and writing."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from goldspan.adapters import registry
from goldspan.plugin.cli.reading import add_reading
from goldspan.plugin.cli.writing import add_writing

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", registry.names())
def test_every_format_is_in_the_table_and_has_a_section(name: str) -> None:
    adapter = registry.get(name)
    row, *_ = re.findall(rf"^\| `{name}` \|.*$", PAGE, re.MULTILINE)
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[2:4] == ["yes" if flag else "" for flag in (adapter.reads, adapter.writes)]
    assert cells[5] == (f"`goldspan[{adapter.extra}]`" if adapter.extra else "")
    assert f"\n## {name}\n" in PAGE


@pytest.mark.parametrize("add", [add_reading, add_writing])
def test_every_option_is_explained(add: object) -> None:
    parser = argparse.ArgumentParser(add_help=False)
    add(parser)  # type: ignore[operator]
    options = [o for action in parser._actions for o in action.option_strings if o.startswith("--")]
    assert [option for option in options if f"`{option}" not in PAGE] == []
