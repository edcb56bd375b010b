"""The samples are projects that Label Studio takes and goldspan reads where they were drawn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goldspan.adapters import read
from label_studio_projects import SAMPLES, Sample
from label_studio_server import LabelStudioServer

EACH = pytest.mark.parametrize("sample", SAMPLES, ids=[sample.name for sample in SAMPLES])

WORDS = {
    "text": {
        "Mira Köhler", "Mira", "Oslo", "Oslo.\r\nAnders Vik", "Anders Vik", "Fjord Bank", "cheese",
        "Bergen", "Vik", "Vik and Sons of Upper Bergen", "the Oslo fair", "mill",
    },
    "hypertext": {"Captain Ines Roth", "Ines Roth", "Tom"},
    "paragraphs": {
        "is the kiln cold?", "is the kiln cold?\nIt is very cold.", "It is very cold.",
        "Then we open it.", "Really cold.",
    },
}  # fmt: skip
"""What was drawn on: positions count as the pages count, whatever stands before."""


@EACH
def test_a_sample_comes_back_as_it_was_drawn(
    label_studio: LabelStudioServer, sample: Sample, tmp_path: Path
) -> None:
    posted = sample.post(label_studio.api)

    tasks = label_studio.api.tasks(posted.project)
    names = {person.id: name for name, person in posted.people.items()}
    for task, work in zip(tasks, sample.work, strict=True):
        back = {
            names[a["completed_by"]]: None if a["was_cancelled"] else tuple(a["result"])
            for a in task["annotations"]
        }
        assert back == {
            name: drawn if drawn is None else tuple(drawn) for name, drawn in work.items()
        }

    export = tmp_path / "export.json"
    export.write_text(json.dumps(tasks), encoding="utf-8")
    corpus = read(export)
    assert len(corpus.continua) == len(sample.data)
    assert sum(len(task.units) for task in corpus.continua) == sum(
        len(drawn or ()) for work in sample.work for drawn in work.values()
    )
    assert WORDS.get(sample.name, set()) == {
        task.text[int(unit.start) : int(unit.end)]
        for task in corpus.continua
        if task.text
        for unit in task.units
    }
