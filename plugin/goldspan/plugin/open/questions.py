"""Questions: what the files leave open, with what each answer would give."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.files.text_file import head
from goldspan.engine.errors import GoldspanError, InputError
from goldspan.plugin.open import wording
from goldspan.plugin.open.views import Choice, Question
from goldspan.plugin.report.wording import many

if TYPE_CHECKING:
    from goldspan.engine.model import Continuum, Corpus, Unit

ANNOTATOR = "--annotator-from"
SOURCES = ("file", "dir", "tier", "participant", "column")
"""Where annotators' names may come from, in some format or other."""

CLOSED = ("--from", "--layer", "--start-from", "--end-from", "--task-from")
"""Questions whose answers are all known."""

LARGEST_TRIAL = 20 * 1024**2
"""Files up to this size are read once for each answer."""

MOST_COMPARED = 50
"""Units that begin later, each compared with one that may be the same."""

MOST_NAMES = 4
MOST_CELLS = 3

Try = Callable[[Mapping[str, str]], "Corpus"]


def questions(
    error: InputError, paths: Sequence[Path], attempt: Try | None
) -> tuple[Question, ...]:
    """What an error of reading asks for; `attempt` reads with answers, and is None where that
    would take long.
    """
    suggested = dict(zip(error.remedy[::2], error.remedy[1::2], strict=True))
    cells = _cells(paths) if any("-from" in option for option in error.choices) else {}
    return tuple(
        _question(option, suggested, error.choices.get(option, ()), cells, attempt)
        for option in dict.fromkeys((*suggested, *error.choices))
    )


def _question(
    option: str,
    suggested: Mapping[str, str],
    known: Sequence[str],
    cells: Mapping[str, Sequence[str]],
    attempt: Try | None,
) -> Question:
    usual = suggested.get(option, "")
    values = dict.fromkeys([*([usual] if usual else []), *known])
    if option == ANNOTATOR and not known:
        values |= dict.fromkeys(SOURCES)
    examples = {value: _example(cells.get(value, ())) for value in values}
    if option == ANNOTATOR and not known and attempt is not None:
        tried = {value: _tried(attempt, {**suggested, option: value}) for value in values}
        corpora = {value: corpus for value, corpus in tried.items() if corpus is not None}
        examples = {value: _named(corpus.annotators) for value, corpus in corpora.items()}
        usual = max(corpora, key=lambda value: _matched(corpora[value]), default=usual)
    choices = tuple(
        Choice(value, wording.VALUES.get((option, value), ""), example)
        for value, example in examples.items()
    )
    say = wording.QUESTIONS.get(option, wording.OTHER_QUESTION.format(option=option))
    return Question(option, say, usual, choices, free=option not in CLOSED)


def _matched(corpus: Corpus) -> float:
    """The share of the units that another annotator has marked too, with the same label and over
    half of the same length: it is high if the annotators are the right ones.
    """
    matched = sum(len(_matched_units(task)) for task in corpus)
    return matched / max(1, sum(len(task.units) for task in corpus))


def _matched_units(task: Continuum) -> set[Unit]:
    found = set()
    units = sorted(task.units, key=lambda unit: (unit.category, unit.start))
    for at, one in enumerate(units):
        for other in units[at + 1 : at + 1 + MOST_COMPARED]:
            if other.category != one.category or other.start >= one.end:
                break
            shared = min(one.end, other.end) - other.start
            longer = max(one.end - one.start, other.end - other.start)
            if one.annotator != other.annotator and 2 * shared > longer:
                found |= {one, other}
    return found


def _tried(attempt: Try, answers: Mapping[str, str]) -> Corpus | None:
    """What the answers give; None if the files cannot be read so."""
    with suppress(GoldspanError):
        corpus = attempt(answers)
        return corpus if corpus.annotators else None
    return None


def _named(names: Sequence[str]) -> str:
    first = ", ".join(names[:MOST_NAMES])
    if len(names) > MOST_NAMES:
        first = wording.SOME_NAMES.format(names=first, more=len(names) - MOST_NAMES)
    return wording.GIVES.format(annotators=many(len(names), "annotator"), names=first)


def _example(cells: Sequence[str]) -> str:
    return wording.SUCH_AS.format(cells=", ".join(cells)) if cells else ""


def _cells(paths: Sequence[Path]) -> dict[str, list[str]]:
    """The first different cells of each column of a table."""
    found: dict[str, list[str]] = {}
    for path in paths[:1]:
        if not path.is_file():
            continue
        with suppress(OSError, GoldspanError, csv.Error):
            lines = head(path).splitlines()[:50]
            mark = max(",;\t", key=lines[0].count) if lines else ","
            rows = list(csv.reader(lines, delimiter=mark))
            for at, name in enumerate(rows[0] if rows else []):
                column = [row[at][:40] for row in rows[1:] if at < len(row)]
                found[name.strip()] = list(dict.fromkeys(column))[:MOST_CELLS]
    return found
