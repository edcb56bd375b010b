"""The examples are what their scripts make."""

from __future__ import annotations

import runpy
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import nbformat
import pytest

from goldspan.adapters import read, write
from goldspan.engine import Corpus, merge, score

DEMO = files("goldspan.plugin") / "demo"
DOCS = Path(__file__).parents[1] / "docs"
NEWSROOM = Path(__file__).parents[1] / "examples" / "newsroom"


def test_newsroom_is_what_its_script_makes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, NEWSROOM / "make_corpus.py", tmp_path], check=True)

    for name in ("spans.csv", "spans.assignments.csv"):
        assert (tmp_path / name).read_text() == (NEWSROOM / name).read_text()
    for name in ("round1.json", "round2.json"):
        assert (tmp_path / name).read_bytes() == DEMO.joinpath(name).read_bytes()


def test_newsroom_holds_what_its_readme_says() -> None:
    corpus = read(NEWSROOM / "spans.csv", assignments=NEWSROOM / "spans.assignments.csv")
    unusual = {
        (task.id, name, str(state))
        for task in corpus.continua
        for name, state in task.presence.items()
        if str(state) != "done"
    }

    assert len(corpus.continua) == 10
    assert corpus.annotators == ("amira", "bruno", "celia", "dario")
    assert corpus.categories == ("DATE", "LOC", "ORG", "PER", "QUOTE")
    assert unusual == {
        ("ferry", "bruno", "skipped"),
        ("orchard", "celia", "unseen"),
        ("weather", "dario", "empty"),
    }
    assert any(
        one.start <= other.start and other.end <= one.end and one.category != other.category
        for task in corpus.continua
        for one in task.of("amira")
        for other in task.of("amira")
        if one != other
    )


EXAMPLES = Path(__file__).parents[1] / "examples"


def spans_of(corpus: Corpus, *names: str) -> list[tuple[object, ...]]:
    return [
        (task.id, unit.annotator, unit.start, unit.end, unit.category)
        for task in corpus
        for unit in task.units
        if unit.annotator in names
    ]


@pytest.mark.parametrize(
    ("name", "folder", "units", "merged"),
    [("brat", "corpus", 35, "gold"), ("elan", "session", 18, "merged")],
)
def test_gold_goes_back_into_the_tool(
    tmp_path: Path, name: str, folder: str, units: int, merged: str
) -> None:
    source = EXAMPLES / name / folder
    corpus = read(source)
    assert corpus.annotators == ("ann", "ben", "cleo")
    assert len(spans_of(corpus, *corpus.annotators)) == units
    gold = merge(corpus, score(corpus))
    write(gold, tmp_path / "gold", name, source=[source])
    back = read(tmp_path / "gold", include_annotators=merged)
    assert spans_of(back, merged) == [
        (task.id, merged, span.start, span.end, span.category)
        for task in corpus
        for span in sorted(gold.spans[task.id], key=lambda span: (span.start, span.end))
    ]


def test_brat_gold_has_the_texts_byte_by_byte(tmp_path: Path) -> None:
    source = EXAMPLES / "brat" / "corpus"
    corpus = read(source)
    write(merge(corpus, score(corpus)), tmp_path / "gold", "brat", source=[source])
    texts = sorted((tmp_path / "gold").glob("*.txt"))
    assert [text.name for text in texts] == ["harbour.txt", "museum.txt", "orchard.txt"]
    for text in texts:
        assert text.read_bytes() == (source / "ann" / text.name).read_bytes()
    conf = (tmp_path / "gold" / "annotation.conf").read_bytes()
    assert conf == (source / "annotation.conf").read_bytes()


def test_elan_gold_keeps_the_annotators_tiers(tmp_path: Path) -> None:
    source = EXAMPLES / "elan" / "session"
    corpus = read(source)
    write(merge(corpus, score(corpus)), tmp_path / "gold", "elan", source=[source])
    back = read(tmp_path / "gold")
    assert back.annotators == corpus.annotators
    assert spans_of(back, *back.annotators) == spans_of(corpus, *corpus.annotators)


@pytest.mark.repository
def test_the_notebook_gives_what_it_shows(tmp_path: Path) -> None:
    making = runpy.run_path(str(DOCS / "make_notebook.py"))
    kept = nbformat.read(making["NOTEBOOK"], as_version=4)
    given = making["execute"](nbformat.read(making["NOTEBOOK"], as_version=4), tmp_path)

    assert making["results"](given) == making["results"](kept), "run `make docs`"


@pytest.mark.repository
def test_the_page_of_the_notebook_is_current() -> None:
    making = runpy.run_path(str(DOCS / "make_notebook.py"))
    kept = nbformat.read(making["NOTEBOOK"], as_version=4)

    assert making["PAGE"].read_text(encoding="utf-8") == making["page"](kept), "run `make docs`"
    assert making["DRAWING"].read_text(encoding="utf-8") == making["drawing"](kept)
