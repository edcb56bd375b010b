"""The verb that CONTRIBUTING.md shows: it works as it is shown there."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldspan.plugin.cli import main, verbs

ROOT = Path(__file__).resolve().parents[2]
NEWSROOM = ROOT / "examples" / "newsroom"
MODULE = f"{verbs.__name__}.count"


@pytest.fixture(autouse=True)
def _count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The verb is a module among the verbs, and has a line in their list."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = page.partition("\n## Add a verb\n")[2].partition("\n## ")[0]
    (shown,) = re.findall(r"^```python\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    (tmp_path / "count.py").write_text(shown, encoding="utf-8")
    monkeypatch.setattr(verbs, "__path__", [*verbs.__path__, str(tmp_path)])
    monkeypatch.setitem(verbs.VERBS, "count", "count the units of each annotator")
    yield
    sys.modules.pop(MODULE)
    del verbs.count  # type: ignore[attr-defined]  # set by the import


def count(*options: str) -> int:
    read = [str(NEWSROOM / "spans.csv"), "--assignments", str(NEWSROOM / "spans.assignments.csv")]
    return main(["count", *read, *options])


def test_it_reads_with_all_options_of_reading(capsys: pytest.CaptureFixture[str]) -> None:
    assert count() == 0
    everybody = capsys.readouterr()
    lines = [line.split() for line in everybody.out.splitlines()]
    assert [name for name, _ in lines] == ["amira", "bruno", "celia", "dario"]
    assert f"reading {NEWSROOM / 'spans.csv'} as csv" in everybody.err

    most = max(int(number) for _, number in lines)
    assert count("--least", str(most), "--exclude-annotator", "bruno", "--quiet") == 0
    fewer = capsys.readouterr()
    assert fewer.err == ""
    assert [line.split() for line in fewer.out.splitlines()] == [
        [name, number] for name, number in lines if int(number) == most and name != "bruno"
    ]


def test_a_bad_request_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert count("--least", "-1") == 2
    assert capsys.readouterr().err == "goldspan: --least is -1; it must be 0 or more\n"


def test_help_lists_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "--help"]) == 0
    assert "--annotator-from" in capsys.readouterr().out
    assert main(["--help"]) == 0
    assert "count the units of each annotator" in capsys.readouterr().out
