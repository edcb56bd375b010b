"""Merging: the laws that every suggested gold obeys, and its fallbacks."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from goldspan.engine import (
    Continuum,
    Corpus,
    Gold,
    InputError,
    Measure,
    Ordinal,
    Presence,
    Question,
    Result,
    SettingsError,
    Unit,
    merge,
    score,
)
from goldspan.engine.alignment.program import solvers
from goldspan.engine.gold.calibration import Calibration
from goldspan.engine.gold.gold import Grade
from goldspan.engine.gold.merging import DEFAULT, NAMES
from goldspan.engine.gold.strategies import STRATEGIES
from goldspan.engine.simulation.reference import Blueprint
from goldspan.engine.simulation.shuffle import Errors, shuffle_corpus
from strategies import continua

NAMES_OF = ("ann1", "ann2", "ann3", "ann4")
LABELS = st.sampled_from(["X", "Y", "Z"])


def scored(corpus: Corpus, **settings_: object) -> Result:
    return score(corpus, precision=0.9, pairs=False, chance="statistical", **settings_)  # type: ignore[arg-type]


def merged(corpus: Corpus, **options: object) -> Gold:
    return merge(corpus, scored(corpus), **options)  # type: ignore[arg-type]


@st.composite
def projects(
    draw: st.DrawFn,
    *,
    annotators: Sequence[str] = NAMES_OF[:3],
    measure: Measure = Measure.CHARACTER,
    length: int = 30,
    presences: tuple[Presence, ...] = (Presence.DONE,),
    tasks: int = 3,
) -> Corpus:
    """Small corpora with many ties: short continua, few categories."""
    made = tuple(
        draw(
            continua(
                f"t{at}", tuple(annotators), measure=measure, with_text=False, categories=LABELS,
                presences=presences, length=length, max_units=5,
            )
        )
        for at in range(draw(st.integers(1, tasks)))
    )  # fmt: skip
    assume(any(len(c.annotators) > 1 and c.units for c in made))
    return Corpus(made)


def shown(gold: Gold) -> dict[str, list[tuple[object, ...]]]:
    """What the laws compare: everything of a span but who voted; odds to nine digits."""
    return {
        task: [
            (s.start, s.end, s.category, round(s.confidence, 6), s.grade, len(s.votes))
            for s in spans
        ]
        for task, spans in gold.spans.items()
    }


def renamed(corpus: Corpus, names: dict[str, str]) -> Corpus:
    return Corpus(
        tuple(
            Continuum(
                c.id,
                tuple(Unit(names[u.annotator], u.start, u.end, u.category) for u in c.units),
                {names[name]: state for name, state in c.presence.items()},
                c.length,
                c.measure,
            )
            for c in corpus.continua
        ),
        corpus.scale,
    )


@settings(max_examples=25)
@given(
    projects(annotators=NAMES_OF),
    st.permutations(NAMES_OF),
    st.sampled_from(NAMES),
)
def test_renaming_annotators_changes_no_span(
    corpus: Corpus, order: list[str], strategy: str
) -> None:
    names = dict(zip(NAMES_OF, order, strict=True))
    assert shown(merged(corpus, strategy=strategy)) == shown(
        merged(renamed(corpus, names), strategy=strategy)
    )


@settings(max_examples=25)
@given(projects(), st.randoms(use_true_random=False))
def test_the_order_of_units_and_tasks_changes_no_span(corpus: Corpus, random: object) -> None:
    parts = []
    for c in corpus.continua:
        units = list(c.units)
        random.shuffle(units)  # type: ignore[attr-defined]
        parts.append(Continuum(c.id, tuple(units), dict(reversed(c.presence.items())), c.length))
    random.shuffle(parts)  # type: ignore[attr-defined]
    assert shown(merged(corpus)) == shown(merged(Corpus(tuple(parts))))


@pytest.mark.filterwarnings("ignore:PULP_CBC_CMD is deprecated:DeprecationWarning")
@settings(max_examples=5)
@given(projects(tasks=2))
def test_the_solver_changes_no_span(corpus: Corpus) -> None:
    """PuLP 4 comes without CBC."""
    known = [one for one in ("HiGHS", "PULP_CBC_CMD", "COIN_CMD") if one in solvers()]
    assert "HiGHS" in known
    usual = shown(merge(corpus, scored(corpus)))
    for solver in known:
        assert shown(merge(corpus, scored(corpus, solver=solver))) == usual


@settings(max_examples=25)
@given(
    st.lists(
        continua("t", ("one",), with_text=False, categories=LABELS, presences=(Presence.DONE,)),
        min_size=1,
        max_size=3,
    ),
    st.integers(2, 5),
    st.integers(1, 30),
)
def test_unanimous_annotators_get_their_annotation_with_the_highest_class(
    drawn: list[Continuum], n: int, copies: int
) -> None:
    """With few sites (votes decide) and with many (reliabilities decide)."""
    names = [f"a{at}" for at in range(n)]
    tasks = tuple(
        Continuum(
            f"{at}-{copy}",
            tuple(Unit(name, u.start, u.end, u.category) for u in c.units for name in names),
            dict.fromkeys(names, Presence.DONE),
            c.length,
        )
        for at, c in enumerate(drawn)
        for copy in range(copies)
    )
    assume(any(task.units for task in tasks))
    gold = merged(Corpus(tasks))
    for task in tasks:
        assert [(s.start, s.end, s.category) for s in gold.spans[task.id]] == [
            (u.start, u.end, u.category) for u in task.of("a0")
        ]
        assert all(s.grade is Grade.EXACT for s in gold.spans[task.id])
        assert all(s.confidence >= 0.9 for s in gold.spans[task.id])
        assert all(s.alternatives == () for s in gold.spans[task.id])


@settings(max_examples=25)
@given(
    projects(annotators=NAMES_OF),
    st.sampled_from((DEFAULT, *STRATEGIES)),
    st.sampled_from(["outer", "inner"]),
)
def test_a_boundary_in_text_is_one_that_a_voter_drew(
    corpus: Corpus, strategy: str, ties: str
) -> None:
    for spans in merged(corpus, strategy=strategy, ties=ties).spans.values():
        for span in spans:
            assert span.start in {u.start for u in span.votes}
            assert span.end in {u.end for u in span.votes}


@settings(max_examples=25)
@given(projects(measure=Measure.MILLISECOND))
def test_a_boundary_in_time_lies_between_those_that_were_drawn(corpus: Corpus) -> None:
    for spans in merged(corpus).spans.values():
        for span in spans:
            assert isinstance(span.start, int)
            assert isinstance(span.end, int)
            assert min(u.start for u in span.votes) <= span.start
            assert span.end <= max(u.end for u in span.votes)


@settings(max_examples=25)
@given(projects(), st.sampled_from(NAMES))
def test_who_never_saw_a_task_changes_nothing_in_it(corpus: Corpus, strategy: str) -> None:
    with_stranger = Corpus(
        tuple(
            Continuum(c.id, c.units, {**c.presence, "stranger": Presence.UNSEEN}, c.length)
            for c in corpus.continua
        )
    )
    assert merged(corpus, strategy=strategy).spans == merged(with_stranger, strategy=strategy).spans


@settings(max_examples=25)
@given(projects(annotators=NAMES_OF), st.sampled_from(NAMES))
def test_every_span_has_voters_who_saw_the_task_and_no_span_comes_twice(
    corpus: Corpus, strategy: str
) -> None:
    gold = merged(corpus, strategy=strategy)
    for continuum in corpus.continua:
        spans = gold.spans.get(continuum.id, ())
        keys = [(s.start, s.end, s.category) for s in spans]
        assert len(keys) == len(set(keys))
        assert list(spans) == sorted(spans)
        for span in spans:
            assert set(span.votes) <= set(continuum.units)
            assert set(span.supporters) <= set(span.voters) <= set(continuum.annotators)
            assert span.supporters
            assert span.seen == len(continuum.annotators)


@settings(max_examples=25)
@given(projects(annotators=NAMES_OF))
def test_every_unit_is_behind_a_suggestion_or_a_decision(corpus: Corpus) -> None:
    gold = merged(corpus)
    for continuum in gold.corpus.continua:
        told = {u for span in gold.spans[continuum.id] for u in span.votes}
        told |= {u for d in gold.decisions.get(continuum.id, ()) for u in d.units}
        assert {u for u in continuum.units if u.annotator in continuum.annotators} <= told


@settings(max_examples=25)
@given(projects(annotators=NAMES_OF))
def test_forbidden_overlaps_are_gone_and_nothing_that_fits_is_left_out(corpus: Corpus) -> None:
    free, tight = merged(corpus), merged(corpus, overlaps=False)
    for task, spans in tight.spans.items():
        assert all(a.end <= b.start for a, b in itertools.pairwise(spans))
        assert set(spans) <= set(free.spans[task])
        for span in free.spans[task]:
            assert span in spans or any(
                span.start < other.end and other.start < span.end for other in spans
            )


def project(*tasks: str, measure: Measure = Measure.CHARACTER, **options: object) -> Corpus:
    """Tasks such as `a 0-5 X, b 0-6 X`; `c -` saw it and marked nothing."""
    made = []
    for at, task in enumerate(tasks):
        units, presence = [], {}
        for mark in task.split(", "):
            name, place, *label = mark.split()
            presence[name] = Presence.DONE
            if place != "-":
                start, end = (int(n) for n in place.split("-"))
                units.append(Unit(name, start, end, label[0]))
        made.append(Continuum(f"t{at}", tuple(units), presence, 200, measure))
    return Corpus(tuple(made), **options)  # type: ignore[arg-type]


def spans(gold: Gold, task: str = "t0") -> list[tuple[object, ...]]:
    return [(s.start, s.end, s.category) for s in gold.spans[task]]


def test_nested_units_stay_nested_under_noise() -> None:
    gold = merged(
        project(
            "a 0-40 X, a 10-20 X, a 12-15 Y, b 0-41 X, b 9-20 X, b 12-15 Y, c 1-40 X, c 10-21 X, "
            "c 12-16 Y"
        )
    )
    assert spans(gold) == [(0, 40, "X"), (10, 20, "X"), (12, 15, "Y")]


def test_adjacent_units_of_one_category_stay_apart() -> None:
    gold = merged(project("a 0-10 X, a 10-20 X, b 0-11 X, b 11-20 X, c 0-10 X, c 10-21 X"))
    assert spans(gold) == [(0, 10, "X"), (10, 20, "X")]


def test_units_that_do_not_overlap_are_different_sites() -> None:
    gold = merged(project("a 0-10 X, b 12-22 X, c -"))
    assert spans(gold) == []
    assert [d.question for d in gold.decisions["t0"]] == [Question.MISS, Question.MISS]


@pytest.mark.parametrize(
    ("task", "ties", "wanted"),
    [
        ("a 0-10 X, b 2-12 X, c 4-14 X", "outer", (2, 12)),  # the median
        ("a 0-10 X, b 2-12 X, c -", "outer", (0, 12)),
        ("a 0-10 X, b 2-12 X, c -", "inner", (2, 10)),
        ("a 0-10 X, b 2-12 X, c 2-14 X, d 4-14 X", "outer", (2, 14)),  # 14 was drawn twice
        ("a 0-10 X, b 9-30 X, c 9-11 X", "outer", (9, 11)),
    ],
)
def test_text_boundaries(task: str, ties: str, wanted: tuple[int, int]) -> None:
    assert spans(merged(project(task), ties=ties)) == [(*wanted, "X")]


def test_a_pair_of_boundaries_that_nobody_drew_is_flagged() -> None:
    gold = merged(project("a 0-10 X, b 2-12 X, c 2-10 X"))
    assert gold.spans["t0"][0].is_drawn
    gold = merged(project("a 0-12 X, b 2-14 X, c 1-10 X"))
    assert spans(gold) == [(1, 12, "X")]
    (decision,) = gold.decisions["t0"]
    assert decision.question is Question.BOUNDARY
    assert decision.span == gold.spans["t0"][0]


def test_time_takes_the_midpoint_of_two_and_rounds_to_the_grid() -> None:
    gold = merged(project("a 0-100 X, b 10-121 X", measure=Measure.MILLISECOND))
    assert spans(gold) == [(5, 110, "X")]
    units = (Unit("a", 0.25, 1.5, "X"), Unit("b", 0.5, 1.75, "X"))
    gold = merged(Corpus((Continuum("t0", units, length=9.0, measure=Measure.MILLISECOND),)))
    assert spans(gold) == [(0.38, 1.62, "X")]


def test_time_leans_to_the_precise_annotator() -> None:
    tasks = [f"a {s}-{s + 100} X, b {s}-{s + 100} X, c {s + w}-{s + 100 + w} X"
             for s, w in ((20, 12), (30, -15), (40, 14), (50, -13))]  # fmt: skip
    gold = merged(project(*tasks, "a 0-100 X, c 30-130 X, b -", measure=Measure.MILLISECOND))
    ((start, _, _),) = spans(gold, "t4")
    assert isinstance(start, int)
    assert start < 15


@pytest.mark.parametrize(
    ("task", "scale", "wanted"),
    [
        ("a 0-9 Y, b 0-9 Y, c 0-9 X", (), "Y"),
        ("a 0-9 B, b 0-9 B, c 0-9 A, d 0-9 A, e 0-9 C", ("A", "B", "C"), "B"),  # the middle one
    ],
)
def test_categories_by_votes_then_by_distance(
    task: str, scale: tuple[str, ...], wanted: str
) -> None:
    corpus = project(task, scale=scale)
    distances = Ordinal(scale) if scale else None
    gold = merge(corpus, scored(corpus, distances=distances))
    if scale:
        (decision,) = gold.decisions["t0"]
        assert decision.question is Question.LABEL
        assert spans(gold) == []
        vote = merge(corpus, scored(corpus, distances=distances), strategy="vote")
        assert spans(vote) == [(0, 9, wanted)]
    else:
        assert spans(gold) == [(0, 9, wanted)]


def test_the_scheme_s_order_breaks_the_last_tie() -> None:
    for scale in (("Y", "X"), ("X", "Y")):
        corpus = project("a 0-9 X, b 0-9 Y", scale=scale)
        assert spans(merged(corpus, strategy="vote")) == [(0, 9, scale[0])]


def test_two_annotators_get_what_they_share_and_the_rest_is_asked() -> None:
    gold = merged(
        project("a 0-9 X, a 20-29 X, a 40-49 X, b 0-9 X, b 21-30 X, b 40-49 Y, b 60-69 X")
    )
    assert spans(gold) == [(0, 9, "X"), (20, 30, "X")]
    assert [s.grade for s in gold.spans["t0"]] == [Grade.EXACT, Grade.OVERLAP]
    questions = {(d.start, d.question) for d in gold.decisions["t0"]}
    assert {(40, Question.LABEL), (60, Question.MISS)} <= questions
    assert any("two annotators" in note.message for note in gold.notes)
    assert not gold.calibrated


def test_a_disputed_label_preselects_nothing_and_names_the_authors() -> None:
    gold = merged(project("a 0-9 X, b 0-9 Y, c 0-9 Z"))
    assert spans(gold) == []
    (decision,) = gold.decisions["t0"]
    assert decision.question is Question.LABEL
    assert decision.span is None
    assert [(r.category, r.annotators) for r in decision.readings] == [
        ("X", ("a",)),
        ("Y", ("b",)),
        ("Z", ("c",)),
    ]


def test_a_split_offers_both_readings() -> None:
    gold = merged(project("a 0-20 X, b 0-20 X, c 0-10 X, c 10-20 X"))
    assert spans(gold) == [(0, 20, "X")]
    (split,) = [d for d in gold.decisions["t0"] if d.question is Question.SPLIT]
    assert [(r.start, r.end, r.annotators) for r in split.readings] == [
        (0, 10, ("c",)),
        (0, 20, ("a", "b")),
        (10, 20, ("c",)),
    ]
    assert gold.spans["t0"][0].voters == ("a", "b", "c")
    gold = merged(project("a 0-20 X, b 0-10 X, b 10-20 X, c 0-10 X, c 10-20 X"))
    assert spans(gold) == [(0, 10, "X"), (10, 20, "X")]
    assert any(d.question is Question.SPLIT for d in gold.decisions["t0"])


def test_cuts_at_different_places_leave_the_unit_whole() -> None:
    gold = merged(project("a 0-20 X, b 0-5 X, b 5-20 X, c 0-14 X, c 14-20 X"))
    assert spans(gold) == [(0, 20, "X")]


def test_one_bad_annotator_among_many_sites_is_found_out() -> None:
    good = ", ".join(f"{name} {at}-{at + 8} X" for name in "ab" for at in range(0, 190, 10))
    bad = ", ".join(f"c {at}-{at + 3} Y" for at in range(3, 190, 20))
    corpus = project(*[f"{good}, {bad}"] * 4)
    gold = merged(corpus)
    assert spans(gold) == [(at, at + 8, "X") for at in range(0, 190, 10)]
    trust = gold.provenance.reliabilities
    assert trust["c"]["recall"] < 0.6 < trust["a"]["recall"]


def test_few_sites_are_decided_by_votes_and_the_notes_say_so() -> None:
    gold = merged(project("a 0-9 X, b 0-9 X, c 0-9 X, c 20-29 Y"))
    assert any("too few to estimate" in note.message for note in gold.notes)
    assert gold.provenance.reliabilities == {}


def test_low_agreement_sends_everything_to_a_person() -> None:
    tasks = ["a 0-9 X, b 0-9 X, a 20-30 Y, b 50-60 Y", "a 0-9 X, b 20-30 Y, a 60-70 X, b 90-99 Y"]
    gold = merged(project(*tasks))
    assert any("check every suggestion" in note.message for note in gold.notes)
    assert [d.question for d in gold.decisions["t0"] if d.span] == [Question.CHECK]


def test_min_confidence_moves_suggestions_to_a_person() -> None:
    corpus = project("a 0-9 X, b 0-9 X")
    assert spans(merged(corpus, min_confidence=0.9)) == [(0, 9, "X")]
    gold = merged(corpus, min_confidence=0.95)
    assert spans(gold) == []
    assert [d.question for d in gold.decisions["t0"]] == [Question.CHECK]


def test_tasks_without_an_answer_are_left_out_and_empty_ones_are_not() -> None:
    corpus = project("a 0-9 X, b 0-9 X", "a 0-9 X", "a -, b -")
    gold = merged(corpus)
    assert [c.id for c in gold.corpus.continua] == ["t0", "t2"]
    assert gold.spans["t2"] == ()
    assert any("only one annotator" in n.message and n.task == "t1" for n in gold.notes)


def test_provenance_tells_how_to_make_it_again() -> None:
    corpus = project("a 0-9 X, b 0-9 X")
    gold = merge(corpus, scored(corpus, seed=7), ties="inner")
    assert gold.provenance.seed == 7
    assert gold.provenance.parameters["ties"] == "inner"
    assert gold.provenance.adjudicated == 0


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"strategy": "magic"}, SettingsError, "there is no strategy 'magic'; there are reliab"),
        ({"min_confidence": 2}, SettingsError, "must be from 0 to 1"),
        ({"ties": "left"}, SettingsError, "'outer' or 'inner', not 'left'"),
        ({"calibration": Calibration("vote")}, SettingsError, "made for the strategy 'vote'"),
    ],
)
def test_bad_options(options: dict[str, object], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        merged(project("a 0-9 X, b 0-9 X"), **options)


def test_a_result_of_another_corpus_is_refused() -> None:
    one, two = project("a 0-9 X, b 0-9 X"), project("a 0-9 X, b 0-9 X", "a 0-9 X, b 0-9 X")
    with pytest.raises(InputError, match="task 't1': the result says nothing of it"):
        merge(two, scored(one))
    with pytest.raises(InputError, match="it has the task 't1'"):
        merge(one, scored(two))


@pytest.mark.parametrize(
    ("strategy", "wanted"),
    [
        ("vote", [(0, 9, "X"), (20, 29, "Y")]),
        ("medoid", [(0, 9, "X"), (20, 29, "Y")]),
        ("intersection", [(1, 9, "X")]),
        ("union", [(0, 9, "X"), (1, 9, "X"), (20, 29, "Y"), (40, 49, "X")]),
        ("best-annotator", [(0, 9, "X"), (20, 29, "Y")]),
    ],
)
def test_simple_strategies(strategy: str, wanted: list[tuple[int, int, str]]) -> None:
    corpus = project("a 0-9 X, a 20-29 Y, b 0-9 X, b 20-29 Y, b 40-49 X, c 1-9 X")
    gold = merged(corpus, strategy=strategy)
    assert spans(gold) == wanted
    assert gold.strategy == strategy


def test_steps_may_be_characters_so_their_boundaries_are_drawn_ones() -> None:
    gold = merged(project("a 0-10 X, b 3-12 X, c 8-16 X", measure=Measure.STEP))
    assert spans(gold) == [(3, 12, "X")]


@pytest.mark.parametrize(
    ("kinds", "suggested"),
    [(["false_negatives"], True), (["false_negatives", "false_positives"], False)],
)
def test_a_lone_unit_is_suggested_only_where_annotators_miss_much_and_invent_nothing(
    kinds: list[str], suggested: bool
) -> None:
    own = Errors(shift=2, extra=1).at(0.3, *kinds)
    corpus = shuffle_corpus(Blueprint().corpus(60, 1), dict.fromkeys("abc", own), 2)
    gold = merged(corpus)
    lonely = [s for spans in gold.spans.values() for s in spans if s.grade is Grade.SINGLE]
    assert bool(lonely) == suggested
    asked = {d.span: d.question for found in gold.decisions.values() for d in found}
    assert {asked[span] for span in lonely} <= {Question.CHECK}


def test_two_sites_that_lead_to_one_span_both_stand_behind_it() -> None:
    drawn = {
        "ann1": [(0, 15, "Y"), (20, 21, "Y")],
        "ann2": [(0, 22, "Y"), (13, 22, "Y")],
        "ann3": [(13, 22, "Y")],
        "ann4": [(13, 18, "X"), (17, 19, "X")],
    }
    units = tuple(Unit(name, *span) for name, spans in drawn.items() for span in spans)
    units += tuple(Unit(name, 0, 1, "X") for name in drawn)
    corpus = Corpus((Continuum("t", units, dict.fromkeys(drawn, Presence.DONE), 30),))
    gold = merged(corpus)
    told = {u for span in gold.spans["t"] for u in span.votes}
    told |= {u for d in gold.decisions.get("t", ()) for u in d.units}
    assert told == set(units)
