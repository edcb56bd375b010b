"""Writing files for Label Studio to import: gold as predictions, a corpus as annotations."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.kit.channels import joined_presence
from goldspan.adapters.kit.digits import from_digits
from goldspan.adapters.kit.layers import TaskLabels, gold_labels, labels_by_task
from goldspan.adapters.kit.roundtrip import KEY, leftover, text_of
from goldspan.adapters.label_studio.locator import Locator
from goldspan.adapters.label_studio.medium import Audio, Medium, Text, TimeSeries, Video
from goldspan.adapters.label_studio.region import Region, label_key, medium_name
from goldspan.adapters.label_studio.region_writer import RegionWriter
from goldspan.adapters.label_studio.tasks import json_files, raw_tasks
from goldspan.adapters.label_studio.template import Template
from goldspan.adapters.label_studio.whole_tasks import layer_controls
from goldspan.adapters.options import GROUND_TRUTH
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Note
from goldspan.engine.gold.gold import Gold
from goldspan.engine.model import FIRST_CHANNEL, Continuum, Corpus, Measure, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Notes, WriteOptions
    from goldspan.adapters.files.json_stream import JsonObject
    from goldspan.adapters.label_studio.layer_control import LayerControl
    from goldspan.engine.gold.gold import GoldSpan

SAW = (Presence.DONE, Presence.EMPTY, Presence.PARTIAL)
"""What an annotator who saw a task may have done."""


def write_value(value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
    """Write the file; the notes say what Label Studio needs to know or lacks."""
    writer = _Writer(value, options)
    with new_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        file.write("[")
        for index, task in enumerate(writer.tasks()):
            file.write(",\n" if index else "\n")
            file.write(_dump(task))
        file.write("\n]\n")
    return writer.notes()


def _dump(task: JsonObject) -> str:
    text = json.dumps(task, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        # Half a surrogate pair is not valid UTF-8; JSON can still spell it.
        return json.dumps(task)
    return text


class _Writer:
    def __init__(self, value: Corpus | Gold, options: WriteOptions) -> None:
        self.gold = value if isinstance(value, Gold) else None
        self.corpus = value.corpus if isinstance(value, Gold) else value
        self.options = options
        self.template = _read_template(options.source) if options.source else None
        self.strangers: set[str] = set()
        self.without_media = 0
        self.partly = 0

    def tasks(self) -> Iterator[JsonObject]:
        labels = labels_by_task(self.corpus)
        for channels in self._recordings():
            continuum = channels[0]
            medium, data = self._medium(continuum)
            template = self.template or Template.usual(medium)
            regions = RegionWriter(continuum, template, medium)
            task: JsonObject = {}
            hidden: JsonObject = {}
            name = continuum.recording
            number = _number(name)
            if number is not None:
                task["id"] = number
            else:
                hidden["task"] = name
            if self.gold is not None:
                task |= self._gold(regions, self.gold, channels)
                hidden["gold"] = self.gold.strategy
            else:
                task |= self._work(regions, channels, labels.get(name, {}))
                hidden |= _leftover(self.corpus, channels, medium)
            task["data"] = data
            if hidden:
                task["meta"] = {KEY: hidden}
            yield task

    def _recordings(self) -> Iterable[Sequence[Continuum]]:
        """The tasks of Label Studio, which hold all channels of a recording."""
        found: dict[str, list[Continuum]] = {}
        for continuum in self.corpus.continua:
            found.setdefault(continuum.recording, []).append(continuum)
        return found.values()

    def _medium(self, continuum: Continuum) -> tuple[Medium, JsonObject]:
        """What the task's spans are on, and the data that shows it."""
        if self.template is not None and continuum.recording in self.template.data:
            data = dict(self.template.data[continuum.recording])
            medium = Locator.of(self.template).medium(data, ())
            if medium.measure is continuum.measure:
                return medium, data
        if continuum.measure is Measure.CHARACTER:
            text = text_of(continuum, "Label Studio")
            return Text(text), {"text": text}
        if continuum.media is None:
            self.without_media += 1
        if continuum.measure is Measure.MILLISECOND:
            return Audio(continuum.media), {"audio": continuum.media}
        if continuum.measure is Measure.FRAME:
            return Video(continuum.media), {"video": continuum.media}
        if continuum.measure is Measure.STEP:
            return TimeSeries(continuum.media), {"ts": continuum.media}
        raise InputError(
            f"positions are counted in {continuum.measure}s, which Label Studio does not know",
            where=f"task '{continuum.id}'",
        )

    def _gold(self, regions: RegionWriter, gold: Gold, channels: Sequence[Continuum]) -> JsonObject:
        labels = gold_labels(gold, channels[0].recording)
        spans: list[GoldSpan] = []
        result: list[JsonObject] = []
        for number, one in zip(_numbers(channels), channels, strict=True):
            regions.on(one, number)
            found = gold.spans.get(one.id, ())
            questions = gold.decisions.get(one.id, ())
            result += [regions.gold(span, decisions=questions) for span in found]
            spans += found
        result += [regions.gold_labels(layer, given) for layer, given in labels.items()]
        if GROUND_TRUTH.of(self.options):
            return {"annotations": [{"result": result, "ground_truth": True}]}
        prediction: JsonObject = {"model_version": KEY, "result": result}
        suggested = [*spans, *chain.from_iterable(labels.values())]
        if suggested:
            prediction["score"] = sum(one.confidence for one in suggested) / len(suggested)
        return {"predictions": [prediction]}

    def _work(
        self, regions: RegionWriter, channels: Sequence[Continuum], labels: TaskLabels
    ) -> JsonObject:
        annotations: list[JsonObject] = []
        drafts: list[JsonObject] = []
        for name, state in joined_presence(channels).items():
            result = []
            for number, one in zip(_numbers(channels), channels, strict=True):
                regions.on(one, number)
                result += [regions.unit(unit) for unit in one.of(name)]
            self.partly += len({one.presence.get(name) in SAW for one in channels}) > 1
            result += [
                regions.labels(layer, given[name])
                for layer, given in labels.items()
                if name in given
            ]
            if state is Presence.PARTIAL:
                drafts.append({"user": name, "result": result})
            elif result or state.takes_part or state is Presence.SKIPPED:
                annotations.append(
                    {
                        "completed_by": self._person(name),
                        "was_cancelled": state is Presence.SKIPPED,
                        "result": result,
                    }
                )
        return {"annotations": annotations} | ({"drafts": drafts} if drafts else {})

    def _person(self, name: str) -> int | JsonObject:
        number = _number(name)
        if number is not None:
            return number
        if "@" not in name:
            self.strangers.add(name)
        return {"email": name}

    def notes(self) -> Notes:
        notes = []
        if self.strangers:
            names = ", ".join(f"'{name}'" for name in sorted(self.strangers)[:8])
            notes.append(
                Note.of(FormatFact.UNKNOWN_MEMBERS, count=len(self.strangers), names=names)
            )
        if self.without_media:
            notes.append(Note.of(FormatFact.NOTHING_TO_SHOW, count=self.without_media))
        if self.partly:
            notes.append(Note.of(FormatFact.CHANNELS_SEEN, count=self.partly))
        if self.template is None:
            notes.append(Note.of(FormatFact.USUAL_CONTROLS))
        return notes


def _numbers(channels: Sequence[Continuum]) -> list[int]:
    """The channels as Label Studio counts them, from 0; in their order if they are not numbers."""
    found = [from_digits(one.channel or FIRST_CHANNEL) for one in channels]
    if all(found) and len(set(found)) == len(found):
        return [number - 1 for number in found if number]
    return list(range(len(channels)))


def _number(name: str) -> int | None:
    """The number that a name spells; None where the number would be spelled otherwise."""
    number = from_digits(name)
    return number if name == str(number) else None


def _leftover(corpus: Corpus, channels: Sequence[Continuum], medium: Medium) -> JsonObject:
    """What only the task's meta can hold; media that the data shows need not be said twice."""
    states = joined_presence(channels)
    continuum = replace(channels[0], units=(), presence=states)
    shown = [
        name for name, state in states.items() if state not in (Presence.UNSEEN, Presence.UNKNOWN)
    ]
    values = leftover(corpus, continuum, shown)
    if medium.media is not None and medium.media == continuum.media:
        values.pop("media", None)
    if medium.text is None and continuum.length is not None:
        values["length"] = continuum.length
    return values


def _read_template(paths: Sequence[Path]) -> Template:
    """The names in an export; its most frequent ones for categories it does not have."""
    data: dict[str, Mapping[str, Any]] = {}
    controls: dict[str, Counter[tuple[str, str]]] = {}
    names: Counter[tuple[str, str, str, str]] = Counter()
    locator: Locator | None = None
    layers: dict[str, LayerControl] = {}
    for task in (task for path in paths for file in json_files(path) for task in raw_tasks(file)):
        layers = layer_controls(task, layers)
        data.setdefault(task.id, task.data)
        regions = [
            region
            for work in task.work
            for region in work.result
            if label_key(region) and isinstance(region.get("value"), dict)
        ]
        for region in regions:
            control = str(region.get("from_name")), label_key(region)
            names[(*control, str(region.get("to_name")), medium_name(region, task.data))] += 1
            for label in _labels(region):
                controls.setdefault(label, Counter())[control] += 1
        if regions and locator is None:
            first = regions[0]
            locator = Locator(medium_name(first, task.data), str(first.get("to_name")))
            locator.medium(task.data, [region["value"] for region in regions])
    if not names and layers:
        first_layer = next(iter(layers.values()))
        return Template("label", first_layer.object, "labels", data=data, layers=layers)
    if not names:
        raise InputError(
            "there is no labelled region to take names from; give an export with annotations",
            where=str(paths[0]),
        )
    (from_name, kind, to_name, medium), _ = names.most_common(1)[0]
    return Template(
        from_name,
        to_name or "text",
        kind,
        medium,
        locator.key if locator is not None else None,
        {label: counts.most_common(1)[0][0] for label, counts in controls.items()},
        data,
        layers=layers,
    )


def _labels(region: Region) -> list[str]:
    value = region.get("value")
    labels = value.get(label_key(region)) if isinstance(value, dict) else None
    return [str(label) for label in labels] if isinstance(labels, list) else []
