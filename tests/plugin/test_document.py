"""A result is turned into JSON once a run, and every difference is found once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from call_counts import counted
from goldspan.engine.coefficient.left_over import left_over
from goldspan.engine.model import Continuum, Corpus, Unit
from goldspan.engine.schema.document import result_json, task_json
from goldspan.engine.scoring import score
from goldspan.plugin.cli import main
from goldspan.plugin.document import Document, json_text, text_pieces

NEWSROOM = Path(__file__).parents[2] / "examples" / "newsroom"

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
)


@given(st.dictionaries(st.text(), PLAIN))
def test_the_text_is_that_of_the_standard_library(value: dict[str, Any]) -> None:
    assert json_text(value) == json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def test_half_a_surrogate_pair_is_text_too() -> None:
    assert json.loads(json_text({"\ud800": ["\udc00"]})) == {"\ud800": ["\udc00"]}


def test_what_is_not_json_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"value": float("nan")})


@pytest.mark.parametrize(
    ("name", "length"),
    [("plain", 10), ("“ünïcode”\n\x01", 10), ("1e5", 10), ("half \ud800", 10), ("near", 10**5)],
)
def test_a_result_that_is_written_task_by_task_has_the_same_text(name: str, length: int) -> None:
    """Also where msgspec writes numbers in other digits, as that of 1e-05, or refuses a name."""
    tasks = [
        Continuum(f"{name} {at}", (Unit("Ann", 0, length, "a"), Unit("Ben", 0, length + at, name)))
        for at in range(3)
    ]
    result = score(Corpus(tuple(tasks)), precision=0.3)
    document = Document.of(result, command="goldspan score")
    assert "".join(text_pieces(result, command="goldspan score")) == document.text
    assert ("e-" in document.text) == (name == "near")


def test_all_outputs_of_score_share_one_computation(tmp_path: Path) -> None:
    assignments = ["--assignments", str(NEWSROOM / "spans.assignments.csv")]
    outputs = [
        word for name in ("json", "html", "markdown", "csv")
        for word in (f"--{name}", str(tmp_path / f"out.{name}"))
    ]  # fmt: skip
    options = ["--precision", "0.2", "--no-pairs", "--quiet"]
    with counted() as calls:
        assert main(["score", str(NEWSROOM / "spans.csv"), *assignments, *options, *outputs]) == 0
    tasks = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["tasks"]
    assert calls.of(result_json) == 1
    assert calls.of(task_json) == len(tasks)
    assert calls.of(left_over) == 1  # the differences of all tasks together
