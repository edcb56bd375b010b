"""What a suggested span says of itself in tools that show notes."""

from __future__ import annotations

from goldspan.adapters.kit.votes import concerning, decision_line, label_votes, votes_line
from goldspan.engine.gold.gold import Decision, GoldSpan, Grade, Question
from goldspan.engine.model import Continuum, Measure, Unit

VOTES = (Unit("amira", 0, 3, "DATE"), Unit("bruno", 0, 7, "LOC"), Unit("dario", 0, 3, "DATE"))
SPAN = GoldSpan(0, 3, "DATE", 0.8349, VOTES, 3, Grade.MAJORITY)
TASK = Continuum("1", VOTES, text="May day in Port Alder")


def test_votes_are_counted_for_the_label_and_the_others_named() -> None:
    assert label_votes(SPAN) == "2 of 3: DATE; bruno: LOC; confidence 0.83"
    assert votes_line(SPAN) == (
        "confidence 0.83, majority, 2 of 3: amira DATE 0-3, dario DATE 0-3; bruno LOC 0-7"
    )
    assert label_votes(GoldSpan(0, 3, "DATE", 1.0, VOTES[:1], 2)) == (
        "1 of 2: DATE; confidence 1.00"
    )


def test_a_decision_names_the_question_and_who_read_what() -> None:
    decision = Decision(0, 7, Question.LABEL, VOTES, SPAN)
    assert decision_line(decision, TASK) == (
        "To decide: Which label? amira, dario: DATE “May”; bruno: LOC “May day”"
    )
    heard = Continuum("2", VOTES, measure=Measure.MILLISECOND)
    assert "bruno: LOC 0-7 ms" in decision_line(decision, heard)


def test_a_span_mentions_what_is_open_about_it_and_at_its_place() -> None:
    about = Decision(0, 3, Question.CHECK, VOTES, SPAN)
    other = Decision(2, 9, Question.SPLIT, VOTES[1:2])
    elsewhere = Decision(11, 15, Question.MISS, (Unit("dario", 11, 15, "LOC"),))
    neighbours = Decision(0, 7, Question.CHECK, VOTES, GoldSpan(0, 7, "LOC", 0.5, VOTES, 3))

    assert concerning(SPAN, [about, other, elsewhere, neighbours]) == [about, other]
