"""`goldspan --cite` and CITATION.cff name the same papers, and the version that is installed."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import pytest

from goldspan.plugin.cli import main

ROOT = Path(__file__).parents[2]
DOI = r"10\.1162/COLI_a_\d+"


def test_cite_names_both_papers_as_text_and_as_bibtex(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cite"]) == 0
    shown = capsys.readouterr().out
    text, bibtex = shown[: shown.index("@article")], shown[shown.index("@article") :]
    named = {"10.1162/COLI_a_00227", "10.1162/COLI_a_00296"}
    assert set(re.findall(DOI, text)) == set(re.findall(DOI, bibtex)) == named
    assert bibtex.count("{") == bibtex.count("}")
    assert f"goldspan {version('goldspan')}" in text
    assert f"version = {{{version('goldspan')}}}" in bibtex


@pytest.mark.repository
def test_the_citation_file_names_the_same_papers(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--cite"])
    shown = set(re.findall(DOI, capsys.readouterr().out))
    assert set(re.findall(DOI, (ROOT / "CITATION.cff").read_text(encoding="utf-8"))) == shown
