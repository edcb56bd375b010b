"""Audacity label tracks for goldspan: a folder each annotator, a line each label, in seconds."""

from pathlib import Path

from goldspan.adapters import Adapter, ReadOptions
from goldspan.adapters.adapter import Paths
from goldspan.adapters.files.text_file import head, read_text
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.naming import Naming
from goldspan.adapters.kit.standoff import mark_files
from goldspan.engine.errors import InputError
from goldspan.engine.model import Corpus, Measure


class AudacityAdapter(Adapter):
    """Start, end and label, with a TAB between them."""

    name = "audacity"
    summary = "label tracks, exported as text"
    annotators = "a folder each; --annotator-from for other layouts"
    presence = "a file that is there was seen"
    writes = False

    def sniff(self, path: Path) -> bool:
        """Whether the first line of the first file is two numbers and a label."""
        files = mark_files(path, ".txt")
        cells = head(files[0]).partition("\n")[0].split("\t") if files else []
        return len(cells) == 3 and all(cell.replace(".", "", 1).isdigit() for cell in cells[:2])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """Every line a unit, to the millisecond."""
        draft = Draft(options, measure=Measure.MILLISECOND)
        naming = Naming(options.annotator_from or "dir")
        files = [file for path in paths for file in mark_files(path, ".txt")]
        if not files:
            raise InputError("there is no .txt file here", where=str(paths[0]))
        for file in files:
            annotator, name = naming.read(file.resolve())
            task = draft.task(name or "recording")
            task.saw(annotator)
            for number, line in enumerate(read_text(file).splitlines(), start=1):
                try:
                    start, end, label = line.split("\t")
                    span = round(float(start) * 1000), round(float(end) * 1000)
                except (ValueError, OverflowError):
                    raise InputError(
                        "write START TAB END TAB LABEL", where=f"{file}:{number}"
                    ) from None
                task.span(annotator, *span, label, source=f"{file}:{number}")
        return draft.corpus()
