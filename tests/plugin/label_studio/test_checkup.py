"""What status says of a project, and undo of what it cannot know."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldspan.engine.errors import InputError
from goldspan.plugin.cli import main
from goldspan.plugin.label_studio.data_manager_tab import tab_data
from goldspan.plugin.label_studio.status import examine
from goldspan.plugin.label_studio.sync import SyncOptions, sync
from goldspan.plugin.label_studio.undo import undo
from label_studio_export import annotation, region, task
from label_studio_recorded import Recorded

TEXT = "Anna met Bob"
ANNA = region(0, 4, "PER", text="Anna")
OURS = {"id": 9, "task": 1, "model_version": "goldspan", "result": [], "score": 0.5}


def both(number: int, *result: dict, text: str = TEXT) -> dict:  # type: ignore[type-arg]
    return task(number, {"text": text}, annotation(1, *result), annotation(2, *result))


def test_each_fault_says_what_it_is_and_counts_among_the_tasks() -> None:
    nameless = {"value": ANNA["value"] | {"labels": []}}
    server = Recorded(
        [
            both(1, ANNA),
            both(2, ANNA, text="Ben met Bob"),
            both(3, ANNA | nameless),
            both(4, ANNA | {"value": None}),
        ]
    )
    found = {one.said: one.todo for one in examine(server, 5)}
    assert "1 of 4 tasks have two annotators or more, 1 have all 2: 1, 2" in found
    said = {said.split()[1]: said for said, todo in found.items() if "is left out" in said and todo}
    assert "reads" in said["2"]
    assert said["3"].endswith("--unlabelled NAME gives one to all such spans")
    assert "4" in said


def test_what_outlived_its_annotations_is_told(tmp_path: Path) -> None:
    empty = task(1, {"text": TEXT})
    server = Recorded([empty], [OURS])
    (found,) = [one for one in examine(server, 5) if "suggested gold" in one.said]
    assert found.said.endswith("of annotations that are there no longer")
    assert "--undo" in found.todo
    options = SyncOptions(tmp_path)
    with pytest.raises(InputError, match=r"what was written before is still there$"):
        sync(server, 5, options)
    with pytest.raises(InputError, match=r"annotate the same tasks$"):
        sync(Recorded([empty]), 5, options)


@pytest.mark.parametrize("prelabelled", [True, False])
def test_a_folder_that_does_not_know_the_setup_says_so(tmp_path: Path, prelabelled: bool) -> None:
    tabs = [{"id": 1, "data": tab_data(0.6)}]
    server = Recorded([both(1, ANNA)], tabs=tabs, show_collab_predictions=prelabelled)
    plan = undo(server, 5, tmp_path, dry_run=True)
    said = [note.message for note in plan.notes if "--folder that setup ran with" in note.message]
    # Setup switches it off; where it is on, there was none.
    assert len(said) == (not prelabelled)
    assert plan.counts() == {"tabs removed": 1}


@pytest.mark.parametrize(
    "option", [("--ground-truth",), ("--layer", "label"), ("--with-predictions", "m")]
)
def test_an_undo_takes_no_option_of_a_sync(
    option: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["label-studio", "sync", "--project", "5", "--undo", *option]) == 2
    assert f"leave {option[0]} out" in capsys.readouterr().err
