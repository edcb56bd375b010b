"""The labelling configuration: which controls and objects a project has, and which labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from goldspan.adapters.files.xml_file import parse_xml
from goldspan.adapters.kit.channels import without_channels
from goldspan.adapters.kit.digits import from_digits
from goldspan.adapters.label_studio.layer_control import KINDS as WHOLE
from goldspan.adapters.label_studio.layer_control import RATING, TAXONOMY, LayerControl
from goldspan.adapters.label_studio.region import LABEL_KEYS
from goldspan.adapters.label_studio.template import Template
from goldspan.engine.errors import InputError

FIELD = re.compile(r"\$[^\s$]+")
WHERE = "the labelling configuration"
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,30}|rgba?\([\d\s.,%]{5,40}\)")
"""A colour, and nothing that could be more than one."""

MOST_STARS = 100
"""A rating has no more."""

KINDS = {
    "text": "text",
    "hypertext": "hypertext",
    "paragraphs": "paragraphs",
    "audio": "audio",
    "audioplus": "audio",
    "video": "video",
    "timeseries": "timeseries",
}
"""The medium of each object tag that can have spans."""


@dataclass(frozen=True, slots=True)
class Control:
    """A control that labels spans: its name and tag, and the object it belongs to.

    `labels` is None where the tasks bring them, so that any label may be right.
    """

    name: str
    type: str
    object: str
    kind: str
    key: str | None
    text_key: str | None
    labels: tuple[str, ...] | None


def controls(config: str) -> tuple[Control, ...]:
    """The controls that label spans, in the order of the configuration."""
    root = _root(config)
    objects = _objects(root)
    return tuple(
        Control(str(element.get("name")), tag, name, *objects[name], _labels(element))
        for element, tag in _elements(root)
        if tag in LABEL_KEYS
        for name in str(element.get("toName") or "").split(",")
        if name in objects
    )


def config_template(config: str, layers: Sequence[str] = ()) -> Template:
    """The names and labels to write regions with; `layers` choose among controls and objects."""
    named = without_channels(layers)
    found = [
        one for one in controls(config) if not named or one.name in named or one.object in named
    ]
    whole = {
        one.name: one
        for one in layer_controls(config)
        if not named or one.name in named or one.object in named
    }
    if not found and whole:
        return _labels_alone(config, whole)
    if not found:
        wanted = f" called {' or '.join(named)}" if named else ""
        raise InputError(
            f"there is no control{wanted} that labels spans of text, sound, video or time "
            "series, or whole tasks; goldspan has nothing to measure here",
            where=WHERE,
        )
    objects = sorted({one.object for one in found})
    if len(objects) > 1:
        raise InputError(
            f"spans can be on several objects ({', '.join(objects)}); choose one with --layer",
            where=WHERE,
            choices={"--layer": tuple(objects)},
        )
    known = [one.labels for one in found]
    first = found[0]
    return Template(
        first.name,
        first.object,
        first.type,
        first.kind,
        first.key,
        {label: (c.name, c.type) for c in reversed(found) for label in c.labels or ()},
        labels=None
        if None in known
        else frozenset(label for labels in known for label in labels or ()),
        text_key=first.text_key,
        owners={
            (one.name, one.type): None if one.labels is None else frozenset(one.labels)
            for one in found
        },
        layers=whole,
    )


def layer_controls(config: str) -> tuple[LayerControl, ...]:
    """The controls that label whole tasks, in the order of the configuration; those for each region
    or item are not among them.
    """
    return tuple(
        LayerControl(
            str(element.get("name")),
            tag,
            str(element.get("toName") or ""),
            *_choices(element, tag),
        )
        for element, tag in _elements(_root(config))
        if tag in WHOLE and element.get("name") and not _is_true(element, "perRegion", "perItem")
    )


def label_colours(config: str) -> dict[str, str]:
    """The colours that the configuration gives to labels, as CSS writes them."""
    return {
        _called(element): colour
        for element, tag in _elements(_root(config))
        if tag in ("label", "choice")
        and COLOUR.fullmatch(colour := str(element.get("background") or ""))
    }


def _labels_alone(config: str, layers: Mapping[str, LayerControl]) -> Template:
    """The template of a project in which nobody can mark spans: what its tasks show, and the
    controls of labels.
    """
    name = next(iter(layers.values())).object
    kind, key, text_key = _objects(_root(config)).get(name, ("timeseries", None, None))
    return Template("", name, "labels", kind, key, text_key=text_key, layers=layers)


def _is_true(element: Any, *names: str) -> bool:
    return any(
        str(element.get(name) or element.get(name.lower())).casefold() == "true" for name in names
    )


def _choices(element: Any, tag: str) -> tuple[tuple[str, ...], Mapping[str, tuple[str, ...]]]:
    """The labels of a control in their order, and the paths to those of a taxonomy; none where the
    tasks bring them.
    """
    if tag == RATING:
        most = from_digits(str(element.get("maxRating") or 5)) or 0
        return tuple(str(number) for number in range(1, min(most, MOST_STARS) + 1)), {}
    if str(element.get("value") or "").startswith("$"):
        return (), {}
    paths: dict[str, tuple[str, ...]] = {}
    for choice, kind in _elements(element):
        if kind == "choice" and (own := _called(choice)):
            above = [
                _called(one) for one in choice.iterancestors() if str(one.tag).lower() == "choice"
            ]
            paths.setdefault(own, (*reversed(above), own))
    return tuple(paths), paths if tag == TAXONOMY else {}


def _called(choice: Any) -> str:
    return str(choice.get("alias") or choice.get("value") or "")


def _root(config: str) -> Any:
    # Half a surrogate pair, which JSON can hold, is for the parser to refuse.
    written = config.encode("utf-8", "surrogatepass")
    return parse_xml(written, where=WHERE, extra="label-studio").getroot()


def _objects(root: Any) -> dict[str, tuple[str, str | None, str | None]]:
    """The objects that can have spans: what each is, and the field that it shows."""
    return {
        str(element.get("name")): (
            KINDS[tag],
            _key(element.get("value")),
            element.get("textKey") or element.get("textkey"),
        )
        for element, tag in _elements(root)
        if tag in KINDS and element.get("name")
    }


def _elements(root: Any) -> Iterator[tuple[Any, str]]:
    """Every element with its tag in small letters; comments have no tag."""
    for element in root.iter():
        if isinstance(element.tag, str):
            yield element, element.tag.lower()


def _key(value: str | None) -> str | None:
    """`$text` is the field text; if there is more than that, there is no such field."""
    return value[1:] if value and FIELD.fullmatch(value) else None


def _labels(control: Any) -> tuple[str, ...] | None:
    if str(control.get("value") or "").startswith("$"):
        return None
    return tuple(
        str(element.get("alias") or element.get("value"))
        for element, tag in _elements(control)
        if tag == "label" and (element.get("alias") or element.get("value"))
    )
