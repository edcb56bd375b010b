"""Regions as Label Studio takes them: people's units, and suggested gold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from goldspan.adapters.kit.roundtrip import KEY
from goldspan.adapters.kit.votes import concerning, decision_line, label_votes
from goldspan.adapters.label_studio.medium import Audio, Medium, TimeSeries, Value
from goldspan.adapters.label_studio.provenance import REGION
from goldspan.adapters.label_studio.region import Region, label_key
from goldspan.engine.errors import InputError
from goldspan.engine.model import Continuum, Position, Unit

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import JsonObject
    from goldspan.adapters.label_studio.tasks import RawTask
    from goldspan.adapters.label_studio.template import Template
    from goldspan.engine.gold.gold import Decision, GoldSpan

Control = tuple[str, str]
"""The name of a control, and the type of its regions."""

DIGITS = 3
"""Of a confidence: more would be another number after each new annotation anywhere."""


class Drawn:
    """Boundaries as people drew them, by position.

    A suggestion that uses them is written with the very same fields, so that it is exactly
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
                # The reader has reported another annotator's slip; it is not a boundary to use.
                continue
            self.firsts.setdefault(start, value)
            self.lasts.setdefault(end, value)

    def value(self, start: Position, end: Position, own: Sequence[Value] = ()) -> JsonObject:
        """What a region's value holds of a span, except its labels. The regions it was made from,
        `own`, come before all others: two may begin together, on the two channels of a recording.
        """
        made = self.medium.value(start, end)
        mine = Drawn(self.medium, own)
        first = mine.firsts.get(start) or self._drawn_at(self.firsts, start)
        last = mine.lasts.get(end) or self._drawn_at(self.lasts, end)
        made |= {key: first[key] for key in self.medium.first_fields if key in first}
        made |= {key: last[key] for key in self.medium.last_fields if key in last}
        channels = [value["channel"] for value in own if "channel" in value]
        if channels and "channel" in made:
            made["channel"] = max(channels, key=channels.count)
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
    """Regions of one task, numbered through. `on` chooses the channel of those that follow."""

    def __init__(
        self, continuum: Continuum, template: Template, medium: Medium, drawn: Drawn | None = None
    ) -> None:
        self.continuum = continuum
        self.template = template
        self.medium = medium
        self.drawn = drawn or Drawn(medium)
        self.count = 0
        self.channel = 0

    def on(self, continuum: Continuum, channel: int) -> None:
        """What follows is on this channel of the recording, counted from 0."""
        self.continuum, self.channel = continuum, channel

    def unit(
        self,
        unit: Unit,
        prefix: str = "g",
        control: Control | None = None,
        own: Sequence[Value] = (),
    ) -> JsonObject:
        """A region that somebody marked, with this control or the one that has its category;
        `own` is what is known of how it was drawn.
        """
        self.count += 1
        from_name, kind = control or self.template.control(unit.category)
        region: JsonObject = {
            "id": f"{prefix}{self.count}",
            "from_name": from_name,
            "to_name": self.template.to_name,
            "type": kind,
            "origin": "manual",
            "value": self._value(unit, own) | {kind: self.template.parts(unit.category)},
        }
        if isinstance(self.medium, Audio) and self.continuum.length:
            region["original_length"] = self.continuum.length / 1000
        return region

    def _value(self, unit: Unit, own: Sequence[Value]) -> JsonObject:
        value = self.drawn.value(unit.start, unit.end, own)
        if self.channel and "channel" in value:
            value["channel"] = self.channel
        if self.continuum.text is None and value.get("text"):
            # The corpus was read without texts, and nothing that is written may quote one.
            del value["text"]
        return value

    def gold(
        self,
        span: GoldSpan,
        control: Control | None = None,
        own: Sequence[Value] = (),
        decisions: Iterable[Decision] = (),
    ) -> JsonObject:
        """A suggestion: its score is the confidence, its meta tells who gave which label, and what
        a person should decide there.
        """
        unit = Unit(KEY, span.start, span.end, span.category)
        region = self.unit(unit, REGION, control, own)
        votes = [[u.annotator, u.start, u.end, u.category] for u in span.votes]
        confidence = round(span.confidence, DIGITS)
        mark = {"confidence": confidence, "votes": votes, "seen": span.seen}
        said = [decision_line(one, self.continuum) for one in concerning(span, decisions)]
        return region | {
            "origin": "prediction",
            "score": confidence,
            # Label Studio shows several texts without anything between them.
            "meta": {"text": [". ".join([label_votes(span), *said])], KEY: mark},
        }

    def labels(self, layer: str, labels: Sequence[str], prefix: str = "g") -> JsonObject:
        """Labels that somebody gave the whole task."""
        self.count += 1
        return self.template.layer(layer).region(labels, f"{prefix}{self.count}")

    def gold_labels(self, layer: str, labels: Sequence[GoldSpan]) -> JsonObject:
        """Suggested labels of the whole task."""
        region = self.labels(layer, [one.category for one in labels], REGION)
        votes = [[u.annotator, u.category] for one in labels for u in one.votes]
        confidence = round(min(one.confidence for one in labels), DIGITS)
        mark = {"confidence": confidence, "votes": votes, "seen": labels[0].seen}
        return region | {"origin": "prediction", "score": confidence, "meta": {KEY: mark}}


def suggestion(
    task: RawTask,
    medium: Medium,
    continuum: Continuum,
    template: Template,
    spans: Iterable[GoldSpan],
    labels: Mapping[str, Sequence[GoldSpan]] = MappingProxyType({}),
    decisions: Sequence[Decision] = (),
) -> list[JsonObject]:
    """The suggested regions of a task in a live project, with what is to be decided about them, and
    the suggested labels of the whole by layer; labels that the project does not have are left out.
    """
    regions = [
        region
        for work in task.work
        if not work.prediction
        for region in work.result
        if region.get("to_name") == template.to_name and isinstance(region.get("value"), dict)
    ]
    drawn = Drawn(medium, (region["value"] for region in regions))
    by_id: dict[str, list[Region]] = {}
    for region in regions:
        if label_key(region):
            by_id.setdefault(str(region.get("id")), []).append(region)
    writer = RegionWriter(continuum, template, medium, drawn)
    written = []
    for span in spans:
        if template.allows(span.category):
            own = _supporters(span, medium, by_id)
            control = _control(span, template, own)
            values = [region["value"] for region in own]
            written.append(writer.gold(span, control, values, decisions))
    for layer, given in labels.items():
        known = [one for one in given if template.layer(layer).allows(one.category)]
        if known and layer in template.layers:
            written.append(writer.gold_labels(layer, known))
    return written


def _supporters(
    span: GoldSpan, medium: Medium, by_id: Mapping[str, Sequence[Region]]
) -> list[Region]:
    """The regions behind the votes for its category. An annotator who copies another's work
    keeps its ids: if several regions have one id, those at the place of the vote.
    """
    found: list[Region] = []
    for unit in span.votes:
        if unit.category == span.category:
            regions = by_id.get(unit.source, ())
            found += [one for one in regions if _lies_at(one["value"], unit, medium)] or regions
    return found


def _lies_at(value: Value, unit: Unit, medium: Medium) -> bool:
    try:
        return (unit.start, unit.end) in medium.spans(value)
    except InputError:
        return False


def _control(span: GoldSpan, template: Template, own: Sequence[Region]) -> Control | None:
    """The control that most of its supporters used, if it still has the label: two may have it."""
    used = [
        control
        for region in own
        if isinstance(name := region.get("from_name"), str)
        and template.has(control := (name, label_key(region)), span.category)
    ]
    return max(sorted(set(used)), key=used.count, default=None)
