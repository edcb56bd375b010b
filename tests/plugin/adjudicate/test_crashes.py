"""kill -9 at any moment, several people, several servers: nothing is lost or doubled."""

from __future__ import annotations

import shutil
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from adjudicate_fork import ForkedServer, Forks, forks
from adjudicate_server import AdjudicateServer, first_reading
from goldspan.plugin.adjudicate.journal.file import read_journal

POINTS = ("before-write", "before-fsync", "after-fsync", "before-reply")


def ids(journal: Path) -> list[str]:
    return [one.id for path in sorted(journal.glob("*.jsonl")) for one in read_journal(path).events]


def test_a_kill_after_each_of_fifty_posts_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """The page repeats what it has no answer to, as here. At a fault point the process ends by
    itself, without tidying up; every fifth one is killed from outside after its answer.
    """
    with forks() as found:
        _kill_after_each(found, tmp_path)


def _kill_after_each(found: Forks, folder: Path) -> None:
    lost: dict[str, Any] = {}
    sent: list[str] = []
    for number in range(50):
        point = POINTS[number % 5] if number % 5 < len(POINTS) else ""
        again = bool(lost) and lost["id"] not in ids(folder)
        server = found.start(folder, f"{point}:{2 if again else 1}" if point else "")
        if lost:
            answer = server.post(lost)
            assert answer is not None
            assert answer.status_code == (201 if again else 200)
        assert ids(folder) == sent
        event = _event(server, f"event-{number:04d}")
        sent.append(event["id"])
        answer = server.post(event)
        assert (answer is None) == bool(point)
        lost = event if answer is None else {}
        server.kill()
        assert ids(folder) == (sent[:-1] if point == "before-write" else sent)
    server = found.start(folder)
    assert ids(folder) == sent
    progress = server.get("/api/project")["progress"]
    assert progress["settled"] + progress["open"] >= 19
    server.kill()


def _event(server: ForkedServer, id_: str) -> dict[str, Any]:
    """Settle the next site; when all are, undo the last event or redo it."""
    project = server.get("/api/project")
    site = None if project["redo"] else server.next_site()
    if site is not None:
        return first_reading(site, id_)
    return {"id": id_, "op": "undo", "target": project["redo"] or project["undo"]}


def test_a_torn_tail_costs_one_decision_and_says_so(tmp_path: Path) -> None:
    server = AdjudicateServer(tmp_path / "gold.csv")
    with server:
        for number in range(3):
            site = server.next_site()
            assert site is not None
            server.settle(site, f"event-{number:04d}")
        server.kill()
        path = server.journal / "ana.jsonl"
        path.write_bytes(path.read_bytes()[:-20])
        server.start()
        assert server.get("/api/project")["progress"]["settled"] == 2
        assert "was torn by a crash" in server.errors.read_text()
        assert len(list(server.journal.glob("ana.torn-*"))) == 1
        server.kill()
        whole = path.read_bytes()
        path.write_bytes(whole.replace(b"event-0000", b"event-0009"))
        with pytest.raises(AssertionError, match=r"ana\.jsonl:2: the line is damaged"):
            server.start()


def work(server: AdjudicateServer, by: str, mark: str) -> list[str]:
    """Settle until the queue is empty; gives the sites."""
    done = []
    for number in range(100):
        site = server.next_site(by)
        if site is None:
            return done
        answer = server.settle(site, f"{mark}-{number:06d}", by)
        if answer.status_code == 201:
            done.append(site["id"])
        else:
            assert answer.status_code == 409
    raise AssertionError("the queue never ends")


def test_two_people_on_one_server_and_two_servers_on_one_folder(tmp_path: Path) -> None:
    one = AdjudicateServer(tmp_path / "gold.csv")
    other = AdjudicateServer(tmp_path / "gold.csv", name="bo")
    with one, other, ThreadPoolExecutor(3) as pool:
        same = AdjudicateServer(tmp_path / "gold.csv")
        with pytest.raises(AssertionError, match="another goldspan"):
            same.start()
        waiting = pool.submit(one.get, "/api/changes", since=0, wait=20)
        found = [
            pool.submit(work, one, "ana", "ana"), pool.submit(work, one, "cy", "cy"),
        ]  # fmt: skip
        counted = Counter(site for future in found for site in future.result())
        assert len(counted) >= 19
        audited = {one for one, count in counted.items() if count > 1}
        assert len(audited) <= 2, "only audits go to two people"
        assert waiting.result()["revision"] > 0
        changes = other.get("/api/changes", since=0, wait=20)
        assert changes["revision"] > 0, "the other server reads the folder"
        settled = one.get("/api/project")["progress"]["settled"]
        assert other.get("/api/project")["progress"]["settled"] == settled >= 19
        site = other.get(f"/api/sites/{next(iter(counted))}")
        late = first_reading(site, "late-00001") | {"base": 0}
        assert other.post("/api/events", late).status_code == 409
        assert (
            other.post("/api/events", late | {"base": site["base"], "spans": []}).json()["state"]
            == "contested"
        )
        golds = []
        for server in (one, other):
            assert server.end() == 0
            golds.append(server.output.read_bytes())
    shutil.copytree(one.journal, tmp_path / "copy.csv.journal", ignore=_kept)
    third = AdjudicateServer(tmp_path / "copy.csv", name="dee")
    with third:
        assert third.end() == 0
    assert third.output.read_bytes() == golds[1], "merging is copying files"


def _kept(_folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not name.endswith(".jsonl")]
