"""Settings > Model: suggestions from the call alone, and never before somebody's work is done."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from goldspan.plugin.label_studio.ml_backend.model import (
    Call,
    is_finished,
    predict,
    read_call,
    setup,
    version_of,
)
from goldspan.plugin.label_studio.ml_backend.suggestions import suggestions
from service_calls import CONFIG, Json, body, region, task
from service_parts import Parts, service

RECORDED = Path(__file__).parents[4] / "shared" / "data" / "labelstudio_live" / "ml"
JSON = {"Content-Type": "application/json"}


def call(*tasks: Json) -> Call:
    return Call(7, tasks, CONFIG)


def store(tasks: list[Json], results: list[Any]) -> None:
    """What Label Studio does with an answer."""
    for one, found in zip(tasks, results, strict=True):
        for prediction in [found] if isinstance(found, dict) else found:
            one["predictions"].append({"id": 1} | json.loads(json.dumps(prediction)))


def test_finished_tasks_get_suggestions_with_their_gamma() -> None:
    answer = predict(call(task(1), task(2)), suggestions)

    assert (answer.finished, answer.changed) == (2, 2)
    for found in answer.results:
        assert isinstance(found, dict)
        values = [one["value"] for one in found["result"]]
        assert {"start": 0, "end": 7, "labels": ["PER"], "text": "Ada Obi"}.items() <= (
            values[0].items()
        )
        assert -1 < found["score"] < 1
        assert found["model_version"].startswith("goldspan-")
        assert "(2 tasks)" in found["model_version"]


def test_nobody_is_shown_what_others_marked() -> None:
    """Label Studio asks for one task when it opens it; unfinished ones wait for somebody."""
    assert predict(call(task(1)), suggestions).results == [[]]
    assert predict(call(task(1, people=2), task(2, people=2)), suggestions).results == [[], []]
    mixed = predict(call(task(1, people=2), task(2), task(3)), suggestions)
    assert mixed.results[0] == []
    assert all(isinstance(found, dict) for found in mixed.results[1:])


@pytest.mark.parametrize(
    ("finished", "change"),
    [
        (True, {}),
        (False, {"is_labeled": False}),
        (False, {"annotations": []}),
        (False, {"annotations": None}),
        (False, {"annotations": [{"completed_by": 1}]}),
        (False, {"annotations": [{"completed_by": 1}, {"completed_by": 1}]}),
        (False, {"annotations": [{"completed_by": 1}, {"completed_by": 2, "was_cancelled": True}]}),
        (True, {"annotations": [{"completed_by": {"id": 1}}, {"completed_by": {"id": 2}}]}),
        (False, {"annotations": ["?", 3]}),
    ],
)
def test_a_task_is_finished_when_it_waits_for_nobody(finished: bool, change: Json) -> None:
    assert is_finished(task(1) | change) is finished


def test_retrieving_again_stores_nothing() -> None:
    tasks = [task(1), task(2), task(3)]
    store(tasks, predict(call(*tasks), suggestions).results)
    again = predict(call(*tasks), suggestions)

    assert again.results == [[], [], []]
    assert (again.finished, again.changed) == (3, 0)


def test_a_change_is_a_new_version() -> None:
    tasks = [task(1), task(2), task(3)]
    first = predict(call(*tasks), suggestions).results
    store(tasks, first)
    tasks[1]["annotations"][0]["result"].append(region(24, 34, "LOC"))
    tasks[1]["annotations"][1]["result"].append(region(24, 34, "LOC"))
    second = predict(call(*tasks), suggestions).results

    assert isinstance(second[1], dict)
    assert len(second[1]["result"]) == 3
    versions = {one["model_version"] for one in [*first, *second] if isinstance(one, dict)}
    assert len(versions) == 2


def test_no_prediction_has_the_version_that_setup_names() -> None:
    """Else Label Studio would leave its task out the next time, and measure without it."""
    tasks = [task(1), task(2)]
    for found in predict(call(*tasks), suggestions).results:
        assert isinstance(found, dict)
        assert found["model_version"] != setup()["model_version"]


def test_a_version_rests_on_annotations_and_labels_alone() -> None:
    one, other = task(1), task(2)
    changed = copy.deepcopy(one)
    changed["annotations"][0]["result"] = []
    retold = one | {"predictions": [{"id": 9}], "updated_at": "later"}

    assert version_of([one, other], CONFIG) == version_of([other, retold], CONFIG)
    assert version_of([one, other], CONFIG) != version_of([changed, other], CONFIG)
    assert version_of([one, other], CONFIG) != version_of([one, other], CONFIG.replace("PER", "P"))


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    with service(tmp_path, connected=False, limit=10**6) as made:
        yield made


def test_the_whole_way_without_a_token(parts: Parts) -> None:
    base = parts.key_url
    assert parts.client.get(f"{base}/health").json() == {"status": "UP"}
    assert parts.client.get(f"{base}/versions").json() == {
        "versions": [setup()["model_version"]]
    }  # fmt: skip
    answer = parts.client.post(f"{base}/predict", json=body(task(1), task(2)))

    assert answer.status_code == 200
    assert len(answer.json()["results"]) == 2
    (retrieved,) = parts.retrievals.latest()
    found = retrieved.retrieval
    assert (found.project, found.tasks, found.finished, found.changed) == (7, 2, 2, 2)
    page = parts.client.get("/").text
    assert "project-7/retrieved.html" in page
    report = parts.client.get("/project-7/retrieved.html").text
    assert "the 2 complete tasks of a retrieval" in report


def test_the_root_can_be_connected_as_well(parts: Parts) -> None:
    for base in ("", "/model"):
        answer = parts.client.post(f"{base}/predict", json=body(task(1), task(2)))
        assert answer.status_code == 200


def test_a_call_for_one_task_leaves_no_trace(parts: Parts) -> None:
    answer = parts.client.post("/predict", json=body(task(1)))

    assert answer.json() == {"results": [[]]}
    assert parts.retrievals.latest() == ()
    assert not (parts.folder / "project-7").exists()


def test_a_configuration_without_spans_is_told_on_the_dashboard(parts: Parts) -> None:
    asked = body(task(1), task(2)) | {"label_config": "<View><Text name='t' value='$t'/></View>"}
    answer = parts.client.post("/predict", json=asked)

    assert answer.status_code == 422
    (retrieved,) = parts.retrievals.latest()
    assert retrieved.retrieval.error == answer.json()["error"]
    assert "Traceback" not in answer.text


def test_half_a_surrogate_pair_in_a_name_is_no_fault(parts: Parts) -> None:
    one, other = task(1), task(2, id="\ud800")
    one["annotations"][0]["completed_by"] = {"email": "ada\ud800@example.com"}

    answer = parts.client.post("/predict", content=json.dumps(body(one, other)), headers=JSON)
    assert answer.status_code == 200


def test_half_a_surrogate_pair_in_a_configuration_is_refused(parts: Parts) -> None:
    asked = body(task(1), task(2)) | {"label_config": CONFIG.replace("PER", "P\ud800R")}
    answer = parts.client.post("/predict", content=json.dumps(asked), headers=JSON)

    assert answer.status_code == 422
    assert "labelling configuration" in answer.json()["error"]


@pytest.mark.parametrize("predictions", [5, [{"model_version": "m", "result": 5}], [7, None]])
def test_predictions_that_cannot_be_read_are_passed_over(predictions: Any) -> None:
    tasks = task(1, predictions=predictions), task(2)

    assert predict(call(*tasks), suggestions).changed == 2


@pytest.mark.parametrize(
    "wrong",
    [[], {"tasks": 3}, {"tasks": [3], "label_config": ""}, {"tasks": [], "label_config": None},
     {"tasks": [], "label_config": "", "project": "x"}, {"tasks": [], "label_config": ""}],
)  # fmt: skip
def test_bad_calls_get_a_sentence(parts: Parts, wrong: Any) -> None:
    answer = parts.client.post("/predict", json=wrong)

    assert answer.status_code == 400
    assert answer.json()["error"].startswith("the call ")


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recordings of a real server are not here")
def test_recorded_calls_are_understood() -> None:
    files = [*RECORDED.glob("*POST_predict.json")]
    assert files
    for file in files:
        recorded = json.loads(file.read_text(encoding="utf-8"))["body"]
        found = read_call(json.dumps(recorded).encode())
        answer = predict(found, suggestions)
        assert len(answer.results) == len(recorded["tasks"])
