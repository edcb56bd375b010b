"""Labels of whole tasks in a real Label Studio: measured, written as columns, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from goldspan.plugin.label_studio.columns import ANNOTATORS, DIFFER, GAMMA, ours
from goldspan.plugin.label_studio.data_manager_tab import our_tabs
from goldspan.plugin.label_studio.server import Server
from goldspan.plugin.label_studio.status import examine
from goldspan.plugin.label_studio.sync import SyncOptions, sync
from goldspan.plugin.label_studio.undo import undo
from label_studio_api import Json
from label_studio_projects import Sample, text_span
from label_studio_server import LabelStudioServer

TEXTS = ("Anna met Bob.", "Bob met Cleo.", "Cleo met Anna.")
CHOICES = (
    '<Choices name="mood" toName="text" choice="multiple"><Choice value="good"/>'
    '<Choice value="bad"/></Choices><Rating name="stars" toName="text" maxRating="5"/>'
)
LABELS = '<Labels name="label" toName="text"><Label value="PER"/></Labels>'
TEXT = '<Text name="text" value="$text"/>'
SENTIMENT, STARS = "goldspan_agreement_mood", "goldspan_agreement_stars"


def labelled(task: int, name: str, mood: str, stars: int) -> list[Json]:
    """What somebody says of a whole task."""
    return [
        {"id": f"{kind}{task}{name}", "from_name": control, "to_name": "text", "type": kind,
         "origin": "manual", "value": {kind: value}}
        for control, kind, value in (("mood", "choices", [mood]), ("stars", "rating", stars))
    ]  # fmt: skip


def sample(*, with_spans: bool) -> Sample:
    """Three people, three tasks: they agree on the mood of the first and the stars of none."""
    moods = (("good", "good", "good"), ("good", "bad", "bad"), ("bad", "bad", "bad"))
    work = []
    for task, (text, given) in enumerate(zip(TEXTS, moods, strict=True)):
        own = {}
        for stars, (name, mood) in enumerate(zip(("ann", "ben", "cleo"), given, strict=True), 2):
            spans = [text_span(text, text.split()[0], "PER")] if with_spans else []
            own[name] = [*spans, *labelled(task, name, mood, stars)]
        work.append(own)
    config = f"<View>{LABELS if with_spans else ''}{TEXT}{CHOICES}</View>"
    data = tuple({"text": text} for text in TEXTS)
    title = "spans and labels" if with_spans else "labels"
    return Sample(title, config, data, tuple(work), ((),) * len(TEXTS), {})


@pytest.fixture
def server(label_studio: LabelStudioServer) -> Iterator[Server]:
    with Server(label_studio.url, label_studio.api.token) as server:
        yield server


@pytest.mark.parametrize("with_spans", [False, True], ids=["labels alone", "spans and labels"])
def test_labels_of_whole_tasks_end_to_end(
    label_studio: LabelStudioServer, server: Server, tmp_path: Path, *, with_spans: bool
) -> None:
    posted = sample(with_spans=with_spans).post(label_studio.api)
    before = [task["data"] for task in label_studio.api.tasks(posted.project)]
    options = SyncOptions(tmp_path)

    outcome = sync(server, posted.project, options)

    mood = outcome.result.layers["mood"]
    assert [mood.agreement[str(task)] for task in posted.tasks] == pytest.approx([1, 1 / 3, 1])
    assert outcome.corpus.layers["mood"].scale == ("good", "bad")
    assert outcome.corpus.layers["stars"].scale == ("1", "2", "3", "4", "5")
    assert outcome.result.layers["stars"].fits == "alpha_interval"
    assert (outcome.result.gamma.value is None) != with_spans
    data = [task["data"] for task in label_studio.api.tasks(posted.project)]
    assert [one[SENTIMENT] for one in data] == [1.0, 0.33, 1.0]
    assert [one[STARS] for one in data] == [0.0, 0.0, 0.0]
    assert [one[ANNOTATORS] for one in data] == [3, 3, 3]
    assert "label of mood" in data[1][DIFFER]
    assert all((GAMMA in one) == with_spans for one in data)
    assert len(our_tabs(label_studio.api.views(posted.project))) == 1
    suggested = {
        one["task"]: {r["from_name"]: r["value"] for r in one["result"]}
        for one in label_studio.api.predictions(posted.project)
    }
    assert suggested[posted.tasks[0]]["mood"] == {"choices": ["good"]}
    assert "stars" not in suggested[posted.tasks[0]]
    assert outcome.report.read_text(encoding="utf-8").count("Labels of whole tasks")
    assert not sync(server, posted.project, options).writes
    assert "whole tasks are labelled with “mood”" in {
        one.said for one in examine(server, posted.project)
    }

    undo(server, posted.project, tmp_path)

    after = [task["data"] for task in label_studio.api.tasks(posted.project)]
    assert after == before
    assert not any(map(ours, after))
    assert not label_studio.api.predictions(posted.project)
