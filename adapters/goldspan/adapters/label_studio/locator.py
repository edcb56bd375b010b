"""The locator: which field of a task's data the regions are on.

A project's labelling configuration states it. An export has none, so there the field is found: by
the object's name, by being the only one of its kind, or by holding the marked text at the marked
positions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from goldspan.adapters.kit.digits import from_digits
from goldspan.adapters.label_studio.hypertext import HyperText
from goldspan.adapters.label_studio.medium import (
    Audio,
    Medium,
    Text,
    TimeSeries,
    Value,
    Video,
)
from goldspan.adapters.label_studio.paragraphs import Paragraphs
from goldspan.adapters.label_studio.provenance import COEFFICIENTS, COLUMNS
from goldspan.adapters.label_studio.region import LINKS
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.adapters.label_studio.template import Template

USUAL = ("text", "html", "dialogue", "audio", "video", "ts", "csv")
INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))
WORDS = ("text", "hypertext", "paragraphs")
STEP = re.compile(r"[^.\[\]]+")

MEDIA: Mapping[str, Callable[[str], Medium]] = {
    "text": Text,
    "hypertext": HyperText,
    "audio": Audio,
    "video": Video,
    "timeseries": TimeSeries,
}


class Locator:
    """Finds the field once and keeps to it. `to_name` is the object the regions name; `text_key`
    is where paragraphs have their words. `stated` means that a configuration says all this, so
    that nothing is inferred from the regions, and no other field replaces a stated one.
    """

    def __init__(
        self,
        kind: str,
        to_name: str,
        *,
        key: str | None = None,
        text_key: str | None = None,
        stated: bool = False,
    ) -> None:
        self.kind = kind
        self.to_name = to_name
        self.key = key
        self.text_key = text_key
        self.stated = stated
        self.links = 0

    @classmethod
    def of(cls, template: Template) -> Locator:
        """Where regions are, as a template says; an export's field was only found."""
        return cls(
            template.kind,
            template.to_name,
            key=template.key,
            text_key=template.text_key,
            stated=bool(template.owners),
        )

    def medium(self, data: Mapping[str, Any], values: Sequence[Value]) -> Medium:
        """The medium of a task; `values` are those of its regions."""
        found = None if self.key is None else self._shown(_at(data, self.key))
        if found is None and self.stated and self.key is not None:
            if self.kind in WORDS and values:
                raise InputError(
                    f"'{self.key}', which the labelling configuration shows, is no {self.kind} in "
                    f"the data ({', '.join(data) or 'empty'}); put it there, or delete the "
                    "annotations"
                )
        elif found is None:
            key = self._find(data, values)
            if values and self.key is None:
                self.key = key
            found = None if key is None else data[key]
        return self._make(found, values)

    def _shown(self, value: Any) -> Any:
        """The value as Label Studio shows it, a number by its digits; None where it shows none."""
        if self.kind in ("text", "hypertext") and type(value) in (int, float):
            return str(int(value) if value == value // 1 else value)
        return value if self._holds(value) else None

    def _holds(self, value: Any) -> bool:
        if self.kind == "paragraphs":
            return isinstance(value, list) and all(isinstance(one, dict) for one in value)
        if self.kind == "timeseries":
            return isinstance(value, str | dict | list)
        return isinstance(value, str)

    def _find(self, data: Mapping[str, Any], values: Sequence[Value]) -> str | None:
        ours = (*COLUMNS, COEFFICIENTS)
        candidates = [key for key, value in data.items() if self._holds(value) and key not in ours]
        ranks = (self.to_name, *USUAL)
        candidates.sort(key=lambda key: ranks.index(key) if key in ranks else len(ranks))
        if self.kind == "text" and values and len(candidates) > 1:
            fitting = [key for key in candidates if fits(data[key], values)]
            if fitting:
                return fitting[0]
        first = next(iter(candidates), None)
        if first is None and self.kind in WORDS and values:
            raise InputError(
                f"no field of the data ({', '.join(data) or 'empty'}) could be the {self.kind}"
            )
        return first

    def _make(self, found: Any, values: Sequence[Value]) -> Medium:
        if self.kind == "paragraphs":
            return Paragraphs(_paragraph_texts(found or [], self.text_key))
        if self.kind == "text" and isinstance(found, str) and _is_link(found):
            if not fits(found, values):
                self.links += 1
                return Text(None, media=found)
            return Text(found)
        if isinstance(found, str):
            return MEDIA[self.kind](found)
        if self.kind == "text":
            return Text(None)
        return MEDIA[self.kind]("") if self.kind == "hypertext" else _without_media(self.kind)


def _at(data: Mapping[str, Any], path: str) -> Any:
    """What `text`, `doc.body` or `pages[0].text` leads to, a key of just that name first; None
    where it leads nowhere.
    """
    if path in data:
        return data[path]
    found: Any = data
    for step in STEP.findall(path):
        if isinstance(found, list):
            number = from_digits(step)
            found = found[number] if number is not None and number < len(found) else None
        else:
            found = found.get(step) if isinstance(found, Mapping) else None
    return found


def fits(text: str, values: Sequence[Value]) -> bool:
    """Whether every region's stored text stands at its positions."""
    for value in values:
        start, end, stored = value.get("start"), value.get("end"), value.get("text")
        if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end <= len(text)):
            return False
        if isinstance(stored, str) and not same_text(text[start:end], stored):
            return False
    return True


def same_text(one: str, other: str) -> bool:
    """Whether a browser may have shown one for the other: it trims, folds and hides white space,
    and Label Studio stores a line end as a backslash and an n.
    """
    return one == other or _bare(one) == _bare(other)


def _bare(text: str) -> str:
    return "".join(text.replace("\\n", "\n").split()).translate(INVISIBLE)


def _is_link(text: str) -> bool:
    return text.startswith(LINKS) and len(text.split()) == 1


def _without_media(kind: str) -> Medium:
    return {"audio": Audio, "video": Video, "timeseries": TimeSeries}[kind](None)


def _paragraph_texts(paragraphs: Sequence[Mapping[str, Any]], stated: str | None) -> list[str]:
    """The text of each: the stated key, else `text`, else the key with the longest texts."""
    lengths: Counter[str] = Counter()
    for one in paragraphs:
        for key, value in one.items():
            if isinstance(value, str):
                lengths[key] += len(value)
    longest = max(lengths, key=lambda name: lengths[name], default="text")
    words = next((name for name in (stated, "text") if name and name in lengths), longest)
    return [str(one.get(words) or "") for one in paragraphs]
