"""The example of a third party's coefficient: it is seen everywhere that γ is seen."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "coefficient_plugin"
NEWSROOM = ROOT / "examples" / "newsroom"
READ = ["spans.csv", "--assignments", "spans.assignments.csv", "--precision", "0.2", "--no-pairs"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment that has the example, as pip would leave it."""
    place = tmp_path_factory.mktemp("installed")
    shutil.copy(EXAMPLE / "goldspan_exact.py", place)
    about = place / "goldspan_exact-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: goldspan-exact\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[goldspan.coefficients]\nexact = goldspan_exact:ExactAgreement\n"
    )
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(place), *sys.path]), "COLUMNS": "200"}


def goldspan(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "goldspan.plugin", *words],
        cwd=NEWSROOM, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def scored(
    installed: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    out = tmp_path_factory.mktemp("out")
    done = goldspan(
        installed, "score", *READ, "--coefficient", "exact", "--json", str(out / "one.json"),
        "--html", str(out / "one.html"), "--markdown", str(out / "one.md"),
        "--csv", str(out / "tables"), "--min-coefficient", "exact=0.99",
    )  # fmt: skip
    return out, done


def result(out: Path) -> Any:
    return json.loads((out / "one.json").read_text(encoding="utf-8"))


def test_the_json_has_it_with_an_interval(scored: tuple[Path, Any]) -> None:
    found = result(scored[0])
    figure = found["corpus"]["figures"]["exact"][""]
    assert figure["low"] < figure["value"] < figure["high"]
    assert figure["method"] == "log-scale t over tasks"
    parts = [task["figures"]["exact"][""]["sums"] for task in found["tasks"]]
    assert figure["value"] == sum(a for a, _ in parts) / sum(b for _, b in parts)
    assert found["coefficients"]["exact"]["symbol"] == "exact"


def test_the_terminal_and_a_gate_have_it(scored: tuple[Path, Any]) -> None:
    out, done = scored
    value = result(out)["corpus"]["figures"]["exact"][""]["value"]
    assert done.returncode == 1, done.stderr
    assert "gate not met: exact has the lower limit" in done.stderr
    assert f"exact = {value:.3f}" in done.stdout


def test_reports_and_tables_have_it(scored: tuple[Path, Any]) -> None:
    out, _ = scored
    value = result(out)["corpus"]["figures"]["exact"][""]["value"]
    for page in ("one.html", "one.md"):
        assert f"{value:.2f}" in (out / page).read_text(encoding="utf-8")
        assert "same place and same label by everybody" in (out / "one.html").read_text()
    with (out / "tables" / "coefficients.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["coefficient"] == "exact"]
    assert float(next(row["value"] for row in rows if not row["task"])) == value


def test_rounds_are_compared_by_it(installed: dict[str, str], scored: tuple[Path, Any]) -> None:
    out, _ = scored
    done = goldspan(
        installed, "compare", str(out / "one.json"), str(out / "one.json"), "--json", "-", "--quiet"
    )
    assert done.returncode == 0, done.stderr
    (change,) = (
        change for change in json.loads(done.stdout)["steps"][0]["changes"]
        if change["coefficient"] == "exact"
    )  # fmt: skip
    assert (change["difference"], change["verdict"]) == (0, "no clear change")
    assert change["low"] <= 0 <= change["high"]


def test_one_that_is_not_installed_is_a_sentence() -> None:
    done = goldspan(dict(os.environ), "score", *READ, "--coefficient", "nemo")
    assert done.returncode == 2
    assert "there is no coefficient 'nemo'; installed are gamma" in done.stderr


def test_the_page_shows_the_file_as_it_is() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"```python\n{(EXAMPLE / 'goldspan_exact.py').read_text(encoding='utf-8')}```" in page
