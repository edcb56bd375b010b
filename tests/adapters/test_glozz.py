"""Glozz: units in texts of one line, whoever the file says its author is."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from lxml import etree

from goldspan.adapters import detect, read, write
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from strategies import corpora


def unit(number: int, kind: str, start: object, end: object, **features: str) -> str:
    held = "".join(f'<feature name="{name}">{value}</feature>' for name, value in features.items())
    return f"""<unit id="stac_{number}">
<metadata>
<author>stac</author>
<creation-date>{number}</creation-date>
<lastModifier>n/a</lastModifier>
<lastModificationDate>0</lastModificationDate>
</metadata>
<characterisation>
<type>{kind}</type>
<featureSet>{held}</featureSet>
</characterisation>
<positioning>
<start>
<singlePosition index="{start}"/>
</start>
<end>
<singlePosition index="{end}"/>
</end>
</positioning>
</unit>
"""


def marks(units: Iterable[str], length: int | None = None) -> str:
    code = f'<metadata corpusHashcode="{length}-12345"/>\n' if length is not None else ""
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<annotations>\n'
        f"{code}{''.join(units)}"
        '<relation id="r1"><characterisation><type>Elab</type></characterisation></relation>\n'
        "</annotations>\n"
    )


def lay(folder: Path, files: Mapping[str, str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return folder


def spans(corpus: Corpus, task: str = "d") -> list[tuple[object, ...]]:
    return [(u.start, u.end, u.category) for u in corpus[task].units]


def told(corpus: Corpus) -> str:
    return "\n".join(f"{note.message} ({note.count})" for note in corpus.notes)


UNITS = [
    unit(1, "paragraph", 0, 10),
    unit(2, "Offer", 0, 4, Emitter="joe", Addressee=""),
    unit(3, "Other", 5, 10, Emitter="sue"),
]


def test_units(tmp_path: Path) -> None:
    lay(tmp_path, {"ann/d.ac": "well hello", "ann/d.aa": marks(UNITS, 10)})
    assert detect(tmp_path) == "glozz"
    corpus = read(tmp_path)
    assert spans(corpus) == [(0, 4, "Offer"), (5, 10, "Other")]
    assert corpus.annotators == ("ann",)
    assert corpus["d"].text == "well hello"
    assert "paragraphs left out, because they are layout (1)" in told(corpus)
    assert re.search(r"d\.aa:\d+ stac_2$", corpus["d"].units[0].source)


def test_features_as_categories(tmp_path: Path) -> None:
    lay(tmp_path, {"ann/d.ac": "well hello", "ann/d.aa": marks(UNITS, 10)})
    assert spans(read(tmp_path, category_from="Emitter")) == [(0, 4, "joe"), (5, 10, "sue")]
    assert spans(read(tmp_path, category_from="type/Addressee")) == [
        (0, 4, "Offer"), (5, 10, "Other"),
    ]  # fmt: skip
    assert spans(read(tmp_path, category_from="type/Emitter")) == [
        (0, 4, "Offer/joe"), (5, 10, "Other/sue"),
    ]  # fmt: skip
    with pytest.raises(InputError, match=r"d\.aa:\d+ stac_2: .* has no category; --unlabelled"):
        read(tmp_path, category_from="Addressee")
    with pytest.raises(SettingsError, match="no feature 'X'; there are Addressee, Emitter"):
        read(tmp_path, category_from="X")
    assert spans(read(tmp_path, layers="Offer")) == [(0, 4, "Offer")]
    with pytest.raises(SettingsError, match="no units of type 'X'; there are Offer, Other"):
        read(tmp_path, layers="X")


@pytest.mark.parametrize(
    ("text", "length", "start", "end", "expected"),
    [
        ("🙂 well", 6, 2, 6, (2, 6)),  # code points
        ("🙂 well", 7, 3, 7, (2, 6)),  # UTF-16, as Java counts
        ("🙂 well", None, 3, 7, (2, 6)),  # behind the end unless UTF-16
        ("🙂 well", None, 2, 6, (2, 6)),
        ("é well", 7, 2, 6, (2, 6)),  # a length in bytes says nothing of positions
        ("\ufeffwell", 5, 1, 5, (0, 4)),
        ("\ufeffwell", 4, 0, 4, (0, 4)),
        ("well\r\n", 4, 0, 4, (0, 4)),
    ],
)
def test_ways_of_counting(
    tmp_path: Path, text: str, length: int | None, start: int, end: int, expected: tuple[int, int]
) -> None:
    lay(tmp_path, {"a/d.ac": text, "a/d.aa": marks([unit(1, "X", start, end)], length)})
    assert spans(read(tmp_path)) == [(*expected, "X")]


@pytest.mark.parametrize(
    ("ends", "expected", "how"),
    [((8, 5), [(2, 7), (2, 4)], "UTF-16 code units"), ((7, 5), [(3, 7), (3, 5)], "characters")],
)
def test_counting_is_judged_on_all_files_of_a_text(
    tmp_path: Path, ends: tuple[int, int], expected: list[tuple[int, int]], how: str
) -> None:
    for name, end in zip("ab", ends, strict=True):
        lay(tmp_path / name, {"d.ac": "🙂 hello", "d.aa": marks([unit(1, "X", 3, end)])})
    corpus = read(tmp_path)
    assert spans(corpus) == [(*place, "X") for place in expected]
    assert f"no length shows how positions were counted; assumed {how}, files (2)" in told(corpus)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (marks([unit(1, "X", 0, 4)], 99), ": the text has 4 characters, and the marks were made"),
        (marks([unit(1, "X", "", 4)]), r":\d+: the unit stac_1 has no whole number for its start"),
        (marks([unit(1, "X", 0, "-4")]), r":\d+: the unit stac_1 has no whole number for its end"),
        (marks([unit(1, "X", 0, "9" * 5000)]), r":\d+: the unit stac_1 has no whole number"),
        (marks([unit(1, "X", 0, 9)]), r":\d+ stac_1: the span \[0, 9\) is outside"),
        (marks([unit(1, "X", 3, 1)]), r":\d+ stac_1: the span \[3, 1\) ends before it starts"),
        (marks([unit(1, "", 0, 1)]), r":\d+ stac_1: .* has no category"),
        ("<annotations>", r":\d+: this is not well-formed XML"),
        ("<other/>", ":1: the root element is <other>"),
        ('<annotations><metadata corpusHashcode="x-1"/></annotations>', ":1: the corpusHashcode"),
        (
            f'<annotations><metadata corpusHashcode="{"9" * 5000}-1"/></annotations>',
            ":1: the corpusHashcode '9{40}'",
        ),
        ('<!DOCTYPE a [<!ENTITY e "x">]>\n<annotations>&e;</annotations>', ": the file declares"),
    ],
)
def test_bad_files_name_file_and_line(tmp_path: Path, content: str, message: str) -> None:
    lay(tmp_path, {"a/d.ac": "well", "a/d.aa": content})
    with pytest.raises(InputError, match=rf"^{tmp_path / 'a' / 'd.aa'}{message}"):
        read(tmp_path, "glozz")


def test_a_position_inside_a_character(tmp_path: Path) -> None:
    lay(tmp_path, {"a/d.ac": "🙂 well", "a/d.aa": marks([unit(1, "X", 1, 7)], 7)})
    with pytest.raises(InputError, match=r"stac_1: the position 1 is inside a character"):
        read(tmp_path)


def test_seen_and_never_seen(tmp_path: Path) -> None:
    lay(tmp_path, {
        "a/d.ac": "well hello", "a/d.aa": marks(UNITS, 10),
        "b/d.ac": "well hello", "b/d.aa": marks(UNITS[:1], 10),
        "c/e.ac": "well", "c/e.aa": marks([], 4),
        "c/f.ac": "none",
    })  # fmt: skip
    corpus = read(tmp_path)
    done, empty, unseen = Presence.DONE, Presence.EMPTY, Presence.UNSEEN
    assert corpus["d"].presence == {"a": done, "b": empty, "c": unseen}
    assert corpus["e"].presence == {"a": unseen, "b": unseen, "c": empty}
    assert corpus["f"].presence == dict.fromkeys("abc", unseen)
    assert read(tmp_path, empty="unseen")["d"].presence["b"] is unseen


def took_part(corpus: Corpus) -> bool:
    return any(
        state.takes_part or state is Presence.PARTIAL
        for c in corpus.continua
        for state in c.presence.values()
    )


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(corpora(presences=tuple(Presence)).filter(took_part))
def test_round_trip(corpus: Corpus) -> None:
    everyone = set(corpus.annotators)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        write(corpus, out, "glozz")
        table = out / "assignments.csv"
        back = read(out, "glozz", assignments=table if table.exists() else None)
    expected = {
        c.id: Continuum(
            c.id,
            c.units,
            dict.fromkeys(everyone, Presence.UNSEEN) | dict(c.presence),
            text=re.sub("[\r\n]", " ", c.text or ""),
        )
        for c in corpus.continua
    }
    assert {c.id: c for c in back.continua} == expected


def test_ten_thousand_spans(tmp_path: Path) -> None:
    units = tuple(
        Unit(name, 5 * i + shift, 5 * i + 9 + shift, f"C{i % 7}")
        for name, shift in (("a", 0), ("b", 1))
        for i in range(5_000)
    )
    corpus = Corpus((Continuum("doc", units, text="word🙂" * 10_000),))
    write(corpus, tmp_path / "out", "glozz")
    assert read(tmp_path / "out").continua == corpus.continua


def test_what_the_files_hold(tmp_path: Path) -> None:
    corpus = Corpus((Continuum(
        "d", (Unit("a", 1, 4, "X"), Unit("a", 0, 2, "Paragraph")), text="🙂ab\ncd", media="m.wav",
    ),))  # fmt: skip
    notes = {note.message: note.count for note in write(corpus, tmp_path / "out", "glozz")}
    assert notes == {
        "Glozz holds no references to media": 1,
        "line ends written as blanks, because a Glozz text is one": 1,
        "'paragraph' is layout to Glozz; such units are now 'paragraph_'": 1,
    }
    assert (tmp_path / "out/a/d.ac").read_bytes() == "🙂ab cd".encode()
    root = etree.parse(str(tmp_path / "out/a/d.aa")).getroot()
    assert root.find("metadata").get("corpusHashcode").startswith("7-")
    units = [
        (u.findtext("characterisation/type"), *(p.get("index") for p in u.iter("singlePosition")))
        for u in root.iter("unit")
    ]
    assert units == [
        ("paragraph", "0", "4"), ("paragraph", "5", "7"), ("paragraph_", "0", "3"), ("X", "2", "5"),
    ]  # fmt: skip


def test_the_hash_code_of_ascii(tmp_path: Path) -> None:
    """Length and product of the characters modulo 99,999,999, as Glozz's manual has it."""
    corpus = Corpus((Continuum("d", (Unit("a", 0, 1, "X"),), text="abcd"),))
    write(corpus, tmp_path / "out", "glozz")
    root = etree.parse(str(tmp_path / "out/a/d.aa")).getroot()
    product = 97 * 98 * 99 * 100 % 99_999_999
    assert root.find("metadata").get("corpusHashcode") == f"4-{product}"


def test_gold(tmp_path: Path) -> None:
    corpus = Corpus((Continuum("d", (Unit("a", 0, 2, "X"),), text="abcd"),))
    gold = Gold(corpus, {"d": (GoldSpan(0, 2, "X", 0.5, corpus["d"].units, 2),)}, "s")
    write(gold, tmp_path / "gold", "glozz", annotator="best")
    root = etree.parse(str(tmp_path / "gold/d.aa")).getroot()
    _, made = root.findall("unit")
    assert {f.get("name"): f.text for f in made.iter("feature")} == {
        "confidence": "0.5", "votes": "confidence 0.50, 1 of 2: a X 0-2",
    }  # fmt: skip
    assert made.findtext("metadata/author") == "best"


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (Continuum("t", (Unit("a", 0, 9, "X"),), measure=Measure.TOKEN), "measure 'token'"),
        (Continuum("t", (Unit("a", 0, 9, "X"),)), "Glozz needs the text"),
        (Continuum("t", (Unit("a", 0, 1, "X\x01"),), text="ab"), r"character U\+0001"),
    ],
)
def test_nothing_half_written(tmp_path: Path, task: Continuum, message: str) -> None:
    good = Continuum("good", (Unit("a", 0, 1, "X"),), text="a")
    with pytest.raises(InputError, match=f"^task 't': .*{message}"):
        write(Corpus((good, task)), tmp_path / "out", "glozz")
    assert list(tmp_path.iterdir()) == []
