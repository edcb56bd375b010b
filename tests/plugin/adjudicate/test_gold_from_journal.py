"""`goldspan gold --adjudicated JOURNAL`: the same gold as the desk writes."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from adjudication_projects import NEWSROOM, desk_at
from goldspan.plugin.adjudicate.output.derivation import derive
from goldspan.plugin.adjudicate.views import QueueQuery, Refusal
from goldspan.plugin.cli import main


def test_the_verb_gives_the_gold_of_the_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, output = tmp_path / "gold.csv.journal", tmp_path / "gold.csv"
    desk = desk_at(folder)
    for number in range(12):
        queue = desk.queue(QueueQuery(limit=1))
        assert not isinstance(queue, Refusal)
        event = (
            f'{{"id":"event-{number:04d}","op":"settle","site":"{queue.items[0].id}","spans":[]}}'
        )
        desk.record(event.encode())
    found = derive(desk.docket).gold
    desk.close()
    words = ["gold", str(NEWSROOM / "spans.csv"), "--assignments"]
    words += [str(NEWSROOM / "spans.assignments.csv"), "--to", "csv", "--output", str(output)]
    assert main([*words, "--adjudicated", str(folder)]) == 0
    assert "12 of 88 places are settled" in capsys.readouterr().err
    rows = list(csv.DictReader(output.read_text(encoding="utf-8").splitlines()))
    assert [(r["task"], int(r["start"]), int(r["end"]), r["category"]) for r in rows] == [
        (task.id, one.start, one.end, one.category)
        for task in found.corpus
        for one in found.spans[task.id]
    ]


def test_annotators_are_measured_against_the_finished_tasks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "gold.csv.journal"
    words = ["score", str(NEWSROOM / "spans.csv"), "--assignments"]
    words += [str(NEWSROOM / "spans.assignments.csv"), "--against", str(folder), "--json", "-"]
    desk = desk_at(folder)
    open_sites = [site for site in desk.docket.sites.values() if site.questions]
    for site in open_sites[:-1]:
        event = f'{{"id":"event-{site.id}","op":"settle","site":"{site.id}","spans":[]}}'
        desk.record(event.encode())
    finished = {site.task for site in open_sites} - {open_sites[-1].task}
    desk.close()
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)["against"]
    assert found["n_tasks"] == len(finished)
    assert len(found["annotators"]) == 4
