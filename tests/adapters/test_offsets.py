"""Offsets: every way of counting that is known to go wrong is recognised, and no other."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.text.offsets import _clusters, fit
from goldspan.adapters.kit.text.utf16 import Utf16
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Fact
from strategies import texts


def utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@given(texts())
def test_utf16_and_back(text: str) -> None:
    table = Utf16.of(text)
    for point in range(len(text) + 1):
        unit = table.to_units(point)
        assert unit == utf16_length(text[:point])
        assert table.to_points(unit) == point


def test_inside_a_surrogate_pair_is_no_position() -> None:
    assert Utf16.of("a🙂b").to_points(2) is None
    assert Utf16.of("a🙂🙂b").to_points(4) is None


@given(texts(), st.data())
def test_exact_positions_are_left_alone(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    found = fit(text, [(start, end, text[start:end])])
    assert (found.counting, found.spans) == (None, ((start, end),))


def spans_of(text: str, *words: str) -> list[tuple[int, int]]:
    return [(text.index(word), text.index(word) + len(word)) for word in words]


@pytest.mark.parametrize(
    ("text", "counted", "reading"),
    [
        ("🙂 hello 🙂 there", None, "UTF-16"),
        ("one\r\ntwo\r\nhello there", lambda t: t.replace("\r\n", "\n"), "CRLF as one"),
        ("one\ntwo\nhello there", lambda t: t.replace("\n", "\r\n"), "line feeds as two"),
        ("\ufeffhello there", lambda t: t[1:], "without the byte order mark"),
        (
            unicodedata.normalize("NFD", "café é hello there"),
            lambda t: unicodedata.normalize("NFC", t),
            "NFC",
        ),
    ],
)
def test_each_way_of_counting_is_found(text, counted, reading) -> None:  # type: ignore[no-untyped-def]
    words = ("hello", "there")
    if counted is None:
        wrong = [tuple(utf16_length(text[:p]) for p in s) for s in spans_of(text, *words)]
    else:
        wrong = spans_of(counted(text), *words)
    found = fit(text, [(s, e, w) for (s, e), w in zip(wrong, words, strict=True)])
    assert reading in str(found.counting)
    assert found.spans == tuple(spans_of(text, *words))


def test_a_byte_order_mark_that_was_taken_off() -> None:
    assert fit("hello there", [(1, 6, "hello"), (7, 12, "there")], bom=True).spans == (
        (0, 5),
        (6, 11),
    )
    with pytest.raises(InputError, match="no known way"):
        fit("hello there", [(1, 6, "hello"), (7, 12, "there")])


def test_a_stored_text_in_another_normal_form_keeps_its_positions() -> None:
    text = unicodedata.normalize("NFD", "café au lait")
    found = fit(text, [(0, 5, "café"), (6, 8, "au")])
    assert found.counting == Fact.of(FormatFact.OTHER_NORMAL_FORM)
    assert found.spans == ((0, 5), (6, 8))


def test_one_span_that_does_not_fit_spoils_a_reading() -> None:
    text = "🙂 hello there"
    with pytest.raises(InputError, match=r"doc\.ann:2: the span \[3, 8\) reads 'ello ', not"):
        fit(text, [(3, 8, "hello"), (2, 7, "there")], where="doc.ann:2")


def test_two_readings_that_both_fit_are_refused() -> None:
    # Without stored text, both line feeds as two and UTF-16 bring these positions inside.
    with pytest.raises(InputError, match="several ways of counting would fit"):
        fit("🙂🙂\n\na\n", [(4, 7, None)])


def test_two_readings_with_the_same_outcome_are_one() -> None:
    assert fit("🙂🙂\n\na\n", [(0, 7, None)]).spans == ((0, 5),)


def test_a_misfit_is_told_with_its_own_place() -> None:
    spans = [(0, 3, "abc"), (4, 7, "xyz")]
    with pytest.raises(InputError, match=r"^doc\.ann:2: the span \[4, 7\) reads 'def', not 'xyz'"):
        fit("abc def", spans, places=["doc.ann:1", "doc.ann:2"])


@given(st.text(alphabet="ae\u0301\u0323\u0302각ᄀ\u1161\u11a8\u09c7\u09be x", max_size=12))
def test_clusters_compose_each_for_themselves(text: str) -> None:
    clusters = list(_clusters(text))
    assert "".join(clusters) == text
    composed = [unicodedata.normalize("NFC", cluster) for cluster in clusters]
    assert "".join(composed) == unicodedata.normalize("NFC", text)


def test_marks_without_end_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0

    def counted(form: str, text: str) -> str:
        nonlocal seen
        seen += len(text)
        return normalize(form, text)  # type: ignore[arg-type]

    normalize = unicodedata.normalize
    monkeypatch.setattr("goldspan.adapters.kit.text.offsets.unicodedata.normalize", counted)
    text = "e" + "\u0301" * 2000 + " x"
    assert list(_clusters(text)) == [text[:-2], " ", "x"]
    assert seen < 4 * len(text)
