"""Surroundings: the pages that a report links to, and the colours that its readers know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a report belongs. A report of files belongs nowhere: all of it is empty.

    platform     what people call it, such as Label Studio
    project_url  the project's page there
    task_url     a task's page there, with `{task}` for its id
    dashboard    the address of the dashboard, from where the report is shown
    colours      of labels, as CSS writes them
    """

    platform: str = ""
    project_url: str = ""
    task_url: str = ""
    dashboard: str = ""
    colours: Mapping[str, str] = field(default_factory=dict)

    def url_of(self, task: str) -> str:
        """The page of a task; empty if it has none."""
        return self.task_url.replace("{task}", quote(task, safe="", errors="replace"))


DASHBOARD = "./"
"""The dashboard, from any report that a service shows: the service leads folders there."""

NOWHERE = Surroundings()
"""Of a report of files."""
