"""RTTM and UEM: rows, regions, who saw what, and back again."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from goldspan.adapters import detect, read, write
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from goldspan.engine.scoring import score
from strategies import corpora, names

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
MS = Measure.MILLISECOND


def lay(folder: Path, files: Mapping[str, str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return folder


def row(file: str, onset: str, duration: str, name: str = "A") -> str:
    return f"SPEAKER {file} 1 {onset} {duration} <NA> <NA> {name} <NA> <NA>\n"


def spans(corpus: Corpus, task: str) -> list[tuple[object, ...]]:
    return [(u.annotator, u.start, u.end, u.category) for u in corpus[task].units]


def told(corpus: Corpus) -> str:
    return "\n".join(f"{note.message} ({note.count})" for note in corpus.notes)


def test_rows(tmp_path: Path) -> None:
    lay(tmp_path, {
        "ann.rttm": ";; a remark\n" + row("rec", "0.1", "1.0045") + "\r\n"
        "SPKR-INFO rec 1 <NA> <NA> <NA> unknown A <NA>\n"
        "SPEAKER\trec 1  2.0 0.5 hello adult_female B 0.97\n",
        "ben.rttm": row("rec", "0.12", "1"),
    })  # fmt: skip
    assert detect(tmp_path) == "rttm"
    corpus = read(tmp_path)
    # 0.1 + 1.0045 is 1.1045 in decimals, and the half goes up.
    assert spans(corpus, "rec") == [
        ("ann", 100, 1105, "A"), ("ann", 2000, 2500, "B"), ("ben", 120, 1120, "A"),
    ]  # fmt: skip
    assert corpus["rec"].measure is MS
    assert corpus["rec"].units[0].source == f"{tmp_path / 'ann.rttm'}:2"
    assert "rows of type SPKR-INFO left out (--layer reads them) (1)" in told(corpus)
    by_type = read(tmp_path, category_from="stype", unlabelled="none")
    assert [u.category for u in by_type["rec"].units] == ["none", "adult_female", "none"]
    with pytest.raises(SettingsError, match="it can be name, stype, ortho, type"):
        read(tmp_path, category_from="speaker")
    with pytest.raises(SettingsError, match="no rows of type 'NOSCORE'; there are SPEAKER, SPKR"):
        read(tmp_path, layers="NOSCORE")


def test_a_turn_without_length(tmp_path: Path) -> None:
    lay(tmp_path, {"a.rttm": row("rec", "1", "0") + row("rec", "1", "1") + row("rec", "1", "1")})
    corpus = read(tmp_path)
    assert spans(corpus, "rec") == [("a", 1000, 2000, "A")]
    assert "spans without length dropped (1)" in told(corpus)
    assert "duplicate spans counted once (1)" in told(corpus)


def on(channel: str, line: str) -> str:
    return line.replace("rec 1 ", f"rec {channel} ")


def test_channels(tmp_path: Path) -> None:
    second = on("2", row("rec", "0", "1"))
    path = lay(tmp_path, {"a.rttm": row("rec", "0", "1") + second, "b.rttm": second})
    corpus = read(path, empty="seen")
    assert [one.id for one in corpus] == ["rec", "rec [channel 2]"]
    assert spans(corpus, "rec") == [("a", 0, 1000, "A")]
    assert spans(corpus, "rec [channel 2]") == [("a", 0, 1000, "A"), ("b", 0, 1000, "A")]
    assert "each channel is a task: 'rec', 'rec [channel 2]' (1)" in told(corpus)
    assert "duplicate spans" not in told(corpus)
    # Rows on one channel do not show that the other was heard.
    assert read(path)["rec"].presence["b"] is Presence.UNKNOWN
    assert [one.id for one in read(path, layers="channel:1")] == ["rec"]
    only = read(path, layers=("SPEAKER", "channel:2"))
    assert spans(only, "rec [channel 2]") == [("a", 0, 1000, "A"), ("b", 0, 1000, "A")]
    assert "channel" not in told(only)
    with pytest.raises(SettingsError, match="no span on the channel 'left'; there are '1', '2'"):
        read(path, layers="channel:left")


@pytest.mark.parametrize("channel", ["1", "<NA>"])
def test_the_first_channel_is_the_recording(tmp_path: Path, channel: str) -> None:
    lay(tmp_path, {"a.rttm": on(channel, row("rec", "0", "1"))})
    assert [(one.id, one.channel) for one in read(tmp_path)] == [("rec", "")]


def test_regions_of_channels(tmp_path: Path) -> None:
    both = row("rec", "0", "3") + on("2", row("rec", "0", "3"))
    files = {"a.rttm": both, "b.rttm": on("2", row("rec", "0", "3"))}
    # Regions that tell the channels apart hold for their own, any other for all channels.
    lay(tmp_path / "apart", files | {"all.uem": "rec 1 0 2\nrec 2 1 3\n"})
    corpus = read(tmp_path / "apart")
    assert spans(corpus, "rec") == [("a", 0, 2000, "A")]
    assert spans(corpus, "rec [channel 2]") == [("a", 1000, 3000, "A"), ("b", 1000, 3000, "A")]
    assert corpus["rec"].presence["b"] is Presence.EMPTY
    lay(tmp_path / "all", files | {"all.uem": "rec NA 0 2\n"})
    corpus = read(tmp_path / "all")
    assert {spans(corpus, one.id)[0][2] for one in corpus} == {2000}
    assert corpus["rec"].presence["b"] is Presence.EMPTY
    lay(tmp_path / "one", files | {"all.uem": "rec 1 0 2\n"})
    corpus = read(tmp_path / "one")
    assert spans(corpus, "rec [channel 2]")[0] == ("a", 0, 3000, "A")
    assert corpus["rec"].presence["b"] is Presence.EMPTY


def test_a_file_for_each_channel(tmp_path: Path) -> None:
    for name in ("ann", "ben"):
        lay(tmp_path, {
            f"{name}/left.rttm": row("rec", "0", "1"),
            f"{name}/right.rttm": on("2", row("rec", "0", "1")),
        })  # fmt: skip
    corpus = read(tmp_path, annotator_from="{annotator}/*.rttm")
    assert {one.id: one.annotators for one in corpus} == {
        "rec": ("ann", "ben"), "rec [channel 2]": ("ann", "ben"),
    }  # fmt: skip


def test_channels_are_written_and_read_again(tmp_path: Path) -> None:
    seen = {"ann": Presence.DONE, "ben": Presence.DONE}
    units = (Unit("ann", 0, 900, "A"), Unit("ben", 0, 1000, "A"))
    corpus = Corpus(
        tuple(Continuum(name, units, seen, 5000, MS) for name in
              ("x", "x [channel 2]", "y [channel B]"))
    )  # fmt: skip
    write(corpus, tmp_path / "out", "rttm")
    assert (tmp_path / "out" / "ann.uem").read_text() == (
        "x 1 0.000 5.000\nx 2 0.000 5.000\ny B 0.000 5.000\n"
    )
    assert read(tmp_path / "out").continua == corpus.continua
    spans = {one.id: (GoldSpan(0, 950, "A", 1.0),) for one in corpus}
    write(Gold(corpus, spans, "x"), tmp_path / "gold.rttm", "rttm")
    lines = (tmp_path / "gold.rttm").read_text().splitlines()
    assert [line.split()[1:3] for line in lines] == [["x", "1"], ["x", "2"], ["y", "B"]]


def test_annotators(tmp_path: Path) -> None:
    lay(tmp_path, {"ann/rec.rttm": row("x", "0", "1"), "ben/rec.rttm": row("x", "0", "2")})
    with pytest.raises(InputError, match=r"'rec' has rows for 'x' here and in .* --annotator-from"):
        read(tmp_path)
    assert spans(read(tmp_path, annotator_from="dir"), "rec") == [
        ("ann", 0, 1000, "A"), ("ben", 0, 2000, "A"),
    ]  # fmt: skip
    assert read(tmp_path, annotator_from="{annotator}/*.rttm")["x"].annotators == ("ann", "ben")


def test_without_uem_rows_do_not_tell_who_saw_what(tmp_path: Path) -> None:
    lay(tmp_path / "in", {
        "ann.rttm": row("one", "0", "1") + row("two", "0", "1"), "ben.rttm": row("one", "0", "1"),
        "cat.rttm": "",
    })  # fmt: skip
    corpus = read(tmp_path / "in")
    unknown, done = Presence.UNKNOWN, Presence.DONE
    assert corpus["two"].presence == {"ann": done, "ben": unknown, "cat": unknown}
    assert corpus["one"].presence == {"ann": done, "ben": done, "cat": unknown}
    assert read(tmp_path / "in", empty="seen")["two"].presence["ben"] is Presence.EMPTY
    assert read(tmp_path / "in", empty="unseen")["two"].presence["ben"] is Presence.UNSEEN
    table = lay(tmp_path, {"who.csv": "document,annotator,status\ntwo,ben,empty\n"}) / "who.csv"
    assert read(tmp_path / "in", assignments=table)["two"].presence["ben"] is Presence.EMPTY
    with pytest.raises(
        InputError, match=r"whether 'cat' saw this task .*--assignments FILE.*--empty"
    ):
        score(corpus)


def test_uem_for_all(tmp_path: Path) -> None:
    lay(tmp_path, {
        "ann.rttm": row("one", "0", "1"), "ben.rttm": row("two", "0", "1"),
        "all.uem": "one 1 0 20\ntwo NA 0.0 30.5\nthree 1 0 10\n",
    })  # fmt: skip
    corpus = read(tmp_path)
    assert corpus["one"].presence == {"ann": Presence.DONE, "ben": Presence.EMPTY}
    assert corpus["three"].presence == {"ann": Presence.EMPTY, "ben": Presence.EMPTY}
    assert [corpus[t].length for t in ("one", "two", "three")] == [20_000, 30_500, 10_000]


def test_uem_of_one(tmp_path: Path) -> None:
    lay(tmp_path, {
        "ann.rttm": row("one", "0", "1"), "ann.uem": "one 1 0 20\ntwo 1 0 20\n",
        "ben.rttm": row("two", "0", "1"), "cat.rttm": "", "cat.uem": "one 1 0 20\n",
    })  # fmt: skip
    corpus = read(tmp_path)
    assert corpus["one"].presence == {
        "ann": Presence.DONE, "ben": Presence.UNKNOWN, "cat": Presence.EMPTY
    }  # fmt: skip
    assert corpus["two"].presence == {
        "ann": Presence.EMPTY, "ben": Presence.DONE, "cat": Presence.UNSEEN
    }  # fmt: skip


def test_an_empty_uem_tells_that_nothing_was_to_be_annotated(tmp_path: Path) -> None:
    lay(tmp_path, {
        "ann.rttm": row("one", "0", "1"), "ann.uem": "one 1 0 20\n", "eve.rttm": "", "eve.uem": "",
    })  # fmt: skip
    assert read(tmp_path)["one"].presence == {"ann": Presence.DONE, "eve": Presence.UNSEEN}


def test_uem_beside_files_named_by_a_pattern(tmp_path: Path) -> None:
    lay(tmp_path, {
        "rec-ann.rttm": row("x", "0", "1"), "rec-ben.rttm": "", "rec-ben.uem": "x 1 0 20\n",
        "all.uem": "rec 1 0 30\n",
    })  # fmt: skip
    corpus = read(tmp_path, annotator_from="{task}-{annotator}.rttm")
    assert [c.id for c in corpus.continua] == ["rec"]
    assert corpus["rec"].presence == {"ann": Presence.DONE, "ben": Presence.EMPTY}
    assert corpus["rec"].length == 30_000


def test_regions_cut_turns(tmp_path: Path) -> None:
    lay(tmp_path, {
        "ann.rttm": row("one", "0", "12") + row("one", "15", "1") + row("one", "18", "30"),
        "all.uem": "one 1 20 25\none 1 0 5\none 1 5 10\n",
    })  # fmt: skip
    corpus = read(tmp_path)
    assert [(u.start, u.end) for u in corpus["one"].units] == [(0, 10_000), (20_000, 25_000)]
    assert "turns outside the UEM regions left out (1)" in told(corpus)
    assert "turns cut at the edges of the UEM regions (2)" in told(corpus)
    assert corpus["one"].length == 25_000


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.rttm": "SPEAKER rec 1 0 1\n"}, r"a\.rttm:1: there are 5 fields"),
        ({"a.rttm": row("rec", "0", "1", "Mr X Y")}, r"a\.rttm:1: .* names cannot hold blanks"),
        ({"a.rttm": row("rec", "0", "1") + row("rec", "x", "1")}, r"a\.rttm:2: 'x' is not a num"),
        ({"a.rttm": row("rec", "nan", "1")}, r"a\.rttm:1: 'nan' is not a time"),
        ({"a.rttm": row("rec", "1", "-1")}, r"a\.rttm:1: the duration -1 is below 0"),
        ({"a.rttm": row("rec", "-1", "2"), "x.uem": "other 1 0 3\n"}, None),
        ({"a.rttm": row("<NA>", "1", "2")}, r"a\.rttm:1: the recording is missing"),
        ({"a.rttm": row("rec", "1", "2", "<NA>")}, r"a\.rttm:1: .* has no category; --unlabelled"),
        ({"a.rttm": row("r", "1", "2"), "a.uem": "r 1 3\n"}, r"a\.uem:1: there are 3 fields"),
        ({"a.rttm": row("r", "1", "2"), "a.uem": "r 1 3 1\n"}, r"a\.uem:1: the region .* ends bef"),
    ],
)  # fmt: skip
def test_bad_rows_name_file_and_line(
    tmp_path: Path, files: dict[str, str], message: str | None
) -> None:
    lay(tmp_path, files)
    if message is None:
        assert spans(read(tmp_path, "rttm"), "rec") == [("a", -1000, 1000, "A")]
        return
    with pytest.raises(InputError, match=message):
        read(tmp_path, "rttm")


def test_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no \.rttm file here"):
        read(tmp_path, "rttm")


def took_part(corpus: Corpus) -> bool:
    return any(state.takes_part for c in corpus.continua for state in c.presence.values())


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    corpora(
        measure=MS, with_text=False, unmeasured=True, presences=tuple(Presence), categories=names()
    ).filter(took_part)
)
def test_round_trip(corpus: Corpus) -> None:
    everyone = set(corpus.annotators)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        write(corpus, out, "rttm")
        table = out / "assignments.csv"
        back = read(out, "rttm", assignments=table if table.exists() else None)
    expected = {
        c.id: Continuum(
            c.id,
            c.units,
            dict.fromkeys(everyone, Presence.UNSEEN) | dict(c.presence),
            c.length if any(s.takes_part for s in c.presence.values()) or c.units else None,
            MS,
        )
        for c in corpus.continua
    }
    assert {c.id: c for c in back.continua} == {
        task: c for task, c in expected.items() if c.annotators or table_names(corpus, task)
    }


def table_names(corpus: Corpus, task: str) -> bool:
    """Whether an assignments file keeps a task alive that nobody has a row or region for."""
    states = [(n, s) for c in corpus.continua for n, s in c.presence.items()]
    working = {n for n, s in states if s.takes_part}
    plain = (Presence.DONE, Presence.EMPTY, Presence.UNSEEN)
    return bool(corpus[task].presence) and any(
        s not in plain or n not in working for n, s in states
    )


def test_ten_thousand_spans(tmp_path: Path) -> None:
    units = tuple(
        Unit(name, 50 * i + shift, 50 * i + 90 + shift, f"C{i % 7}")
        for name, shift in (("a", 0), ("b", 1))
        for i in range(5_000)
    )
    corpus = Corpus((Continuum("rec", units, length=300_000, measure=MS),))
    write(corpus, tmp_path / "out", "rttm")
    assert read(tmp_path / "out").continua == corpus.continua


def test_a_length_that_is_not_known_is_not_invented(tmp_path: Path) -> None:
    units = (Unit("a", 20, 50, "X"), Unit("b", 20, 40, "X"))
    corpus = Corpus(
        tuple(
            Continuum(name, units, length=length, measure=MS)
            for name, length in (("r", None), ("s", 50))
        )
    )
    notes = {note.message: note.count for note in write(corpus, tmp_path / "out", "rttm")}
    assert notes == {"lengths that are not known written as the last unit's end": 1}
    assert (tmp_path / "out/b.uem").read_text(encoding="utf-8") == (
        ";;length-unknown\nr 1 0.000 0.050\ns 1 0.000 0.050\n"
    )
    assert read(tmp_path / "out").continua == corpus.continua
    lay(tmp_path / "out", {"all.uem": "r 1 0 9\n"})
    assert read(tmp_path / "out")["r"].length == 9000


def test_words_that_rttm_cannot_hold(tmp_path: Path) -> None:
    units = (Unit("a b", 0, 5, "Mr X"), Unit("a b", 5, 9, "Mr_X"), Unit("a b", 9, 12, "<NA>"))
    corpus = Corpus((Continuum("rec 1", units, length=20, measure=MS, media="x.wav"),))
    notes = [note.message for note in write(corpus, tmp_path / "out", "rttm")]
    assert notes == [
        "RTTM cannot hold the recording 'rec 1'; it is written 'rec_1'",
        "RTTM cannot hold the category '<NA>'; it is written '_<NA>'",
        "RTTM cannot hold the category 'Mr X'; it is written 'Mr_X-2'",
        "RTTM holds no texts and no references to media",
    ]
    assert (tmp_path / "out/a b.rttm").read_text(encoding="utf-8").splitlines()[0] == (
        "SPEAKER rec_1 1 0.000 0.005 <NA> <NA> Mr_X-2 <NA> <NA>"
    )
    assert [u.category for u in read(tmp_path / "out")["rec_1"].units] == [
        "Mr_X-2",
        "Mr_X",
        "_<NA>",
    ]


def test_gold(tmp_path: Path) -> None:
    corpus = Corpus((
        Continuum("one", (Unit("a", 0, 5, "x"),), length=20, measure=MS),
        Continuum("two", (Unit("a", 0, 5, "x"),), length=20, measure=MS),
    ))  # fmt: skip
    spans = (GoldSpan(3, 9, "x", 0.25), GoldSpan(1, 2, "y", 1.0), GoldSpan(5.1, 5.2, "y", 1.0))
    gold = Gold(corpus, {"one": spans}, "s")
    notes = write(gold, tmp_path / "gold.rttm", "rttm")
    assert [note.message for note in notes] == [
        "spans shorter than half a millisecond left out",
        "tasks without gold left out",
    ]
    assert (tmp_path / "gold.rttm").read_text(encoding="utf-8") == (
        "SPEAKER one 1 0.001 0.001 <NA> <NA> y 1 <NA>\n"
        "SPEAKER one 1 0.003 0.006 <NA> <NA> x 0.25 <NA>\n"
    )
    write(gold, tmp_path / "folder", "rttm", annotator="../best")
    assert [p.name for p in (tmp_path / "folder").iterdir()] == ["_._best.rttm"]


def test_refusals_leave_nothing(tmp_path: Path) -> None:
    text = Continuum("t", (Unit("a", 0, 1, "X"),), text="abc")
    with pytest.raises(InputError, match=r"^task 't': .*measure 'character', and RTTM holds times"):
        write(Corpus((text,)), tmp_path / "out", "rttm")
    good = Continuum("t", (Unit("a", 0, 1, "X"),), measure=MS)
    with pytest.raises(SettingsError, match="can hold one annotator; name a folder"):
        write(Corpus((good,)), tmp_path / "out.rttm", "rttm")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not DATA.is_dir(), reason="the real files are not beside the project")
def test_real_files() -> None:
    folder = DATA / "elan_childproject" / "tests" / "data"
    for name in ("vtc", "vcm"):
        path = folder / f"{name}.rttm"
        rows = path.read_text(encoding="utf-8").splitlines()
        corpus = read(path)
        assert sum(len(c.units) for c in corpus.continua) == len(rows)
        assert corpus.annotators == (name,)
