"""Journal: the points that were measured already, so that an interrupted run goes on.

A line of JSON for each point, added when it is there. A line that a crash cut off, or that is
damaged, is not used.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.files.atomic import writing

if TYPE_CHECKING:
    from goldspan.engine.simulation.point import Point, PointRequest


@dataclass(frozen=True, slots=True)
class Journal:
    """The file with the points."""

    path: Path

    def read(self, requests: Sequence[PointRequest]) -> dict[int, Point]:
        """The points that are there, by the number of their request."""
        if not self.path.is_file():
            return {}
        text = self.path.read_text(encoding="utf-8", errors="replace")
        lines = {line["key"]: line for line in map(_line, text.splitlines()) if line}
        points = {}
        for number, request in enumerate(requests):
            point = _point(request, lines.get(point_key(request), {}))
            if point is not None:
                points[number] = point
        return points

    def add(self, request: PointRequest, point: Point) -> None:
        """Write a point down."""
        line = {
            "key": point_key(request),
            "seconds": point.seconds,
            "means": [[*key, asdict(mean)] for key, mean in point.means.items()],
        }
        with writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b") as file:
                end = file.seek(0, 2)
                file.seek(max(end - 1, 0))
                torn = end > 0 and file.read(1) != b"\n"
                file.write(b"\n" * torn + json.dumps(line).encode() + b"\n")


def _line(text: str) -> dict[str, Any]:
    """What a line says; empty if it is damaged."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) and isinstance(found.get("key"), str) else {}


def point_key(request: PointRequest) -> str:
    """The same for a point that has the same figures."""
    parts = (request.experiment.digest, request.magnitude, request.sets, request.seed)
    return "/".join(map(str, (*parts, request.precision, version("goldspan"))))


def _point(request: PointRequest, line: dict[str, Any]) -> Point | None:
    """The point that a line describes; None if it does not."""
    from goldspan.engine.simulation.point import Mean, Point  # noqa: PLC0415 - loads compiled code

    try:
        means = {(measure, label): Mean(**mean) for measure, label, mean in line["means"]}
        return Point(request.experiment.name, request.magnitude, means, float(line["seconds"]))
    except (KeyError, TypeError, ValueError):
        return None
