"""Writing RTTM: rows in order of time, and UEM for everybody who saw a recording."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.atomic import new_file, new_folder
from goldspan.adapters.files.file_names import FileNames
from goldspan.adapters.files.unique_names import unique_names, without_blanks
from goldspan.adapters.kit.assignments import (
    assignment_rows,
    assignments_note,
    tells_more,
    write_assignments,
)
from goldspan.adapters.kit.times import Tally, half_up, seconds_text, timed
from goldspan.adapters.rttm.rows import COMMENT, NOTHING, OPEN
from goldspan.engine.errors import SettingsError
from goldspan.engine.facts import Note
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import FIRST_CHANNEL, Continuum, Corpus, Presence, Unit, channel_id

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Notes, WriteOptions

SUFFIX = ".rttm"


def write_rttm(value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
    """A folder with two files for each annotator; gold may be one file instead."""
    corpus = timed(value, "RTTM")
    writing = _Writing.of(value)
    single = path.suffix.lower() == SUFFIX
    if single and not isinstance(value, Gold):
        raise SettingsError(f"{path} can hold one annotator; name a folder, for a file each")
    if isinstance(value, Gold) and single:
        with new_file(path) as file:
            file.write_bytes(writing.gold(value))
    else:
        with new_folder(path, replace=options.replace) as folder:
            if isinstance(value, Gold):
                name = FileNames([options.annotator])[options.annotator]
                (folder / f"{name}{SUFFIX}").write_bytes(writing.gold(value))
            else:
                writing.corpus(value, folder)
    notes = [*writing.notes()]
    if not isinstance(value, Gold) and tells_more(value):
        notes.append(assignments_note(path / "assignments.csv"))
    if any(c.text is not None or c.media is not None for c in corpus.continua):
        notes.append(Note.of(FormatFact.NO_TEXTS_OR_MEDIA, format="RTTM"))
    return notes


@dataclass(slots=True)
class _Writing:
    """One writing: recordings and categories as words, and what a person should know."""

    tasks: dict[str, str]
    categories: dict[str, str]
    people: FileNames
    tally: Tally = field(default_factory=Tally)

    @classmethod
    def of(cls, value: Corpus | Gold) -> _Writing:
        corpus = value.corpus if isinstance(value, Gold) else value
        used = (
            {span.category for spans in value.spans.values() for span in spans}
            if isinstance(value, Gold)
            else {unit.category for continuum in corpus.continua for unit in continuum.units}
        )
        return cls(
            unique_names(dict.fromkeys(one.recording for one in corpus.continua), _word),
            unique_names(sorted(used), _word),
            FileNames(() if isinstance(value, Gold) else corpus.annotators),
        )

    def corpus(self, corpus: Corpus, folder: Path) -> None:
        """For each annotator the rows, and the recordings that were seen."""
        self.tally.ends = sum(continuum.length is None for continuum in corpus.continua)
        for name in corpus.annotators:
            rows: list[str] = []
            regions: list[str] = []
            for continuum in corpus.continua:
                state = continuum.presence.get(name, Presence.UNSEEN)
                if state.takes_part or continuum.of(name):
                    rows += self._rows(continuum.of(name), continuum)
                    end = max(half_up(continuum.bounds[1]), 1)
                    task, channel = self._place(continuum)
                    if continuum.length is None:
                        regions.append(f"{OPEN}\n")
                    regions.append(f"{task} {channel} {seconds_text(0)} {seconds_text(end)}\n")
            own = self.people[name]
            (folder / f"{own}{SUFFIX}").write_text("".join(rows), encoding="utf-8")
            (folder / f"{own}.uem").write_text("".join(regions), encoding="utf-8")
        if tells_more(corpus):
            ids = {one.id: channel_id(*self._place(one)) for one in corpus}
            table = (
                (ids[task], self.people[name], state)
                for task, name, state in assignment_rows(corpus)
            )
            write_assignments(table, folder / "assignments.csv")

    def gold(self, gold: Gold) -> bytes:
        """All rows, with the confidence where RTTM has it."""
        rows: list[str] = []
        for continuum in gold.corpus.continua:
            spans = gold.spans.get(continuum.id)
            if spans is None:
                self.tally.skipped += 1
            else:
                rows += self._rows(spans, continuum)
        return "".join(rows).encode()

    def notes(self) -> Iterator[Note]:
        """What RTTM could not hold."""
        yield from self.people.notes
        for kind, names in (("recording", self.tasks), ("category", self.categories)):
            for given, name in names.items():
                if given != name:
                    yield Note.of(FormatFact.FIELD_CHANGED, field=kind, given=given, name=name)
        yield from self.tally.notes()

    def _place(self, continuum: Continuum) -> tuple[str, str]:
        """The recording and the channel, as RTTM writes them."""
        return self.tasks[continuum.recording], _word(continuum.channel or FIRST_CHANNEL)

    def _rows(self, spans: Iterable[Unit | GoldSpan], continuum: Continuum) -> Iterator[str]:
        task, channel = self._place(continuum)
        ordered = sorted(spans, key=lambda one: (one.start, one.end, one.category))
        for start, end, span in self.tally.rounded(ordered, continuum):
            sure = f"{span.confidence:.6g}" if isinstance(span, GoldSpan) else NOTHING
            name = self.categories[span.category]
            times = f"{seconds_text(start)} {seconds_text(end - start)}"
            yield f"SPEAKER {task} {channel} {times} {NOTHING} {NOTHING} {name} {sure} {NOTHING}\n"


def _word(text: str) -> str:
    word = without_blanks(text)
    return f"_{word}" if word == NOTHING or word.startswith(COMMENT) else word
