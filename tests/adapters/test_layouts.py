"""Layouts: how the folders of published corpora are laid out, as small files of our own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldspan.adapters import detect, read, write
from goldspan.engine.errors import InputError
from goldspan.engine.model import Continuum, Corpus, Presence, Unit

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def lay(folder: Path, files: Mapping[str, str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return folder


def marked(corpus: Corpus) -> list[tuple[object, ...]]:
    return [
        (continuum.id, u.annotator, u.start, u.end, u.category)
        for continuum in corpus.continua
        for u in continuum.units
    ]


def told(corpus: Corpus) -> str:
    return "\n".join(f"{note.message} ({note.count})" for note in corpus.notes)


# A clinical corpus: the texts need a contract, and only the .ann files are published.
CLINICAL = {
    "ann/note1.ann": "T1\tDrug 3 10\taspirin\nT2\tSign 12 15;20 24\tred skin\n",
    "ann/note2.ann": "",
    "ben/note1.ann": "T1\tDrug 3 10\taspirin\n",
}


def test_a_clinical_corpus_without_texts(tmp_path: Path) -> None:
    lay(tmp_path, CLINICAL)
    assert detect(tmp_path) == "brat"
    corpus = read(tmp_path)
    assert marked(corpus) == [
        ("note1", "ann", 3, 10, "Drug"),
        ("note1", "ann", 12, 24, "Sign"),
        ("note1", "ben", 3, 10, "Drug"),
    ]
    note1, note2 = corpus["note1"], corpus["note2"]
    assert (note1.text, note1.length) == (None, None)
    assert note2.presence == {"ann": Presence.EMPTY, "ben": Presence.UNSEEN}
    assert "tasks without a .txt file: their length is not known" in told(corpus)
    with pytest.raises(InputError, match="brat needs the text, and the task has none"):
        write(corpus, tmp_path / "out", "brat")


def test_one_text_settles_it_for_everybody(tmp_path: Path) -> None:
    lay(tmp_path, {**CLINICAL, "ben/note1.txt": "An aspirin; red, dry skin"})
    with pytest.raises(InputError, match=r"note1\.ann:2"):
        read(tmp_path)
    text = "An aspirin, red dry skin"
    (tmp_path / "ben/note1.txt").write_text(text, encoding="utf-8")
    corpus = read(tmp_path)
    assert (corpus["note1"].text, corpus["note1"].length) == (text, len(text))
    assert corpus["note2"].length is None


SPANS = st.lists(
    st.tuples(st.integers(0, 11), st.integers(1, 4), st.sampled_from(("A", "B"))), max_size=5
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(SPANS, min_size=1, max_size=3))
def test_texts_change_no_span(
    tmp_path_factory: pytest.TempPathFactory, people: list[list[tuple[int, int, str]]]
) -> None:
    folder = tmp_path_factory.mktemp("brat")
    units = tuple(
        Unit(f"a{number}", start, start + size, category)
        for number, spans in enumerate(people)
        for start, size, category in sorted(set(spans))
    )
    presence = {f"a{number}": Presence.DONE for number in range(len(people))}
    corpus = Corpus((Continuum("t", units, presence, text="abcdefghijklmno"),))
    write(corpus, folder / "out", "brat")
    before = read(folder / "out")
    for text in (folder / "out").rglob("*.txt"):
        text.unlink()
    after = read(folder / "out")
    assert marked(after) == marked(before) == marked(corpus)
    assert after["t"].presence == before["t"].presence


def test_the_bratiaa_project_without_its_texts(tmp_path: Path) -> None:
    project = DATA / "brat_bratiaa" / "example-files" / "example-project"
    if not project.is_dir():
        pytest.skip("the real files are not here")
    for file in project.rglob("*.ann"):
        copy = tmp_path / file.relative_to(project)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    assert marked(read(tmp_path)) == marked(read(project))
