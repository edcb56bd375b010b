"""The prose check finds each phrase that house style avoids, and nothing in plain sentences."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.repository
ROOT = Path(__file__).parents[1]
PROSE: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "check_prose.py"))

ODD = {
    "The scores are computed anew.": "again",
    "Files written besides it.": "in addition",
    "The warmer, the dearer.": "cost",
    "How annotators are told apart.": "distinguishes",
    "A webhook tells of changes.": "distinguishes",
    "The order has no say.": "decides",
    "The service looks after projects.": "monitors",
    "The name that gold goes by.": "is called",
    "The unit lies outside.": "write: is",
    "Wait for what it is at.": "doing",
    "Their how-manieth row.": "number",
    "Who saw a task and marked nothing is an annotator.": "annotator who",
    "It counts. Whoever skips it, does not.": "annotator who",
    "One counts; who never saw it does not.": "annotator who",
    "A text for who did not see it.": "annotator who",
    "This is no fault of yours.": "not a",
    "It is refused, for it merges annotators.": "because",
    "It is left out, for the file is empty.": "because",
    "It is cut off, and said.": "a note says so",
}
PLAIN = (
    "There is no file here, and there are no rows.",
    "It is no longer used, and no better than chance.",
    "A file for each task, for the people who annotate, and for those who adjudicate.",
    "dario, who never saw it, does not count. Who marked it?",
    "An annotator who saw a task and marked nothing counts.",
    "Samples, for it and for the others.",
)


@pytest.mark.parametrize(("text", "advice"), ODD.items(), ids=list(ODD))
def test_every_odd_phrase_is_found(text: str, advice: str) -> None:
    (found,) = PROSE["check"](text)

    assert advice in found.advice


def test_every_pattern_has_an_example() -> None:
    advices = {found.advice for text in ODD for found in PROSE["check"](text)}

    assert advices == set(PROSE["PATTERNS"].values())


@pytest.mark.parametrize("text", PLAIN)
def test_plain_sentences_pass(text: str) -> None:
    assert list(PROSE["check"](text)) == []


def test_findings_name_their_line_and_pass_over_code(tmp_path: Path) -> None:
    page, module = tmp_path / "page.md", tmp_path / "module.py"
    page.write_text("`anew`\n\n```\nanew\n```\n\nScore it\nanew.\n", encoding="utf-8")
    module.write_text(
        '"""Plain."""\n\nanew = 1\n# It is left out, for\n# it is empty.\nf"{anew} goes by"\n',
        encoding="utf-8",
    )

    assert [(f.line, f.phrase) for f in PROSE["findings"](page)] == [(8, "anew")]
    found = [(f.line, f.phrase) for f in PROSE["findings"](module)]
    assert found == [(4, ", for it is"), (6, "goes by")]


def test_nothing_that_people_read_has_one() -> None:
    assert {str(p): found for p in PROSE["files"]() if (found := PROSE["findings"](p))} == {}
