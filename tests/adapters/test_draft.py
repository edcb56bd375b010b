"""The draft: each reading option, and each note it owes."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.options import ReadOptions, read_options
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Measure, Presence


def notes(corpus: Corpus) -> dict[str, int]:
    return {note.message: note.count for note in corpus.notes}


def draft(**options: object) -> Draft:
    return Draft(read_options(**options))


def test_spans_without_length_are_dropped_and_counted() -> None:
    made = draft()
    made.task("t").span("a", 3, 3, "X")
    made.task("t").span("a", 4, 4, "X")
    made.task("t").span("a", 4, 5, "X")
    corpus = made.corpus()
    assert [(u.start, u.end) for u in corpus["t"].units] == [(4, 5)]
    assert notes(corpus) == {"spans without length dropped": 2}


def test_duplicates_are_collapsed_and_counted() -> None:
    made = draft()
    for _ in range(3):
        made.task("t").span("a", 0, 5, "X")
    made.task("t").span("b", 0, 5, "X")
    corpus = made.corpus()
    assert len(corpus["t"].units) == 2
    assert notes(corpus) == {"duplicate spans counted once": 2}


def test_start_after_end_is_an_error_unless_swapped() -> None:
    made = draft()
    made.task("t").span("a", 5, 2, "X", "f.csv:7")
    with pytest.raises(InputError, match=r"f\.csv:7: the span \[5, 2\) ends before it starts"):
        made.corpus()
    made = draft(swap=True)
    made.task("t").span("a", 5, 2, "X")
    corpus = made.corpus()
    assert [(u.start, u.end) for u in corpus["t"].units] == [(2, 5)]
    assert notes(corpus) == {"spans with their end before their start swapped": 1}


def test_edge_white_space_is_kept_and_told_or_trimmed_for_all_alike() -> None:
    def fill(made: Draft) -> Corpus:
        task = made.task("t")
        task.text = "a bc  d"
        task.span("a", 1, 5, "X")
        task.span("b", 2, 4, "X")
        task.span("b", 4, 6, "X")
        return made.corpus()

    kept = fill(draft())
    assert [(u.start, u.end) for u in kept["t"].units] == [(1, 5), (2, 4), (4, 6)]
    assert notes(kept) == {"spans with white space at their edges, kept (--trim removes it)": 2}
    trimmed = fill(draft(trim=True))
    assert [(u.start, u.end) for u in trimmed["t"].units] == [(2, 4), (2, 4)]
    assert notes(trimmed)["spans of white space only dropped"] == 1


def test_labels_are_renamed_before_duplicates_are_sought() -> None:
    made = draft(rename_labels={"Person": "PER"})
    made.scale = ("Person", "LOC", "PER")
    made.task("t").span("a", 0, 5, "PER")
    made.task("t").span("a", 0, 5, "Person")
    corpus = made.corpus()
    assert [u.category for u in corpus["t"].units] == ["PER"]
    assert corpus.scale == ("PER", "LOC")


def test_merged_versions_are_left_out_by_name_and_said() -> None:
    def fill(made: Draft) -> Corpus:
        for name in ("a", "b", "CURATION_USER", "gold"):
            made.task("t").span(name, 0, 5, "X")
        made.task("t").saw("INITIAL_CAS")
        return made.corpus()

    corpus = fill(draft())
    assert corpus.annotators == ("a", "b")
    assert len([m for m in notes(corpus) if "merged version" in m]) == 3
    assert fill(draft(include_annotators=["gold"])).annotators == ("a", "b", "gold")
    asked = fill(draft(exclude_annotators="b"))
    assert asked.annotators == ("a",)
    assert "annotator 'b' left out as requested, tasks" in notes(asked)


@pytest.mark.parametrize(
    "name",
    ["Gold ", "gold votes", "gold-2", "gold [2]", "gold votes [3]", "gold-2 votes", "MERGED-3"],
)
def test_parts_of_merged_versions_are_left_out_too(name: str) -> None:
    def fill(made: Draft) -> Corpus:
        for one in ("a", "golden", "gold rush", name):
            made.task("t").span(one, 0, 5, "X")
        return made.corpus()

    assert name not in fill(draft()).annotators
    assert len(fill(draft()).annotators) == 3
    assert name.strip() in fill(draft(include_annotators=[name])).annotators


def test_names_in_options_that_match_nothing_are_told(tmp_path: Path) -> None:
    table = tmp_path / "assignments.csv"
    table.write_text(
        "document,annotator,status\nt,a,done\nt,gold,done\nt,c,empty\n", encoding="utf-8"
    )
    made = draft(
        exclude_annotators=["b", "y", "z"],
        include_annotators=["Gold", "Silver"],
        rename_labels={"X": "Y", "P": "Q", "SCHEME": "S"},
        assignments=table,
    )
    made.scale = ("X", "SCHEME")
    for name in ("a", "b", "gold"):
        made.task("t").span(name, 0, 5, "X")
    assert notes(made.corpus()) == {
        "annotator 'b' left out as requested, tasks": 1,
        "--exclude-annotator: no annotator is named: 'y', 'z'": 1,
        "--include-annotator: no annotator is named: 'Silver'": 1,
        "--rename-labels names labels that no span has: 'P'": 1,
        "the assignments name annotators that are in no file: 'c'": 1,
    }


def test_who_marked_only_spans_that_are_dropped_was_there() -> None:
    for empty in (None, "unseen"):
        made = draft(trim=True, empty=empty)
        task = made.task("t")
        task.text = "a  b"
        task.span("a", 0, 1, "X")
        task.span("b", 2, 2, "X")
        task.span("c", 1, 3, "X")
        task.span("", 3, 3, "X")
        there = {"a": Presence.DONE, "b": Presence.EMPTY, "c": Presence.EMPTY}
        assert made.corpus()["t"].presence == there


def test_differing_texts_leave_the_task_out_by_name() -> None:
    made = draft()
    for name, text in (("a", "one text"), ("b", "one  text")):
        made.task("bad").read_by(name, text)
        made.task("good").read_by(name, "same")
    corpus = made.corpus()
    assert [c.id for c in corpus.continua] == ["good"]
    (note,) = corpus.notes
    assert note.task == "bad"
    assert "text is not the same" in note.message


def test_texts_that_differ_in_line_ends_share_positions() -> None:
    made = draft()
    made.task("t").read_by("a", "one\r\ntwo\r\nthree")
    made.task("t").read_by("b", "one\ntwo\nthree")
    made.task("t").span("a", 10, 15, "X")
    made.task("t").span("b", 8, 13, "X")
    corpus = made.corpus()
    assert {(u.start, u.end) for u in corpus["t"].units} == {(8, 13)}
    assert corpus["t"].text == "one\ntwo\nthree"


def test_an_excluded_annotators_text_does_not_count() -> None:
    made = draft()
    made.task("t").read_by("gold", "other")
    made.task("t").read_by("a", "mine")
    assert made.corpus()["t"].text == "mine"


def test_a_text_that_was_read_says_that_it_was_seen() -> None:
    made = draft()
    made.task("t").read_by("a", "text")
    assert made.corpus()["t"].presence == {"a": Presence.EMPTY}


@pytest.mark.parametrize(
    ("start", "end", "category", "annotator", "message"),
    [
        (-1, 2, "X", "a", r"is outside \[0, 4\)"),
        (0, 5, "X", "a", r"is outside \[0, 4\)"),
        (0, 2, "", "a", "has no category; --unlabelled"),
        (0, 2, "X", "", "has no annotator"),
        (float("nan"), 2, "X", "a", "not a finite number"),
        (0, float("inf"), "X", "a", "is outside"),
    ],
)
def test_impossible_spans_name_their_place(start, end, category, annotator, message) -> None:  # type: ignore[no-untyped-def]
    made = draft()
    made.task("t").text = "text"
    made.task("t").span(annotator, start, end, category, "f.ann:3")
    with pytest.raises(InputError, match=rf"^f\.ann:3.*{message}"):
        made.corpus()


def test_spans_without_a_category_take_the_given_one() -> None:
    made = draft(unlabelled="<none>")
    made.task("t").span("a", 0, 2, "")
    corpus = made.corpus()
    assert corpus["t"].units[0].category == "<none>"
    assert notes(corpus) == {"spans without a category called '<none>'": 1}


def test_partial_work_counts_only_when_asked() -> None:
    def fill(made: Draft) -> Corpus:
        made.task("t").saw("a", Presence.PARTIAL)
        made.task("t").span("a", 0, 2, "X")
        return made.corpus()

    assert fill(draft())["t"].annotators == ()
    assert fill(draft(include_partial=True))["t"].annotators == ("a",)


def test_empty_unseen_turns_every_empty_annotation_into_unseen() -> None:
    made = draft(empty="unseen")
    made.task("t").saw("a", Presence.EMPTY)
    made.task("t").saw("b", Presence.DONE)
    made.task("t").saw("c", Presence.SKIPPED)
    made.task("t").span("d", 0, 2, "X")
    assert made.corpus()["t"].presence == {
        "a": Presence.UNSEEN,
        "b": Presence.UNSEEN,
        "c": Presence.SKIPPED,
        "d": Presence.DONE,
    }


def test_categories_of_one_annotator_are_told() -> None:
    made = draft()
    made.task("t").span("a", 0, 2, "X")
    made.task("t").span("b", 0, 2, "X")
    made.task("t").span("b", 0, 2, "Y")
    assert notes(made.corpus()) == {"categories used by one annotator only: 'Y'": 1}


class TestAssignments:
    def write(self, folder: Path, *rows: str) -> Path:
        path = folder / "assignments.csv"
        path.write_text("\n".join(("document,annotator,status", *rows)), encoding="utf-8")
        return path

    def test_they_override_everything(self, tmp_path: Path) -> None:
        path = self.write(tmp_path, "t,a,unseen", "t,b,empty", "t,c,skipped", "t,d,partial")
        made = Draft(ReadOptions(assignments=path, empty="unseen"))
        made.task("t").saw("b", Presence.UNKNOWN)
        for name in "acd":
            made.task("t").span(name, 0, 5, "X")
        corpus = made.corpus()
        assert corpus["t"].presence == {
            "a": Presence.UNSEEN,
            "b": Presence.EMPTY,
            "c": Presence.SKIPPED,
            "d": Presence.PARTIAL,
        }
        assert [u.annotator for u in corpus["t"].units] == ["d"]
        assert sum(n.count for n in corpus.notes if "assignments say" in n.message) == 2

    def test_a_task_that_is_not_there_is_an_error_where_tasks_are_listed(
        self, tmp_path: Path
    ) -> None:
        path = self.write(tmp_path, "t9,a,empty")
        made = Draft(ReadOptions(assignments=path))
        made.task("t")
        with pytest.raises(InputError, match="there is no document 't9'; the files have 't'"):
            made.corpus()
        made = Draft(ReadOptions(assignments=path), measure=Measure.STEP, open_tasks=True)
        assert made.corpus()["t9"].presence == {"a": Presence.EMPTY}

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("", r":1: the first line is not"),
            ("doc,who,what\n", r":1: the first line is not"),
            ("document,annotator,status\nt,a\n", r":2: there are 2 columns"),
            ("document,annotator,status\nt,a,finished\n", r":2: there is no status 'finished'"),
            ("document,annotator,status\n,a,done\n", r":2: the document or the annotator"),
            ("document,annotator,status\nt,a,done\nt,a,empty\n", r":3: 'a' has two statuses"),
            ('document,annotator,status\nt,"a"b,done\n', r":2: the quoting is broken"),
        ],
    )
    def test_bad_tables(self, tmp_path: Path, content: str, message: str) -> None:
        path = tmp_path / "x.csv"
        path.write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            Draft(ReadOptions(assignments=path)).corpus()

    def test_empty_with_spans_is_a_contradiction(self, tmp_path: Path) -> None:
        made = Draft(ReadOptions(assignments=self.write(tmp_path, "t,a,empty")))
        made.task("t").span("a", 0, 5, "X")
        with pytest.raises(InputError, match=r"csv: 'a' .* marked nothing in 't' but has spans"):
            made.corpus()


@pytest.mark.parametrize("options", [{"empty": "maybe"}, {"labels": "x"}])
def test_options_out_of_range(options: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match="it can be"):
        read_options(**options)


def test_an_unknown_option_lists_the_known() -> None:
    with pytest.raises(SettingsError, match="no option 'anotator_from'; there are annotator_from"):
        read_options(anotator_from="dir")


def test_names_are_the_same_with_and_without_blanks_around_them(tmp_path: Path) -> None:
    table = tmp_path / "who.csv"
    table.write_text('document,annotator,status\nt,"ann ",done\n', encoding="utf-8")
    made = draft(assignments=table, exclude_annotators=["eve "])
    for number, name in enumerate(("bob", "bob ", " ann", "eve")):
        made.task("t").span(name, number, number + 1, "X")
    made.task("t").saw("bob ", Presence.SKIPPED)
    made.task("t").saw("bob")
    corpus = made.corpus()
    assert dict(corpus["t"].presence) == {"ann": Presence.DONE, "bob": Presence.DONE}
    assert [u.start for u in corpus["t"].of("bob")] == [0, 1]
    said = "white space around annotators' names removed: ' ann', 'bob ', tasks"
    assert notes(corpus)[said] == 1


def test_one_name_with_two_texts_is_an_error() -> None:
    made = draft()
    made.task("t").read_by("bob", "one")
    made.task("t").read_by("bob ", "two")
    with pytest.raises(InputError, match="task 't': 'bob' has two texts of the task; keep one"):
        made.corpus()


def test_each_channel_of_a_recording_is_a_task() -> None:
    def fill(**options: object) -> Corpus:
        made = Draft(read_options(**options), measure=Measure.MILLISECOND, tells_channels=True)
        task = made.task("t")
        task.length, task.media = 9, "t.wav"
        for name in ("a", "b"):
            task.saw(name)
        for number, (start, channel) in enumerate([(0, "1"), (0, "2"), (0, "2"), (5, "2")]):
            task.on_channel(channel).span("a", start, start + 3, "X", str(number))
        return made.corpus()

    both = fill()
    assert [(one.id, one.recording, one.channel) for one in both] == [
        ("t", "t", ""), ("t [channel 2]", "t", "2"),
    ]  # fmt: skip
    assert [[u.start for u in one.units] for one in both] == [[0], [0, 5]]
    assert {(one.length, one.media) for one in both} == {(9, "t.wav")}
    # Who saw the recording saw each channel of it.
    assert both["t [channel 2]"].presence["b"] is Presence.EMPTY
    assert notes(both) == {
        "recordings with several channels; each channel is a task: 't', 't [channel 2]'": 1,
        "duplicate spans counted once": 1,
        "categories used by one annotator only: 'X'": 1,
    }
    one = fill(layers=["channel:1"])
    assert [(c.id, [u.start for u in c.units]) for c in one] == [("t", [0])]
    assert set(notes(one)) == {"categories used by one annotator only: 'X'"}
    assert [c.id for c in fill(layers=["channel:2"])] == ["t [channel 2]"]
    with pytest.raises(SettingsError, match="no span on the channel '3'; there are '1', '2'"):
        fill(layers=["channel:3"])


def test_a_table_of_assignments_names_recordings_or_channels(tmp_path: Path) -> None:
    def fill(table: str) -> Corpus:
        path = tmp_path / "who.csv"
        path.write_text(f"document,annotator,status\n{table}", encoding="utf-8")
        made = Draft(
            read_options(assignments=path), measure=Measure.MILLISECOND, tells_channels=True
        )
        task = made.task("t")
        task.on_channel("2").span("a", 0, 3, "X")
        task.saw("a")
        task.saw("b")
        return made.corpus()

    for table in ("t,a,done\nt,b,skipped\n", "t [channel 2],a,done\nt [channel 2],b,skipped\n"):
        corpus = fill(table)
        assert [one.id for one in corpus] == ["t [channel 2]"]
        assert corpus["t [channel 2]"].presence["b"] is Presence.SKIPPED
    with pytest.raises(InputError, match=r"no document 't \[channel 3\]'"):
        fill("t [channel 3],a,done\n")
