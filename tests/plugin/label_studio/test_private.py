"""What goldspan keeps of projects can be read by its owner alone."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from goldspan.plugin.label_studio.setup import _keep
from goldspan.plugin.label_studio.sync import SyncOptions, sync
from goldspan.plugin.service.database import FILE, Database, sole_user
from goldspan.plugin.service.private import private
from goldspan.plugin.service.web.access import webhook_secret
from label_studio_export import annotation, region, task
from label_studio_recorded import CONFIG, Recorded
from service_parts import service
from service_process import Service

TEXT = "Anna met Bob in Rome"
SPANS = region(0, 4, "PER", text="Anna"), region(16, 20, "LOC", text="Rome")


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    """What most systems begin with: others may read what is new."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    found = [folder, *folder.rglob("*")]
    return {str(p.relative_to(folder)): stat.S_IMODE(p.stat().st_mode) for p in found}


def assert_private(folder: Path) -> None:
    for name, mode in modes(folder).items():
        assert mode == (0o700 if (folder / name).is_dir() else 0o600), name


def two_tasks() -> list[dict]:  # type: ignore[type-arg]
    return [
        task(n, {"text": TEXT}, annotation(1, *SPANS), annotation(2, *SPANS[:n])) for n in (1, 2)
    ]


def test_a_running_service(tmp_path: Path) -> None:
    with Service(tmp_path / "folder") as running:
        tasks = [one | {"is_labeled": True, "overlap": 2, "project": 5} for one in two_tasks()]
        call = {"tasks": tasks, "project": "5.1", "label_config": CONFIG}
        # The first call may have to compile.
        answer = httpx.post(f"{running.model_url}/predict", json=call, trust_env=False, timeout=300)
        assert answer.status_code == 200
        names = {*modes(running.folder)}
        assert "project-5/retrieved.html" in names
        assert {FILE, f"{FILE}-wal", f"{FILE}-shm", "service.lock", "webhook-secret"} <= names
        assert_private(running.folder)


def test_rounds_and_trends(tmp_path: Path) -> None:
    with service(tmp_path / "folder") as parts:
        for people in (2, 3):
            parts.studio.annotate(people)
            parts.queue.request(4)
            parts.run()
        assert parts.archive.page(4, "trend.html") is not None
        found = modes(parts.folder)
        assert {"project-4/trend.html", "project-4/rounds/round-2.json"} < {*found}
        assert_private(parts.folder / "project-4")
        assert found[FILE] == found[f"{FILE}-wal"] == found[f"{FILE}-shm"] == 0o600


def test_sync_and_setup(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    sync(Recorded(two_tasks()), 5, SyncOptions(folder), dry_run=True)
    _keep("http://localhost:8080", folder, 5, {"maximum_annotations": {"was": 1, "now": 2}})
    webhook_secret(folder)
    assert {"project-5/report.html", "project-5/result.json"} < {*modes(folder)}
    assert_private(folder)


def test_what_an_older_goldspan_left_open_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "project-5" / "rounds").mkdir(parents=True)
    for name in (FILE, "service.lock", "project-5/rounds/round-1.json", "project-5/report.html"):
        (folder / name).touch()
    assert modes(folder)["project-5/report.html"] == 0o644
    with closing(Database(folder / FILE)), sole_user(folder):
        assert_private(folder)


def test_a_folder_with_other_things_stays_open_and_they_do(tmp_path: Path) -> None:
    (tmp_path / "token.txt").touch()
    (tmp_path / "service.sqlite").touch()
    (tmp_path / "project-1").symlink_to(tmp_path.parent)
    before = stat.S_IMODE(tmp_path.parent.stat().st_mode)
    tmp_path.chmod(0o755)
    with private(tmp_path):
        (tmp_path / "project-2").mkdir()
    found = {path.name: stat.S_IMODE(path.lstat().st_mode) for path in tmp_path.iterdir()}
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert stat.S_IMODE(tmp_path.parent.stat().st_mode) == before
    assert (found["token.txt"], found["service.sqlite"], found["project-2"]) == (
        0o644,
        0o600,
        0o700,
    )


def test_a_link_is_followed_and_a_shared_folder_stays_shared(tmp_path: Path) -> None:
    for name, given in (("real", 0o755), ("shared", 0o1777)):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(given)
    (tmp_path / "link").symlink_to("real")
    for name in ("link", "shared"):
        with private(tmp_path / name):
            pass
    found = modes(tmp_path)
    assert (found["real"], found["shared"]) == (0o700, 0o1777)


def test_what_is_written_elsewhere_follows_the_umask(tmp_path: Path) -> None:
    with private(tmp_path / "folder"):
        pass
    (tmp_path / "out.json").write_text(json.dumps({}), encoding="utf-8")
    assert modes(tmp_path)["out.json"] == 0o644
