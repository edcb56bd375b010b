"""What a writer takes over from brat folders: the bytes of the texts, the lines of marks that did
not change, and the configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.brat.conf import ANNOTATION, VISUAL, conf_files
from goldspan.adapters.brat.lines import Mark, merged, read_marks
from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.kit.standoff import Suffixes, mark_files
from goldspan.adapters.kit.text.offsets import BOM

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths
    from goldspan.engine.model import Unit

SUFFIXES = Suffixes(marks=".ann", text=".txt")


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A mark, and its line as it is in the file, with its end."""

    mark: Mark
    raw: str

    def says(self, kind: str, span: Unit, text: str, shift: int) -> bool:
        """Whether this line says the same as a span of the text; `shift` is how many characters
        brat counts before the first of the text.
        """
        mark = self.mark
        if mark.type != kind or any(start > end for start, end in mark.fragments):
            return False
        fragments = [(start - shift, end - shift) for start, end in mark.fragments]
        words = [text[start:end] for start, end in fragments]
        joined = (" ".join(words).split(), "".join(words).split())
        if fragments[0][0] < 0 or (mark.stored is not None and mark.stored.split() not in joined):
            return False
        return merged(fragments, text, "") == [*(span.fragments or ((span.start, span.end),))]


@dataclass(frozen=True, slots=True)
class Sources:
    """Files by the text they hold, without its byte order mark, files of marks, and configuration
    files.
    """

    texts: Mapping[str, Path] = field(default_factory=dict)
    marks: frozenset[Path] = frozenset()
    annotation: tuple[Path, ...] = ()
    visual: tuple[Path, ...] = ()
    _lines: dict[Path, Mapping[int, SourceLine]] = field(default_factory=dict)

    def line_of(self, source: str) -> SourceLine | None:
        """The line that a unit was read from, by the file and number in its source."""
        name, _, number = source.rpartition(":")
        if not name or not number.isdecimal() or (path := Path(name).resolve()) not in self.marks:
            return None
        if path not in self._lines:
            raw = read_text(path).split("\n")
            found = read_marks(path).marks.values()
            self._lines[path] = {m.line: SourceLine(m, raw[m.line - 1] + "\n") for m in found}
        return self._lines[path].get(int(number))


def read_sources(paths: Paths) -> Sources:
    """Everything under these paths; which annotator a file belongs to makes no difference."""
    texts: dict[str, Path] = {}
    marks: set[Path] = set()
    annotation: dict[Path, None] = {}
    visual: dict[Path, None] = {}
    for top in paths:
        folder = top if top.is_dir() else top.parent
        files = mark_files(folder, SUFFIXES.text)
        for file in files:
            texts.setdefault(read_text(file, keep_bom=True).removeprefix(BOM), file)
        marks.update(file.resolve() for file in mark_files(folder, SUFFIXES.marks))
        folders = dict.fromkeys(file.parent for file in files)
        annotation.update(dict.fromkeys(conf_files(folders, folder, ANNOTATION)))
        visual.update(dict.fromkeys(conf_files(folders, folder, VISUAL)))
    return Sources(texts, frozenset(marks), tuple(annotation), tuple(visual))
