"""Projects on the dashboard: all that the account sees, a switch each, and options each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldspan.plugin.label_studio.responses import ServerError
from service_parts import Parts, service


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    with service(tmp_path) as made:
        made.studio.tasks = {1: (0, 3), 2: (0, 2)}
        yield made


def press(parts: Parts, button: str, project: int, **fields: str) -> int:
    form = {"form_token": parts.access.form_token, "project": str(project)} | fields
    return parts.client.post(f"/{button}", data=form).status_code


def others(parts: Parts) -> list[str]:
    return re.findall(
        r"projects/(\d+)/data", parts.client.get("/").text.partition("Other projects")[2]
    )


def test_all_projects_are_listed_by_title_with_a_switch(parts: Parts) -> None:
    assert others(parts) == []
    parts.worker.list_projects()
    assert others(parts) == ["9", "4"]
    assert "Letters &lt;b&gt;" in parts.client.get("/").text

    assert press(parts, "monitor", 4) == 303
    assert others(parts) == ["9"]
    parts.run(31)
    assert parts.studio.syncs == 0, "nothing is written before the round is complete"
    assert press(parts, "forget", 4) == 303
    assert others(parts) == ["9", "4"]
    assert press(parts, "monitor", 4) == 303
    assert others(parts) == ["9"]


def test_a_list_that_cannot_be_had_keeps_the_last(parts: Parts) -> None:
    parts.worker.list_projects()
    parts.studio.fault = ServerError("Label Studio does not answer", passing=True)
    parts.worker.list_projects()
    assert others(parts) == ["9", "4"]


def test_a_project_has_options_of_its_own(parts: Parts) -> None:
    press(parts, "monitor", 4)
    parts.run(31)
    assert parts.studio.syncs == 0
    assert press(parts, "options", 4, annotators="2") == 303
    parts.run(31)
    assert parts.studio.syncs == 1, "two annotators are enough for this project"
    (project,) = parts.history.projects()
    assert (project.annotators, project.live, project.wanted) == (2, None, 2)

    assert press(parts, "options", 4, annotators="3", live="yes") == 303
    parts.studio.annotate(3)
    parts.run(31)
    assert parts.studio.syncs == 2, "this project is written after every change"
    assert press(parts, "options", 4) == 303
    (project,) = parts.history.projects()
    assert (project.annotators, project.live) == (None, None)


def test_options_begin_no_monitoring(parts: Parts) -> None:
    assert press(parts, "options", 4, annotators="2") == 303
    assert parts.history.projects() == ()


@pytest.mark.parametrize("number", ["1", "0", "x", "1001", "²"])
def test_a_number_without_a_meaning_is_refused(parts: Parts, number: str) -> None:
    press(parts, "monitor", 4)
    assert press(parts, "options", 4, annotators=number) == 400


@pytest.mark.parametrize("button", ["monitor", "options"])
def test_another_site_cannot_press(parts: Parts, button: str) -> None:
    assert press(parts, button, 4, form_token="guessed") == 403  # noqa: S106 - not one
    assert parts.history.projects() == ()
