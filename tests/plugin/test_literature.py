"""`goldspan score --also`: the coefficients of the literature in every output."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from engine.coefficient.judged import places, random_rows
from goldspan.adapters import write
from goldspan.engine import Corpus
from goldspan.engine.coefficient.registry import listed
from goldspan.plugin.cli import main
from goldspan.plugin.rounds import read_rounds


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight tasks with five given items each, by three annotators."""
    rows = random_rows(np.random.default_rng(3), 3, 40, "abc", copied=0.8)
    continua = [
        continuum
        for at in range(0, 40, 5)
        for continuum in places(*[row[at : at + 5] for row in rows], task=f"t{at:02}").continua
    ]
    path = tmp_path_factory.mktemp("data") / "items.csv"
    write(Corpus(tuple(continua)), path, format="csv")
    return path


def test_every_output_has_them(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {name: tmp_path / f"r.{name}" for name in ("json", "html", "markdown")}
    outputs = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    code = main([
        "score", str(data), "--also", "alpha,cu-alpha,f1", "--also", "multi-kappa", "--csv",
        str(tmp_path / "tables"), "--precision", "0.2", *outputs,
    ])  # fmt: skip
    assert code == 0
    said = capsys.readouterr().out
    found = json.loads(files["json"].read_text(encoding="utf-8"))
    also = found["corpus"]["also"]
    assert sorted(also) == ["alpha", "cu_alpha", "f1", "multi_kappa"]
    assert also["alpha"]["low"] < also["alpha"]["value"] < also["alpha"]["high"]
    for text in (
        said, files["html"].read_text(encoding="utf-8"),
        files["markdown"].read_text(encoding="utf-8"),
    ):  # fmt: skip
        for symbol in ("α", "cuα", "F1", "multi-κ"):
            assert symbol in text
    assert "It sees labels only" in said
    with (tmp_path / "tables" / "coefficients.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["coefficient"] == "alpha"]
    assert float(rows[0]["value"]) == pytest.approx(also["alpha"]["value"])
    assert float(rows[0]["coverage"]) == 1


FIXED = (
    "observed_agreement s pi kappa multi_pi multi_kappa weighted_kappa alpha alpha_b alpha_kappa "
    "bias alpha_u u_alpha_2013 u_alpha bar_u_alpha cu_alpha k_alpha kappa_d ser f1 f1_overlap "
    "f1_iou iou overlap_ratio p_k window_diff ghd boundary_similarity segmentation_similarity"
)


def test_programs_can_rely_on_these_keys() -> None:
    assert set(FIXED.split()) <= set(listed("all"))


def test_corpus_tasks_and_pairs_have_a_figure_by_key_or_by_label(
    data: Path, tmp_path: Path
) -> None:
    path = tmp_path / "r.json"
    words = ["--also", "alpha,k-alpha", "--precision", "0.2", "--json", str(path)]
    assert main(["score", str(data), *words]) == 0
    found = json.loads(path.read_text(encoding="utf-8"))
    for holder in (found["corpus"], *found["tasks"], *found["pairs"]):
        figure = holder["also"]["alpha"]
        assert {"value", "low", "high", "level", "n", "coverage", "reason"} <= set(figure)
        assert figure["coverage"] == 1
        assert set(holder["also"]["k_alpha"]) <= set("abc")
        assert all(one["level"] == 0.95 for one in holder["also"]["k_alpha"].values())
    assert found["tasks"][0]["also"]["alpha"]["reason_code"] == "few_tasks"
    (read,) = read_rounds([path])
    assert read.figures["alpha", ""].value == found["corpus"]["also"]["alpha"]["value"]
    assert read.figures["k_alpha", "a"].n == found["corpus"]["also"]["k_alpha"]["a"]["n"]


def test_only_gamma_is_explained_by_chance_and_words(data: Path, tmp_path: Path) -> None:
    """F1 is not corrected for chance, and no scale of words was made for it."""
    page, summary = tmp_path / "r.html", tmp_path / "r.md"
    main(["score", str(data), "--also", "f1,kappa", "--precision", "0.2",
          "--html", str(page), "--markdown", str(summary)])  # fmt: skip

    for path in (page, summary):
        text = path.read_text(encoding="utf-8")
        assert text.count("Of the disagreement expected by chance") == 2, "γ and γcat"
        assert text.count("Borrowed scale") == 2
        assert "a shifted unit is as bad as a missing one" in text
        assert "Too little data" not in text


@pytest.mark.parametrize(("least", "code"), [(0.1, 0), (0.999, 1)])
def test_a_gate_takes_them(data: Path, least: float, code: int) -> None:
    words = ["--also", "cu-alpha", "--min", f"cu-alpha={least}", "--precision", "0.2"]
    assert main(["score", str(data), *words, "--no-pairs"]) == code


def test_all_of_them_have_a_value_or_a_reason(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    words = ["--also", "all", "--precision", "0.2", "--no-pairs", "--json", str(path)]
    assert main(["score", str(data), *words]) == 0
    also = json.loads(path.read_text(encoding="utf-8"))["corpus"]["also"]
    assert sorted(also) == sorted(listed("all"))
    for key, found in also.items():
        for figure in [found] if "value" in found else found.values():
            assert figure["value"] is not None or figure["reason_code"], key


def test_an_unknown_name_is_refused(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(data), "--also", "alpha,nothing"]) == 2
    assert "there is no coefficient 'nothing'" in capsys.readouterr().err
