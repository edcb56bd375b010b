"""ELAN, written: what was read comes back, and a source loses nothing to its gold tier."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from lxml import etree

from eaf_files import EafText, assert_keeps_the_rules, assert_nothing_lost, parse
from goldspan.adapters import read, write
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from strategies import corpora

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
SCHEMA = DATA / "elan_pympi" / "test" / "EAFv3.0.xsd"
MS = Measure.MILLISECOND


def assert_valid(path: Path) -> None:
    """The rules always; the published schema where it is at hand."""
    root = parse(path)
    assert_keeps_the_rules(root)
    if SCHEMA.exists():
        etree.XMLSchema(etree.parse(str(SCHEMA))).assertValid(root.getroottree())


def took_part(corpus: Corpus) -> bool:
    return any(state.takes_part for c in corpus.continua for state in c.presence.values())


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    corpora(
        measure=MS, with_text=False, media="file:///a b/é.wav", presences=tuple(Presence)
    ).filter(took_part)
)
def test_round_trip(corpus: Corpus) -> None:
    everyone = set(corpus.annotators)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        write(corpus, out, "elan")
        table = out / "assignments.csv"
        for path in out.rglob("*.eaf"):
            assert_valid(path)
        back = read(out, "elan", assignments=table if table.exists() else None)
    expected = {
        c.id: Continuum(
            c.id, c.units, dict.fromkeys(everyone, Presence.UNSEEN) | dict(c.presence),
            c.length, MS, None, c.media,
        )
        for c in corpus.continua
    }  # fmt: skip
    assert {c.id: c for c in back.continua} == expected


def test_ten_thousand_spans(tmp_path: Path) -> None:
    units = tuple(
        Unit(name, 50 * i + shift, 50 * i + 90 + shift, f"C{i % 7}")
        for name, shift in (("a", 0), ("b", 1))
        for i in range(5_000)
    )
    corpus = Corpus((Continuum("rec", units, measure=MS),))
    write(corpus, tmp_path / "out.eaf", "elan")
    assert read(tmp_path / "out.eaf").continua == corpus.continua
    # The schema's keys take minutes in a file of this size; the rules say the same.
    assert_keeps_the_rules(parse(tmp_path / "out.eaf"))


def test_one_file(tmp_path: Path) -> None:
    corpus = Corpus((Continuum(
        "rec", (Unit("a", 0, 9, "X"), Unit("a", 5, 12, "Y")), {"b": Presence.SKIPPED}, measure=MS,
    ),))  # fmt: skip
    notes = write(corpus, tmp_path / "out.eaf", "elan")
    assert [t.get("TIER_ID") for t in parse(tmp_path / "out.eaf").iter("TIER")] == ["a", "a-2"]
    table = tmp_path / "out.assignments.csv"
    assert [n.message for n in notes] == [
        f"the table of who saw what was written to {table}; give it to --assignments when reading"
    ]
    assert read(tmp_path / "out.eaf", assignments=table).continua == corpus.continua
    with pytest.raises(SettingsError, match="can hold one task, and there are 2"):
        write(Corpus((*corpus.continua, Continuum("x", measure=MS))), tmp_path / "o.eaf", "elan")


def test_times_are_rounded_once_half_up(tmp_path: Path) -> None:
    units = (Unit("a", 0.5, 2.5, "X"), Unit("a", 3.49, 3.51, "Y"), Unit("a", 7.1, 7.2, "Z"))
    corpus = Corpus((Continuum("rec", units, measure=MS),))
    notes = write(corpus, tmp_path / "out.eaf", "elan")
    back = read(tmp_path / "out.eaf").continua[0].units
    assert [(u.start, u.end) for u in back] == [(1, 3), (3, 4)]
    assert [(n.message, n.count) for n in notes] == [
        ("spans shorter than half a millisecond left out", 1)
    ]


def test_positions_without_a_measure(tmp_path: Path) -> None:
    whole = Continuum("t", (Unit("a", 0, 9, "X"),), measure=Measure.STEP, text="a b")
    assert [note.message for note in write(Corpus((whole,)), tmp_path / "out.eaf", "elan")] == [
        "positions without a measure written as milliseconds",
        "EAF holds no texts",
    ]


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (Continuum("t", (Unit("a", 0, 1, "X"),), text="abc"), "measure 'character'"),
        (Continuum("t", (Unit("a", 0, 1.5, "X"),), measure=Measure.STEP), "measure 'step'"),
        (Continuum("t", (Unit("a", -1, 1, "X"),), measure=MS), "starts before 0"),
        (Continuum("t", (Unit("a", 0, 1, "X\x00"),), measure=MS), "character U\\+0000"),
        (Continuum("t", (Unit("a\x1f", 0, 1, "X"),), measure=MS), "character U\\+001F"),
    ],
)
def test_nothing_half_written(tmp_path: Path, task: Continuum, message: str) -> None:
    good = Continuum("good", (Unit("a", 0, 1, "X"),), measure=MS)
    with pytest.raises(InputError, match=f"^task 't': .*{message}"):
        write(Corpus((good, task)), tmp_path / "out", "elan")
    assert list(tmp_path.iterdir()) == []


def source(path: Path) -> Path:
    text = EafText(ordered=True)
    ids = text.tier(
        "Rater 1", [(100, 300, "wave"), (400, 600, "nod")], "sign", ANNOTATOR="ann", LANG_REF="eng"
    )
    first, last = text.slots[0][0], text.slots[1][0]
    middle = text.slot(None)
    text.tier("Rater 2", [(90, 290, "wave")], "sign", ANNOTATOR="ben", PARTICIPANT="P")
    text.tier("parts", [(first, middle, "a"), (middle, last, "b")], "word", PARENT_REF="Rater 1")
    text.refs("code", "Rater 1", [(ids[0], "x &lt; y", None)])
    text.write(path)
    data = path.read_text(encoding="utf-8")
    path.write_text(
        data.replace("<HEADER", "<!-- ours -->\n    <HEADER")
        .replace('ANNOTATION_ID="a1"', 'ANNOTATION_ID="a1" CVE_REF="cve1" EXT_REF="er1"')
        .replace("</ANNOTATION_DOCUMENT>", '    <EXTERNAL_REF EXT_REF_ID="er1" TYPE="iso12620" '
                 'VALUE="DC-1"/>\n</ANNOTATION_DOCUMENT>'),
        encoding="utf-8",
    )  # fmt: skip
    return path


def gold_of(corpus: Corpus, *spans: tuple[float, float, str]) -> Gold:
    task = corpus.continua[0]
    return Gold(
        corpus,
        {task.id: tuple(GoldSpan(*span, 0.5, task.units[:1], 2) for span in spans)},
        "alignment",
    )


def gold_tiers(root: object) -> Sequence[str]:
    return [t.get("TIER_ID") for t in root.iter("TIER") if t.get("ANNOTATOR") == "merged"]  # type: ignore[attr-defined]


def test_gold_is_a_tier_more_and_nothing_less(tmp_path: Path) -> None:
    path = source(tmp_path / "one.eaf")
    before = path.read_bytes()
    gold = gold_of(
        read(path, layers="Rater*"), (95, 295, "wave"), (200, 700, "nod"), (400, 600, "nod")
    )
    notes = write(gold, tmp_path / "gold.eaf", "elan", source=path)
    assert notes == ()
    assert path.read_bytes() == before
    copy = parse(tmp_path / "gold.eaf")
    assert_valid(tmp_path / "gold.eaf")
    assert gold_tiers(copy) == ["gold", "gold votes", "gold-2", "gold-2 votes"]
    assert_nothing_lost(parse(path), copy, gold_tiers(copy))
    assert b"<!-- ours -->" in (tmp_path / "gold.eaf").read_bytes()
    tiers = {t.get("TIER_ID"): t for t in copy.iter("TIER")}
    assert tiers["gold"].get("LINGUISTIC_TYPE_REF") == "sign"
    assert tiers["gold votes"].get("PARENT_REF") == "gold"
    assert [a.get("CVE_REF") for a in tiers["gold"].iterfind("ANNOTATION/*")] == ["cve1", "cve2"]
    assert [v.text for v in tiers["gold votes"].iter("ANNOTATION_VALUE")] == [
        "confidence 0.50, 1 of 2: ann wave 100-300",
        "confidence 0.50, 0 of 2: ann wave 100-300",  # nobody marked a nod
    ]
    ids = [a.get("ANNOTATION_ID") for a in tiers["gold"].iterfind("ANNOTATION/*")]
    assert ids == ["a47", "a48"]  # the source counts to 46
    order = [(s.get("TIME_SLOT_ID"), s.get("TIME_VALUE")) for s in copy.iter("TIME_SLOT")]
    values = [int(value) for _, value in order if value is not None]
    assert values == sorted(values)
    assert order.index(("ts5", None)) == order.index(("ts4", "600")) + 1


def test_gold_reads_back_as_a_merged_version(tmp_path: Path) -> None:
    path = source(tmp_path / "one.eaf")
    write(gold_of(read(path), (95, 295, "wave")), tmp_path / "gold.eaf", "elan", source=path)
    corpus = read(tmp_path / "gold.eaf")
    assert corpus.annotators == ("ann", "ben")
    assert any("annotator 'merged' left out" in note.message for note in corpus.notes)
    (unit,) = read(tmp_path / "gold.eaf", include_annotators="merged")["one"].of("merged")
    assert (unit.start, unit.end, unit.category) == (95, 295, "wave")


def test_a_type_that_can_hold_the_categories(tmp_path: Path) -> None:
    path = source(tmp_path / "one.eaf")
    write(gold_of(read(path), (95, 295, "shrug")), tmp_path / "gold.eaf", "elan", source=path)
    copy = parse(tmp_path / "gold.eaf")
    (tier,) = (t for t in copy.iter("TIER") if t.get("TIER_ID") == "gold")
    assert tier.get("LINGUISTIC_TYPE_REF") == "goldspan"
    assert_valid(tmp_path / "gold.eaf")
    assert_nothing_lost(parse(path), copy, gold_tiers(copy))


def test_names_that_are_taken(tmp_path: Path) -> None:
    text = EafText()
    text.tier("gold", [(0, 5, "x")], ANNOTATOR="a")
    text.tier("b", [(0, 6, "x")], ANNOTATOR="b")
    path = text.write(tmp_path / "one.eaf")
    write(gold_of(read(path), (0, 5, "x")), tmp_path / "gold.eaf", "elan", source=path)
    copy = parse(tmp_path / "gold.eaf")
    assert gold_tiers(copy) == ["gold-2", "gold-2 votes"]
    assert_nothing_lost(parse(path), copy, gold_tiers(copy))


def test_ids_of_more_digits_than_can_be_counted_on(tmp_path: Path) -> None:
    path = source(tmp_path / "one.eaf")
    long = "9" * 5000
    data = (
        path.read_text(encoding="utf-8").replace('"a1"', f'"a{long}"').replace(">46<", f">{long}<")
    )
    path.write_text(data, encoding="utf-8")
    write(gold_of(read(path), (95, 295, "wave")), tmp_path / "gold.eaf", "elan", source=path)
    copy = parse(tmp_path / "gold.eaf")
    assert_nothing_lost(parse(path), copy, gold_tiers(copy))
    assert f'"a{long}"' in data
    assert f">{long}<" in data


def test_a_file_for_each_coder_and_many_tasks(tmp_path: Path) -> None:
    for name in ("ann", "ben"):
        for task in ("r1", "r2"):
            text = EafText(None)
            text.tier("FACE", [(0, 500, "wave")])
            text.write(tmp_path / "in" / f"{task}_{name}.eaf")
    corpus = read(tmp_path / "in", annotator_from="{task}_{annotator}.eaf")
    span = GoldSpan(0, 500, "wave", 1.0)
    gold = Gold(corpus, {"r1": (span,), "r2": ()}, "s")
    assert write(gold, tmp_path / "out", "elan", source=tmp_path / "in") == ()
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["r1.eaf", "r2.eaf"]
    copy = parse(tmp_path / "out/r1.eaf")
    assert_nothing_lost(parse(tmp_path / "in/r1_ann.eaf"), copy, gold_tiers(copy))
    assert gold_tiers(parse(tmp_path / "out/r2.eaf")) == ["gold"]


def test_gold_without_a_source(tmp_path: Path) -> None:
    corpus = Corpus((
        Continuum("r1", (Unit("a", 0, 5, "x"),), measure=MS, media="r1.wav"),
        Continuum("r2", (Unit("a", 0, 5, "x"),), measure=MS),
    ))  # fmt: skip
    gold = Gold(corpus, {"r1": (GoldSpan(0, 5, "x", 1.0, corpus["r1"].units, 1),)}, "s")
    notes = write(gold, tmp_path / "out", "elan", annotator="best")
    assert [n.message for n in notes] == [
        "tasks without gold left out",
        "no source file was found for some tasks, and theirs are new: 'r1'",
    ]
    root = parse(tmp_path / "out/r1.eaf")
    assert gold_tiers(root) == ["best", "best votes"]
    assert_valid(tmp_path / "out/r1.eaf")


@pytest.mark.skipif(not SCHEMA.exists(), reason="the real files are not beside us")
def test_gold_in_real_files(tmp_path: Path) -> None:
    files = sorted(p for folder in DATA.glob("*") for p in folder.rglob("*.eaf"))
    assert len(files) >= 7
    for index, path in enumerate(files):
        corpus = read(path, annotator_from="tier", unlabelled="none", include_inferred=True)
        task = corpus.continua[0]
        spans = tuple(GoldSpan(u.start, u.end, u.category, 0.9, (u,), 2) for u in task.units[::7])
        out = tmp_path / f"{index}.eaf"
        write(Gold(corpus, {task.id: spans}, "s"), out, "elan", source=path)
        copy = parse(out)
        etree.XMLSchema(etree.parse(str(SCHEMA))).assertValid(copy.getroottree())
        assert_nothing_lost(parse(path), copy, gold_tiers(copy))
        back = read(out, annotator_from="annotator", include_annotators="merged")
        found = {(u.start, u.end, u.category) for u in back.continua[0].of("merged")}
        assert found == {(s.start, s.end, s.category) for s in spans}, path
