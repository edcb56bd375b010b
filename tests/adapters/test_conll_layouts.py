"""CoNLL as crowds and older corpora have it: plain names, cells nobody was asked for, bad rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldspan.adapters import detect, read
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Presence

CROWD = (
    "EU\tB-ORG\tB-ORG\t?\nrejects\tO\tO\t?\n\n"
    "Peter\t?\tB-PER\tB-PER\nBlackburn\t?\tI-PER\tO\n\n"
    "in\t?\tO\tO\n\n"
    "Brussels\tB-LOC\t?\tB-LOC\n1996\tO\t?\t?\n"
)
"""As in a crowd's names of people and places: a column for each worker, `?` for sentences that a
worker did not get.
"""


def lay(folder: Path, files: Mapping[str, str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return folder


def spans(corpus: Corpus, task: str) -> list[tuple[object, ...]]:
    return [(u.annotator, u.start, u.end, u.category) for u in corpus[task].units]


def told(corpus: Corpus) -> str:
    return "\n".join(f"{note.message} ({note.count})" for note in corpus.notes)


def test_a_folder_of_txt(tmp_path: Path) -> None:
    lay(tmp_path, {"d1/w1.txt": "a B-X\nb I-X\n", "d1/w2.txt": "a O\nb B-X\n"})
    corpus = read(tmp_path, "conll", annotator_from="file")
    assert spans(corpus, "d1") == [("w1", 0, 2, "X"), ("w2", 1, 2, "X")]
    with pytest.raises(InputError, match="no format recognises this"):
        detect(tmp_path)


def test_txt_is_not_read_where_files_are_called_conll(tmp_path: Path) -> None:
    lay(tmp_path, {"d1/w1.conll": "a B-X\n", "d1/README.txt": "Nobody knows.\n"})
    assert spans(read(tmp_path, annotator_from="file"), "d1") == [("w1", 0, 1, "X")]


def test_a_crowd_that_did_not_get_every_sentence(tmp_path: Path) -> None:
    path = lay(tmp_path, {"answers.txt": CROWD}) / "answers.txt"
    assert detect(path) == "conll"
    corpus = read(path, annotator_from="column")
    done, empty, unseen = Presence.DONE, Presence.EMPTY, Presence.UNSEEN
    assert [c.id for c in corpus] == [f"answers part {i}" for i in (1, 2, 3)]
    first, second, third = corpus
    assert first.presence == {"column 2": done, "column 3": done, "column 4": unseen}
    assert second.presence == {"column 2": unseen, "column 3": done, "column 4": done}
    assert third.presence == {"column 2": done, "column 3": unseen, "column 4": Presence.PARTIAL}
    assert spans(corpus, "answers part 2") == [
        ("column 3", 0, 2, "PER"), ("column 4", 0, 1, "PER"),
    ]  # fmt: skip
    assert second.text == "Peter Blackburn\nin"
    assert first.units[0].source == f"{path}:1"
    assert "documents cut between sentences where different annotators" in told(corpus)
    counted = read(path, annotator_from="column", include_partial=True)
    assert counted["answers part 3"].presence["column 4"] is done
    assert empty not in {state for c in corpus for state in c.presence.values()}


def test_another_sign(tmp_path: Path) -> None:
    path = lay(tmp_path, {"a.txt": CROWD.replace("?", "NA")}) / "a.txt"
    with pytest.raises(InputError, match=r"a\.txt:1: 'NA' is not a tag.*lines 2, 4, 5, 7, 9, 10\)"):
        read(path, "conll", annotator_from="column")
    corpus = read(path, "conll", annotator_from="column", not_annotated="NA")
    assert len(corpus.continua) == 3
    for sign in ("O", "B-X", " ", "a b"):
        with pytest.raises(SettingsError, match="--not-annotated"):
            read(path, "conll", annotator_from="column", not_annotated=sign)


def test_the_sign_in_files_of_one_annotator(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {"d/a.conll": "x B-X\n\ny O\n", "d/b.conll": "x ?\n\ny O\n", "d/c.conll": "x ?\n\ny ?\n"},
    )
    corpus = read(tmp_path, "conll", annotator_from="file")
    assert corpus["d"].presence == {
        "a": Presence.DONE, "b": Presence.PARTIAL, "c": Presence.UNSEEN,
    }  # fmt: skip


BAD = "a\tO\tB-X\nb\tO\nc\tB-X\tI-X\n\td\tO\ne\tO\tPER\nf\tO\tO\n"


def test_bad_rows_are_named_with_their_lines(tmp_path: Path) -> None:
    path = lay(tmp_path, {"d.conll": BAD}) / "d.conll"
    with pytest.raises(InputError) as error:
        read(path, "conll", annotator_from="column")
    assert str(error.value) == (
        f"{path}:2: there are 2 columns where 3 are expected (bad rows also in lines 4); "
        "--skip-bad-rows passes over such rows"
    )
    corpus = read(path, "conll", annotator_from="column", skip_bad_rows=True)
    assert corpus["d"].text == "a c f"
    assert spans(corpus, "d") == [("column 2", 1, 2, "X"), ("column 3", 0, 2, "X")]
    assert "rows that cannot be read passed over: d.conll:2, d.conll:4, d.conll:5 (3)" in told(
        corpus
    )


def test_an_odd_first_row_does_not_decide_how_many_columns_there_are(tmp_path: Path) -> None:
    path = lay(tmp_path, {"d.conll": "title O O O\na O\nb B-X\n"}) / "d.conll"
    with pytest.raises(InputError, match=r"d\.conll:1: there are 4 columns where 2 are expected"):
        read(path, "conll", annotator_from="file")
    assert read(path, "conll", annotator_from="file", skip_bad_rows=True)[tmp_path.name].length == 2


def test_nothing_but_bad_rows_is_an_error(tmp_path: Path) -> None:
    path = lay(tmp_path, {"d.txt": "Only\nprose\n"}) / "d.txt"
    with pytest.raises(InputError, match=r"d\.txt:1: there is 1 column where two or more"):
        read(path, "conll", annotator_from="file", skip_bad_rows=True)


tags = st.sampled_from(("O", "B-X", "I-X", "B-Y"))
sentences = st.lists(st.tuples(tags, tags, tags), min_size=1, max_size=4)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(sentences, st.sets(st.integers(0, 2))), min_size=1, max_size=5),
    st.sampled_from(("junk\n", "w O\n", "w X Y Z Q\n", "w O PER O\n")),
)
def test_what_was_not_asked_and_bad_rows_change_nothing_else(
    drawn: list[tuple[list[tuple[str, str, str]], set[int]]], bad: str
) -> None:
    """Law: the spans of an annotator are those of the sentences that they got, and a bad row that
    is passed over leaves no trace but its note.
    """
    full = [("B-X", "B-X", "B-X")] * 5
    drawn = [(full, set()), *drawn]
    plain = "".join(
        "".join("w " + " ".join("?" if i in away else t for i, t in enumerate(row)) + "\n"
                for row in rows) + "\n"
        for rows, away in drawn
    )  # fmt: skip
    expected = {
        f"column {i + 2}": sum(
            len(_lengths([row[i] for row in rows])) for rows, away in drawn if i not in away
        )
        for i in range(3)
    }
    with TemporaryDirectory() as folder:
        path = Path(folder, "d.conll")
        options = {"annotator_from": "column", "skip_bad_rows": True}
        path.write_text(plain, encoding="utf-8")
        one = read(path, "conll", **options)
        path.write_text(bad + plain, encoding="utf-8")
        other = read(path, "conll", **options)
    found = [u for c in one for u in c.units]
    assert {name: sum(u.annotator == name for u in found) for name in expected} == expected
    for task, same in zip(one, other, strict=True):
        assert (task.id, task.text, task.presence) == (same.id, same.text, same.presence)
        assert spans(one, task.id) == spans(other, task.id)
    assert "passed over: d.conll:1 (1)" in told(other)


def _lengths(column: list[str]) -> list[str]:
    """A letter for each span of one sentence."""
    found = []
    before = "O"
    for tag in column:
        if tag != "O" and (tag[0] == "B" or before[1:] != tag[1:]):
            found.append(tag)
        before = tag
    return found
