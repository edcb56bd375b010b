"""`make demo-label-studio`: from nothing to pages that one can click through, and back."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from label_studio_api import LabelStudioApi
from label_studio_server import MISSING, installed
from service_process import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "examples" / "label_studio" / "demo.py"


@contextmanager
def start(folder: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """The demo, which is gone afterwards whatever happened."""
    with subprocess.Popen(
        [sys.executable, DEMO, folder, "--port", "0", "--service-port", "0", *more],
        env=os.environ | {"PYTHONPATH": str(ROOT / "tests"), "PYTHONUTF8": "1"},
        cwd=folder.parent,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as demo:
        try:
            yield demo
        except BaseException:
            demo.terminate()
            raise


def said(line: str, text: str) -> str:
    found = re.search(rf"^\s*{line}\s+(.*)$", text, re.MULTILINE)
    assert found, text
    return found[1]


def test_the_demo_can_be_clicked_through_ended_and_started_again(swift_folder: Path) -> None:
    if installed() is None:
        pytest.skip(MISSING)
    folder = swift_folder / "demo"

    with start(folder) as demo:
        assert demo.stdout is not None
        lines = []
        for line in demo.stdout:
            lines.append(line)
            if line.startswith("Ctrl-C"):
                break
        text = "".join(lines)
        studio, project = re.findall(r"(http\S+)/projects/(\d+)/data", text)[0]
        service = said("Dashboard", text)
        users = said("user", text).replace("or ", "").split(", ")
        # The last of them is an annotator; each user has the password that is shown.
        api = LabelStudioApi(studio, users[-1], said("password", text))
        tasks = api.tasks(int(project))
        predictions = api.predictions(int(project), "goldspan")
        views = {view["data"]["title"]: view["id"] for view in api.views(int(project))}
        low = api.shown(views["Low agreement"], int(project))
        page = httpx.get(service).raise_for_status().text
        worst = low[0]
        before = api.task(worst)["data"]["goldspan_gamma"]
        amiras, *_, darios = sorted(
            api.task(worst)["annotations"], key=lambda a: str(a["completed_by"]["email"])
        )
        change = {"result": amiras["result"]}
        api.ask("PATCH", f"/api/annotations/{darios['id']}/", change)
        wait_until(lambda: api.task(worst)["data"]["goldspan_gamma"] > before)
        demo.send_signal(signal.SIGINT)
        rest, _ = demo.communicate(timeout=PATIENCE)
    assert demo.returncode == 0
    assert "both are stopped" in rest

    assert len(users) == 4
    assert [len(task["annotations"]) for task in tasks] == [3] * 10
    assert {prediction["task"] for prediction in predictions} == {task["id"] for task in tasks}
    gammas = {task["id"]: task["data"].get("goldspan_gamma") for task in tasks}
    assert set(low) == {task for task, gamma in gammas.items() if gamma is not None and gamma < 0.6}
    assert "Default" in views
    assert "round 2 is complete" in page
    rounds = [
        json.loads(path.read_text(encoding="utf-8"))["corpus"]
        for path in sorted((folder / "goldspan" / f"project-{project}" / "rounds").glob("*.json"))
    ]
    assert [found["n_tasks"] for found in rounds] == [5, 10]
    assert rounds[1]["gamma"]["value"] > rounds[0]["gamma"]["value"]
    for address in (studio, service):
        with pytest.raises(httpx.ConnectError):
            httpx.get(address)

    with start(folder, "--once") as again:
        text = again.communicate()[0]
    assert again.returncode == 0
    assert f"/projects/{project}/data" in text
    assert "round" not in text.partition("What to look at")[0]


def test_the_demo_does_not_touch_a_folder_that_is_no_demo(tmp_path: Path) -> None:
    if installed() is None:
        pytest.skip(MISSING)
    (tmp_path / "precious").mkdir()
    kept = tmp_path / "precious" / "work.txt"
    kept.write_text("years", encoding="utf-8")

    with start(kept.parent) as demo:
        demo.communicate()

    assert demo.returncode == 1
    assert kept.read_text(encoding="utf-8") == "years"
