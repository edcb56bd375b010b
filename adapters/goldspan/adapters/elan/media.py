"""Media: the recordings that an EAF file names, and where it says they are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from goldspan.adapters.files.xml_file import parse_xml


@dataclass(frozen=True, slots=True)
class MediaDescriptor:
    """A recording: its address on the machine that wrote the file, and its place relative to the
    file, each empty if it is not said.
    """

    url: str
    relative: str


def media_descriptors(path: Path) -> tuple[MediaDescriptor, ...]:
    """The recordings of a file, in its order."""
    root = parse_xml(path).getroot()
    found = (
        MediaDescriptor(one.get("MEDIA_URL") or "", one.get("RELATIVE_MEDIA_URL") or "")
        for one in root.iterfind("HEADER/MEDIA_DESCRIPTOR")
    )
    return tuple(one for one in found if one.url or one.relative)
