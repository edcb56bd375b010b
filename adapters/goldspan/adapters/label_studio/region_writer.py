"""Regions as Label Studio takes them: people's units, and suggested gold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from goldspan.adapters.label_studio.medium import Audio, Medium, TimeSeries, Value, label_key
from goldspan.adapters.label_studio.ours import REGION
from goldspan.adapters.label_studio.tasks import RawTask
from goldspan.adapters.label_studio.template import Template
from goldspan.adapters.leftover import KEY
from goldspan.adapters.votes import votes_line
from goldspan.engine.errors import InputError
from goldspan.engine.gold import GoldSpan
from goldspan.engine.model import Continuum, Position, Unit

Json = dict[str, Any]
Control = tuple[str, str]
"""The name of a control, and the type of its regions."""

DIGITS = 3
"""Of a confidence: more would be another number after each new annotation anywhere."""


class Drawn:
    """Boundaries as people drew them, by position.

    A suggestion that uses them is written with the very same fields, so that it lies exactly
    where they drew, also where our positions are coarser (seconds) or rebuilt (a page's text).
    """

    def __init__(self, medium: Medium, values: Iterable[Value] = ()) -> None:
        self.medium = medium
        self.firsts: dict[Position, Value] = {}
        self.lasts: dict[Position, Value] = {}
        if not medium.first_fields:
            return
        for value in values:
            try:
                ((start, end),) = medium.spans(value)
            except InputError:
                # Another annotator's slip was told by the reader; it is no boundary to go by.
                continue
            self.firsts.setdefault(start, value)
            self.lasts.setdefault(end, value)

    def value(self, start: Position, end: Position) -> Json:
        """What a region's value holds of a span, besides its labels."""
        made = self.medium.value(start, end)
        first, last = self._drawn_at(self.firsts, start), self._drawn_at(self.lasts, end)
        made |= {key: first[key] for key in self.medium.first_fields if key in first}
        made |= {key: last[key] for key in self.medium.last_fields if key in last}
        return made

    def _drawn_at(self, drawn: Mapping[Position, Value], position: Position) -> Value:
        """The boundary at the position; the nearest one where times are dates, for a date that
        nobody drew cannot be spelled in the project's own way.
        """
        if position not in drawn and isinstance(self.medium, TimeSeries):
            dates = [at for at, value in drawn.items() if isinstance(value.get("start"), str)]
            position = min(dates, key=lambda at: (abs(at - position), at), default=position)
        return drawn.get(position, {})


class RegionWriter:
    """Regions of one task, numbered through."""

    def __init__(
        self, continuum: Continuum, template: Template, medium: Medium, drawn: Drawn | None = None
    ) -> None:
        self.continuum = continuum
        self.template = template
        self.medium = medium
        self.drawn = drawn or Drawn(medium)
        self.count = 0

    def unit(self, unit: Unit, prefix: str = "g", control: Control | None = None) -> Json:
        """A region that somebody marked, with this control or the one that has its category."""
        self.count += 1
        from_name, kind = control or self.template.control(unit.category)
        region: Json = {
            "id": f"{prefix}{self.count}",
            "from_name": from_name,
            "to_name": self.template.to_name,
            "type": kind,
            "origin": "manual",
            "value": self.drawn.value(unit.start, unit.end) | {kind: [unit.category]},
        }
        if isinstance(self.medium, Audio) and self.continuum.length:
            region["original_length"] = self.continuum.length / 1000
        return region

    def gold(self, span: GoldSpan, control: Control | None = None) -> Json:
        """A suggestion: its score is the confidence, its meta tells who voted for it."""
        unit = Unit(KEY, span.start, span.end, span.category)
        region = self.unit(unit, REGION, control)
        votes = [[u.annotator, u.start, u.end, u.category] for u in span.votes]
        confidence = round(span.confidence, DIGITS)
        mark = {"confidence": confidence, "votes": votes, "seen": span.seen}
        return region | {
            "origin": "prediction",
            "score": confidence,
            "meta": {"text": [votes_line(span)], KEY: mark},
        }


def suggestion(
    task: RawTask, continuum: Continuum, template: Template, spans: Iterable[GoldSpan]
) -> list[Json]:
    """The suggested regions of a task in a live project; labels it does not have are left out."""
    medium = template.medium(task.data)
    regions = [
        region
        for work in task.work
        if not work.prediction
        for region in work.result
        if region.get("to_name") == template.to_name and isinstance(region.get("value"), dict)
    ]
    drawn = Drawn(medium, (region["value"] for region in regions))
    used = {
        str(region.get("id")): (str(region["from_name"]), key)
        for region in regions
        if (key := label_key(region)) and isinstance(region.get("from_name"), str)
    }
    writer = RegionWriter(continuum, template, medium, drawn)
    return [
        writer.gold(span, _control(span, used)) for span in spans if template.allows(span.category)
    ]


def _control(span: GoldSpan, used: Mapping[str, Control]) -> Control | None:
    """The control that most of its supporters used: two may have the same label."""
    names = [used[u.source] for u in span.votes if u.category == span.category and u.source in used]
    return max(sorted(set(names)), key=names.count, default=None)
