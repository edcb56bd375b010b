"""The examples are what their scripts make."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from goldspan.adapters import read

DEMO = files("goldspan.plugin") / "demo"
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
