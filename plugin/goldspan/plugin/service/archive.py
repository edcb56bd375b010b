"""Archive: the folder with the reports and the rounds of each project."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.files.atomic import new_file
from goldspan.plugin.service.private import private

if TYPE_CHECKING:
    from goldspan.plugin.document import Document

PAGES = {
    "report.html": "the report",
    "trend.html": "round over round",
    "with-models/report.html": "people and models side by side",
    "decide.csv": "places to decide (csv)",
    "gold.json": "suggested gold (JSON)",
}
"""What is shown to a browser, or downloaded; nothing else of the folder is, but the rounds."""

FIRST = "open-first.json"
"""The tasks to open first, which the dashboard lists."""

ROUND = re.compile(r"round-\d{1,6}\.(json|html)")


@dataclass(frozen=True, slots=True)
class Archive:
    """`folder` holds a folder for each project; `pages` are the files that are shown of each, and
    what they are called.
    """

    folder: Path
    pages: Mapping[str, str] = field(default_factory=lambda: PAGES)

    def page(self, number: int, name: str) -> Path | None:
        """A page that can be shown, or None; no name leads out of the project's folder."""
        path = self._project(number) / name
        return path if name in self.pages and path.is_file() else None

    def round(self, number: int, name: str) -> Path | None:
        """The result or the report of a round, or None."""
        path = self._rounds(number) / name
        return path if ROUND.fullmatch(name) and path.is_file() else None

    def is_folder(self, name: str) -> bool:
        """Whether this is the name of a project's folder, or of one in it, with pages."""
        inner = name.endswith("/") and any(page.startswith(name) for page in self.pages)
        return name in ("", "rounds/") or inner

    def open_first(self, number: int) -> tuple[Mapping[str, Any], ...]:
        """The tasks to open first: their ids, γ, and how many places are to be decided in them."""
        try:
            return tuple(json.loads(self.place(number, FIRST).read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return ()

    def place(self, number: int, name: str) -> Path:
        """Where a page of a project is written to."""
        return self._project(number) / name

    def keep(self, number: int, round_number: int, document: Document, report: Path | None) -> str:
        """Store the result and the report of a round, in place of earlier ones; the name of the
        result's file.
        """
        name = f"round-{round_number}.json"
        with private(self.folder):
            if report is not None:
                with new_file((self._rounds(number) / name).with_suffix(".html")) as temporary:
                    shutil.copyfile(report, temporary)
            with new_file(self._rounds(number) / name) as temporary:
                temporary.write_text(document.text, encoding="utf-8", errors="backslashreplace")
        return name

    def _project(self, number: int) -> Path:
        return self.folder / f"project-{int(number)}"

    def _rounds(self, number: int) -> Path:
        return self._project(number) / "rounds"
