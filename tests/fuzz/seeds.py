"""Seeds: small valid files of every format, from goldspan's own writers and by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from fuzz import archives
from goldspan.adapters import registry, write
from goldspan.engine.errors import GoldspanError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit

Files: TypeAlias = Mapping[str, bytes]
"""Contents by path; one path without a folder may be given as a file of its own."""

TEXT = "Anna Smith met 🙂 Bob in Paris .\nThen Bob, née Müller, went home .\n"
ENDINGS = {
    "csv": (".csv", ".tsv"), "huggingface": (".parquet", ".arrow"),
    "label-studio": (".json",), "prodigy": (".jsonl",),
    "spacy": (".spacy", ".jsonl"), "doccano": ("", ".zip"), "inception": ("", ".zip"),
}  # fmt: skip
BY_HAND = Path(__file__).parent / "by_hand"
READING = {
    "csv-file_column": ("--from", "csv", "--task-from", "file"),
    "csv-file_each": ("--annotator-from", "file"),
    "conll-crowd": ("--from", "conll", "--annotator-from", "column"),
    "conll-file_each": ("--annotator-from", "file"),
    "potato-two_users": ("--from", "potato"),
    "spacy-cats": ("--from", "spacy", "--annotator-from", "file"),
    "inception-webanno_tsv": ("--from", "inception", "--layer", "Span", "--empty", "seen"),
    "textgrid-long": ("--annotator-from", "tier"),
    "textgrid-short": ("--annotator-from", "tier"),
}
"""How cases by hand are read, where the format's name is not enough."""

ANNOTATORS_FROM = {"textgrid": "tier"}
"""What a format needs to be read at all."""


@dataclass(frozen=True, slots=True)
class Seed:
    """Files of one format, and the words that read them."""

    format: str
    files: Files
    reading: tuple[str, ...] = ()

    @property
    def top(self) -> str:
        """The file or folder to read; a table of who saw what may stand beside it."""
        return min(n.split("/")[0] for n in self.files if not n.endswith("assignments.csv"))


def make_seeds() -> tuple[Seed, ...]:
    """All of them, in an order that depends on nothing but this module and the writers."""
    return (*_written(), *_by_hand())


def _corpora() -> Iterator[Corpus | Gold]:
    seen = {"ann": Presence.DONE, "ben": Presence.DONE, "cyd": Presence.EMPTY}
    units = (
        Unit("ann", 0, 10, "PER"), Unit("ann", 23, 28, "LOC"), Unit("ben", 0, 4, "PER"),
        Unit("ben", 5, 10, "PER"), Unit("ben", 23, 28, "GPE"),
    )  # fmt: skip
    other = {"ann": Presence.DONE, "ben": Presence.SKIPPED, "cyd": Presence.DONE}
    more = (Unit("ann", 35, 38, "PER"), Unit("cyd", 35, 38, "PER"), Unit("cyd", 0, 10, "a b"))
    texts = Corpus(
        (Continuum("doc1", units, seen, text=TEXT), Continuum("doc2", more, other, text=TEXT)),
        scale=("PER", "LOC", "GPE", "a b"),
    )
    yield texts
    sounds = tuple(Unit(u.annotator, u.start * 90, u.end * 90, u.category) for u in units)
    heard = {"ann": Presence.DONE, "ben": Presence.DONE}
    yield Corpus(
        tuple(
            Continuum(name, sounds, heard, 6000, Measure.MILLISECOND, media=f"{name}.wav")
            for name in ("rec1", "rec2")
        )
    )
    yield Corpus((Continuum("steps", units, seen, measure=Measure.STEP),))
    spans = {"doc1": (GoldSpan(0, 10, "PER", 0.8, units[:2], seen=3),)}
    yield Gold(texts, spans, "vote")
    given = [("ann", "good", ""), ("ann", "new", ""), ("ben", "bad", ""), ("cyd", "good", "")]
    mood = Corpus(tuple(one.labelled(given) for one in texts), ("good", "bad", "new"))
    labelled = replace(texts, layers={"mood": mood, "label": mood})
    yield labelled
    bare = tuple(Continuum(one.id, (), seen, text=TEXT) for one in texts)
    yield Corpus(bare, layers={"label": mood})
    best = {"mood": {"doc1": (GoldSpan(0, 1, "good", 0.6, (), seen=3),)}}
    yield Gold(labelled, spans, "vote", labels=best)


def _written() -> Iterator[Seed]:
    names = [adapter.name for adapter in registry.load_all()[0] if adapter.writes]
    for name in names:
        for value in _corpora():
            for ending in ENDINGS.get(name, ("",)):
                yield from _one(name, value, ending)


def _one(name: str, value: Corpus | Gold, ending: str) -> Iterator[Seed]:
    with TemporaryDirectory() as folder:
        path = Path(folder, f"in{ending}")
        try:
            write(value, path, name)
        except GoldspanError:
            return
        reading = ("--from", name)
        if name in ANNOTATORS_FROM:
            reading += ("--annotator-from", ANNOTATORS_FROM[name])
        yield Seed(name, dict(_files_in(Path(folder))), reading)


def _files_in(folder: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            name, data = file.relative_to(folder).as_posix(), file.read_bytes()
            # The time of packing is no part of a seed.
            yield name, archives.pack(archives.unpack(data)) if name.endswith(".zip") else data


def _by_hand() -> Iterator[Seed]:
    """Folders FORMAT-CASE, of which each holds a file or folder `in`."""
    for folder in sorted(BY_HAND.iterdir()):
        name = folder.name.rpartition("-")[0]
        reading = READING.get(folder.name, ("--from", name))
        yield Seed(name, dict(_files_in(folder)), reading)
