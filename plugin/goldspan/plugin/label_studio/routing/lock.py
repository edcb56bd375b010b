"""Lock: one routing of a project at a time, and an undo that waits for it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from goldspan.plugin.service.database import Busy, locked

PATIENCE_SECONDS = 600.0
"""For another routing of the same project, which somebody asked for twice."""


def routing_lock(folder: Path, project: int) -> AbstractContextManager[None]:
    """The service of this folder routes the project while the block runs, and nobody else."""
    return locked(folder, _name(project), PATIENCE_SECONDS)


def is_routing(folder: Path, project: int) -> bool:
    """Whether the service of this folder routes the project now."""
    if not (folder / _name(project)).exists():
        return False
    try:
        with locked(folder, _name(project)):
            return False
    except Busy:
        return True


def _name(project: int) -> str:
    return f"routing-{project}.lock"
