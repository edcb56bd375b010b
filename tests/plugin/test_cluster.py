"""Work on a Dask cluster whose scheduler and workers are processes of their own."""

from __future__ import annotations

import os
import pickle
import signal
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from dask_cluster import dask_processes
from goldspan.adapters import read
from goldspan.engine.alignment.partition import Partitions, best_partitions
from goldspan.engine.coefficient import measure
from goldspan.engine.coefficient.task import Task
from goldspan.engine.errors import SolverError, TaskFailure, WorkerError, failure_in
from goldspan.engine.model import Continuum, Corpus, Unit
from goldspan.engine.parallel import blame
from goldspan.engine.scoring import score
from goldspan.plugin.cli import main
from goldspan.plugin.cluster import ClusterError, _Check, open_cluster
from goldspan.plugin.document import Document
from goldspan.plugin.measurement import ComputeRequest, MeasureRequest

if TYPE_CHECKING:
    from goldspan.engine.alignment.batch.layouts import Layouts

TASKS = 200


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three annotators who differ a little, on many tasks."""
    place = tmp_path_factory.mktemp("corpus") / "corpus.csv"
    rows = ["task,annotator,category,start,end"]
    rows += [
        f"t{k},{name},{'xyz'[(k + i + (a * k) % 5 // 4) % 3]},{s},{s + 8 + (k * a) % 7}"
        for k in range(TASKS)
        for a, name in enumerate(("ann", "bob", "cleo"))
        for i, s in enumerate(range(3 + (k + a) % 3, 120, 20))
    ]
    place.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return place


def test_a_cluster_gives_the_same_bytes_also_when_a_worker_is_killed(
    table: Path, tmp_path: Path
) -> None:
    def made(*options: str) -> bytes:
        out = tmp_path / "result.json"
        assert main(["score", str(table), "--json", str(out), "--quiet", *options]) == 0
        return out.read_bytes()

    alone = made()
    with dask_processes(tmp_path) as cluster:
        assert made("--dask", cluster.address) == alone
        killed: list[int] = []

        def kill(what: str, done: int, _total: int) -> None:
            if what == "aligning" and done > TASKS // 4 and not killed:
                killed.append(cluster.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)

        request = MeasureRequest(compute=ComputeRequest(dask=cluster.address))
        result = request.measure(score, read(table), kill)
        assert killed
        assert cluster.workers[0].wait(180) == -signal.SIGKILL
    assert Document.of(result).text == Document.of(score(read(table))).text


def test_work_that_kills_its_workers_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
    with dask_processes(tmp_path, workers=1) as cluster:
        with (
            open_cluster(cluster.address) as executor,
            pytest.raises(WorkerError, match=r"worked on task 'a' .*died of it.*memory"),
            blame(lambda: "task 'a'"),
        ):
            list(executor.map(os.kill, [cluster.workers[0].pid], [signal.SIGKILL]))
        with (
            pytest.raises(ClusterError, match="has no worker; start one: dask worker tcp"),
            open_cluster(cluster.address, wait=0.5),
        ):
            pass


def test_a_worker_with_another_goldspan_is_refused() -> None:
    with pytest.raises(ClusterError, match=r"a Dask worker has goldspan .* here it is 0.0.0"):
        _Check("0.0.0")(len)


def test_processes_that_are_killed_are_an_error_with_a_sentence() -> None:
    with pytest.raises(WorkerError, match="use fewer workers"), blame(lambda: "the tasks 'a'"):
        raise BrokenExecutor("a process was terminated abruptly")


def three_tasks() -> Corpus:
    return Corpus(
        tuple(
            Continuum(f"t{k}", (Unit("ann", 1, 3, "x"), Unit("bob", 1, end, "x")), length=10)
            for k, end in enumerate((4, 3.5, 4))
        )
    )


def test_a_failed_task_is_reported_with_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(layouts: Layouts, *_: Any, **__: Any) -> Partitions:
        if 3.5 in layouts.end:
            raise ZeroDivisionError("division by zero")
        return best_partitions(layouts, 1.0, np.zeros((1, 1)))

    monkeypatch.setattr(measure, "best_partitions", fail)
    with ThreadPoolExecutor(2) as pool, pytest.raises(TaskFailure) as caught:
        score(three_tasks(), executor=pool)
    assert str(caught.value) == "task 't1': ZeroDivisionError: division by zero"


def test_failures_keep_their_kind_and_travel() -> None:
    solver = failure_in("t1", SolverError("no answer"))
    assert isinstance(solver, SolverError)
    assert "too little memory" in str(failure_in("t1", MemoryError()))
    for error in (solver, failure_in("t1", KeyError("x")), WorkerError("task 't1'", "gone.")):
        again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
        assert (type(again), str(again)) == (type(error), str(error))
        assert "task 't1'" in str(again)


def test_tasks_travel_without_their_text() -> None:
    continuum = Continuum("t", (Unit("ann", 1, 3, "x"),), length=None, text="a long text")
    again = pickle.loads(pickle.dumps(Task(continuum, ("ann",))))  # noqa: S301 - our own
    assert again.continuum.text is None
    assert again.continuum.bounds == continuum.bounds
    assert again.continuum.units == continuum.units
