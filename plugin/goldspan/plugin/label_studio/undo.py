"""Undo: the plan that takes everything of goldspan's out of a project, and nothing else."""

from __future__ import annotations

from typing import Any

from goldspan.adapters.label_studio.ours import is_our_version
from goldspan.plugin.label_studio.description import undescribed
from goldspan.plugin.label_studio.hook import MODEL_HOOK, left_behind, our_webhooks
from goldspan.plugin.label_studio.plan import Plan
from goldspan.plugin.label_studio.server import Server
from goldspan.plugin.label_studio.snapshot import Snapshot
from goldspan.plugin.label_studio.tab import traces

Json = Any


def undo_plan(server: Server, snapshot: Snapshot) -> Plan:
    """What to remove. Ground truth that a person changed since is the person's, and stays."""
    plan = Plan(snapshot.number)
    versions = server.model_versions(snapshot.number)
    plan.versions = [version for version in versions if is_our_version(version)]
    plan.columns = {task: {} for task in snapshot.columns}
    for task, stored in snapshot.truths.items():
        if task in snapshot.edited_truths:
            plan.note("ground truth that a person changed since, kept")
        else:
            plan.old_truths.append(stored.id)
    plan.old_tabs = [tab["id"] for tab in traces(snapshot.tabs)]
    hooks, models = server.webhooks(snapshot.number), server.models(snapshot.number)
    ours = (*our_webhooks(hooks), *left_behind(hooks, models))
    plan.old_webhooks = [hook["id"] for hook in ours]
    for model in models:
        if MODEL_HOOK.search(f"{model.get('url') or ''}/webhook"):
            plan.note("the model is still connected; disconnect it under Settings > Model")
    now = str(snapshot.project.get("description") or "")
    if undescribed(now) != now:
        plan.summary = ""
    if is_our_version(snapshot.project.get("model_version")):
        plan.settings["model_version"] = ""
    return plan
