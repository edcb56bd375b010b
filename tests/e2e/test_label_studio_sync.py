"""Sync with a real Label Studio: what is written, what never is, and how it is taken back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from goldspan.adapters import read
from goldspan.adapters.adapter import ReadOptions
from goldspan.engine.errors import InputError
from goldspan.plugin.cli import main
from goldspan.plugin.label_studio.columns import ANNOTATORS, DIFFER, GAMMA
from goldspan.plugin.label_studio.data_manager_tab import missing_tabs, our_tabs
from goldspan.plugin.label_studio.server import Server, ServerError
from goldspan.plugin.label_studio.setup import setup
from goldspan.plugin.label_studio.status import examine
from goldspan.plugin.label_studio.sync import SyncOptions, sync
from goldspan.plugin.label_studio.undo import undo
from goldspan.plugin.service.web.access import SECRET_FILE
from label_studio_api import Json, LabelStudioApi, new_address
from label_studio_projects import SAMPLES, Posted, Sample, text_span
from label_studio_server import LabelStudioServer
from service_process import Service

TEXT = SAMPLES[0]
Closing = Callable[[Server], Server]
EACH = pytest.mark.parametrize("sample", SAMPLES, ids=[sample.name for sample in SAMPLES])


class Watched(Server):
    """A server that remembers what it was asked to change."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, token)
        self.changes: list[str] = []

    def call(self, method: Any, path: str, **more: Any) -> Any:
        if method != "GET":
            self.changes.append(f"{method} {path}")
        return super().call(method, path, **more)


@pytest.fixture
def server(label_studio: LabelStudioServer) -> Iterator[Watched]:
    with Watched(label_studio.url, label_studio.api.token) as server:
        yield server


@pytest.fixture
def closing() -> Iterator[Closing]:
    """Servers that are closed when the test is over."""
    with ExitStack() as stack:
        yield stack.enter_context


@pytest.fixture
def options(tmp_path: Path) -> SyncOptions:
    return SyncOptions(tmp_path / "goldspan")


def everything(api: LabelStudioApi, project: int) -> Json:
    """All that can be seen of a project, but for the times of changes."""
    settings = api.ask("GET", f"/api/projects/{project}/")
    settings.pop("state", None)
    times = ("updated_at", "updated_by")
    tasks = [{k: v for k, v in t.items() if k not in times} for t in api.tasks(project)]
    return {
        "settings": settings,
        "tasks": tasks,
        "predictions": api.predictions(project),
        "views": api.views(project),
        "webhooks": api.webhooks(project),
        "columns": api.columns(project),
    }


def work(api: LabelStudioApi, project: int) -> list[Json]:
    """Everybody's annotations, with their times."""
    return [one for task in api.tasks(project) for one in task["annotations"]]


@EACH
def test_suggestions_land_where_people_drew(
    server: Watched, options: SyncOptions, label_studio: LabelStudioServer, sample: Sample,
    tmp_path: Path,
) -> None:  # fmt: skip
    posted = sample.post(label_studio.api)
    before = work(label_studio.api, posted.project)

    outcome = sync(server, posted.project, options)

    assert outcome.gold.n_spans > 0
    predictions = label_studio.api.predictions(posted.project, "goldspan")
    assert {one["task"] for one in predictions} == {int(task) for task in outcome.gold.spans}
    by_task = {one["task"]: one for one in predictions}
    for task, agreed in zip(posted.tasks, sample.agreed, strict=True):
        written = [region["value"] for region in by_task.get(task, {"result": []})["result"]]
        for value in agreed:
            # We say the text as well where a script that posted the region did not.
            assert [one for one in written if one | value == one], (value, written)
    # What a browser gets to see, read back as if somebody had drawn it, is the merged gold.
    export = tmp_path / "export.json"
    seen = [
        task | {"annotations": [], "predictions": [by_task[task["id"]]]}
        for task in label_studio.api.tasks(posted.project)
        if task["id"] in by_task
    ]
    export.write_text(json.dumps(seen), encoding="utf-8")
    back = read(export, include_predictions=True, include_annotators=["goldspan"])
    for continuum in back.continua:
        gold = outcome.gold.spans[continuum.id]
        assert {(u.start, u.end, u.category) for u in continuum.units} == {
            (s.start, s.end, s.category) for s in gold
        }
    assert work(label_studio.api, posted.project) == before


@EACH
def test_undo_leaves_the_project_as_it_was(
    server: Watched, options: SyncOptions, label_studio: LabelStudioServer, sample: Sample
) -> None:
    posted = sample.post(label_studio.api)
    label_studio.api.ask("PATCH", f"/api/projects/{posted.project}/",
                         {"description": "Two rounds.\n\nAsk Mira."})  # fmt: skip
    before = everything(label_studio.api, posted.project)

    sync(server, posted.project, options)
    assert everything(label_studio.api, posted.project) != before
    undo(server, posted.project, options.folder)

    assert everything(label_studio.api, posted.project) == before
    server.changes.clear()
    assert undo(server, posted.project, options.folder).counts() == {}
    assert server.changes == []


class TestText:
    @pytest.fixture
    def posted(self, label_studio: LabelStudioServer) -> Posted:
        return TEXT.post(label_studio.api)

    @pytest.fixture
    def api(self, label_studio: LabelStudioServer) -> LabelStudioApi:
        return label_studio.api

    def test_a_dry_run_changes_nothing(
        self, server: Watched, options: SyncOptions, posted: Posted, api: LabelStudioApi
    ) -> None:
        before = everything(api, posted.project)
        outcome = sync(server, posted.project, options, dry_run=True)
        assert outcome.writes["suggestions added"] == len(outcome.gold.spans)
        assert server.changes == []
        assert everything(api, posted.project) == before
        assert outcome.report.exists()

    @pytest.mark.wheel
    def test_columns_tab_and_summary_say_what_was_measured(
        self, server: Watched, options: SyncOptions, posted: Posted, api: LabelStudioApi
    ) -> None:
        outcome = sync(server, posted.project, options)
        for task in api.tasks(posted.project):
            scored = outcome.result.tasks.get(str(task["id"]))
            if scored is None:
                assert not any(key.startswith("goldspan") for key in task["data"])
                continue
            assert task["data"][ANNOTATORS] == len(scored.annotators)
            assert isinstance(task["data"][DIFFER], str)
            if scored.gamma.value is None:
                assert GAMMA not in task["data"]
            else:
                assert task["data"][GAMMA] == pytest.approx(scored.gamma.value, abs=0.006)
        (tab,) = [view for view in api.views(posted.project)
                  if view["data"]["title"] == "Low agreement"]  # fmt: skip
        gammas = {t.id: t.gamma.value for t in outcome.result.tasks.values()}
        low = sorted((g, int(i)) for i, g in gammas.items() if g is not None and g < 0.6)
        assert api.shown(tab["id"], posted.project) == [number for _, number in low]
        description = api.ask("GET", f"/api/projects/{posted.project}/")["description"]
        assert f"γ {outcome.result.gamma.value:.2f}" in description

    def test_a_second_run_writes_nothing_at_all(
        self, server: Watched, options: SyncOptions, posted: Posted, api: LabelStudioApi
    ) -> None:
        sync(server, posted.project, options)
        after = everything(api, posted.project)
        server.changes.clear()
        assert sync(server, posted.project, options).writes == {}
        assert server.changes == []
        assert everything(api, posted.project) == after

    def test_only_what_changed_is_written(
        self, server: Watched, options: SyncOptions, posted: Posted, api: LabelStudioApi
    ) -> None:
        sync(server, posted.project, options)
        known = {one["task"]: one["id"] for one in api.predictions(posted.project)}
        person = api.person(new_address("dora"))
        text = str(TEXT.data[0]["text"])
        api.annotate(posted.tasks[0], person, [text_span(text, "Oslo", "PER")])
        server.changes.clear()
        sync(server, posted.project, options)
        changed = {one["task"]: one["id"] for one in api.predictions(posted.project)}
        # In place: who began with a suggestion stays tied to it.
        assert changed == known
        assert f"PATCH api/predictions/{known[posted.tasks[0]]}/" in server.changes

    def test_work_that_began_with_a_suggestion_is_left_out_and_counted(
        self, server: Watched, options: SyncOptions, posted: Posted, api: LabelStudioApi
    ) -> None:
        clean = sync(server, posted.project, options)
        api.ask("POST", "/api/dm/actions/",
                {"selectedItems": {"all": False, "included": [posted.tasks[0]]}},
                id="predictions_to_annotations", project=posted.project)  # fmt: skip
        found = sync(server, posted.project, options)
        assert found.contaminated == 1
        assert found.result.gamma == clean.result.gamma
        assert any("made 1 annotation of goldspan's suggestions" in f.said and f.good
                   for f in examine(server, posted.project))  # fmt: skip

    def test_ground_truth_is_written_once_and_a_persons_version_stays(
        self, server: Watched, tmp_path: Path, posted: Posted, api: LabelStudioApi
    ) -> None:
        truth = SyncOptions(tmp_path / "goldspan", ground_truth=True)
        first = work(api, posted.project)
        api.ask("PATCH", f"/api/annotations/{first[0]['id']}/", {"ground_truth": True})
        before = work(api, posted.project)

        sync(server, posted.project, truth)

        theirs = [one for one in work(api, posted.project) if one in before]
        ours = [one for one in work(api, posted.project) if one not in before]
        assert theirs == before
        assert all(one["ground_truth"] for one in ours)
        # Where a person settled it there is none, and none where nothing is suggested.
        marked = {one["task"] for one in api.predictions(posted.project) if one["result"]}
        assert {one["task"] for one in ours} == marked - {posted.tasks[0]} != set()
        again = sync(server, posted.project, truth)
        assert again.writes == {}
        assert again.contaminated == 0
        edited = next(one for one in ours if one["result"])
        api.ask("PATCH", f"/api/annotations/{edited['id']}/", {"result": edited["result"][1:]})
        undo(server, posted.project, truth.folder)
        kept = [one["id"] for one in work(api, posted.project) if one["id"] not in
                {b["id"] for b in before}]  # fmt: skip
        assert kept == [edited["id"]]

    def test_a_model_is_scored_beside_the_people_and_changes_nothing_of_theirs(
        self, server: Watched, tmp_path: Path, posted: Posted, api: LabelStudioApi
    ) -> None:
        api.ask("POST", f"/api/projects/{posted.project}/import/predictions", [
            {"task": task, "model_version": "llm-1", "result": list((drawn.get("ann")) or ())}
            for task, drawn in zip(posted.tasks, TEXT.work, strict=True)
        ])  # fmt: skip
        alone = sync(server, posted.project, SyncOptions(tmp_path / "a"), dry_run=True)
        both = SyncOptions(tmp_path / "b", with_predictions=("llm-1",))
        beside = sync(server, posted.project, both, dry_run=True)
        assert beside.result.gamma == alone.result.gamma
        assert beside.gold.spans == alone.gold.spans
        assert beside.model_report is not None
        stored = json.loads((beside.model_report.parent / "result.json").read_text())
        assert "llm-1" in [one["name"] for one in stored["annotators"]]
        with pytest.raises(Exception, match="no predictions of the model version 'llm-2'"):
            sync(server, posted.project, SyncOptions(tmp_path, with_predictions=("llm-2",)))

    def test_a_renamed_label_is_said_and_the_rest_written(
        self, server: Watched, options: SyncOptions, posted: Posted, api: LabelStudioApi
    ) -> None:
        config = TEXT.label_config.replace('"PER"', '"PERSON"')
        sync(server, posted.project, options)
        api.ask("PATCH", f"/api/projects/{posted.project}/", {"label_config": config})

        outcome = sync(server, posted.project, options)

        assert any("the label 'PER', which the labelling" in n.message for n in outcome.notes)
        assert _labels(api, posted.project).isdisjoint({"PER", "PERSON"})
        assert _labels(api, posted.project)
        assert sync(server, posted.project, options).writes == {}
        renamed = ReadOptions(rename_labels={"PER": "PERSON"})
        sync(server, posted.project, SyncOptions(options.folder, reading=renamed))
        assert "PERSON" in _labels(api, posted.project)

    def test_a_label_moved_to_another_control_takes_its_gold_along(
        self, server: Watched, options: SyncOptions, posted: Posted, api: LabelStudioApi,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        sync(server, posted.project, options)
        count = len(api.predictions(posted.project))
        moved = '</Labels><Labels name="more" toName="text"><Label value="PER"/></Labels>'
        config = TEXT.label_config.replace('<Label value="PER"/>', "").replace("</Labels>", moved)
        settings = {"label_config": config, "model_version": "goldspan"}
        api.ask("PATCH", f"/api/projects/{posted.project}/", settings)
        # As if there were many, so that all are replaced at once.
        monkeypatch.setattr("goldspan.plugin.label_studio.plan.FEW", 0)

        outcome = sync(server, posted.project, options)

        assert outcome.writes["suggestions removed"] == count
        found = api.predictions(posted.project)
        assert {one["model_version"] for one in found} == {"goldspan"}
        assert len(found) == count
        assert "PER" in _labels(api, posted.project)
        for region in (region for one in found for region in one["result"]):
            wanted = "more" if region["value"]["labels"] == ["PER"] else "label"
            assert region["from_name"] == wanted
        assert {api.task(one["task"])["total_predictions"] for one in found} == {1}
        chosen = api.ask("GET", f"/api/projects/{posted.project}/")["model_version"]
        assert chosen == "goldspan"
        assert sync(server, posted.project, options).writes == {}

    def test_setup_prepares_status_tells_and_undo_restores(
        self, server: Watched, options: SyncOptions, posted: Posted, api: LabelStudioApi
    ) -> None:
        before = everything(api, posted.project)
        hook = ("http://127.0.0.1:9/webhook", "a-secret-of-some-length")
        said = list(setup(server, posted.project, folder=options.folder, hook=hook, annotators=3))
        assert any("registered" in sentence for sentence in said)
        settings = api.ask("GET", f"/api/projects/{posted.project}/")
        assert settings["show_collab_predictions"] is False
        assert settings["maximum_annotations"] == 3
        server.changes.clear()
        list(setup(server, posted.project, folder=options.folder, hook=hook, annotators=3))
        assert server.changes == []
        (wrong,) = [finding for finding in examine(server, posted.project) if not finding.good]
        assert "no service answers" in wrong.said
        assert "127.0.0.1:9/webhook" in wrong.said
        undo(server, posted.project, options.folder)
        assert everything(api, posted.project) == before

    def test_a_dry_run_of_setup_says_what_would_be(
        self, server: Watched, options: SyncOptions, posted: Posted
    ) -> None:
        prepare = partial(setup, server, posted.project, folder=options.folder, hook=None)
        assert list(prepare(annotators=3, dry_run=True)) == [
            "new annotations would not start from predictions",
            "each task would be for 3 annotators",
            "the tab “Low agreement” would be new",
        ]
        assert server.changes == []
        list(prepare(annotators=3))
        assert list(prepare(annotators=3, dry_run=True)) == [
            "new annotations do not start from predictions, as before",
            "each task is for 3 annotators, as before",
            "the tab “Low agreement” is there",
        ]

    def test_settings_go_back_under_any_name_of_this_machine_and_under_no_other(
        self, server: Watched, options: SyncOptions, posted: Posted, api: LabelStudioApi,
        closing: Closing,
    ) -> None:  # fmt: skip
        before = everything(api, posted.project)
        named = closing(Server(server.url.replace("127.0.0.1", "localhost"), api.token))
        prepare = partial(setup, folder=options.folder, hook=None, annotators=3)
        list(prepare(named, posted.project))
        record = options.folder / f"project-{posted.project}" / "setup.json"
        here = record.read_text()
        record.write_text(here.replace("localhost", "elsewhere.example"))

        plan = undo(server, posted.project, options.folder)

        assert any(f"elsewhere.example:{server.url.rpartition(':')[2]}" in note.message
                   for note in plan.notes)  # fmt: skip
        assert record.exists()
        assert everything(api, posted.project)["settings"]["maximum_annotations"] == 3
        api.ask("PATCH", f"/api/projects/{posted.project}/", {"maximum_annotations": 2})
        with pytest.raises(InputError, match="setup under the address"):
            list(prepare(server, posted.project))
        api.ask("PATCH", f"/api/projects/{posted.project}/", {"maximum_annotations": 3})
        record.write_text(here)
        undo(server, posted.project, options.folder)
        assert everything(api, posted.project) == before
        assert not record.exists()

    def test_undo_sees_what_is_written_meanwhile(
        self, server: Watched, options: SyncOptions, posted: Posted, api: LabelStudioApi
    ) -> None:
        sync(server, posted.project, options)
        once = iter(posted.tasks)

        def write_again(what: str, done: int, total: int) -> None:
            if (what, done) == ("writing columns", total):
                body = {"task": next(once), "model_version": "goldspan", "result": []}
                api.ask("POST", "/api/predictions/", body)

        plan = undo(server, posted.project, options.folder, progress=write_again)
        assert any("in the project again" in note.message for note in plan.notes)
        plan = undo(server, posted.project, options.folder)
        assert plan.counts() == {"suggestions removed": 1}
        assert plan.notes == []

    def test_undo_with_nothing_to_undo_says_so(
        self, posted: Posted, api: LabelStudioApi, tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    ) -> None:  # fmt: skip
        monkeypatch.setenv("GOLDSPAN_LABEL_STUDIO_TOKEN", api.token)
        code = main(["label-studio", "sync", "--undo", "--url", api.url,
                     "--project", str(posted.project), "--folder", str(tmp_path)])  # fmt: skip
        assert code == 0
        said = capsys.readouterr().err
        assert said == "goldspan: goldspan has written nothing into the project\n"


class TestOthersWork:
    """What is not ours stays, whatever it looks like and whenever it comes."""

    @pytest.fixture
    def api(self, label_studio: LabelStudioServer) -> LabelStudioApi:
        return label_studio.api

    def test_names_like_ours_are_not_ours(
        self, server: Watched, options: SyncOptions, api: LabelStudioApi
    ) -> None:
        posted = TEXT.post(api)
        first = posted.tasks[0]
        data = api.task(first)["data"] | {"goldspan_source": "theirs"}
        api.ask("PATCH", f"/api/tasks/{first}/", {"data": data})
        api.ask("POST", "/api/predictions/",
                {"task": first, "model_version": "goldspan-spacy-v1", "result": []})  # fmt: skip
        second = posted.tasks[1]
        data = api.task(second)["data"] | {GAMMA: "their own"}
        api.ask("PATCH", f"/api/tasks/{second}/", {"data": data})
        before = everything(api, posted.project)
        sync(server, posted.project, options)
        assert api.task(first)["data"]["goldspan_source"] == "theirs"
        assert api.task(second)["data"] == data
        assert len(api.predictions(posted.project, "goldspan-spacy-v1")) == 1
        assert undo(server, posted.project, options.folder).notes == []
        assert everything(api, posted.project) == before

    def test_annotations_that_began_with_a_suggestion_are_as_they_were_after_an_undo(
        self, server: Watched, options: SyncOptions, api: LabelStudioApi
    ) -> None:
        posted = TEXT.post(api)
        sync(server, posted.project, options)
        api.ask("POST", "/api/dm/actions/",
                {"selectedItems": {"all": False, "included": [posted.tasks[0]]}},
                id="predictions_to_annotations", project=posted.project)  # fmt: skip
        before = work(api, posted.project)

        plan = undo(server, posted.project, options.folder)

        assert work(api, posted.project) == before
        assert any("stay, without spans" in note.message for note in plan.notes)
        assert [(one["task"], one["result"]) for one in api.predictions(posted.project)] == [
            (posted.tasks[0], [])
        ]
        # Label Studio has counted the columns of this task once too often by now.
        listed = [name for name in api.columns(posted.project) if name.startswith("goldspan")]
        assert listed
        assert any(f"still lists {', '.join(listed)}" in note.message for note in plan.notes)
        assert undo(server, posted.project, options.folder).counts() == {}
        assert sync(server, posted.project, options).contaminated == 1

    def test_a_tab_that_somebody_renamed_is_not_made_again_and_goes_with_the_rest(
        self, server: Watched, options: SyncOptions, api: LabelStudioApi
    ) -> None:
        posted = TEXT.post(api)
        before = api.views(posted.project)
        sync(server, posted.project, options)
        (tab,) = our_tabs(api.views(posted.project))
        # The page saves what it knows of a tab, and our mark is not among it.
        data = {key: value for key, value in tab["data"].items() if key != "goldspan"}
        assert data != tab["data"]
        api.ask("PATCH", f"/api/dm/views/{tab['id']}/",
                {"project": posted.project, "data": data | {"title": "To talk about"}})  # fmt: skip
        everything, _ = missing_tabs([], None)
        server.add_tab(posted.project, everything)  # as another sync at the same time would

        sync(server, posted.project, options)

        titles = [view["data"]["title"] for view in api.views(posted.project)]
        assert sorted(titles) == ["Default", "To talk about"]
        undo(server, posted.project, options.folder)
        assert api.views(posted.project) == before

    def test_a_description_written_during_a_sync_stays(
        self, server: Watched, options: SyncOptions, api: LabelStudioApi
    ) -> None:
        posted = TEXT.post(api)
        once = iter(["New guideline, version 2."])

        def edit(what: str, done: int, total: int) -> None:
            del done, total
            for text in once if what == "writing columns" else ():
                api.ask("PATCH", f"/api/projects/{posted.project}/", {"description": text})

        sync(server, posted.project, options, progress=edit)
        said = api.ask("GET", f"/api/projects/{posted.project}/")["description"]
        assert said.startswith("New guideline, version 2.\n\n[goldspan] ")

    def test_ground_truth_that_a_person_emptied_is_the_persons(
        self, server: Watched, tmp_path: Path, api: LabelStudioApi
    ) -> None:
        posted = TEXT.post(api)
        truth = SyncOptions(tmp_path / "goldspan", ground_truth=True)
        before = {one["id"] for one in work(api, posted.project)}
        sync(server, posted.project, truth)
        ours = next(one["id"] for one in work(api, posted.project) if one["id"] not in before)
        api.ask("PATCH", f"/api/annotations/{ours}/", {"result": []})
        sync(server, posted.project, truth)
        undo(server, posted.project, truth.folder)
        assert ours in {one["id"] for one in work(api, posted.project)}

    def test_a_star_that_a_person_took_off_is_not_put_on_again(
        self, server: Watched, tmp_path: Path, api: LabelStudioApi
    ) -> None:
        posted = TEXT.post(api)
        truth = SyncOptions(tmp_path / "goldspan", ground_truth=True)
        before = {one["id"] for one in work(api, posted.project)}
        sync(server, posted.project, truth)
        ours = [one for one in work(api, posted.project) if one["id"] not in before]
        api.ask("PATCH", f"/api/annotations/{ours[0]['id']}/", {"ground_truth": False})
        text = str(TEXT.data[0]["text"])
        newcomer = api.person(new_address("dora"))
        api.annotate(posted.tasks[0], newcomer, [text_span(text, "Oslo", "PER")])

        sync(server, posted.project, truth)

        assert not next(
            one["ground_truth"] for one in work(api, posted.project) if one["id"] == ours[0]["id"]
        )
        undo(server, posted.project, truth.folder)
        left = {one["id"] for one in work(api, posted.project)}
        assert left.isdisjoint(one["id"] for one in ours)

    def test_work_of_a_deleted_account_is_left_out_and_counted(
        self, server: Watched, options: SyncOptions, api: LabelStudioApi
    ) -> None:
        posted = TEXT.post(api)
        gone = api.person(new_address("gone"))
        api.annotate(posted.tasks[0], gone, [])
        api.ask("DELETE", f"/api/users/{gone.id}/")
        assert any(one["completed_by"] is None for one in work(api, posted.project))
        outcome = sync(server, posted.project, options)
        assert any("deleted accounts" in note.message for note in outcome.notes)

    def test_tasks_that_goldspan_wrote_for_an_import_go_by_their_number_here(
        self, server: Watched, options: SyncOptions, api: LabelStudioApi
    ) -> None:
        project = api.project(TEXT.label_config, "Imported")
        people = api.people("ann@example.com", "ben@example.com")
        texts = {"02": "Mira met Anders.", "01": "Oslo is far from Bergen."}
        marked = {"02": "Mira", "01": "Oslo"}
        numbers = api.import_tasks(project, [
            {"data": {"text": text}, "meta": {"goldspan": {"task": name}}, "annotations": [
                {"completed_by": one.id, "result": [text_span(text, marked[name], "PER")]}
                for one in people
            ]}
            for name, text in texts.items()
        ])  # fmt: skip
        sync(server, project, options)
        said = {one["task"]: one["result"][0]["value"]["text"]
                for one in api.predictions(project, "goldspan")}  # fmt: skip
        shown = {number: api.task(number)["data"]["text"] for number in numbers}
        assert {n: shown[n].startswith(said[n]) for n in numbers} == dict.fromkeys(numbers, True)
        assert all(GAMMA in api.task(number)["data"] for number in numbers)

    def test_a_text_changed_after_it_was_annotated_is_left_out_and_named(
        self, server: Watched, options: SyncOptions, api: LabelStudioApi
    ) -> None:
        posted = TEXT.post(api)
        first = sync(server, posted.project, options)
        spoiled, *others = posted.tasks
        data = api.task(spoiled)["data"] | {"text": "Something else."}
        api.ask("PATCH", f"/api/tasks/{spoiled}/", {"data": data})
        before = work(api, posted.project)

        found = sync(server, posted.project, options)

        assert found.faulty == (str(spoiled),)
        assert set(found.result.tasks) == set(first.result.tasks) - {str(spoiled)}
        assert {one["task"] for one in api.predictions(posted.project)} <= set(others)
        assert api.task(spoiled)["data"] == {"text": "Something else."}
        assert work(api, posted.project) == before
        said = [one for one in examine(server, posted.project) if f"task {spoiled} " in one.said]
        assert "the one that was annotated" in said[0].said
        assert said[0].todo

    def test_a_project_with_nothing_else_says_what_is_wrong(
        self, server: Watched, options: SyncOptions, api: LabelStudioApi
    ) -> None:
        posted = TEXT.post(api)
        for task in posted.tasks:
            api.ask("PATCH", f"/api/tasks/{task}/", {"data": {"text": "Something else."}})
        with pytest.raises(InputError, match=f"task {posted.tasks[0]}.*the one that was annotated"):
            sync(server, posted.project, options)


class TestStatus:
    def test_too_few_annotators_are_told(
        self, server: Watched, label_studio: LabelStudioServer
    ) -> None:
        empty = TEXT.create(label_studio.api, "Nobody yet")
        said = [finding.said for finding in examine(server, empty.project) if not finding.good]
        assert said == [
            "the project gives each task to one annotator", "no task has two annotators yet",
        ]  # fmt: skip

    def test_one_annotator_in_the_settings_is_no_fault_where_several_worked(
        self, server: Watched, label_studio: LabelStudioServer
    ) -> None:
        posted = TEXT.post(label_studio.api)
        found = list(examine(server, posted.project))
        assert "the project gives each task to one annotator" in {one.said for one in found}
        assert all(one.good for one in found)

    @pytest.mark.parametrize(
        ("secret", "said"),
        [
            ("the-services-own-secret", "and the service answers"),
            ("a-secret-of-another-folder", "does not accept its secret"),
            (None, "is not goldspan (404)"),
        ],
    )
    def test_a_webhook_that_does_not_get_through_is_told(
        self, server: Watched, label_studio: LabelStudioServer, tmp_path: Path, secret: str | None,
        said: str,
    ) -> None:  # fmt: skip
        posted = TEXT.post(label_studio.api)
        (tmp_path / SECRET_FILE).write_text("the-services-own-secret")
        with Service(tmp_path) as service:
            place = label_studio.url if secret is None else service.url
            hook = (f"{place}/webhook", secret or "the-services-own-secret")
            list(setup(server, posted.project, folder=tmp_path / "elsewhere", hook=hook))
            (found,) = [one for one in examine(server, posted.project) if hook[0] in one.said]
        assert said in found.said
        assert found.good == (said == "and the service answers")

    def test_legacy_tokens_that_are_off_are_told(
        self, label_studio: LabelStudioServer, monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:  # fmt: skip
        posted = TEXT.create(label_studio.api, "Old token")
        token = label_studio.api.legacy_token
        monkeypatch.setenv("GOLDSPAN_LABEL_STUDIO_TOKEN", token)
        code = main(["label-studio", "status", "--url", label_studio.url,
                     "--project", str(posted.project)])  # fmt: skip
        said = capsys.readouterr().err
        assert code == 2
        assert "does not accept legacy tokens" in said
        assert token not in said

    def test_an_address_that_label_studio_does_not_call_is_told(self, swift_folder: Path) -> None:
        with LabelStudioServer(swift_folder / "guarded", ssrf_protection=True) as guarded:
            posted = TEXT.create(guarded.api)
            hook = ("http://127.0.0.1:9/webhook", "a-secret-of-some-length")
            with Server(guarded.url, guarded.api.token) as server:
                steps = setup(server, posted.project, folder=swift_folder / "g", hook=hook)
                with pytest.raises(ServerError, match="SSRF_PROTECTION_ENABLED=false"):
                    list(steps)


class TestFaults:
    def test_a_task_deleted_meanwhile_is_passed_over(
        self, server: Watched, options: SyncOptions, label_studio: LabelStudioServer
    ) -> None:
        posted = TEXT.post(label_studio.api)
        gone: list[int] = []

        def delete_one(what: str, done: int, total: int) -> None:
            del done, total
            if not gone and what == "adding suggestions":
                gone.append(posted.tasks[1])
                label_studio.api.ask("DELETE", f"/api/tasks/{posted.tasks[1]}/")

        outcome = sync(server, posted.project, options, progress=delete_one)
        assert gone
        assert any("deleted in the meantime" in note.message for note in outcome.notes)
        # The next sync has one task less to score, and comes to rest.
        sync(server, posted.project, options)
        assert sync(server, posted.project, options).writes == {}

    def test_a_task_deleted_before_the_first_write_does_not_stop_the_others(
        self, server: Watched, options: SyncOptions, label_studio: LabelStudioServer
    ) -> None:
        posted = TEXT.post(label_studio.api)
        once = iter([posted.tasks[0]])
        real = server.add_predictions

        def late(number: int, predictions: Any) -> int:
            for task in once:
                label_studio.api.ask("DELETE", f"/api/tasks/{task}/")
            return real(number, predictions)

        server.add_predictions = late  # type: ignore[method-assign]
        outcome = sync(server, posted.project, options)
        assert any("deleted in the meantime" in note.message for note in outcome.notes)
        assert label_studio.api.predictions(posted.project, "goldspan")

    def test_a_restart_in_the_middle_is_told_and_repeated_without_doubles(
        self, own_label_studio: LabelStudioServer, options: SyncOptions, closing: Closing
    ) -> None:
        posted = TEXT.post(own_label_studio.api)
        token = own_label_studio.api.token
        server = closing(Server(own_label_studio.url, token, waits=(0.1,)))
        once = iter([True])

        def cut(what: str, done: int, total: int) -> None:
            del done, total
            if what == "writing columns" and next(once, False):
                own_label_studio.kill()

        with pytest.raises(ServerError, match="cannot be reached"):
            sync(server, posted.project, options, progress=cut)
        own_label_studio.start()
        sync(server, posted.project, options)
        tasks = [one["task"] for one in own_label_studio.api.predictions(posted.project)]
        assert len(tasks) == len(set(tasks))
        assert sync(server, posted.project, options).writes == {}
        # A server that comes back while we wait is no fault at all.
        waiting = partial(_start, own_label_studio)
        patient = closing(Server(own_label_studio.url, token, waits=(0.1,), sleep=waiting))
        own_label_studio.stop()
        assert sync(patient, posted.project, options).writes == {}

    @pytest.mark.parametrize("command", ["status", "sync", "sync --undo", "setup"])
    def test_a_project_that_is_not_there_is_told(
        self, command: str, label_studio: LabelStudioServer, monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path, capsys: pytest.CaptureFixture[str],
    ) -> None:  # fmt: skip
        monkeypatch.setenv("GOLDSPAN_LABEL_STUDIO_TOKEN", label_studio.api.token)
        code = main(["label-studio", *command.split(), "--url", label_studio.url, "--project",
                     "77777", "--folder", str(tmp_path / "folder")])  # fmt: skip
        said = capsys.readouterr().err
        assert code == 2
        assert "there is no project 77777 in Label Studio" in said
        assert "Forget" not in said

    def test_a_token_that_no_longer_holds_is_told_without_being_shown(
        self, label_studio: LabelStudioServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        posted = TEXT.post(label_studio.api)
        person = label_studio.api.member(new_address("leaver"), "a-good-password-9")
        leaver = label_studio.api.login(person)
        token = leaver.token
        leaver.revoke_tokens()
        file = tmp_path / "token"
        file.write_text(token)
        code = main(["label-studio", "sync", "--url", label_studio.url, "--project",
                     str(posted.project), "--token-file", str(file),
                     "--folder", str(tmp_path)])  # fmt: skip
        said = capsys.readouterr()
        assert code == 2
        assert "does not accept the token" in said.err
        assert token not in said.err + said.out
        assert "Traceback" not in said.err


def _start(server: LabelStudioServer, seconds: float) -> None:
    del seconds
    server.start()


def _labels(api: LabelStudioApi, project: int) -> set[str]:
    """The labels of everything that is suggested."""
    regions = [region for one in api.predictions(project) for region in one["result"]]
    return {label for region in regions for label in region["value"]["labels"]}
