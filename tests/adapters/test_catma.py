"""CATMA: collections in TEI, the text beside them, and the tables of its γ users."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldspan.adapters import detect, read
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Presence

EXPORT = Path(__file__).parents[1] / "fuzz" / "by_hand" / "catma-collections" / "in"

HEAD = (
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>c</title>'
    "<author>{author}</author></titleStmt></fileDesc><encodingDesc>"
    '<fsdDecl xml:id="CATMA_T" n="Set 2021-03-01T10:00:00.000+0100">'
    '<fsDecl xml:id="CATMA_X" type="CATMA_X"><fsDescr>X</fsDescr></fsDecl>'
    '<fsDecl xml:id="CATMA_Y" type="CATMA_Y" baseTypes="CATMA_X"><fsDescr>Y</fsDescr></fsDecl>'
    "</fsdDecl></encodingDesc></teiHeader><text><body>"
)


def collection(author: str, marks: list[tuple[str, list[tuple[int, int]]]], length: int) -> str:
    """A file in which, as in CATMA's, each segment names all annotations that cover it."""
    edges = {0, length}.union(*({a, b} for _, ranges in marks for a, b in ranges))
    parts = [HEAD.format(author=author), '<ab type="catma">']
    cuts = sorted(edges)
    for start, end in pairwise(cuts):
        names = [
            f"#CATMA_{number}"
            for number, (_, ranges) in enumerate(marks)
            if any(a <= start and end <= b for a, b in ranges)
        ]
        ptr = f'<ptr target="catma://CATMA_D#char={start},{end}" type="inclusion"/>'
        parts.append(f'<seg ana="{" ".join(names)}">{ptr}</seg>' if names else ptr)
    parts.append("</ab></body>")
    for number, (tag, _) in enumerate(marks):
        parts.append(
            f'<fs xml:id="CATMA_{number}" type="CATMA_{tag}"><f name="catma_markupauthor">'
            f"<string>{author}</string></f></fs>"
        )
    return "".join([*parts, "</text></TEI>"])


def spans(corpus: Corpus) -> list[tuple[object, ...]]:
    return [(c.id, u.annotator, u.start, u.end, u.category) for c in corpus for u in c.units]


def told(corpus: Corpus) -> str:
    return "\n".join(f"{note.message} ({note.count})" for note in corpus.notes)


def test_collections_beside_their_text() -> None:
    assert detect(EXPORT) == "catma"
    corpus = read(EXPORT)
    assert spans(corpus) == [
        ("Novel", "ann", 2, 6, "woman"), ("Novel", "ann", 11, 22, "person"),
        ("Novel", "ben", 2, 6, "person"),
    ]  # fmt: skip
    text = corpus["Novel"].text or ""
    assert [text[int(u.start) : int(u.end)] for u in corpus["Novel"].of("ann")] == [
        "Anna", "Bob and Bea",
    ]  # fmt: skip
    assert "discontinuous spans, each scored as one over all fragments" in told(corpus)
    split = read(EXPORT, fragments="split")
    assert [row[2:4] for row in spans(split) if row[1] == "ann"] == [
        (2, 6), (11, 14), (11, 22), (19, 22),
    ]  # fmt: skip


def test_tags_paths_and_properties() -> None:
    assert {row[-1] for row in spans(read(EXPORT, category_from="path"))} == {
        "/person", "/person/woman",
    }  # fmt: skip
    rated = read(EXPORT, category_from="certainty", unlabelled="none")
    assert [row[-1] for row in spans(rated)] == ["high", "none", "none"]
    assert len(spans(read(EXPORT, layers="Names"))) == 3
    with pytest.raises(SettingsError, match="no tagset 'x'; there are 'Names'"):
        read(EXPORT, layers="x")
    with pytest.raises(SettingsError, match=r"neither tag nor path.*certainty"):
        read(EXPORT, category_from="x")


def test_without_the_text(tmp_path: Path) -> None:
    shutil.copytree(EXPORT, tmp_path / "in")
    (tmp_path / "in/Novel/Novel.txt").unlink()
    corpus = read(tmp_path / "in")
    assert (corpus["Novel"].text, corpus["Novel"].length) == (None, 33)
    assert ("Novel", "ann", 3, 7, "woman") in spans(corpus)
    assert "without a .txt of the right length beside them" in told(corpus)


def test_a_collection_without_annotations_was_seen(tmp_path: Path) -> None:
    for name, marks in (("a", [("X", [(0, 2)])]), ("b", [])):
        (tmp_path / f"{name}.xml").write_text(collection(name, marks, 5), encoding="utf-8")
    (tmp_path / "d.txt").write_text("abcde", encoding="utf-8")
    corpus = read(tmp_path, "catma")
    assert corpus["d"].presence == {"a": Presence.DONE, "b": Presence.EMPTY}
    by_file = read(tmp_path, "catma", annotator_from="file")
    assert spans(by_file) == [("d", "a", 0, 2, "X")]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("#char=0,2", "#char=0", "does not end in #char=START,END"),
        ('type="CATMA_X"><f ', 'type="CATMA_Q"><f ', "a tag that no tagset declares"),
        ('ana="#CATMA_0"', 'ana=""', "no segment of the text has this annotation"),
        ("<string>a</string>", "<string/>", ""),
        ('xml:id="CATMA_X" type', 'xml:id="CATMA_X" baseTypes="CATMA_Y" type', "below itself"),
        ("<TEI xmlns=", "<tei xmlns=", "not well-formed"),
        ("http://www.tei-c.org/ns/1.0", "urn:x", "the root element is not TEI's"),
        ("<body>", "<div>", "not well-formed"),
    ],
)
def test_bad_files_are_one_sentence(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "a.xml"
    content = collection("a", [("X", [(0, 2)])], 5)
    assert old in content
    path.write_text(content.replace(old, new, 1), encoding="utf-8")
    if said:
        with pytest.raises(InputError, match=said):
            read(path, "catma")
    else:
        assert spans(read(path, "catma"))[0][1] == "a"


def test_a_document_type_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text("<!DOCTYPE TEI>" + collection("a", [], 5), encoding="utf-8")
    with pytest.raises(InputError, match="declares a document type"):
        read(path, "catma")


TEXT = "a🙂b🙂cdefgh"
POINTS = st.integers(0, len(TEXT) - 1)
marks_of = st.lists(
    st.tuples(st.sampled_from("XY"), POINTS, st.integers(1, 5)), max_size=4, unique=True
)


@settings(max_examples=40, deadline=None)
@given(st.lists(marks_of, min_size=1, max_size=3))
def test_positions_are_utf16(
    tmp_path_factory: pytest.TempPathFactory, people: list[list[tuple[str, int, int]]]
) -> None:
    """Law: segments cut at every edge, in UTF-16, give back the spans in characters."""
    folder = tmp_path_factory.mktemp("catma")
    (folder / "d.txt").write_text(TEXT, encoding="utf-8")
    units = [len(TEXT[:at].encode("utf-16-le")) // 2 for at in range(len(TEXT) + 1)]
    expected = []
    for number, own in enumerate(people):
        clipped = sorted({(tag, at, min(at + size, len(TEXT))) for tag, at, size in own})
        expected += [("d", f"a{number}", start, end, tag) for tag, start, end in clipped]
        marks = [(tag, [(units[start], units[end])]) for tag, start, end in clipped]
        content = collection(f"a{number}", marks, units[-1])
        (folder / f"{number}.xml").write_text(content, encoding="utf-8")
    corpus = read(folder, "catma")
    assert spans(corpus) == sorted(expected)
    assert corpus["d"].text == TEXT


TABLE = (
    ",document,annotation collection,annotator,tag,tag_path,annotation,start_point,end_point\n"
    "0,d,c1,ann,person,/person,Anna,0,4\n1,d,c2,ben,place,/place,Anna met,0,8\n"
)


def test_the_table_of_gitma(tmp_path: Path) -> None:
    """As CATMA's γ users have it, from the annotations of a project."""
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="utf-8")
    assert detect(path) == "csv"
    assert spans(read(path)) == [("d", "ann", 0, 4, "person"), ("d", "ben", 0, 8, "place")]
    usual = TABLE.replace(",annotation,", ",label,").replace("start_point", "start")
    path.write_text(usual, encoding="utf-8")
    assert [row[-1] for row in spans(read(path))] == ["Anna", "Anna met"]
