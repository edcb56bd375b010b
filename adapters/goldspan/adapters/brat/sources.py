"""What a writer takes over from brat folders: the bytes of the texts, and the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.brat.conf import ANNOTATION, VISUAL, conf_files
from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.kit.standoff import Suffixes, mark_files
from goldspan.adapters.kit.text.offsets import BOM

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths

SUFFIXES = Suffixes(marks=".ann", text=".txt")


@dataclass(frozen=True, slots=True)
class Sources:
    """Files by the text they hold, without its byte order mark, and configuration files."""

    texts: Mapping[str, Path] = field(default_factory=dict)
    annotation: tuple[Path, ...] = ()
    visual: tuple[Path, ...] = ()


def read_sources(paths: Paths) -> Sources:
    """Everything under these paths; which annotator a file belongs to makes no difference."""
    texts: dict[str, Path] = {}
    annotation: dict[Path, None] = {}
    visual: dict[Path, None] = {}
    for top in paths:
        folder = top if top.is_dir() else top.parent
        files = mark_files(folder, SUFFIXES.text)
        for file in files:
            texts.setdefault(read_text(file, keep_bom=True).removeprefix(BOM), file)
        folders = dict.fromkeys(file.parent for file in files)
        annotation.update(dict.fromkeys(conf_files(folders, folder, ANNOTATION)))
        visual.update(dict.fromkeys(conf_files(folders, folder, VISUAL)))
    return Sources(texts, tuple(annotation), tuple(visual))
