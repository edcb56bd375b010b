"""Messages: what holds for many tasks is one line, what holds for few keeps its places."""

from __future__ import annotations

import pytest

from goldspan.engine.facts import Note
from goldspan.plugin.cli.messages import MOST_TASKS, Messages


@pytest.mark.parametrize("tasks", [1, MOST_TASKS, MOST_TASKS + 1, 500])
def test_a_remark_on_many_tasks_is_one_line(tasks: int, capsys: pytest.CaptureFixture[str]) -> None:
    notes = [Note.of("a fact", task=f"t{n}", count=2) for n in range(tasks)]
    Messages().say_notes(
        [Note.of("of all"), *notes, Note.of("a fact"), Note.of("other", task="t0")]
    )
    lines = capsys.readouterr().err.splitlines()
    if tasks > MOST_TASKS:
        said = [f"{tasks} tasks ('t0', 't1', 't2', …): a fact ({2 * tasks})"]
    else:
        said = [f"task 't{n}': a fact (2)" for n in range(tasks)]
    said = ["of all", *said, "a fact", "task 't0': other"]
    assert lines == [f"goldspan: {line}" for line in said]
    Messages(quiet=True).say_notes(notes)
    assert capsys.readouterr().err == ""
