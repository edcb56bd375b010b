"""TextGrid: Praat's files as people have them, and back again."""

from __future__ import annotations

import tempfile
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from praatio import textgrid as praat

from goldspan.adapters import detect, read, write
from goldspan.adapters.textgrid.document import Tier, read_textgrid
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from strategies import corpora

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
MS = Measure.MILLISECOND

LONG = """\
File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0 
xmax = 2.5 
tiers? <exists> 
size = 3 
item []: 
    item [1]:
        class = "IntervalTier" 
        name = "    ann" 
        xmin = 0 
        xmax = 2.5 
        intervals: size = 3 
        intervals [1]:
            xmin = 0 
            xmax = 0.5 
            text = "" 
        intervals [2]:
            xmin = 0.5 
            xmax = 1.2345 
            text = "say ""yes"" item [2]: 7" 
        intervals [3]:
            xmin = 1.2345 
            xmax = 2.5 
            text = " " 
    item [2]:
        class = "IntervalTier" 
        name = "ben" 
        xmin = 0 
        xmax = 2.5 
        intervals: size = 1 
        intervals [1]:
            xmin = 0 
            xmax = 2.5 
            text = "" 
    item [3]:
        class = "TextTier" 
        name = "tones" 
        xmin = 0 
        xmax = 2.5 
        points: size = 1 
        points [1]:
            number = 1.5 
            mark = "H*" 
"""  # noqa: W291 - Praat ends its lines like this

SHORT = """\
File type = "ooTextFile short"
"TextGrid"

0
2.5
<exists>
3
"IntervalTier"
"ann"
0
2.5
3
0
0.5
""
0.5
1.2345
"say ""yes"" item [2]: 7"
1.2345
2.5
""
"IntervalTier"
"ben"
0
2.5
1
0
2.5
""
"TextTier"
"tones"
0
2.5
1
1.5
"H*"
"""


def told(corpus: Corpus) -> str:
    return "\n".join(f"{note.message} ({note.count})" for note in corpus.notes)


def lay(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    "content",
    [
        LONG,
        SHORT,
        LONG.replace("\n", "\r\n"),
        LONG.encode("utf-16"),
        "\ufeff" + SHORT,
        SHORT.replace("<exists>", "<exists> ! a remark with 17 in it"),
    ],
)
def test_the_forms_praat_writes(tmp_path: Path, content: str | bytes) -> None:
    path = lay(tmp_path / "rec.TextGrid", content)
    assert detect(path) == "textgrid"
    corpus = read(path, annotator_from="tier")
    task = corpus["rec"]
    assert [(u.annotator, u.start, u.end, u.category) for u in task.units] == [
        ("ann", 500, 1235, 'say "yes" item [2]: 7')
    ]
    assert task.length == 2500
    assert task.measure is MS
    assert task.presence == {
        "ann": Presence.DONE, "ben": Presence.EMPTY, "tones": Presence.EMPTY
    }  # fmt: skip
    assert "spans without length dropped (1)" in told(corpus)


def test_a_file_without_tiers(tmp_path: Path) -> None:
    head = LONG[: LONG.index("tiers?")]
    path = lay(tmp_path / "rec.TextGrid", f"{head}tiers? <absent> \n")
    with pytest.raises(InputError, match="no tier can be read by --annotator-from; there are none"):
        read(path, annotator_from="tier")


def test_sources_name_the_line(tmp_path: Path) -> None:
    path = lay(tmp_path / "rec.TextGrid", LONG)
    assert read(path, annotator_from="tier")["rec"].units[0].source == f"{path}:22"


def test_annotators_have_to_be_told(tmp_path: Path) -> None:
    path = lay(tmp_path / "ann" / "rec.TextGrid", LONG)
    with pytest.raises(InputError, match=r"does not say who made it; use --annotator-from: tier"):
        read(path)
    with pytest.raises(SettingsError, match="'who' is not valid here; it can be tier"):
        read(path, annotator_from="who")
    assert read(path, annotator_from="file", layers="ann").annotators == ("rec",)
    assert read(path, annotator_from="dir", layers="ann").annotators == ("ann",)
    assert read(path, annotator_from="tier:{annotator}n").annotators == ("an", "be")
    assert "tiers without a known annotator left out: 'tones'" in told(
        read(path, annotator_from="tier:{annotator}n")
    )
    with pytest.raises(SettingsError, match="no tier 'x'; there are 'ann', 'ben', 'tones'"):
        read(path, annotator_from="tier", layers="x")
    with pytest.raises(InputError, match="no tier can be read"):
        read(path, annotator_from="tier:{annotator}zzz")


def test_categories_from_tiers(tmp_path: Path) -> None:
    path = lay(tmp_path / "rec.TextGrid", LONG.replace('"    ann"', '"face@ann"'))
    corpus = read(path, annotator_from="tier:{layer}@{annotator}", category_from="tier")
    assert [(u.annotator, u.category) for u in corpus["rec"].units] == [("ann", "face")]
    with pytest.raises(SettingsError, match="it can be label or tier"):
        read(path, annotator_from="tier", category_from="value")


def test_seen_and_never_seen(tmp_path: Path) -> None:
    blank = LONG.replace('say ""yes"" item [2]: 7', "").replace("H*", "")
    lay(tmp_path / "one.TextGrid", LONG)
    lay(tmp_path / "two.TextGrid", LONG.replace('"ben"', '"default"'))
    lay(tmp_path / "three.TextGrid", blank)
    corpus = read(tmp_path, annotator_from="tier", layers=["ann", "ben", "default"])
    assert corpus["one"].presence == {"ann": Presence.DONE, "ben": Presence.EMPTY}
    assert corpus["two"].presence == {"ann": Presence.DONE, "ben": Presence.UNSEEN}
    assert corpus["three"].presence == {"ann": Presence.UNSEEN, "ben": Presence.UNSEEN}
    assert "unused template (--empty seen" in told(corpus)
    assert "tiers without a known annotator left out: 'default'" in told(corpus)
    seen = read(tmp_path, annotator_from="tier", empty="seen")
    assert seen["three"].presence["ben"] is Presence.EMPTY
    unseen = read(tmp_path, annotator_from="tier", empty="unseen")
    assert unseen["one"].presence["ben"] is Presence.UNSEEN


def test_two_files_of_one_annotator(tmp_path: Path) -> None:
    lay(tmp_path / "a" / "rec.TextGrid", LONG)
    lay(tmp_path / "b" / "rec.TextGrid", LONG)
    with pytest.raises(InputError, match="'ann' has tiers for 'rec' here and in"):
        read(tmp_path, annotator_from="tier")
    assert read(tmp_path, annotator_from="dir")["rec"].annotators == ("a", "b")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"TextGrid"', '"Pitch"', ":1: this is not a TextGrid file"),
        ("xmax = 2.5 \ntiers", "xmax = two \ntiers", ":6: a number should be where <exists>"),
        ('name = "ben"', "name = ben", ":30: a quoted text should be where 0 is"),
        ('mark = "H*"', 'mark = "H*', ":45: a quotation mark is never closed"),
        ('class = "TextTier"', 'class = "Tier"', ":38: a tier is a 'Tier'"),
        ("intervals: size = 3", "intervals: size = 3.5", ":14: 3.5 is not how many"),
        ("size = 3 \nitem", "size = 9 \nitem", ":45: the file ends where a quoted text"),
        ("xmax = 1.2345 \n            text", "xmax = 0.4 \n            text",
         r":22: the span \[500, 400\) ends before it starts"),
        ("xmax = 1.2345 \n            text", "xmax = 9 \n            text",
         r":22: the span \[500, 9000\) is outside \[0, 2500\)"),
    ],
)  # fmt: skip
def test_bad_files_name_file_and_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in LONG
    path = lay(tmp_path / "rec.TextGrid", LONG.replace(old, new, 1))
    with pytest.raises(InputError, match=rf"^{path}{message}"):
        read(path, "textgrid", annotator_from="tier")


def test_binary_files_are_refused(tmp_path: Path) -> None:
    path = lay(tmp_path / "rec.TextGrid", b"ooBinaryFile\x08TextGrid\0\0")
    with pytest.raises(InputError, match="binary TextGrid; open it in Praat and save it as a text"):
        read(path, "textgrid", annotator_from="tier")
    with pytest.raises(InputError, match=r"there is no \.TextGrid file here"):
        read(lay(tmp_path / "d" / "x.txt", "").parent, "textgrid", annotator_from="tier")


def took_part(corpus: Corpus) -> bool:
    return any(state.takes_part for c in corpus.continua for state in c.presence.values())


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    corpora(measure=MS, with_text=False, unmeasured=True, presences=tuple(Presence)).filter(
        took_part
    )
)
def test_round_trip(corpus: Corpus) -> None:
    everyone = set(corpus.annotators)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        write(corpus, out, "textgrid")
        table = out / "assignments.csv"
        back = read(
            out, "textgrid", annotator_from="tier", empty="seen",
            assignments=table if table.exists() else None,
        )  # fmt: skip
        for path in out.rglob("*.TextGrid"):
            _same_for_praatio(path, back[path.stem])
    expected = {
        c.id: Continuum(
            c.id, c.units, dict.fromkeys(everyone, Presence.UNSEEN) | dict(c.presence), c.length, MS
        )
        for c in corpus.continua
    }
    assert {c.id: c for c in back.continua} == expected


def _same_for_praatio(path: Path, task: Continuum) -> None:
    """praatio finds the same intervals; it strips labels, and so does this comparison."""
    grid = praat.openTextgrid(str(path), includeEmptyIntervals=False, reportingMode="error")
    found = sorted(
        (name.split(" [")[0], round(e.start * 1000), round(e.end * 1000), e.label)
        for name in grid.tierNames
        for e in grid.getTier(name).entries
    )
    ours = sorted((u.annotator, u.start, u.end, u.category.strip()) for u in task.units)
    assert found == ours


def test_ten_thousand_spans(tmp_path: Path) -> None:
    units = tuple(
        Unit(name, 50 * i + shift, 50 * i + 90 + shift, f"C{i % 7}")
        for name, shift in (("a", 0), ("b", 1))
        for i in range(5_000)
    )
    corpus = Corpus((Continuum("rec", units, length=300_000, measure=MS),))
    write(corpus, tmp_path / "rec.TextGrid", "textgrid")
    assert read(tmp_path / "rec.TextGrid", annotator_from="tier").continua == corpus.continua


def test_a_length_that_is_not_known_is_not_invented(tmp_path: Path) -> None:
    corpus = Corpus((Continuum("rec", (Unit("a", 20, 50, "! length unknown"),), measure=MS),))
    notes = write(corpus, tmp_path / "rec.TextGrid", "textgrid")
    assert [note.message for note in notes] == [
        "lengths that are not known written as the last unit's end"
    ]
    assert read(tmp_path / "rec.TextGrid", annotator_from="tier").continua == corpus.continua
    assert read_textgrid(tmp_path / "rec.TextGrid").end == Decimal("0.05")
    gold = Gold(corpus, {"rec": (GoldSpan(20, 50, "x", 1.0),)}, "s")
    write(gold, tmp_path / "gold.TextGrid", "textgrid", source=tmp_path / "rec.TextGrid")
    assert read_textgrid(tmp_path / "gold.TextGrid").open
    measured = Corpus((Continuum("rec", corpus["rec"].units, length=50, measure=MS),))
    assert write(measured, tmp_path / "known.TextGrid", "textgrid") == ()
    assert read(tmp_path / "known.TextGrid", annotator_from="tier")["known"].length == 50


def test_odd_labels_survive(tmp_path: Path) -> None:
    labels = [" a ", 'q"', "x\ny", "item [1]: 3", '!no"comment', "<exists>", "12", "e\u0301🙂"]
    units = tuple(Unit('a "b"', i * 10, i * 10 + 5, label) for i, label in enumerate(labels))
    corpus = Corpus((Continuum("rec", units, length=500, measure=MS),))
    write(corpus, tmp_path / "rec.TextGrid", "textgrid")
    back = read(tmp_path / "rec.TextGrid", annotator_from="tier")
    assert [u.category for u in back["rec"].units] == labels


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (Continuum("t", (Unit("a", 0, 1, "X"),), text="abc"), "measure 'character'"),
        (Continuum("t", (Unit("a", -1, 1, "X"),), measure=MS), "starts before 0"),
        (Continuum("t", (Unit("a", 0, 1, "\ud800"),), measure=MS), "half a surrogate pair"),
    ],
)
def test_nothing_half_written(tmp_path: Path, task: Continuum, message: str) -> None:
    good = Continuum("good", (Unit("a", 0, 1, "X"),), measure=MS)
    with pytest.raises(InputError, match=f"^task 't': .*{message}"):
        write(Corpus((good, task)), tmp_path / "out", "textgrid")
    assert list(tmp_path.iterdir()) == []


def test_gold_beside_the_tiers_of_the_source(tmp_path: Path) -> None:
    path = lay(tmp_path / "in" / "rec.TextGrid", LONG)
    corpus = read(path, annotator_from="tier")
    spans = (
        GoldSpan(510, 1200, "yes", 0.75, corpus["rec"].units, 3),
        GoldSpan(700, 2500, "no", 0.25, (), 3),
    )
    gold = Gold(corpus, {"rec": spans}, "s")
    before = path.read_bytes()
    assert write(gold, tmp_path / "gold.TextGrid", "textgrid", source=path.parent) == ()
    assert path.read_bytes() == before
    source, copy = read_textgrid(path), read_textgrid(tmp_path / "gold.TextGrid")
    assert (copy.start, copy.end) == (source.start, source.end)
    assert [plain(tier) for tier in copy.tiers[:3]] == [plain(tier) for tier in source.tiers]
    assert [tier.name for tier in copy.tiers[3:]] == [
        "gold", "gold [2]", "gold votes", "gold votes [2]"
    ]  # fmt: skip
    labels = [[e.label for e in tier.entries if e.label] for tier in copy.tiers[3:]]
    # Nobody's label is the one that is suggested.
    first = 'confidence 0.75, 0 of 3: ann say "yes" item [2]: 7 500-1235'
    assert labels == [["yes"], ["no"], [first], ["confidence 0.25, 0 of 3"]]
    back = read(tmp_path / "gold.TextGrid", annotator_from="tier")
    assert "annotator 'gold' left out" in told(back)


def plain(tier: Tier) -> tuple[object, ...]:
    return tier.name, tier.points, [entry[:3] for entry in tier.entries]


def test_gold_finds_its_source_by_the_units(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ann", "ben"):
        lay(tmp_path / f"rec_{name}.TextGrid", LONG.replace('"tones"', f'"by {name}"'))
    monkeypatch.chdir(tmp_path)
    corpus = read(".", "textgrid", annotator_from="{task}_{annotator}.TextGrid", layers="ann")
    gold = Gold(corpus, {"rec": (GoldSpan(0, 10, "x", 1.0),)}, "s")
    write(gold, "gold.TextGrid", "textgrid", source=tmp_path)
    tiers = [tier.name for tier in read_textgrid(tmp_path / "gold.TextGrid").tiers]
    assert tiers == ["    ann", "ben", "by ann", "gold", "gold votes"]


def test_gold_without_a_source(tmp_path: Path) -> None:
    corpus = Corpus((
        Continuum("r1", (Unit("a", 0, 5, "x"),), length=20, measure=MS, media="r1.wav"),
        Continuum("r2", (Unit("a", 0, 5, "x"),), measure=MS),
    ))  # fmt: skip
    gold = Gold(corpus, {"r1": (GoldSpan(0.4, 5.5, "x", 1.0), GoldSpan(7, 7.1, "x", 1.0))}, "s")
    notes = write(gold, tmp_path / "out", "textgrid", annotator="best")
    assert [n.message for n in notes] == [
        "spans shorter than half a millisecond left out",
        "tasks without gold left out",
        "a TextGrid holds no references to media",
    ]
    grid = read_textgrid(tmp_path / "out/r1.TextGrid")
    assert [(str(e.start), str(e.end), e.label) for e in grid.tiers[0].entries] == [
        ("0.000", "0.006", "x"),
        ("0.006", "0.020", ""),
    ]


@pytest.mark.skipif(not DATA.is_dir(), reason="the real files are not beside the project")
def test_real_files() -> None:
    people = DATA / "pygamma_tests/tests/data/MaureenMarvinRobin.TextGrid"
    corpus = read(people, annotator_from="tier")
    same = read(people.with_suffix(".eaf"), annotator_from="tier")
    for name in ("Maureen", "Marvin", "Robin"):
        ours, theirs = corpus.continua[0].of(name), same.continua[0].of(name)
        assert [u.category for u in ours] == [u.category for u in theirs]
        assert all(
            abs(a.start - b.start) <= 1 and abs(a.end - b.end) <= 1
            for a, b in zip(ours, theirs, strict=True)
        )
    files = sorted((DATA / "elan_childproject").rglob("*.TextGrid"))
    assert files
    for path in files:
        task = read(path, annotator_from="tier").continua[0]
        grid = praat.openTextgrid(str(path), includeEmptyIntervals=False, reportingMode="error")
        counts = {name.strip(): len(grid.getTier(name).entries) for name in grid.tierNames}
        assert {name: len(task.of(name)) for name in counts} == counts
        assert task.length == 10_000
