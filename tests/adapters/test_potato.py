"""Potato: the states of two users, in the shape of a run of Potato 2.12.1 in a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldspan.adapters import detect, read
from goldspan.engine.errors import GoldspanError, InputError, SettingsError
from goldspan.engine.model import Corpus, Presence

RUN = Path(__file__).parents[1] / "fuzz" / "by_hand" / "potato-two_users" / "in"
ITEMS = RUN / "items.json"


def spans(corpus: Corpus) -> list[tuple[object, ...]]:
    return [(c.id, u.annotator, u.start, u.end, u.category) for c in corpus for u in c.units]


def told(corpus: Corpus) -> str:
    return "\n".join(f"{note.message} ({note.count})" for note in corpus.notes)


def state(user: str, **more: Any) -> dict[str, Any]:
    return {"user_id": user, "instance_id_ordering": ["i"], "current_instance_index": 0, **more}


def span(name: str, start: object, end: object, **more: Any) -> list[Any]:
    return [{"schema": "s", "name": name, "start": start, "end": end, **more}, 1]


def lay(folder: Path, *states: dict[str, Any]) -> Path:
    for one in states:
        path = folder / "out" / one["user_id"] / "user_state.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(one), encoding="utf-8")
    return folder / "out"


def test_two_users_of_a_real_run() -> None:
    assert detect(RUN) == detect(RUN / "ann" / "user_state.json") == "potato"
    corpus = read(RUN, items=ITEMS)
    assert spans(corpus) == [
        ("t1", "ann", 0, 4, "person"), ("t1", "ann", 11, 14, "person"),
        ("t1", "ann", 18, 23, "place"), ("t1", "ben", 0, 4, "person"),
        ("t1", "ben", 11, 23, "place"), ("t2", "ann", 15, 19, "place"),
    ]  # fmt: skip
    text = corpus["t1"].text or ""
    assert [text[int(u.start) : int(u.end)] for u in corpus["t1"].of("ann")] == [
        "Anna", "Bob", "Paris",
    ]  # fmt: skip
    done, empty, unseen = Presence.DONE, Presence.EMPTY, Presence.UNSEEN
    assert corpus["t2"].presence == {"ann": done, "ben": empty}
    assert corpus["t3"].presence == {"ann": empty, "ben": unseen}
    mood = {(c.id, u.annotator): u.category for c in corpus.layers["mood"] for u in c.units}
    assert mood == {
        ("t1", "ann"): "good", ("t1", "ben"): "bad", ("t2", "ben"): "good", ("t3", "ann"): "bad",
    }  # fmt: skip
    assert [u.category for u in corpus.layers["sure"]["t3"].units] == ["7"]
    assert "remark" not in corpus.layers
    assert "free texts (1)" in told(read(RUN, items=ITEMS, losses=True))


def test_without_the_data_file_there_is_no_text() -> None:
    corpus = read(RUN)
    assert {c.text for c in corpus} == {None}
    assert {c.length for c in corpus} == {None}
    assert "because Potato keeps it apart: --items FILE" in told(corpus)
    assert spans(corpus) == spans(read(RUN, items=ITEMS))


def test_schemes_are_layers() -> None:
    only = read(RUN, layers="entities")
    assert (len(spans(only)), only.layers) == (6, {})
    assert spans(read(RUN, layers="mood")) == []
    with pytest.raises(SettingsError, match="no scheme 'x'; there are 'entities', 'mood'"):
        read(RUN, layers="x")


def test_the_item_on_the_screen_without_a_mark_is_unseen(tmp_path: Path) -> None:
    visits = {"instance_id_to_behavioral_data": {"i": {}}}
    busy = state("ann", **visits, current_phase_and_page=["annotation", None])
    done = state("ben", **visits, current_phase_and_page=["done", None])
    corpus = read(lay(tmp_path, busy, done))
    assert corpus["i"].presence == {"ann": Presence.UNSEEN, "ben": Presence.EMPTY}


def test_fields_and_parts(tmp_path: Path) -> None:
    """Spans in two fields of an item are on two texts; parts of a span are one unit."""
    parted = span("X", 0, 2, target_field="title", additional_parts=[{"start": 4, "end": 6}])
    marks = {"i": [parted, span("Y", 1, 3, target_field="body")]}
    one = state("ann", instance_id_to_span_to_value=marks)
    answers = {"i": [[{"schema": "mood", "name": "good"}, "good"]]}
    one["instance_id_to_label_to_value"] = answers
    other = state("ben", instance_id_to_span_to_value={"i": [span("Y", 0, 9, target_field="body")]})
    items = tmp_path / "items.csv"
    items.write_text("id,text,title,body\ni,,A title,The whole body\n", encoding="utf-8")
    corpus = read(lay(tmp_path, one, other), items=items)
    assert spans(corpus) == [
        ("i.title", "ann", 0, 6, "X"), ("i.body", "ann", 1, 3, "Y"), ("i.body", "ben", 0, 9, "Y"),
    ]  # fmt: skip
    assert (corpus["i.title"].text, corpus["i.body"].text) == ("A title", "The whole body")
    assert [u.category for u in corpus.layers["mood"]["i.title"].units] == ["good"]
    assert corpus["i.title"].presence["ben"] is Presence.EMPTY
    assert "discontinuous spans read as one over all parts (1)" in told(corpus)


def test_items_by_other_keys(tmp_path: Path) -> None:
    path = tmp_path / "items.tsv"
    path.write_text("nr\tbody\nt1\tAnna met 🙂 Bob in Paris.\n", encoding="utf-8")
    corpus = read(RUN, items=path, item_keys="nr, body")
    assert corpus["t1"].length == 24
    assert "items that the data file does not have as a text (3)" in told(corpus)
    for keys, said in (("nr", "names two keys"), ("id,text", "no 'id'; there are nr, body")):
        with pytest.raises(GoldspanError, match=said):
            read(RUN, items=path, item_keys=keys)
    with pytest.raises(InputError, match="no such file; --items"):
        read(RUN, items=tmp_path / "x.json")
    path.write_text("id\ttext\nt1\tA\nt1\tB\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"items.tsv:3: the item 't1' is there twice"):
        read(RUN, items=path)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"instance_id_to_span_to_value": []}, "'instance_id_to_span_to_value' is not an object"),
        ({"instance_id_to_span_to_value": {"i": [1]}}, "not a mark and its value"),
        ({"instance_id_to_span_to_value": {"i": [span("X", "0", 1)]}}, "not a whole number"),
        ({"instance_id_to_span_to_value": {"i": [span("X", 5, 1)]}}, "ends before it starts"),
        ({"instance_id_to_label_to_value": {"i": [[{"name": "x"}, "x"]]}}, "'schema' is missing"),
    ],
)
def test_bad_states_are_one_sentence(tmp_path: Path, more: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(lay(tmp_path, state("ann", **more)), "potato")


def test_one_user_twice(tmp_path: Path) -> None:
    lay(tmp_path / "a", state("ann"))
    lay(tmp_path / "b", state("ann"))
    with pytest.raises(InputError, match="'ann' has a state here and in"):
        read(tmp_path, "potato")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"there is no user_state\.json here"):
        read(tmp_path / "empty", "potato")


marks = st.lists(
    st.tuples(st.sampled_from("XYé"), st.integers(0, 11), st.integers(1, 9)),
    max_size=5,
    unique=True,
)


@settings(max_examples=40, deadline=None)
@given(st.lists(marks, min_size=1, max_size=3))
def test_every_mark_is_a_unit(
    tmp_path_factory: pytest.TempPathFactory, people: list[list[tuple[str, int, int]]]
) -> None:
    """Law: what the states hold is what is read, with and without the text."""
    folder = tmp_path_factory.mktemp("potato")
    states = [
        state(f"u{number}", instance_id_to_behavioral_data={"i": {}},
              instance_id_to_span_to_value={"i": [span(c, s, s + n) for c, s, n in own]},
              current_phase_and_page=["done", None])
        for number, own in enumerate(people)
    ]  # fmt: skip
    items = folder / "items.json"
    items.write_text(json.dumps([{"id": "i", "text": "🙂bcdefghijklmnopqrstu"}]), encoding="utf-8")
    expected = sorted(
        ("i", f"u{number}", s, s + n, c) for number, own in enumerate(people) for c, s, n in own
    )
    out = lay(folder, *states)
    assert spans(read(out)) == expected
    assert spans(read(out, items=items)) == expected
