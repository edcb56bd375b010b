"""The paragraph for a paper: every figure of the result, to the digits that are shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goldspan.adapters import read
from goldspan.engine import score
from goldspan.plugin.cli import main
from goldspan.plugin.report.paper.paragraph import paragraph

ROWS = ["task,annotator,category,start,end"]
for n in range(8):
    ROWS += [f"d{n},ann,X,1,{5 + n % 3}", f"d{n},ben,X,1,6", f"d{n},ann,Y,10,14",
             f"d{n},ben,{'Y' if n % 2 else 'X'},{10 + n % 4},15"]  # fmt: skip


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    return path


def test_it_has_the_figures_and_what_is_needed_to_repeat_them(table: Path) -> None:
    result = score(read(table), alpha=2.0, seed=7)
    said = paragraph(result)
    gamma = result.gamma
    assert gamma.value is not None
    assert gamma.low is not None
    assert "2 annotators marked 32 units in 8 tasks." in said
    assert f"γ = {gamma.value:.2f} (95% interval {gamma.low:.2f} to" in said
    assert f"over tasks; {gamma.n} units; Mathet et al., 2015)" in said
    assert f"γcat = {result.gamma_cat.value:.2f} (" in said
    assert f"{result.n_samples:,} samples, precision 0.02, seed 7" in said
    assert "α = 2, β = 1, nominal distances" in said
    assert "doi:10.1162/COLI_a_00227" in said


def test_what_is_undefined_says_why(tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("\n".join([ROWS[0], "d,ann,X,1,5", "d,ben,X,1,6"]) + "\n", encoding="utf-8")
    result = score(read(path))
    said = paragraph(result)
    assert f"undefined in γ ({result.gamma.remark}; Mathet et al., 2015)" in said
    assert "2 annotators marked 2 units in 1 task. 1 task could not be measured." in said
    assert "γcat" not in said.partition("\n")[0]


def test_the_command_prints_it_and_writes_files_too(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "result.json"
    words = ["score", str(table), "--paragraph", "--json", str(out), "--quiet"]
    assert main(words) == 0
    printed = capsys.readouterr().out
    gamma = json.loads(out.read_text(encoding="utf-8"))["corpus"]["gamma"]["value"]
    assert printed == paragraph(score(read(table)))
    assert f"γ = {gamma:.2f}" in printed
