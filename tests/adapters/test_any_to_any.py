"""Every installed format: what it writes is recognised as its own, and goes on to others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from goldspan.adapters import detect, read, registry, write
from goldspan.adapters.facts import FormatFact
from goldspan.engine.errors import GoldspanError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit

TEXT = "Anna Smith met Bob in Paris . Then Bob went home ."
UNITS = (Unit("ann", 0, 10, "PER"), Unit("bob", 0, 4, "PER"), Unit("bob", 22, 27, "LOC"))
SOUNDS = (
    Unit("ann", 0, 1000, "speech"),
    Unit("bob", 250, 1000, "speech"),
    Unit("bob", 1500, 2000, "noise"),
)
WRITERS = [a.name for a in registry.load_all()[0] if a.reads and a.writes]
EACH_WRITER = pytest.mark.parametrize("name", WRITERS)

ENDINGS = {
    "csv": ".csv", "huggingface": ".parquet", "label-studio": ".json", "prodigy": ".jsonl",
    "spacy": ".spacy",
}  # fmt: skip
GOLD_ENDINGS = ENDINGS | {"doccano": ".jsonl"}
"""What users call the files; the other formats are folders."""

OPTIONS = {"textgrid": {"annotator_from": "tier"}}
"""What a format cannot tell by itself."""


def corpora() -> Iterator[Corpus]:
    """The same annotators on texts, on recordings and on plain numbers."""
    seen = {"ann": Presence.DONE, "bob": Presence.DONE}
    texts = {"doc1": TEXT, "doc2": f"{TEXT} Yes ."}
    yield Corpus(tuple(Continuum(name, UNITS, seen, text=text) for name, text in texts.items()))
    yield Corpus(
        tuple(
            Continuum(name, SOUNDS, seen, 3000, Measure.MILLISECOND, media=f"{name}.wav")
            for name in ("rec1", "rec2")
        )
    )
    yield Corpus(
        tuple(Continuum(name, SOUNDS, seen, measure=Measure.STEP) for name in ("one", "two"))
    )


def written(name: str, folder: Path) -> list[tuple[Corpus, Path]]:
    """The corpora that the format can hold, and where they were written."""
    done = []
    for number, corpus in enumerate(corpora()):
        path = folder / f"out{number}{ENDINGS.get(name, '')}"
        try:
            write(corpus, path, name)
        except GoldspanError:
            assert not path.exists()
        else:
            done.append((corpus, path))
    return done


@EACH_WRITER
def test_a_format_recognises_what_it_writes(name: str, tmp_path: Path) -> None:
    files = written(name, tmp_path)
    assert files
    for corpus, path in files:
        assert detect(path) == name
        back = read(path, **OPTIONS.get(name, {}))
        assert back.annotators == corpus.annotators
        assert back.categories == corpus.categories
        assert {c.id: len(c.units) for c in back.continua} == {
            c.id: len(c.units) for c in corpus.continua
        }


@EACH_WRITER
def test_what_one_writes_another_can_take_on(name: str, tmp_path: Path) -> None:
    for number, (_, path) in enumerate(written(name, tmp_path)):
        corpus = read(path, format=name, **OPTIONS.get(name, {}))
        target = tmp_path / f"again{number}.csv"
        write(corpus, target, "csv")
        found = read(target, empty="seen")
        assert found.annotators == corpus.annotators
        assert [c.units for c in found.continua] == [c.units for c in corpus.continua]


def mixed(corpus: Corpus) -> Corpus:
    """The same with a third task that one has not seen, and an annotator who marked nothing."""
    first, second = corpus.continua
    bob = tuple(unit for unit in first.units if unit.annotator == "bob")
    return Corpus(
        (
            first,
            replace(second, units=bob, presence={"ann": Presence.EMPTY, "bob": Presence.DONE}),
            replace(first, id="third", units=bob, presence={"bob": Presence.DONE}),
        )
    )


def there_and_back(corpus: Corpus, path: Path, name: str) -> Corpus | None:
    """What is read from what was written, with the assignments that came with it; None when the
    format does not hold such positions.
    """
    try:
        notes = write(corpus, path, name)
    except GoldspanError:
        return None
    written = [n.fact for n in notes if n.fact.kind is FormatFact.ASSIGNMENTS_WRITTEN]
    tables = [str(dict(fact.parameters)["path"]) for fact in written]
    options = OPTIONS.get(name, {}) | ({"assignments": tables[0]} if tables else {})
    return read(path, format=name, **options)


def told(corpus: Corpus) -> dict[str, object]:
    """What everyone marked, how long the task is, and who took part."""
    return {
        c.id: (
            c.length,
            [(u.annotator, u.start, u.end, u.category) for u in c.units],
            {name: state for name, state in c.presence.items() if state is not Presence.UNSEEN},
        )
        for c in corpus.continua
    }


@EACH_WRITER
def test_any_two_formats_tell_the_same(name: str, tmp_path: Path) -> None:
    done = 0
    for number, plain in enumerate(corpora()):
        folder = tmp_path / str(number)
        first = there_and_back(mixed(plain), folder / f"out{ENDINGS.get(name, '')}", name)
        if first is None:
            continue
        # CoNLL counts in tokens, so that its first reading is what has to be kept.
        assert name == "conll" or told(first) == told(mixed(plain))
        for other in WRITERS:
            path = folder / other / f"out{ENDINGS.get(other, '')}"
            second = there_and_back(first, path, other)
            if second is not None and (other != "conll" or name == "conll"):
                assert told(second) == told(first), other
                done += 1
    assert done


@EACH_WRITER
def test_the_order_of_categories_is_kept_or_its_loss_said(name: str, tmp_path: Path) -> None:
    done = 0
    for number, plain in enumerate(corpora()):
        corpus = Corpus(plain.continua, scale=plain.categories[::-1])
        path = tmp_path / f"out{number}{ENDINGS.get(name, '')}"
        try:
            notes = write(corpus, path, name)
        except GoldspanError:
            continue
        done += 1
        kept = read(path, format=name, empty="seen", **OPTIONS.get(name, {})).scale == corpus.scale
        said = f"the order of the categories is not kept by {name}" in [n.message for n in notes]
        assert kept is not said
    assert done


@EACH_WRITER
def test_gold_is_never_taken_for_an_annotator(name: str, tmp_path: Path) -> None:
    done = 0
    for number, corpus in enumerate(corpora()):
        spans = {
            c.id: (GoldSpan(u.start, u.end, u.category, 0.8, c.units[:2], seen=2),)
            for c in corpus.continua
            for u in c.units[:1]
        }
        path = tmp_path / f"gold{number}{GOLD_ENDINGS.get(name, '')}"
        try:
            write(Gold(corpus, spans, "majority"), path, name)
        except GoldspanError:
            continue
        done += 1
        try:
            back = read(path, format=name, **OPTIONS.get(name, {}))
        except GoldspanError:
            continue  # a format may well refuse to read gold as somebody's annotations
        assert {"gold", "goldspan"}.isdisjoint(back.annotators)
    assert done


@EACH_WRITER
def test_blanks_around_a_name_make_nobody_new(name: str, tmp_path: Path) -> None:
    padded = {"ann": " ann", "bob": "bob "}
    # Who skipped a task is told in a table beside, which has to mean the same people.
    seen = {" ann": Presence.DONE, "bob ": Presence.DONE, "a b ": Presence.SKIPPED}
    done = 0
    for number, plain in enumerate(corpora()):
        corpus = Corpus(
            tuple(
                replace(
                    c,
                    units=tuple(replace(u, annotator=padded[u.annotator]) for u in c.units),
                    presence=seen,
                )
                for c in plain.continua
            )
        )
        back = there_and_back(corpus, tmp_path / f"out{number}{ENDINGS.get(name, '')}", name)
        if back is not None:
            # CoNLL has no blanks in names of columns.
            found = sorted(n.replace("_", " ").strip() for n in back.annotators)
            assert found == ["a b", "ann", "bob"]
            assert [len(c.units) for c in back.continua] == [len(c.units) for c in corpus.continua]
            done += 1
    assert done
