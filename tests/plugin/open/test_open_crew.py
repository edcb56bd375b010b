"""The queue of the page for a team, with processes that really work, hang, hoard and die."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from goldspan.plugin.cli.verbs.open import words
from goldspan.plugin.open.data import Limits
from goldspan.plugin.open.refusal import Refused
from goldspan.plugin.open.team import crew as crew_module
from goldspan.plugin.open.team.calls import JSON, Call, Desk, Maker
from goldspan.plugin.open.team.crew import MOST_OF_PERSON, Crew, Job
from goldspan.plugin.open.team.desk import answer

LONG_SECONDS = 600.0


def work(folder: Path, name: str) -> str:
    """Say that it runs; end when a file appears."""
    (folder / f"{name} began").touch()
    while not (folder / f"{name} may end").exists():
        time.sleep(0.005)
    return name


def listen(flag: Path, folder: Path) -> str:
    """Work that ends when nobody waits for it any more."""
    (folder / "listener began").touch()
    while not flag.exists():
        time.sleep(0.005)
    (folder / "listener ended").touch()
    return "listener"


def hoard() -> int:
    return len(bytearray(2**40))


def remember() -> None:
    """What a process does about things that were deleted."""


@contextmanager
def crew_of(folder: Path, workers: int = 1, seconds: float = LONG_SECONDS) -> Iterator[Crew]:
    flags = folder / "flags"
    flags.mkdir()
    crew = Crew(flags, workers, seconds, remember)
    try:
        yield crew
    finally:
        crew.close()


def named(crew: Crew, folder: Path, person: str, name: str) -> Job[str]:
    return crew.begin(person, lambda _flag: (work, (folder, name)))


async def appears(path: Path) -> None:
    until = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < until, path
        await asyncio.sleep(0.005)


def run(check: Callable[[], Any]) -> None:
    asyncio.run(asyncio.wait_for(check(), 300))


def reason(job: Job[Any]) -> str:
    error = job.done.exception()
    assert isinstance(error, Refused)
    return error.refusal.error


def test_people_take_turns_and_each_has_one_computation_at_a_time(tmp_path: Path) -> None:
    async def check() -> None:
        with crew_of(tmp_path, workers=2) as crew:
            jobs = {
                name: named(crew, tmp_path, name[0], name)
                for name in ("a1", "a2", "a3", "b1", "c1")
            }
            await appears(tmp_path / "a1 began")
            await appears(tmp_path / "b1 began")
            assert [crew.position(one) for one in "abc"] == [0, 0, 1]
            (tmp_path / "a1 may end").touch()
            assert await jobs["a1"].done == "a1"
            await appears(tmp_path / "c1 began")
            assert crew.is_running("c")
            assert crew.position("a") == 1, "behind who came later and had nothing yet"
            assert not (tmp_path / "a2 began").exists()
            for name in jobs:
                (tmp_path / f"{name} may end").touch()
            assert await asyncio.gather(*(job.done for job in jobs.values())) == [*jobs]

    run(check)


def test_what_nobody_waits_for_never_begins_and_what_runs_ends_by_itself(tmp_path: Path) -> None:
    async def check() -> None:
        with crew_of(tmp_path) as crew:
            first = crew.begin("a", lambda flag: (listen, (flag, tmp_path)))
            second = named(crew, tmp_path, "b", "b1")
            await appears(tmp_path / "listener began")
            crew.cancel(second)
            assert reason(second) == "cancelled"
            crew.cancel_all("a")
            await asyncio.wait({first.done})
            assert reason(first) == "cancelled"
            assert (tmp_path / "listener ended").exists(), "the process was not killed"
            third = named(crew, tmp_path, "c", "c1")
            (tmp_path / "c1 may end").touch()
            assert await third.done == "c1"
            assert not (tmp_path / "b1 began").exists()

    run(check)


def test_work_that_does_not_end_is_killed_and_the_next_one_begins(tmp_path: Path) -> None:
    async def check() -> None:
        with crew_of(tmp_path, seconds=1.0) as crew:
            slow = named(crew, tmp_path, "a", "slow")
            await asyncio.wait({slow.done})
            assert reason(slow) == "too-long"
            quick = named(crew, tmp_path, "a", "quick")
            (tmp_path / "quick may end").touch()
            await asyncio.wait({quick.done})
            # A process that starts on a busy machine may need longer than this test allows.
            assert quick.done.exception() is None or reason(quick) == "too-long"
            assert not crew.is_running("a")

    run(check)


def test_a_process_that_hoards_or_dies_takes_nothing_with_it(tmp_path: Path) -> None:
    async def check() -> None:
        with crew_of(tmp_path) as crew:
            for call, why in (((hoard, ()), "memory"), ((os._exit, (1,)), "ended")):
                job = crew.begin("a", lambda _flag, call=call: call)  # type: ignore[misc]
                await asyncio.wait({job.done})
                assert reason(job) == why
            (tmp_path / "b1 may end").touch()
            assert await named(crew, tmp_path, "b", "b1").done == "b1"

    run(check)


def test_too_much_of_one_person_or_of_all_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew_module, "MOST_WAITING", MOST_OF_PERSON + 2)

    async def check() -> None:
        with crew_of(tmp_path) as crew:
            jobs = [named(crew, tmp_path, "a", str(n)) for n in range(MOST_OF_PERSON + 1)]
            with pytest.raises(Refused) as refused:
                named(crew, tmp_path, "a", "more")
            assert refused.value.refusal.error == "too-many-calls"
            jobs += [named(crew, tmp_path, other, other) for other in "bc"]
            with pytest.raises(Refused) as refused:
                named(crew, tmp_path, "d", "d")
            assert refused.value.refusal.error == "crowded"
            for one in "abc":
                crew.cancel_all(one)
            await asyncio.wait([job.done for job in jobs])
            assert {reason(job) for job in jobs} == {"cancelled"}

    run(check)


def test_a_report_is_made_again_after_newer_calls_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "set" / "dropped").mkdir(parents=True)
    rows = "task,annotator,category,start,end\nd,ann,X,1,5\nd,ben,X,1,6\nd,ben,Y,8,9\n"
    (tmp_path / "set" / "dropped" / "rows.csv").write_text(rows, encoding="utf-8")
    desk = Desk("one", tmp_path, (), Limits(), words)

    def body(alpha: float, turn: int) -> bytes:
        state = {"data": "set", "alpha": alpha}
        return json.dumps({"state": state, "stage": "full", "tab": "t", "turn": turn}).encode()

    flag = tmp_path / "flag"
    newer = Call("POST", "/api/measure", b"", JSON, body(1.0, 9), flag)
    assert answer(desk, newer).status == 200
    lost = Call("GET", "/api/media/report/lost", b"", b"", b"", flag)
    assert answer(desk, lost).status == 404
    assert answer(desk, lost, Maker("/api/measure", body(2.0, 1))).status == 200
