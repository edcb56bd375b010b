"""The script that compares the figures of two versions sees every digit, and only figures."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

from benchmarks.same_figures import differences, main

pytestmark = pytest.mark.repository
CASE = ["--only", "demo 1"]


@pytest.fixture
def other_version(tmp_path: Path) -> str:
    """A Python whose goldspan measures γ one digit off in the last place."""
    change = (
        "import json, math, pathlib; path = pathlib.Path('result.json'); "
        "result = json.loads(path.read_text()); gamma = result['corpus']['gamma']; "
        "gamma['value'] = math.nextafter(gamma['value'], 1); path.write_text(json.dumps(result))"
    )
    python = shlex.quote(sys.executable)
    script = tmp_path / "python"
    script.write_text(f'#!/bin/sh\n{python} "$@" && {python} -c {shlex.quote(change)}\n')
    script.chmod(0o755)
    return str(script)


def test_a_version_measures_as_it_does_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([sys.executable, os.path.relpath(sys.executable), *CASE]) == 0
    assert capsys.readouterr().out == "demo 1: the same\n1 of 1 cases were compared\n"


def test_the_last_digit_of_a_figure_counts(
    other_version: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([sys.executable, other_version, *CASE]) == 1
    said = capsys.readouterr().out
    assert "demo 1: 1 figures differ\n    demo 1/corpus/gamma/value: 0." in said
    assert main([sys.executable, other_version, *CASE, "--expect", "*/gamma/value"]) == 0
    assert "demo 1: the same, 1 differ as expected" in capsys.readouterr().out


def test_a_version_that_cannot_measure_is_no_equal_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([sys.executable, "/bin/false", *CASE]) == 1
    assert "demo 1: /bin/false cannot measure it: exit code 1" in capsys.readouterr().out


def test_what_is_not_there_is_not_called_equal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([sys.executable] * 2 + ["--only", "LEOKA", "--data", str(tmp_path)]) == 1
    assert "LEOKA: LEFT OUT" in capsys.readouterr().out


def test_words_are_no_figures_and_new_keys_stand_apart() -> None:
    old = {"a": {"value": 0.5, "reason": "x", "low": None}, "list": [1, 2], "gone": 1}
    new = {"a": {"value": 0.5, "reason": "y", "low": 0.1}, "list": [1, 3, 4], "come": "z"}
    found = differences(old, new, "c")
    assert found.figures == {"c/a/low": (None, 0.1), "c/list/1": (2, 3)}
    assert (found.only_old, found.only_new) == (("c/gone",), ("c/list/2", "c/come"))


def test_a_python_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([sys.executable, "no/such/python"])
    assert "there is no no/such/python" in capsys.readouterr().err
