"""What a sync plans: only differences, only ours, and back again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.adapters.adapter import ReadOptions
from goldspan.adapters.kit.roundtrip import KEY
from goldspan.adapters.label_studio.provenance import COLUMNS, is_our_version, is_sealed, sealed
from goldspan.engine import Gold, Result, merge, score
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Note
from goldspan.engine.model import Corpus
from goldspan.plugin.label_studio.columns import (
    ANNOTATORS,
    DIFFER,
    GAMMA,
    GAMMA_CAT,
    TO_DECIDE,
    columns,
    merged,
    ours,
    own_fields,
    taken,
)
from goldspan.plugin.label_studio.data_manager_tab import (
    TITLE,
    missing_tabs,
    our_tabs,
    renewed,
    surplus_tabs,
    tab_data,
    traces,
)
from goldspan.plugin.label_studio.description import BEGIN, END, described, undescribed
from goldspan.plugin.label_studio.plan import FEW, Plan, WriteRequest, make_plan
from goldspan.plugin.label_studio.platform import Pulled, SyncOptions
from goldspan.plugin.label_studio.snapshot import Snapshot, Stored, without_origin
from goldspan.plugin.label_studio.undo import undo_plan
from goldspan.plugin.label_studio.webhook import left_behind, our_webhooks
from goldspan.plugin.service.settled import Settled, digest
from label_studio_export import annotation, region, task

CONFIG = """<View>
<Labels name="label" toName="text"><Label value="PER"/><Label value="LOC"/></Labels>
<Text name="text" value="$text"/></View>"""
TEXT = "Anna met Bob in Rome"

ANNA = region(0, 4, "PER", text="Anna", id="a")
BOB = region(9, 12, "PER", text="Bob", id="b")
ROME = region(16, 20, "LOC", text="Rome", id="c")


def project(path: Path, count: int = 3) -> Snapshot:
    """A project nobody has synced yet."""
    tasks = [
        task(number, {"text": TEXT}, annotation(1, ANNA, BOB), annotation(2, ANNA, ROME))
        for number in range(1, count + 1)
    ]
    settings = {"id": 5, "label_config": CONFIG, "description": "", "title": "Test"}
    return Snapshot(settings, tasks, [], task_ids=list(range(1, count + 1)))


def scored(snapshot: Snapshot) -> tuple[Corpus, Result, Gold]:
    corpus = snapshot.corpus(ReadOptions())
    result = score(corpus, pairs=False)
    return corpus, result, merge(corpus, result)


def written(snapshot: Snapshot, plan: Plan) -> None:
    """What the server would say after the plan was carried out."""
    free = max((s.id for found in snapshot.suggestions.values() for s in found), default=0) + 1
    if plan.versions:
        snapshot.suggestions.clear()
        snapshot.versions.clear()
    for number, one in enumerate(plan.suggestions, start=free):
        said = digest(one["result"], one.get("score"), KEY)
        snapshot.suggestions.setdefault(one["task"], []).append(Stored(number, said))
        snapshot.versions[KEY] += 1
    for number, one in plan.changes.items():
        said = digest(one["result"], one.get("score"), KEY)
        stored = snapshot.suggestions[one["task"]]
        stored[:] = [Stored(s.id, said) if s.id == number else s for s in stored]
    for found in snapshot.suggestions.values():
        found[:] = [s for s in found if s.id not in plan.removals]
    snapshot.columns |= plan.columns
    new = [{"id": number, "data": tab} for number, tab in enumerate(plan.new_tabs, start=1)]
    kept = [tab for tab in snapshot.tabs if tab["id"] not in plan.old_tabs]
    snapshot.tabs = [*kept, *new]
    snapshot.project |= plan.settings
    if plan.summary is not None:
        snapshot.project["description"] = described(snapshot.project["description"], plan.summary)


def test_a_plan_carried_out_leaves_nothing_to_plan(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    figures = scored(snapshot)
    plan = make_plan(snapshot, *figures, WriteRequest())
    assert plan.counts() == {
        "suggestions added": 3, "tasks with new columns": 3, "tabs added": 2, "project settings": 1,
    }  # fmt: skip
    written(snapshot, plan)
    assert make_plan(snapshot, *figures, WriteRequest()).counts() == {}


def test_a_task_where_nobody_marked_anything_has_an_empty_suggestion(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    marked = task(1, {"text": TEXT}, annotation(1, ANNA, BOB), annotation(2, ANNA))
    snapshot.tasks[:] = [marked, task(2, {"text": TEXT}, annotation(1), annotation(2))]
    plan = make_plan(snapshot, *scored(snapshot), WriteRequest())
    first, second = plan.suggestions
    assert first["score"] == max(plan.columns[1]["goldspan_gamma"], 0)
    assert (second["task"], second["result"]) == (2, [])
    assert "score" not in second
    assert 2 not in plan.columns


def test_doubles_that_a_lost_answer_left_are_removed(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    figures = scored(snapshot)
    written(snapshot, make_plan(snapshot, *figures, WriteRequest()))
    (first,) = snapshot.suggestions[1]
    snapshot.suggestions[1].append(Stored(99, first.digest))
    snapshot.suggestions[2].append(Stored(98, "older"))
    plan = make_plan(snapshot, *figures, WriteRequest())
    assert sorted(plan.removals) == [98, 99]
    assert plan.counts() == {"suggestions removed": 2}


def test_a_suggestion_for_a_task_that_is_no_longer_merged_goes(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    figures = scored(snapshot)
    written(snapshot, make_plan(snapshot, *figures, WriteRequest()))
    snapshot.suggestions[77] = [Stored(70, "x")]
    assert make_plan(snapshot, *figures, WriteRequest()).removals == [70]


def test_a_task_that_waits_for_one_more_annotator_has_no_suggestion(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    wanted = scored(snapshot)
    written(snapshot, make_plan(snapshot, *wanted, WriteRequest()))
    snapshot.truths = {1: Stored(31, "x"), 2: Stored(32, "x"), 3: Stored(33, "x")}
    # A person edited the one, and took the star off the other.
    snapshot.edited_truths, snapshot.settled = {1}, {3}
    snapshot.waiting = {1, 2, 3}
    plan = make_plan(snapshot, *wanted, WriteRequest())
    assert plan.counts() == {"suggestions removed": 3, "ground truth removed": 1}
    assert plan.old_truths == [32]


@pytest.mark.parametrize("started", [False, True])
def test_many_changes_are_made_in_bulk_unless_somebody_began_with_one(
    tmp_path: Path, started: bool
) -> None:
    count = FEW + 5
    snapshot = project(tmp_path, count)
    figures = scored(snapshot)
    written(snapshot, make_plan(snapshot, *figures, WriteRequest()))
    for found in snapshot.suggestions.values():
        found[:] = [Stored(found[0].id, "another")]
    if started:
        snapshot.started_from.add(snapshot.suggestions[1][0].id)
    plan = make_plan(snapshot, *figures, WriteRequest())
    if started:
        assert plan.counts() == {"suggestions changed": count}
    else:
        assert plan.counts() == {"suggestions added": count, "suggestions removed": count}
    written(snapshot, plan)
    assert make_plan(snapshot, *figures, WriteRequest()).counts() == {}


def test_the_tab_is_left_as_people_set_it_unless_a_limit_is_asked_for(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    figures = scored(snapshot)
    written(snapshot, make_plan(snapshot, *figures, WriteRequest()))
    snapshot.tabs[-1]["data"]["filters"]["items"][0]["value"] = 0.9
    snapshot.tabs[-1]["data"]["hiddenColumns"] = {"explore": ["tasks:id"]}
    assert make_plan(snapshot, *figures, WriteRequest()).counts() == {}
    plan = make_plan(snapshot, *figures, WriteRequest(low=0.4))
    assert plan.changed_tab == (2, 0.4)
    data = renewed(snapshot.tabs[-1], 0.4)
    assert data["filters"]["items"][0]["value"] == 0.4
    assert data["hiddenColumns"] == {"explore": ["tasks:id"]}
    snapshot.tabs[-1]["data"]["filters"]["items"][0]["operator"] = "in"
    assert make_plan(snapshot, *figures, WriteRequest(low=0.4)).changed_tab is None


def test_a_score_is_never_below_zero(tmp_path: Path) -> None:
    """Label Studio drops predictions with such a score in silence; the column keeps the figure."""
    snapshot = project(tmp_path)
    agreed = [task(n, {"text": TEXT}, annotation(1, ANNA), annotation(2, ANNA)) for n in (1, 2)]
    apart = task(3, {"text": TEXT}, annotation(1, ANNA), annotation(2, BOB))
    snapshot.tasks[:] = [*agreed, apart]
    plan = make_plan(snapshot, *scored(snapshot), WriteRequest())
    assert plan.columns[3]["goldspan_gamma"] < 0
    assert "score" not in plan.suggestions[2], "Label Studio would show 0.00 %"


def test_a_project_without_tabs_gets_one_with_all_tasks_too() -> None:
    """Label Studio makes one only for a project that has none; ours would be the only one."""
    everything, low = missing_tabs([], None)
    assert everything["title"] == "Default"
    assert "filters" not in everything
    assert [tab["title"] for tab in missing_tabs([{"id": 1, "data": everything}], None)] == [
        low["title"]
    ]
    both = [{"id": 1, "data": everything}, {"id": 2, "data": low}]
    assert missing_tabs(both, None) == []
    assert [tab["id"] for tab in traces(both)] == [1, 2]
    # The page saves a tab without keys that it does not know.
    both[0] = {"id": 1, "data": {"title": "Default", "ordering": ["tasks:id"]}}
    assert [tab["id"] for tab in traces(both)] == [2]


def test_a_tab_of_the_same_name_that_is_not_ours_stays(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    theirs = {"id": 8, "data": {"title": "Low agreement", "filters": {"items": []}}}
    snapshot.tabs = [theirs]
    assert our_tabs(snapshot.tabs) == []
    assert make_plan(snapshot, *scored(snapshot), WriteRequest()).new_tabs


def saved(number: int, data: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A tab after the page saved it, with the keys that it knows."""
    known = ("title", "filters", "ordering", "hiddenColumns", "columnsDisplayType")
    return {"id": number, "data": {key: data[key] for key in known if key in data} | changes}


@pytest.mark.parametrize(
    "change", [{"title": "Mine"}, {"filters": {"conjunction": "and", "items": []}}]
)
def test_a_tab_that_people_changed_is_not_made_again_and_goes_with_an_undo(
    change: dict[str, Any],
) -> None:
    tab = saved(1, tab_data(0.6), **change)
    assert missing_tabs([tab], None) == []
    assert traces([tab]) == [tab]
    assert renewed(tab, 0.6) is None


def test_a_tab_with_a_filter_of_somebodys_own_stays(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    own = {"filter": "filter:tasks:data.text", "operator": "contains", "value": "Rome"}
    mine = saved(1, tab_data(0.6), filters={"conjunction": "and", "items": [own]})
    snapshot.tabs = [mine]
    assert make_plan(snapshot, *scored(snapshot), WriteRequest()).new_tabs == []
    plan = undo_plan(snapshot)
    assert plan.old_tabs == []
    assert [note.message for note in plan.notes] == [
        f"the tab “{TITLE}” has filters of your own, kept"
    ]


def test_of_tabs_that_two_syncs_made_at_once_one_is_left(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    everything, low = missing_tabs([], None)
    twice = [{"id": n, "data": tab} for n, tab in enumerate((everything, low, everything, low))]
    snapshot.tabs = twice
    plan = make_plan(snapshot, *scored(snapshot), WriteRequest())
    assert sorted(plan.old_tabs) == [2, 3]
    assert plan.new_tabs == []
    # The one that somebody changed is the one that is left.
    changed = saved(3, low, ordering=[])
    assert [tab["id"] for tab in surplus_tabs([*twice[:3], changed])] == [1, 2]
    assert surplus_tabs([twice[0], changed, saved(4, low)]) == []
    # A copy that somebody made for their own ends takes nothing away.
    assert surplus_tabs([*twice[:2], saved(3, low, title="Low agreement copy", filters={})]) == []


def test_an_error_names_the_task_and_not_our_file(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    bad = task(4, {"text": TEXT}, annotation(1, region(3, 99, "PER", id="z")))
    snapshot.tasks[:] = [bad]
    with pytest.raises(InputError, match=r"^project 5, task 4, region z: ") as caught:
        snapshot.corpus(ReadOptions())
    assert str(tmp_path) not in str(caught.value)


OWN_NAMES = st.sampled_from(
    ["goldspan_a", "goldspan_weight", "goldspan_coefficients", "goldspan_", "a", "goldspan"]
)


class TestColumns:
    def test_what_is_undefined_is_left_out(self, tmp_path: Path) -> None:
        snapshot = project(tmp_path)
        _, result, gold = scored(snapshot)
        found = columns("1", result, gold)
        assert found["goldspan_annotators"] == 2
        assert None not in found.values()
        assert columns("no such task", result, gold) == {}

    @given(st.dictionaries(st.text(max_size=5), st.integers()))
    def test_data_of_others_is_never_touched(self, data: dict[str, int]) -> None:
        always = {ANNOTATORS: 2, TO_DECIDE: 0, DIFFER: "nothing"}
        theirs = data | {"goldspan_source": 1}
        new = merged(theirs | always | {GAMMA: 0.5, GAMMA_CAT: 1.0}, always | {GAMMA: 0.7})
        assert new == theirs | always | {GAMMA: 0.7}
        assert ours(new) == always | {GAMMA: 0.7}
        assert merged(new, {}) == theirs

    @given(
        st.dictionaries(OWN_NAMES, st.one_of(st.floats(0, 1), st.integers(0, 3), st.text())),
        st.lists(st.lists(st.sampled_from(["a", "b", "weight"]), unique=True), max_size=3),
    )
    def test_people_keep_their_fields_whatever_is_measured(
        self, own: dict[str, Any], measured: list[list[str]]
    ) -> None:
        data = own
        for keys in measured:
            wanted = {ANNOTATORS: 2, TO_DECIDE: 0, DIFFER: "nothing", GAMMA: 0.5}
            wanted |= {f"goldspan_{key}": 0.25 for key in keys}
            if keys:
                wanted["goldspan_coefficients"] = f"measured by goldspan: {', '.join(keys)}"
            data = merged(data, wanted)
            assert data.items() >= own.items()
            assert own_fields(data) == [name for name in own if name.startswith("goldspan_")]
            if "goldspan_coefficients" not in own:
                assert all(f"goldspan_{key}" in data for key in keys)
            assert merged(data, wanted) == data
        assert merged(data, {}) == own

    @pytest.mark.parametrize("field", [{GAMMA: "mine"}, {GAMMA: 0.5}, {DIFFER: "a", TO_DECIDE: 1}])
    def test_a_field_of_such_a_name_that_is_a_persons_stays(
        self, tmp_path: Path, field: dict[str, Any]
    ) -> None:
        assert (ours(field), taken(field)) == ({}, [key for key in COLUMNS if key in field])
        assert merged(field, {GAMMA: 0.1}) == merged(field, {}) == field
        snapshot = project(tmp_path)
        snapshot.taken[2] = taken(field)
        plan = make_plan(snapshot, *scored(snapshot), WriteRequest())
        assert sorted(plan.columns) == [1, 3]
        (note,) = [note for note in plan.notes if "of your own called" in note.message]
        assert next(iter(field)) in note.message


class TestDescription:
    @given(st.text(), st.text(alphabet="γ 01.\n", min_size=1), st.text(alphabet="ab", min_size=1))
    def test_undo_gives_back_what_was_there(self, text: str, one: str, two: str) -> None:
        if BEGIN in text or END in text:
            return
        once = described(text, one)
        assert one in once
        assert described(once, one) == once
        twice = described(once, two)
        assert twice.count(BEGIN) == 1
        assert undescribed(once) == undescribed(twice) == text

    def test_what_people_write_after_it_stays(self) -> None:
        text = described("Before.", "γ 0.5") + "\nAfter."
        assert undescribed(text) == "Before.\nAfter."
        assert described(text, "γ 0.6").endswith(f"{END}\nAfter.")

    @pytest.mark.parametrize(
        "text", [f"See the {BEGIN} docs.", f"{BEGIN} and {BEGIN}", f"Before.\n\n{BEGIN} cut off"]
    )
    def test_the_mark_alone_is_a_persons_word(self, text: str) -> None:
        assert undescribed(text) == text
        once = described(text, "γ 0.5")
        assert once.startswith(text)
        assert described(once, "γ 0.6") == described(text, "γ 0.6")
        assert undescribed(once) == text

    def test_it_says_what_was_measured_where_that_is_not_all(self, tmp_path: Path) -> None:
        snapshot = project(tmp_path)
        plan = make_plan(snapshot, *scored(snapshot), WriteRequest(layers=("label",)))
        assert "Measured only on spans marked with label." in str(plan.summary)
        assert "Measured" not in str(make_plan(snapshot, *scored(snapshot), WriteRequest()).summary)


class TestTruth:
    RESULT: tuple[dict[str, Any], ...] = (
        {"id": "goldspan-1", "value": {"start": 0, "end": 4}, "meta": {"goldspan": {"seen": 2}}},
        {"id": "goldspan-2", "value": {"start": 5, "end": 8}, "meta": {"goldspan": {"seen": 2}}},
    )

    def test_a_seal_holds_as_long_as_nothing_is_changed(self) -> None:
        stored = json.loads(json.dumps(sealed(self.RESULT)))
        assert is_sealed(stored)
        assert not is_sealed([])
        assert not is_sealed(stored[:1])
        assert not is_sealed([*stored, {"id": "x", "value": {}}])
        stored[0]["value"]["end"] = 3
        assert not is_sealed(stored)
        assert not is_sealed(self.RESULT)


def test_a_limit_that_is_there_is_no_change() -> None:
    tab = {"id": 1, "data": tab_data(0.6)}
    assert renewed(tab, 0.6) is None
    assert our_tabs([tab]) == [tab]


def test_a_webhook_that_a_removed_model_left_is_ours_to_clear() -> None:
    key = "0123456789abcdef" * 2
    hooks = [
        {"id": 1, "url": f"http://goldspan:9090/model/{key}/webhook"},
        {"id": 2, "url": "http://others:9090/webhook"},
    ]
    assert [hook["id"] for hook in left_behind(hooks, [])] == [1]
    assert left_behind(hooks, [{"url": f"http://goldspan:9090/model/{key}"}]) == []
    assert our_webhooks(hooks) == []


@pytest.mark.parametrize(
    ("version", "is_ours"),
    [
        ("goldspan", True), ("goldspan-0a1b2c3d (1 task)", True),
        ("goldspan-0a1b2c3d (40 tasks)", True), ("goldspan-spacy-v1", False), ("Goldspan", False),
    ],
)  # fmt: skip
def test_another_model_may_have_a_name_like_ours(version: str, is_ours: bool) -> None:
    assert is_our_version(version) is is_ours


def test_a_suggestion_that_somebody_began_with_is_emptied_not_removed(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    figures = scored(snapshot)
    written(snapshot, make_plan(snapshot, *figures, WriteRequest()))
    snapshot.suggestions[77] = [Stored(70, "x"), Stored(71, "y")]
    snapshot.started_from.add(70)
    plan = make_plan(snapshot, *figures, WriteRequest())
    assert plan.removals == [71]
    assert plan.changes[70]["result"] == []
    written(snapshot, plan)
    assert make_plan(snapshot, *figures, WriteRequest()).counts() == {}


def test_an_undo_empties_what_annotations_began_with(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    written(snapshot, make_plan(snapshot, *scored(snapshot), WriteRequest()))
    first, second = (snapshot.suggestions[number][0].id for number in (1, 2))
    assert undo_plan(snapshot).counts()["suggestions removed"] == 3
    snapshot.started_from.add(first)
    plan = undo_plan(snapshot)
    assert (plan.versions, list(plan.changes)) == ({}, [first])
    assert second in plan.removals
    assert plan.counts() == {
        "suggestions emptied": 1, "suggestions removed": 2, "tasks freed of columns": 3,
        "tabs removed": 2, "project settings put back": 1,
    }  # fmt: skip
    written(snapshot, plan)
    again = undo_plan(snapshot)
    assert (again.changes, again.removals) == ({}, [])
    assert "stay, without spans" in again.notes[0].message


def test_ground_truth_waits_for_the_annotators_a_task_is_for(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    figures = scored(snapshot)
    for wanted, count in ((3, 0), (2, 3)):
        snapshot.project["maximum_annotations"] = wanted
        assert len(make_plan(snapshot, *figures, WriteRequest(ground_truth=True)).truths) == count


def test_what_holds_of_many_tasks_is_said_once(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    snapshot.project["maximum_annotations"] = 3
    plan = make_plan(snapshot, *scored(snapshot), WriteRequest(ground_truth=True))
    assert [(note.message.split(",")[0], note.count) for note in plan.notes] == [
        ("tasks that wait for annotators", 3)
    ]


def test_ground_truth_of_ours_that_is_out_of_date_is_told_or_renewed(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    figures = scored(snapshot)
    snapshot.truths = {1: Stored(71, "what gold said before"), 2: Stored(72, "as before")}
    snapshot.settled.add(2)
    (note,) = make_plan(snapshot, *figures, WriteRequest()).notes
    assert note.message.startswith("ground truth of goldspan's that is out of date")
    assert note.count == 1
    plan = make_plan(snapshot, *figures, WriteRequest(ground_truth=True))
    assert (plan.old_truths, sorted(plan.truths)) == ([71], [1, 3])


def test_no_ground_truth_says_nothing_at_all(tmp_path: Path) -> None:
    snapshot = project(tmp_path)
    marked = task(1, {"text": TEXT}, annotation(1, ANNA), annotation(2, ANNA))
    snapshot.tasks[:] = [marked, task(2, {"text": TEXT}, annotation(1), annotation(2))]
    plan = make_plan(snapshot, *scored(snapshot), WriteRequest(ground_truth=True))
    assert list(plan.truths) == [1]


def test_a_task_goes_by_the_servers_number_whatever_it_was_called_elsewhere() -> None:
    imported = task(7, {"text": TEXT}, meta={"goldspan": {"task": "01"}, "theirs": 1})
    assert without_origin(imported)["meta"] == {"theirs": 1}
    assert without_origin(imported)["id"] == 7


def test_of_two_controls_with_one_label_the_one_people_used_is_written(tmp_path: Path) -> None:
    snapshot = project(tmp_path, 1)
    more = '<Labels name="other" toName="text"><Label value="PER"/></Labels><Text'
    snapshot.project["label_config"] = CONFIG.replace("<Text", more)
    other = ANNA | {"from_name": "other"}
    snapshot.tasks[:] = [task(1, {"text": TEXT}, annotation(1, other), annotation(2, other))]
    plan = make_plan(snapshot, *scored(snapshot), WriteRequest())
    assert [one["from_name"] for one in plan.suggestions[0]["result"]] == ["other"]


def cut_short(result: Result) -> Result:
    return replace(result, cut_short=(Note.of("the time limit ran out"),))


def test_what_was_cut_short_is_written_once_until_somebody_annotates(tmp_path: Path) -> None:
    """Two runs that end by the clock differ; a project that says the one is not made to say the
    other.
    """
    snapshot = project(tmp_path)
    corpus, result, gold = scored(snapshot)
    cut = cut_short(result)
    settled = Settled.of(tmp_path / "place", corpus, "options")

    def keeps(found: Result, now: Settled = settled) -> bool:
        assert make_plan(snapshot, corpus, found, gold, WriteRequest()).counts()
        is_written = Pulled(snapshot, corpus, SyncOptions(tmp_path)).is_written
        return now.keeps(found, is_written=is_written)

    assert not keeps(cut)
    written(snapshot, make_plan(snapshot, corpus, cut, gold, WriteRequest()))
    other = score(corpus, pairs=False, seed=7, chance="shift")
    assert not keeps(cut_short(other)), "nobody noted that it was written"
    settled.note()
    assert keeps(cut_short(other))
    assert not keeps(other), "which is the same each time"
    unproved = replace(other, unproved=1)
    assert not keeps(unproved), "which is so without a limit"
    hasty = replace(unproved, settings=replace(unproved.settings, seconds=1.0))
    assert keeps(hasty)
    wishes = Settled.of(tmp_path / "place", corpus, "others")
    assert not keeps(cut_short(other), wishes), "something else is wished"

    more = replace(corpus, continua=corpus.continua[1:])
    assert Settled.of(tmp_path / "place", more, "options") != settled
    snapshot.suggestions.clear()
    snapshot.columns.clear()
    assert not keeps(cut_short(other)), "an undo took it all away"
