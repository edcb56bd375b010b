"""What a span has no place for is counted, in one note, for who converts and not for who scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from eaf_files import EafText
from goldspan.adapters import read, write

ANN = """\
T1\tPER 0 1\ta
T2\tLOC 1 2\tb
E1\tLOC:T2
A1\tSure T1
A2\tKind T2 big
R1\tNear Arg1:T1 Arg2:T2
*\tEquiv T1 T2
N1\tReference T1 Wiki:5\tA
#1\tAnnotatorNotes T1\twhy
#2\tAnnotatorNotes T2\twho
"""
BRAT = "events (1), relations (1), equivalences (1), normalisations (1), notes (2), attributes (2)"
AA = """\
<annotations>
<unit id="u1"><characterisation><type>PER</type><featureSet><feature name="f">1</feature>
<feature name="g">2</feature></featureSet></characterisation><positioning>
<start><singlePosition index="0"/></start><end><singlePosition index="1"/></end>
</positioning></unit>
<relation id="r1"/><relation id="r2"/><schema id="s1"/>
</annotations>
"""
TABLE = "start,end,category,annotator,text,page\n0,1,PER,ann,a,3\n"
EXPORT = """\
[{"id": 1, "data": {"text": "ab"}, "meta": {"batch": 3, "goldspan": {}}, "annotations": [
{"id": 1, "completed_by": 1, "result": [{"id": "r", "from_name": "l", "to_name": "t",
"type": "labels", "meta": {"text": ["why"]}, "value": {"start": 0, "end": 1, "labels": ["A"]}}]}]}]
"""


@pytest.mark.parametrize(
    ("files", "options", "lost"),
    [
        (
            {"ann/d.ann": ANN, "ann/d.txt": "ab"},
            {},
            BRAT,
        ),
        (
            {"ann/d.ann": "T1\tPER 0 1\ta\nA2\tKind T1 big\n", "ann/d.txt": "ab"},
            {"category_from": "Kind"},
            "",
        ),
        ({"ann/d.aa": AA, "ann/d.ac": "ab"}, {}, "relations (2), schemas (1), features (2)"),
        (
            {"ann/d.aa": AA, "ann/d.ac": "ab"},
            {"category_from": "f"},
            "relations (2), schemas (1), features (1)",
        ),
        ({"x.csv": TABLE, "y.csv": TABLE}, {}, "the columns 'page', 'text', in files (2)"),
        ({"x.json": EXPORT}, {}, "entries of tasks' meta (1), regions' meta (1)"),
    ],
)
def test_losses(tmp_path: Path, files: dict[str, str], options: dict[str, str], lost: str) -> None:
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    told = [note.message for note in read(tmp_path, losses=True, **options).notes]
    silent = [note.message for note in read(tmp_path, **options).notes]
    assert [one for one in told if one not in silent] == (
        [f"not kept, because spans have no place for it: {lost}"] if lost else []
    )


def test_elan_counts_what_refers_to_others_and_vocabularies(tmp_path: Path) -> None:
    made = EafText()
    made.tier("ann", [(0, 5, "x"), (7, 9, "y")], ANNOTATOR="ann")
    made.refs("code", "ann", [("a1", "1", None), ("a2", "2", None)])
    path = made.write(tmp_path / "one.eaf")
    lost = "annotations that refer to others (--layer NAME reads their tier) (2)"
    corpus = read(path, losses=True)
    assert any(note.message.endswith(lost) for note in corpus.notes)
    told = read(path, losses=True, category_from="child:code").notes
    assert not any("not kept" in note.message for note in told)
    notes = write(corpus, tmp_path / "new", "elan", source=path)
    assert "controlled vocabularies are not kept" in [note.message for note in notes]


def test_blank_labels_of_a_textgrid_are_told(tmp_path: Path) -> None:
    path = tmp_path / "x.TextGrid"
    path.write_text(
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n2\n<exists>\n1\n'
        '"IntervalTier"\n"ann"\n0\n2\n2\n0\n1\n"x"\n1\n2\n" "\n',
        encoding="utf-8",
    )
    (note,) = read(path, annotator_from="tier").notes
    assert (note.message, note.count) == ("labels with only white space read as empty", 1)
