"""Undo: everything of goldspan's is taken out of a project, and nothing else."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.label_studio.provenance import COLUMNS, is_our_version
from goldspan.engine.facts import Note
from goldspan.plugin.facts import PlatformFact
from goldspan.plugin.label_studio.data_manager_tab import our_tabs, traces
from goldspan.plugin.label_studio.description import undescribed
from goldspan.plugin.label_studio.plan import Plan, take_away
from goldspan.plugin.label_studio.routing.lock import is_routing
from goldspan.plugin.label_studio.routing.mark import OVERLAP, ROUTE
from goldspan.plugin.label_studio.routing.routing import take_back
from goldspan.plugin.label_studio.setup import drop_record, has_record, other_address, restored
from goldspan.plugin.label_studio.snapshot import Snapshot, pull
from goldspan.plugin.label_studio.webhook import MODEL_HOOK, left_behind, our_webhooks
from goldspan.plugin.label_studio.writing.writeback import write
from goldspan.plugin.service.database import FILE, Database, is_served
from goldspan.plugin.service.queue import Queue

if TYPE_CHECKING:
    from goldspan.plugin.label_studio.server import Server
    from goldspan.plugin.platform import Progress


POLL_SECONDS = 0.2
"""Seconds between looks at a service that is at work."""


def undo(
    server: Server,
    project: int,
    folder: Path,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Plan:
    """Take everything of goldspan's out of the project, and put settings back that `setup` had
    changed, which the folder knows; what comes back is what went.

    Before anything is read, this stops what would write again: the service of this folder, and
    the webhooks that notify any other service.
    """
    hooks, models = server.webhooks(project), server.models(project)
    ours = [hook["id"] for hook in (*our_webhooks(hooks), *left_behind(hooks, models))]
    known = False if dry_run else stop_service(folder, project)
    for hook in () if dry_run else ours:
        server.remove_webhook(hook)
    # Before anything else: what is left is then as it was before any routing.
    routes = take_back(server, project, dry_run=dry_run)
    plan = _plan(server, project, folder, hooked=bool(ours))
    plan.old_webhooks, plan.old_routes = ours, routes
    plan.freed |= {ROUTE, OVERLAP} if routes else set()
    for model in models:
        if MODEL_HOOK.search(f"{model.get('url') or ''}/webhook"):
            plan.note(PlatformFact.MODEL_CONNECTED)
    if (address := other_address(server.url, folder, project)) is not None:
        plan.note(PlatformFact.SETTINGS_ELSEWHERE, address=address)
    if not dry_run:
        plan.notes += write(server, plan, progress)
        _note_columns(server, plan)
        drop_record(server.url, folder, project)
        _note_writers(server, plan, folder, known=known)
    return plan


def stop_service(folder: Path, project: int, sleep: Callable[[float], None] = time.sleep) -> bool:
    """Make the service of the folder drop the project; whether it monitored it until now. Work in
    progress has stopped or finished when this returns.
    """
    if not (folder / FILE).exists():
        return False
    with closing(Database(folder / FILE)) as database:
        queue = Queue(database)
        known = queue.is_known(project)
        queue.forget(project)
        while queue.is_claimed(project) and is_served(folder):
            sleep(POLL_SECONDS)
    while is_routing(folder, project):
        sleep(POLL_SECONDS)
    return known


def _note_columns(server: Server, plan: Plan) -> None:
    """Columns that Label Studio still lists. It counts a task's fields again with each annotation
    and prediction, so the count is not 0 when the last is gone. It can count again, but then
    forgets which labels are in use, and lets people remove them from the configuration.
    """
    if not plan.columns and not plan.old_routes:
        return
    left = [name for name in server.columns(plan.project) if name in plan.freed]
    if left:
        plan.note(PlatformFact.COLUMNS_LISTED, columns=tuple(left))


def _plan(server: Server, project: int, folder: Path, *, hooked: bool = False) -> Plan:
    with tempfile.TemporaryDirectory() as scratch:
        snapshot = pull(server, project, Path(scratch))
        plan = undo_plan(snapshot)
    plan.settings |= restored(server.url, snapshot.project, folder)
    prepared = plan.old_tabs and not snapshot.project.get("show_collab_predictions")
    if (hooked or prepared) and not has_record(folder, project):
        plan.note(PlatformFact.SETTINGS_UNKNOWN)
    return plan


def _note_writers(server: Server, plan: Plan, folder: Path, *, known: bool) -> None:
    """Note which service wrote into the project until now, and whether it has done so again."""
    if plan.counts() and _plan(server, plan.project, folder).counts():
        plan.note(PlatformFact.WRITTEN_AGAIN)
    elif known:
        plan.note(PlatformFact.NO_LONGER_MONITORED)
    elif plan.old_webhooks:
        plan.note(PlatformFact.OTHER_SERVICE)


def _plan_suggestions(plan: Plan, snapshot: Snapshot) -> None:
    """Label Studio takes a prediction that is removed out of the annotations that began with it,
    which are people's: those stay, with nothing in them.
    """
    if not snapshot.started_from:
        plan.versions = dict(snapshot.versions)
        return
    for task, stored in snapshot.suggestions.items():
        for one in stored:
            take_away(plan, snapshot, task, one)
    count = len(snapshot.started_from)
    plan.notes.append(Note.of(PlatformFact.SUGGESTIONS_EMPTIED, count=count))


def undo_plan(snapshot: Snapshot) -> Plan:
    """What to remove, except webhooks. Ground truth that a person has changed since is that
    person's work and stays; so does a tab with filters of their own.
    """
    plan = Plan(snapshot.number, undoing=True)
    _plan_suggestions(plan, snapshot)
    plan.columns = {task: {} for task in snapshot.columns}
    written = {name for found in snapshot.columns.values() for name in found}
    own = {name for names in snapshot.own_fields.values() for name in names}
    plan.freed = frozenset({*COLUMNS, *written} - own)
    for task, stored in snapshot.truths.items():
        if task in snapshot.edited_truths:
            plan.note(PlatformFact.TRUTH_CHANGED)
        else:
            plan.old_truths.append(stored.id)
    plan.old_truths += [stored.id for stored in snapshot.adjudicated.values()]
    plan.old_tabs = [tab["id"] for tab in traces(snapshot.tabs)]
    for tab in our_tabs(snapshot.tabs):
        if tab["id"] not in plan.old_tabs:
            plan.note(PlatformFact.TAB_CHANGED, title=str(tab["data"].get("title")))
    now = str(snapshot.project.get("description") or "")
    if undescribed(now) != now:
        plan.summary = ""
    if is_our_version(snapshot.project.get("model_version")):
        plan.settings["model_version"] = ""
    return plan
