"""Adjudicated: what `goldspan adjudicate` settled, written into a project as ground truth.

Compare first, then write: what a person settled in Label Studio itself stays, and so does what a
person changed since. `sync --undo` removes what is left of ours.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.kit.digest import digest
from goldspan.adapters.label_studio.config import config_template
from goldspan.adapters.label_studio.locator import Locator
from goldspan.adapters.label_studio.provenance import adjudicated_id
from goldspan.adapters.label_studio.region_writer import suggestion
from goldspan.adapters.label_studio.tasks import raw_values
from goldspan.plugin.facts import PlatformFact
from goldspan.plugin.label_studio.plan import Plan
from goldspan.plugin.label_studio.platform import people_of
from goldspan.plugin.label_studio.snapshot import pull
from goldspan.plugin.label_studio.writing.writeback import write

if TYPE_CHECKING:
    from goldspan.adapters.adapter import ReadOptions
    from goldspan.adapters.files.json_stream import Json
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.plugin.label_studio.server import Server
    from goldspan.plugin.label_studio.snapshot import Snapshot
    from goldspan.plugin.platform import Progress


def read_project(
    server: Server, number: int, reading: ReadOptions
) -> tuple[Corpus, frozenset[str]]:
    """People's annotations, and the tasks that adjudicators settled with goldspan before."""
    with tempfile.TemporaryDirectory() as scratch:
        snapshot = pull(server, number, Path(scratch))
        return people_of(snapshot, reading), frozenset(map(str, snapshot.adjudicated))


def write_truths(
    server: Server,
    number: int,
    gold: Gold,
    finished: AbstractSet[str],
    layers: tuple[str, ...] = (),
    progress: Progress | None = None,
) -> Plan:
    """Make the project's ground truth say what the gold says of the finished tasks; what comes
    back is what was written.
    """
    with tempfile.TemporaryDirectory() as scratch:
        snapshot = pull(server, number, Path(scratch))
        plan = truth_plan(snapshot, gold, finished, layers)
    plan.notes += write(server, plan, progress)
    return plan


def truth_plan(
    snapshot: Snapshot, gold: Gold, finished: AbstractSet[str], layers: tuple[str, ...] = ()
) -> Plan:
    """Compare the project's ground truth with the finished tasks of a gold."""
    plan = Plan(snapshot.number)
    for task, result in _wanted(snapshot, gold, finished, layers).items():
        _plan_task(plan, snapshot, task, result)
    # Somebody reopened these.
    plan.old_truths += [
        stored.id for task, stored in snapshot.adjudicated.items() if str(task) not in finished
    ]
    return plan


def _wanted(
    snapshot: Snapshot, gold: Gold, finished: AbstractSet[str], layers: tuple[str, ...]
) -> Mapping[int, list[Json]]:
    """The regions of each finished task."""
    template = config_template(str(snapshot.project["label_config"]), layers)
    locator = Locator.of(template)
    continua = {one.id: one for one in gold.corpus}
    return {
        int(task.id): suggestion(
            task, locator.medium(task.data, ()), continua[task.id], template, gold.spans[task.id]
        )
        for task in raw_values(snapshot.tasks)
        if task.id in finished and task.id in continua
    }


def _plan_task(plan: Plan, snapshot: Snapshot, task: int, result: list[Json]) -> None:
    stored = snapshot.adjudicated.get(task)
    if stored is not None and stored.digest == digest(result):
        return
    if stored is None and (task in snapshot.settled or task in snapshot.edited_truths):
        plan.note(PlatformFact.TRUTH_SETTLED)
        return
    old = stored or snapshot.truths.get(task)
    if old is not None:
        plan.old_truths.append(old.id)
    if result:
        plan.truths[task] = {
            "result": result,
            "ground_truth": True,
            "unique_id": adjudicated_id(plan.project, task, result),
        }
