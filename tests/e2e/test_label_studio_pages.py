"""What a person sees in Label Studio's pages after a sync, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from browser import chromium
from goldspan.plugin.label_studio.server import Server
from goldspan.plugin.label_studio.sync import Outcome, SyncOptions, sync
from label_studio_api import Person, new_address
from label_studio_pages import Pages, pages
from label_studio_projects import SAMPLES, Posted
from label_studio_server import LabelStudioServer
from service_process import Service


@pytest.fixture(scope="module")
def posted(label_studio: LabelStudioServer) -> Posted:
    return SAMPLES[0].post(label_studio.api, "Seen in a browser")


@pytest.fixture(scope="module")
def outcome(
    label_studio: LabelStudioServer, posted: Posted, tmp_path_factory: pytest.TempPathFactory
) -> Outcome:
    folder = tmp_path_factory.mktemp("goldspan")
    with closing(Server(label_studio.url, label_studio.api.token)) as server:
        return sync(server, posted.project, SyncOptions(folder))


@pytest.fixture(scope="module")
def person(label_studio: LabelStudioServer) -> Person:
    return label_studio.api.member(new_address("eve"), "another-good-password")


@pytest.fixture(scope="module")
def window(label_studio: LabelStudioServer, person: Person) -> Iterator[Pages]:
    """The pages of someone who neither annotates nor owns the token."""
    with chromium() as browser, pages(browser, label_studio.url) as found:
        found.log_in(person)
        yield found


def test_a_person_connects_the_model_and_retrieves_suggestions_by_mouse_alone(
    window: Pages, label_studio: LabelStudioServer, tmp_path: Path
) -> None:
    """No token is there: everything goldspan needs comes with the call."""
    posted = SAMPLES[0].post(label_studio.api, "Connected by mouse")
    with Service(tmp_path / "service") as service:
        window.connect_model(posted.project, "goldspan", service.model_url)
        window.retrieve_predictions(posted.project)
        window.page.goto(service.url)
        dashboard = window.page.locator("#model").inner_text()

    window.open_task(posted.project, posted.tasks[1])
    assert window.annotations()[0].startswith("goldspan")
    window.open_annotation("goldspan")
    assert ("ORG", "Fjord Bank") in window.highlights()
    found = label_studio.api.predictions(posted.project)
    # The last task waits for one more annotator.
    assert sorted(prediction["task"] for prediction in found) == list(posted.tasks[:4])
    assert "4 complete tasks of 5 chosen" in dashboard


def test_the_tab_shows_the_tasks_of_low_agreement_and_how_low_it_is(
    window: Pages, posted: Posted, outcome: Outcome
) -> None:
    window.open_tab(posted.project, "Low agreement")
    rows = window.rows()

    gammas = {task: scored.gamma.value for task, scored in outcome.result.tasks.items()}
    low = {task: gamma for task, gamma in gammas.items() if gamma is not None and gamma < 0.6}
    assert list(low) == [str(posted.tasks[2])]
    assert [row["ID"] for row in rows] == list(low)
    assert float(rows[0]["goldspan_gamma"]) == pytest.approx(low[rows[0]["ID"]], abs=0.006)
    assert rows[0]["goldspan_annotators"] == "3"


def test_a_task_shows_what_goldspan_suggests_in_a_tab_of_its_own(
    window: Pages, posted: Posted, outcome: Outcome
) -> None:
    task = str(posted.tasks[0])
    window.open_task(posted.project, posted.tasks[0])
    assert "goldspan" in window.annotations()

    window.open_annotation("goldspan")

    text = str(posted.sample.data[0]["text"])
    assert window.highlights() == [
        # A page shows one line end for two.
        (span.category, text[int(span.start) : int(span.end)].replace("\r\n", "\n"))
        for span in outcome.gold.spans[task]
    ]
    assert len(window.highlights()) > 3
