"""Layouts of files: which part of a name is the annotator, in folders as people keep them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldspan.adapters import read
from goldspan.adapters.kit.naming import Naming
from goldspan.adapters.kit.rules.file_layout import PlacedFile, better_patterns, proved_pattern
from goldspan.engine.errors import InputError
from goldspan.engine.model import Corpus

WEBANNO = """#FORMAT=WebAnno TSV 3.3
#T_SP=custom.Span|value


#Text={word} two
1-1\t0-{end}\t{word}\t{label}\t
1-2\t{next}-{last}\ttwo\t_\t
"""
DOCUMENTS = {"news_1": "One", "news_2": "Three", "blog_7": "Seven"}
LABELS = {"anna": "X", "ben": "Y"}

LAYOUTS = [
    "{annotator}/{task}.tsv",
    "{task}/{annotator}.tsv",
    "{annotator}/*/{task}.tsv",
    "{task}_{annotator}.tsv",
    "{annotator:short}_{task}.tsv",
]
"""A curation of historical letters has a folder for each annotator, INCEpTION's own exports one
for each document, a shared task numbered batches, two student projects all files in one folder.
"""


def sheet(word: str, label: str) -> str:
    end = len(word)
    return WEBANNO.format(word=word, end=end, label=label, next=end + 1, last=end + 4)


def path_of(pattern: str, annotator: str, task: str) -> str:
    named = pattern.replace(":short", "").replace("*", "batch")
    return named.format(annotator=annotator, task=task)


def lay(folder: Path, pattern: str, documents: Mapping[str, str] = DOCUMENTS) -> Path:
    for annotator, label in LABELS.items():
        for task, word in documents.items():
            path = folder / path_of(pattern, annotator, task)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(sheet(word, label), encoding="utf-8")
    return folder


def marked(corpus: Corpus) -> set[tuple[object, ...]]:
    return {(c.id, u.annotator, u.start, u.end, u.category) for c in corpus for u in c.units}


EXPECTED = {
    (task, annotator, 0, len(word), label)
    for task, word in DOCUMENTS.items()
    for annotator, label in LABELS.items()
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_texts_tell_annotators_from_documents(tmp_path: Path, layout: str) -> None:
    corpus = read(lay(tmp_path / "project", layout))
    assert marked(corpus) == EXPECTED
    said = [note.message for note in corpus.notes if "read by the pattern" in note.message]
    usual = layout == "{task}/{annotator}.tsv"
    assert len(said) == (0 if usual else 1)
    assert all(f"'{layout}'" in sentence for sentence in said)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_wrong_pattern_is_answered_with_the_right_one(tmp_path: Path, layout: str) -> None:
    """The option that a note names, given as it stands there, reads the same files well."""
    project = lay(tmp_path / "project", layout)
    wrong = "{task}/{annotator}.tsv" if layout.startswith("{annotator}/") else "dir"
    try:
        notes = read(project, annotator_from=wrong).notes
    except InputError as error:
        said = str(error)
    else:
        (said,) = [n.message for n in notes if "use --annotator-from" in n.message]
    words = shlex.split(said.partition("; use ")[2].replace(",", " "))
    assert words[0] == "--annotator-from"
    assert marked(read(project, annotator_from=words[1])) == EXPECTED


def test_a_greedy_pattern_is_explained_by_what_it_matched(tmp_path: Path) -> None:
    project = lay(tmp_path / "project", "{annotator}_{task}.tsv")
    corpus = read(project, annotator_from="{annotator}_{task}.tsv")
    (said,) = [n.message for n in corpus.notes if "several ways" in n.message]
    assert "the annotator is 'anna_blog' and the task '7'" in said
    assert said.endswith("--annotator-from '{annotator:short}_{task}.tsv'")
    assert Naming("{annotator:short}_{task}.tsv").read(Path("a/anna_blog_7.tsv")) == (
        "anna", "blog_7",
    )  # fmt: skip


@pytest.mark.parametrize("texts", ["{task}/{annotator}.txt", "{task}/{task}.txt"])
def test_brat_with_a_folder_for_each_document(tmp_path: Path, texts: str) -> None:
    """A hospital's project: a folder for each note, with an .ann file for each reader."""
    for annotator in LABELS:
        for task, word in DOCUMENTS.items():
            marks = tmp_path / f"{task}/{annotator}.ann"
            marks.parent.mkdir(exist_ok=True)
            marks.write_text(f"T1\tX 0 {len(word)}\t{word}\n", encoding="utf-8")
            text = tmp_path / texts.format(task=task, annotator=annotator)
            text.write_text(f"{word} two", encoding="utf-8")
    corpus = read(tmp_path)
    assert set(corpus.annotators) == set(LABELS)
    assert {continuum.id for continuum in corpus} == set(DOCUMENTS)
    assert any("{task}/{annotator}.ann" in note.message for note in corpus.notes)


def test_one_annotator_is_said_with_the_option(tmp_path: Path) -> None:
    for task, word in DOCUMENTS.items():
        folder = tmp_path / "anna"
        folder.mkdir(exist_ok=True)
        (folder / f"{task}.txt").write_text(f"{word} two", encoding="utf-8")
        (folder / f"{task}.ann").write_text("T1\tX 0 3\n", encoding="utf-8")
    (said,) = [n.message for n in read(tmp_path).notes if "several annotators" in n.message]
    assert "'anna/blog_7.ann' is read as the task 'blog_7' of 'anna'" in said
    assert "--annotator-from" in said


def test_a_table_of_assignments_settles_what_texts_would_prove_otherwise(tmp_path: Path) -> None:
    for name in ("ann1/0", "ann2/00", "ann2/000"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.with_suffix(".txt").write_text("word" if name == "ann1/0" else "words", "utf-8")
        file.with_suffix(".ann").write_text("", "utf-8")
    table = tmp_path / "assignments.csv"
    rows = "0,ann1,done\n0,ann2,unseen\n00,ann2,done\n000,ann2,done\n"
    table.write_text(f"document,annotator,status\n{rows}", "utf-8")

    # The texts of `00` and `000` are alike, as those of two annotators of one document are.
    assert read(tmp_path, "brat").annotators == ("0", "00", "000")
    listed = read(tmp_path, "brat", assignments=table)
    assert listed.annotators == ("ann1", "ann2")
    assert [continuum.id for continuum in listed] == ["0", "00", "000"]


NAMES = st.text("abcXYZ019", min_size=1, max_size=4)


@settings(max_examples=60)
@given(
    layout=st.sampled_from(["{annotator}/{task}.ann", "{task}/{annotator}.ann"]),
    annotators=st.lists(NAMES, min_size=2, max_size=4, unique=True),
    tasks=st.lists(NAMES, min_size=2, max_size=4, unique=True),
    read_as=st.sampled_from(["{annotator}/{task}.ann", "{task}/{annotator}.ann"]),
)
def test_different_texts_settle_the_layout(
    layout: str, annotators: list[str], tasks: list[str], read_as: str
) -> None:
    files = []
    for annotator in annotators:
        for task in tasks:
            path = Path("/corpus") / path_of(layout, annotator, task)
            name, document = Naming(read_as).read(path)
            files.append(PlacedFile(path, name, document or "", f"the text of {task}"))
    assert proved_pattern(files) == (None if read_as == layout else layout)
    silent = [PlacedFile(one.path, one.annotator, one.task) for one in files]
    # Without texts nothing is proved, and a reading in which tasks are shared is kept.
    assert better_patterns(silent) == []


def test_a_table_of_assignments_proves_the_usual_layout(tmp_path: Path) -> None:
    """Two documents with one text, and no document that two annotators have."""
    for place in ("ann/one", "ben/two", "ben/three"):
        path = tmp_path / "corpus" / f"{place}.ann"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
        path.with_suffix(".txt").write_text("word", encoding="utf-8")
    table = tmp_path / "who.csv"
    rows = "one,ben,skipped\ntwo,ann,skipped\nthree,ann,skipped\n"
    table.write_text(f"document,annotator,status\n{rows}", encoding="utf-8")
    corpus = read(tmp_path / "corpus", "brat", assignments=table)
    assert sorted(one.id for one in corpus) == ["one", "three", "two"]
    assert corpus.annotators == ("ann", "ben")
