"""Settled work and places to decide in a real Label Studio, as a person sees them."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from browser import chromium
from goldspan.plugin.label_studio.columns import DIFFER, SETTLED, TO_DECIDE
from goldspan.plugin.label_studio.server import Server
from goldspan.plugin.label_studio.sync import SyncOptions, sync
from goldspan.plugin.label_studio.undo import undo
from label_studio_api import new_address
from label_studio_pages import pages
from label_studio_projects import SAMPLES
from label_studio_server import LabelStudioServer


def test_a_lead_decides_stars_and_ticks_off_a_task(
    label_studio: LabelStudioServer, tmp_path: Path
) -> None:
    api = label_studio.api
    posted = SAMPLES[0].post(api, "Settled by a person")
    person = api.member(new_address("lead"), "another-good-password")
    options = SyncOptions(tmp_path)
    worst = posted.tasks[2]
    before = [api.task(task)["data"] for task in posted.tasks]
    with closing(Server(label_studio.url, api.token)) as server:
        first = sync(server, posted.project, options)
        low = next(v for v in api.views(posted.project) if v["data"]["title"] == "Low agreement")
        assert api.shown(low["id"], posted.project) == [worst]
        open_places = len(first.gold.decisions[str(worst)])
        assert api.task(worst)["data"][TO_DECIDE] == open_places > 0
        report = first.report.read_text(encoding="utf-8")
        assert f"{label_studio.url}/projects/{posted.project}/data?task={worst}" in report
        decided = (first.report.parent / "decide.csv").read_text(encoding="utf-8")
        assert sum(line.startswith(f"{worst},") for line in decided.splitlines()) == open_places
        told = [
            line
            for one in api.predictions(posted.project, "goldspan")
            for region in one["result"]
            for line in region["meta"]["text"]
        ]
        assert any("confidence 0." in line and ". To decide: " in line for line in told)
        assert any(line.startswith("3 of 3: ") for line in told)

        # The lead opens the task from the report, and stars a version of their own.
        with chromium() as browser, pages(browser, label_studio.url) as window:
            window.log_in(person)
            window.page.goto(first.report.as_uri())
            link = window.page.get_by_title(f"task {worst} in Label Studio")
            with window.page.context.expect_page() as opened:
                link.click()
            opened.value.locator(".lsf-annotation-button").first.wait_for()
            assert f"task={worst}" in opened.value.url
        drawn = api.task(worst)["annotations"][0]["result"]
        mine = api.annotate(worst, person, drawn)
        api.ask("PATCH", f"/api/annotations/{mine}/", {"ground_truth": True})

        second = sync(server, posted.project, options)
        assert (
            second.result.tasks[str(worst)].annotators == first.result.tasks[str(worst)].annotators
        ), "the adjudication is nobody's vote"
        assert second.result.gamma.value == first.result.gamma.value
        data = api.task(worst)["data"]
        assert (data[SETTLED], data[TO_DECIDE]) == ("yes", 0)
        assert api.task(posted.tasks[0])["data"][SETTLED] == "no"
        assert api.shown(low["id"], posted.project) == []
        assert second.result.against is not None
        assert {one.name for one in second.result.against.annotators} == set(
            second.corpus.annotators
        )
        assert (
            "1 task settled by a person"
            in api.ask("GET", f"/api/projects/{posted.project}/")["description"]
        )
        assert json.loads((first.report.parent / "open-first.json").read_text())[0]["task"] != str(
            worst
        )
        assert sync(server, posted.project, options).writes == {}

        undo(server, posted.project, tmp_path)
    assert [api.task(task)["data"] for task in posted.tasks] == before
    assert DIFFER not in api.task(worst)["data"]
