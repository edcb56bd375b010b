"""ELAN: whose tiers they are, what times they have, who saw what."""

from __future__ import annotations

from pathlib import Path

import pytest

from eaf_files import EafText
from goldspan.adapters import detect, read
from goldspan.adapters.elan.document import Annotation, Eaf, Tier
from goldspan.adapters.elan.times import Times
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Measure, Presence

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
SAMPLE = DATA / "elan_pympi" / "test" / "sample_3.0.eaf"


def spans(corpus: Corpus, task: str = "one") -> list[tuple[object, ...]]:
    return [(u.annotator, u.start, u.end, u.category) for u in corpus[task].units]


def told(corpus: Corpus) -> str:
    return "\n".join(f"{note.message} ({note.count})" for note in corpus.notes)


def two_raters() -> EafText:
    text = EafText()
    text.tier("Rater #1 FACE", [(0, 500, "wave"), (700, 900, "nod")], ANNOTATOR="ann")
    text.tier("Rater #2 FACE", [(20, 480, "wave")], ANNOTATOR="ben")
    return text


def test_annotators_by_attribute(tmp_path: Path) -> None:
    path = two_raters().write(tmp_path / "x.eaf")
    assert detect(path) == "elan"
    corpus = read(path)
    expected = [("ann", 0, 500, "wave"), ("ann", 700, 900, "nod"), ("ben", 20, 480, "wave")]
    assert spans(corpus) == expected
    assert spans(read(path, annotator_from="annotator")) == expected
    assert corpus["one"].measure is Measure.MILLISECOND
    assert corpus["one"].media == "file:///rec/one.wav"
    assert corpus["one"].units[0].source.startswith(f"{path}:")
    assert told(corpus) == "categories used by one annotator only: 'nod' (1)"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("tier", {"Rater #1 FACE", "Rater #2 FACE"}),
        ("tier:Rater #{annotator} {layer}", {"1", "2"}),
        ("tier:Rater {annotator} *", {"#1", "#2"}),
        ("file", {"x"}),
        ("dir", {"d"}),
        ("{task}/d/{annotator}.eaf", {"x"}),
    ],
)
def test_annotators_by_name(tmp_path: Path, source: str, names: set[str]) -> None:
    path = two_raters().write(tmp_path / "d" / "x.eaf")
    corpus = read(path, annotator_from=source)
    assert set(corpus.annotators) == names


def test_participants_only_when_asked(tmp_path: Path) -> None:
    text = EafText()
    text.tier("a", [(0, 5, "x")], PARTICIPANT="CHI")
    text.tier("b", [(0, 5, "x")], PARTICIPANT="FA1")
    path = text.write(tmp_path / "x.eaf")
    with pytest.raises(InputError, match=r"-from: participant \(usually the speaker.*\), tier"):
        read(path)
    assert read(path, annotator_from="participant").annotators == ("CHI", "FA1")


def test_one_annotator_on_some_tiers_decides_nothing(tmp_path: Path) -> None:
    text = EafText()
    text.tier("a", [(0, 5, "x")], ANNOTATOR="tuan")
    text.tier("b", [(0, 5, "x")])
    with pytest.raises(InputError, match="ANNOTATOR names one, 'tuan'"):
        read(text.write(tmp_path / "x.eaf"))


def test_a_file_for_each_coder(tmp_path: Path) -> None:
    for name, end in (("ann", 500), ("ben", 480)):
        text = EafText()
        text.tier("FACE", [(0, end, "wave")])
        text.write(tmp_path / name / "rec7.eaf")
    corpus = read(tmp_path, annotator_from="dir")
    assert spans(corpus, "rec7") == [("ann", 0, 500, "wave"), ("ben", 0, 480, "wave")]
    # The recording's name joins files whose own names tell no task.
    by_pattern = read(tmp_path, annotator_from="{annotator}/*.eaf")
    assert spans(by_pattern) == spans(corpus, "rec7")


def test_parts_of_one_recording_are_tasks_of_their_own(tmp_path: Path) -> None:
    for part in ("p1", "p2"):
        two_raters().write(tmp_path / f"{part}.eaf")
    corpus = read(tmp_path)
    assert [c.id for c in corpus.continua] == ["p1", "p2"]
    assert "several files annotate the recording 'one', and each is a task" in told(corpus)
    two_raters().write(tmp_path / "again" / "p1.eaf")
    with pytest.raises(InputError, match=r"'ann' has annotations of 'one' in several files"):
        read(tmp_path)


def test_recordings_in_several_places_are_one_and_it_is_said(tmp_path: Path) -> None:
    for name, place in (("ann", "s1"), ("bob", "s2")):
        text = EafText(media=f"file:///corpus/{place}/audio.wav")
        text.tier("T", [(0, 5, "x")], ANNOTATOR=name)
        text.write(tmp_path / name / f"{place}.eaf")
    corpus = read(tmp_path)
    assert [c.id for c in corpus.continua] == ["audio"]
    assert (
        "recordings in several places read as one, because they have the same name: "
        "'file:///corpus/s1/audio.wav', 'file:///corpus/s2/audio.wav'; if they are not the same, "
        "tell them apart with --annotator-from and a pattern such as {annotator}/{task}.eaf"
    ) in told(corpus)
    apart = read(tmp_path, annotator_from="{annotator}/{task}.eaf")
    assert [c.id for c in apart.continua] == ["s1", "s2"]
    assert "have the same name" not in str(told(apart))


def test_layers(tmp_path: Path) -> None:
    text = EafText()
    text.tier("FACE@1", [(0, 5, "wave")], ANNOTATOR="1")
    text.tier("HAND@1", [(2, 5, "point")], ANNOTATOR="1")
    text.tier("FACE@2", [(0, 6, "wave")], "sign", ANNOTATOR="2")
    path = text.write(tmp_path / "x.eaf")
    assert len(read(path)["one"].units) == 3
    for layer in ("FACE@*", ["FACE@1", "FACE@2"], ["sign", "FACE@1"]):
        assert spans(read(path, layers=layer)) == [("1", 0, 5, "wave"), ("2", 0, 6, "wave")]
    by_layer = read(
        path, layers="FACE", annotator_from="tier:{layer}@{annotator}", category_from="tier"
    )
    assert spans(by_layer) == [("1", 0, 5, "FACE"), ("2", 0, 6, "FACE")]
    with pytest.raises(SettingsError, match=r"no tier 'FEET'; there are 'FACE@1', 'HAND@1'"):
        read(path, layers="FEET")


def test_categories_from_referring_tiers(tmp_path: Path) -> None:
    text = EafText()
    first, second, third = text.tier(
        "CHI", [(0, 50, "hello there"), (60, 90, "bye"), (95, 99, "0")], ANNOTATOR="a"
    )
    lex = text.refs("lex@CHI", "CHI", [(first, "W", None), (second, "", None)])
    text.refs("mwu@CHI", "lex@CHI", [(lex[0], "M", None)])
    text.refs("m@CHI", "CHI", [(third, "x", None), (third, "y", "a6")], "morph")
    path = text.write(tmp_path / "x.eaf")
    with pytest.raises(InputError, match=r"x\.eaf:\d+: the span \[60, 90\) has no category"):
        read(path, layers="CHI", category_from="child:lex@*")
    corpus = read(path, category_from="child:lex@*", unlabelled="?")
    assert spans(corpus) == [("a", 0, 50, "W"), ("a", 60, 90, "?"), ("a", 95, 99, "?")]
    deep = read(path, category_from="child:mwu@CHI", unlabelled="?")
    assert spans(deep)[0] == ("a", 0, 50, "M")
    both = read(path, category_from="child:morph", unlabelled="?")
    assert spans(both)[2:] == [("a", 95, 99, "x"), ("a", 95, 99, "y")]
    joined = read(path, category_from="child:morph", unlabelled="?", labels="join")
    assert spans(joined)[2:] == [("a", 95, 99, "x|y")]
    with pytest.raises(SettingsError, match="no tier or linguistic type 'xds'"):
        read(path, category_from="child:xds", unlabelled="?")
    with pytest.raises(SettingsError, match="it can be value, tier, or child:NAME"):
        read(path, category_from="xds")


def test_coders_who_label_the_same_segments(tmp_path: Path) -> None:
    text = EafText()
    ids = text.tier("segments", [(0, 50, ""), (60, 90, "")])
    text.refs("code-a", "segments", [(ids[0], "X", None), (ids[1], "Y", None)], ANNOTATOR="a")
    text.refs("code-b", "segments", [(ids[0], "X", None)], ANNOTATOR="b")
    corpus = read(text.write(tmp_path / "x.eaf"), layers="code-*", annotator_from="annotator")
    assert spans(corpus) == [("a", 0, 50, "X"), ("a", 60, 90, "Y"), ("b", 0, 50, "X")]


def chained() -> EafText:
    """Words divide an utterance; a slot of another tier stands between theirs in the file."""
    text = EafText()
    text.tier("utterance", [(1000, 2000, "a b c"), (3000, 3100, "d")], ANNOTATOR="a")
    first, last = text.slots[0][0], text.slots[1][0]
    one = text.slot(None)
    text.tier("other", [(1900, 1950, "z")], ANNOTATOR="b")
    two = text.slot(None)
    text.tier(
        "words", [(first, one, "a"), (one, two, "b"), (two, last, "c"), (3000, 3100, "d")],
        "word", ANNOTATOR="a", PARENT_REF="utterance",
    )  # fmt: skip
    return text


def test_times_that_no_human_placed(tmp_path: Path) -> None:
    path = chained().write(tmp_path / "x.eaf")
    corpus = read(path, layers="words")
    assert spans(corpus) == [("a", 3000, 3100, "d")]
    assert "no human placed left out (--include-inferred keeps them) (3)" in told(corpus)
    kept = read(path, layers="words", include_inferred=True)
    assert spans(kept) == [
        ("a", 1000, 1333, "a"),
        ("a", 1333, 1667, "b"),
        ("a", 1667, 2000, "c"),
        ("a", 3000, 3100, "d"),
    ]
    assert "inside another tier, which are read as well (--layer NAME reads one): 'words'" in told(
        read(path)
    )


def test_a_chain_without_an_end_has_no_time(tmp_path: Path) -> None:
    text = EafText()
    text.tier("a", [(0, 10, "x"), (20, None, "y"), (None, 40, "z")], ANNOTATOR="a")
    corpus = read(text.write(tmp_path / "x.eaf"), include_inferred=True)
    assert spans(corpus) == [("a", 0, 10, "x")]
    assert "annotations without any time left out (2)" in told(corpus)


def test_what_refers_to_an_annotation_without_time_has_none(tmp_path: Path) -> None:
    text = EafText()
    (name,) = text.tier("a", [(20, None, "y")], ANNOTATOR="a")
    text.refs("code", "a", [(name, "X", None)], ANNOTATOR="a")
    corpus = read(text.write(tmp_path / "x.eaf"), layers="code", include_inferred=True)
    assert corpus["one"].units == ()
    assert "annotations without any time left out (1)" in told(corpus)
    assert "--include-inferred" not in told(corpus)


def test_symbolic_subdivisions_have_no_human_time(tmp_path: Path) -> None:
    text = EafText()
    (parent,) = text.tier("utterance", [(0, 100, "a b")], ANNOTATOR="a")
    text.refs(
        "words", "utterance", [(parent, "second", "a3"), (parent, "first", None)], "morph",
        ANNOTATOR="a",
    )  # fmt: skip
    path = text.write(tmp_path / "x.eaf")
    without = read(path, layers="words")
    assert without["one"].presence == {"a": Presence.SKIPPED}
    assert "no human placed left out (--include-inferred keeps them) (2)" in told(without)
    assert "'a' counts as absent: no annotation has a time that a human" in told(without)
    assert spans(read(path, layers="words", include_inferred=True)) == [
        ("a", 0, 50, "first"),
        ("a", 50, 100, "second"),
    ]


def test_seen_and_never_seen(tmp_path: Path) -> None:
    text = EafText()
    text.tier("a", [(0, 5, "x")], ANNOTATOR="a")
    text.tier("b", [], ANNOTATOR="b")
    text.write(tmp_path / "one.eaf")
    text = EafText("two.wav")
    text.tier("a", [(0, 5, "x")], ANNOTATOR="a")
    text.write(tmp_path / "two.eaf")
    text = EafText("three.wav")
    text.tier("a", [], ANNOTATOR="a")
    text.tier("b", [], ANNOTATOR="b")
    text.write(tmp_path / "three.eaf")
    corpus = read(tmp_path)
    done, empty, unseen = Presence.DONE, Presence.EMPTY, Presence.UNSEEN
    assert corpus["one"].presence == {"a": done, "b": empty}
    assert corpus["two"].presence == {"a": done, "b": unseen}
    assert corpus["three"].presence == {"a": unseen, "b": unseen}
    assert "an unused template (--empty seen," in told(corpus)
    assert read(tmp_path, empty="seen")["three"].presence == {"a": empty, "b": empty}
    assert read(tmp_path, empty="unseen")["one"].presence == {"a": done, "b": unseen}


def test_an_empty_default_tier_is_nobodys(tmp_path: Path) -> None:
    text = EafText(None)
    text.tier("default", [])
    text.tier("ann", [(0, 5, "x")])
    text.tier("ben", [])
    corpus = read(text.write(tmp_path / "x.eaf"), annotator_from="tier")
    assert corpus["x"].presence == {"ann": Presence.DONE, "ben": Presence.EMPTY}
    assert "tiers without a known annotator left out: 'default'" in told(corpus)


def test_vocabularies(tmp_path: Path) -> None:
    text = EafText()
    text.tier("a", [(0, 5, "nod"), (6, 9, "shrug")], "sign", ANNOTATOR="a", LANG_REF="eng")
    path = text.write(tmp_path / "x.eaf")
    assert read(path).scale == ("wave", "nod")
    source = path.read_text(encoding="utf-8")
    path.write_text(
        source.replace('TIME_SLOT_REF2="ts4"', 'TIME_SLOT_REF2="ts4" CVE_REF="cve1"'),
        encoding="utf-8",
    )
    corpus = read(path)
    assert "text is not that of the vocabulary entry they refer to (1)" in told(corpus)
    assert spans(corpus)[1] == ("a", 6, 9, "shrug")


def test_vocabularies_before_eaf_2_8(tmp_path: Path) -> None:
    text = EafText()
    text.tier("a", [(0, 5, "nod")], "sign", ANNOTATOR="a")
    path = text.write(tmp_path / "x.eaf")
    source = path.read_text(encoding="utf-8")
    for name, value in (("cve1", "wave"), ("cve2", "nod")):
        entry = f'CVE_ID="{name}"><CVE_VALUE LANG_REF="eng">{value}</CVE_VALUE></CV_ENTRY_ML>'
        assert entry in source
        source = source.replace(
            f"<CV_ENTRY_ML {entry}", f'<CV_ENTRY DESCRIPTION="">{value}</CV_ENTRY>'
        )
    path.write_text(source, encoding="utf-8")
    assert read(path).scale == ("wave", "nod")


def test_spans_that_the_draft_settles(tmp_path: Path) -> None:
    text = EafText()
    text.tier("a", [(0, 5, "x"), (7, 7, "x"), (9, 8, "x"), (10, 12, "")], ANNOTATOR="a")
    text.tier("a2", [(0, 5, "x")], ANNOTATOR="a")
    path = text.write(tmp_path / "x.eaf")
    with pytest.raises(InputError, match=r"x\.eaf:\d+: the span \[9, 8\) ends before"):
        read(path, unlabelled="none")
    corpus = read(path, unlabelled="none", swap=True)
    assert spans(corpus) == [("a", 0, 5, "x"), ("a", 8, 9, "x"), ("a", 10, 12, "none")]
    assert "duplicate spans counted once (1)" in told(corpus)
    assert "without length dropped (1)" in told(corpus)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('TIME_UNITS="milliseconds"', 'TIME_UNITS="PAL-frames"', "times are in PAL-frames"),
        ("<ANNOTATION_DOCUMENT", "<OTHER", "not well-formed"),
        ('TIME_VALUE="500"', 'TIME_VALUE="5e2"', "the time slot ts2 has the time '5e2'"),
        ('TIME_VALUE="500"', f'TIME_VALUE="{"9" * 5000}"', "ts2 has the time '9{40}'; write whole"),
        ('TIME_SLOT_ID="ts2"', 'TIME_SLOT_ID="ts1"', "the time slot id 'ts1' is missing or"),
        ('REF2="ts4"', 'REF2="ts99"', "the annotation a2 refers to the time slots ts3 and ts99"),
        ('ANNOTATION_ID="a2"', 'ANNOTATION_ID="a1"', "the annotation id 'a1' is missing or"),
        ('TIER_ID="Rater #2 FACE"', 'TIER_ID="Rater #1 FACE"', "the tier 'Rater #1 FACE' has no"),
        ('TYPE_REF="main" TIER_ID="Rater #2', 'TYPE_REF="no" TIER_ID="Rater #2',
         "the linguistic type 'no', which is not in the file"),
        (' ANNOTATOR="ben"', ' ANNOTATOR="ben" PARENT_REF="no"', "belongs to 'no', which is not"),
    ],
)  # fmt: skip
def test_bad_files_name_file_and_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = str(two_raters())
    assert old in text
    path = tmp_path / "x.eaf"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=rf"^{path}:\d+: .*{message}"):
        read(path, "elan")


def test_a_reference_to_nothing(tmp_path: Path) -> None:
    text = two_raters()
    text.refs("code", "Rater #1 FACE", [("a77", "X", None)])
    with pytest.raises(InputError, match=r"x\.eaf:\d+: the annotation a4 refers to 'a77'"):
        read(text.write(tmp_path / "x.eaf"))


def test_another_xml_file(tmp_path: Path) -> None:
    path = tmp_path / "x.eaf"
    path.write_text("<annotations/>", encoding="utf-8")
    with pytest.raises(InputError, match=r"x\.eaf:1: the root element is <annotations>"):
        read(path, "elan", annotator_from="tier")
    path.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=r"x\.eaf:1: this is not well-formed XML"):
        read(path, "elan", annotator_from="tier")
    path.unlink()
    with pytest.raises(InputError, match=r"there is no \.eaf file here"):
        read(tmp_path, "elan")


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE x [<!ENTITY a "b">]>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE ANNOTATION_DOCUMENT SYSTEM "http://127.0.0.1:9/x.dtd">',
    ],
)
def test_document_types_are_refused(tmp_path: Path, declaration: str) -> None:
    path = tmp_path / "x.eaf"
    text = str(two_raters()).replace("?>\n", f"?>\n{declaration}\n", 1)
    path.write_text(text.replace(">wave<", ">&a;<"), encoding="utf-8")
    with pytest.raises(InputError, match="declares a document type"):
        read(path, "elan")


def test_a_source_that_means_nothing(tmp_path: Path) -> None:
    path = two_raters().write(tmp_path / "x.eaf")
    with pytest.raises(SettingsError, match="'rater' is not valid here; it can be annotator"):
        read(path, annotator_from="rater")
    with pytest.raises(SettingsError, match="tier pattern 'x' should hold"):
        read(path, annotator_from="tier:x")
    with pytest.raises(InputError, match=r"no tier can be read by --annotator-from participant"):
        read(path, annotator_from="participant")


needs_data = pytest.mark.skipif(not SAMPLE.exists(), reason="the real files are not beside us")


@needs_data
def test_sample_3_0_chains_divide_their_parents() -> None:
    corpus = read(SAMPLE, annotator_from="file", layers="words-timesub")
    (note,) = (n for n in corpus.notes if "no human placed" in n.message)
    assert note.count == 1965
    assert len(corpus.continua[0].units) == 1995 - 1965
    parents = read(SAMPLE, annotator_from="file", layers="text").continua[0].units
    words = read(SAMPLE, annotator_from="file", layers="words-timesub", include_inferred=True)
    units = words.continua[0].units
    assert len(units) == 1995
    by_start = {unit.start: unit for unit in units}
    for parent in parents:
        at, count = parent.start, 0
        while at < parent.end:
            at, count = by_start[at].end, count + 1
        assert (at, count) == (parent.end, 5)


@needs_data
def test_the_other_real_files() -> None:
    child = DATA / "elan_childproject"
    for path, tiers, expected in (
        (child / "tests/data/eaf.eaf", "VCM", 67 + 58 + 51 + 5 + 41),
        (child / "tests/data/eaf_any_tier.eaf", "NEWTIER", 55 + 46 + 3 + 1),
        (DATA / "elan_speach/test/data/test.eaf", "ChunkLanguage", 12),
        (DATA / "elan_speach/test/data/test2.eaf", "ChunkLanguage", 12),
    ):
        corpus = read(path, annotator_from="file", layers=tiers)
        assert len(corpus.continua[0].units) == expected, path
    example = child / "examples/valid_raw_data/annotations/eaf_basic/raw/example.eaf"
    corpus = read(example, annotator_from="file", category_from="child:XDS", layers=["FA?", "UC?"])
    assert len(corpus.continua[0].units) == 91 + 30 + 18 + 18 + 5
    people = read(DATA / "pygamma_tests/tests/data/MaureenMarvinRobin.eaf", annotator_from="tier")
    counts = [len(people.continua[0].of(n)) for n in ("Maureen", "Marvin", "Robin")]
    assert counts == [2, 1, 1]


@needs_data
def test_childproject_truth_table() -> None:
    """The same segments as the table that ChildProject expects of this file."""
    child = DATA / "elan_childproject" / "tests"
    rows = (child / "truth" / "eaf.csv").read_text(encoding="utf-8").splitlines()
    header = rows[0].split(",")
    at = [header.index(name) for name in ("segment_onset", "segment_offset")]
    truth = sorted(tuple(int(row.split(",")[i]) for i in at) for row in rows[1:])
    corpus = read(
        child / "data" / "eaf.eaf", annotator_from="file", category_from="tier",
        layers=["CHI", "FA1", "FA2", "MA1", "MC1"],
    )  # fmt: skip
    found = sorted((u.start, u.end) for u in corpus.continua[0].units)
    assert found == truth


def test_a_chain_of_tiers_longer_than_python_calls(tmp_path: Path) -> None:
    depth = 3000
    eaf = Eaf(
        tmp_path / "x.eaf",
        {
            f"t{i}": Tier(
                id=f"t{i}", type="t", constraint="Symbolic_Association" if i else None,
                annotator="a", participant="", parent=f"t{i - 1}" if i else None, vocabulary=None,
                language=None, line=1,
                annotations=(
                    Annotation(f"a{i}", "x", 1, parent=f"a{i - 1}")
                    if i
                    else Annotation("a0", "x", 1, slots=("s1", "s2")),
                ),
            )
            for i in range(depth)
        },
        {"s1": 0, "s2": 500},
        {},
    )  # fmt: skip
    last = eaf.tiers[f"t{depth - 1}"]
    assert Times(eaf).of(last) == {f"a{depth - 1}": (0, 500, False)}
