"""Audacity label tracks for goldspan: a folder each annotator, a line each label, in seconds."""

from pathlib import Path

from goldspan.adapters.kit import (
    Adapter,
    Corpus,
    Draft,
    InputError,
    Measure,
    Naming,
    Option,
    Paths,
    ReadOptions,
    head,
    mark_files,
    read_text,
)

POINTS = Option("point_length", "milliseconds that a point label covers", default=0, kind=int)


class AudacityAdapter(Adapter):
    """Start, end and label, with a TAB between them."""

    name = "audacity"
    summary = "label tracks, exported as text"
    annotators = "a folder each; --annotator-from for other layouts"
    presence = "a file that is there was seen"
    writes = False
    reading_options = (POINTS,)

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
                where = f"{file}:{number}"
                try:
                    start, end, label = line.split("\t")
                    span = round(float(start) * 1000), round(float(end) * 1000)
                except (ValueError, OverflowError):
                    raise InputError("write START TAB END TAB LABEL", where=where) from None
                if start == end:
                    span = span[0], span[0] + POINTS.of(options)
                task.span(annotator, *span, label, source=where)
        return draft.corpus()
