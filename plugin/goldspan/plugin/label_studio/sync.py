"""Sync: one project of Label Studio, scored and written to once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldspan.plugin.label_studio.platform import LabelStudio, SyncOptions
from goldspan.plugin.service.sync import Outcome
from goldspan.plugin.service.sync import sync as sync_project

if TYPE_CHECKING:
    from goldspan.plugin.label_studio.server import Server
    from goldspan.plugin.platform import Progress

__all__ = ["Outcome", "SyncOptions", "sync"]


def sync(
    server: Server,
    project: int,
    options: SyncOptions,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Outcome:
    """Score the project and make it say so; a dry run writes the report and nothing else."""
    platform = LabelStudio(server, options)
    return sync_project(platform, project, options, dry_run=dry_run, progress=progress)
