"""Label Studio: JSON, JSON_MIN and snapshot exports, and files to import."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.adapters.files.folder import files_below
from goldspan.adapters.files.text_file import head
from goldspan.adapters.label_studio.options import INCLUDE_PREDICTIONS, STARRED
from goldspan.adapters.options import GROUND_TRUTH

if TYPE_CHECKING:
    from goldspan.adapters.label_studio.template import Template
    from goldspan.engine.annotators.worktime import Times
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus

OPENING = re.compile(r"\s*[\[{]")
FULL = re.compile(r'"(annotations|predictions|completions|drafts)"\s*:\s*\[')
WORK = re.compile(r'"(result|completed_by|was_cancelled|total_annotations|data)"\s*:')
MIN = re.compile(r'"annotator"\s*:')
MIN_ID = re.compile(r'"annotation_id"\s*:')


class LabelStudioAdapter(Adapter):
    """Text, HyperText, Paragraphs, Audio, Video timelines and TimeSeries; Choices, Taxonomy and
    Rating of whole tasks.
    """

    name = "label-studio"
    summary = "JSON, JSON_MIN or snapshot export; written as a file to import"
    annotators = "completed_by (e-mail or id); --annotator-from file for one export per annotator"
    presence = "a submitted annotation was seen, a skipped one was not; drafts are partial"
    holds_labels = True
    reading_options = (INCLUDE_PREDICTIONS, STARRED)
    writing_options = (GROUND_TRUTH,)

    def sniff(self, path: Path) -> bool:
        """A JSON file, or a folder of them, whose head has tasks with annotations."""
        files = files_below(path, (".json",)) if path.is_dir() else [path]
        return bool(files) and all(_looks_right(head(file, 1 << 16)) for file in files[:8])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """The labelled regions of every task, and labels of the whole task; other results carry
        neither and are counted.
        """
        from goldspan.adapters.files.gc_pause import gc_pause
        from goldspan.adapters.label_studio.reader import read_corpus

        with gc_pause():
            return read_corpus(paths, options)

    def read_tasks(
        self, tasks: Iterable[Any], options: ReadOptions, template: Template | None = None
    ) -> Corpus:
        """Tasks as the API gives them, or an export that is decoded already; `template` where the
        project's configuration is known, which then says what the regions belong to.
        """
        from goldspan.adapters.files.gc_pause import gc_pause
        from goldspan.adapters.label_studio.reader import read_values

        with gc_pause():
            return read_values(tasks, options, template)

    def times(self, paths: Paths, options: ReadOptions) -> Times:
        """`lead_time`, and when annotations were created."""
        from goldspan.adapters.label_studio.reader import read_times

        return read_times(paths, options)

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """A JSON file to import: gold as predictions, a corpus as annotations."""
        from goldspan.adapters.label_studio.writer import write_value

        return write_value(value, path, options)


def _looks_right(text: str) -> bool:
    if OPENING.match(text) is None:
        return False
    if FULL.search(text) and WORK.search(text):
        return True
    return bool(MIN.search(text) and MIN_ID.search(text))
