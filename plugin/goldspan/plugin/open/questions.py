"""Questions: what the files leave open, with what each answer would give."""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.files.folder import files_below
from goldspan.adapters.files.text_file import head
from goldspan.adapters.kit.naming import ANNOTATOR_FROM, Naming
from goldspan.engine.errors import GoldspanError, InputError
from goldspan.engine.model import Presence
from goldspan.plugin.open import wording
from goldspan.plugin.open.views import Choice, Question
from goldspan.plugin.report.wording import many

if TYPE_CHECKING:
    from goldspan.engine.model import Continuum, Corpus, Unit

PRESENCE = "--empty"
SOURCES = ("file", "dir", "tier", "participant", "column")
"""Where annotators' names may come from, in some format or other."""

CLOSED = (
    "--from", "--layer", "--start-from", "--end-from", "--task-from", "--sheet", PRESENCE
)  # fmt: skip
"""Questions whose answers are all known."""

LARGEST_TRIAL = 20 * 1024**2
"""Files up to this size are read once for each answer."""

MOST_COMPARED = 50
"""Units that begin later, each compared with one that may be the same."""

MOST_NAMES = 4
MOST_CELLS = 3
MOST_TABLES = 20
"""So many files of a folder are looked at for the columns that a question names."""

MOST_FILES = 1_000
"""The names of so many files are looked at for annotators."""

MOST_ADDED = 3
"""A trial may need answers to so many other questions."""

Try = Callable[[Mapping[str, str]], "Corpus"]


def questions(
    error: InputError, paths: Sequence[Path], attempt: Try | None
) -> tuple[Question, ...]:
    """What an error of reading asks for; `attempt` reads with answers, and is None where that
    would take long.
    """
    suggested = suggestions(error)
    columns = {name for option, known in error.choices.items() if "-from" in option
               for name in known} - {""}  # fmt: skip
    cells = _cells(paths, columns) if columns else {}
    return tuple(
        _question(option, suggested, error.choices.get(option, ()), cells, paths, attempt)
        for option in dict.fromkeys((*suggested, *error.choices))
    )


def suggestions(error: InputError) -> dict[str, str]:
    """The options that an error says would help, with their values."""
    return dict(zip(error.remedy[::2], error.remedy[1::2], strict=True))


def _question(
    option: str,
    suggested: Mapping[str, str],
    known: Sequence[str],
    cells: Mapping[str, Sequence[str]],
    paths: Sequence[Path],
    attempt: Try | None,
) -> Question:
    usual = suggested.get(option, "")
    values = dict.fromkeys([*([usual] if usual else []), *known])
    if option == ANNOTATOR_FROM and not known:
        values |= dict.fromkeys(SOURCES)
    examples = {value: _example(cells.get(value, ())) for value in values}
    if option == ANNOTATOR_FROM and not known and attempt is not None:
        tried = {value: _tried(attempt, {**suggested, option: value}) for value in values}
        corpora = {value: corpus for value, corpus in tried.items() if corpus is not None}
        examples = {value: _named(corpus.annotators) for value, corpus in corpora.items()}
        usual = max(corpora, key=lambda value: _matched(corpora[value]), default="")
    if option == ANNOTATOR_FROM:
        examples |= {value: _by_names(value, paths) for value in examples if "{" in value}
    choices = tuple(
        Choice(value, wording.VALUES.get((option, value), ""), example)
        for value, example in examples.items()
    )
    say = wording.QUESTIONS.get(option, wording.OTHER_QUESTION.format(option=option))
    is_closed = option in CLOSED
    if is_closed and len(choices) == 1:
        usual = choices[0].value
    return Question(option, say, usual, choices, free=not is_closed)


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


def _tried(attempt: Try, answers: Mapping[str, str], most_added: int = MOST_ADDED) -> Corpus | None:
    """What the answers give; None if the files cannot be read so. Other questions that they raise
    are answered as is suggested.
    """
    try:
        corpus = attempt(answers)
    except InputError as error:
        added = suggestions(error)
        if not most_added or not added or not answers.keys().isdisjoint(added):
            return None
        return _tried(attempt, {**answers, **added}, most_added - 1)
    except GoldspanError:
        return None
    return corpus if corpus.annotators else None


def _by_names(pattern: str, paths: Sequence[Path]) -> str:
    """The annotators that a pattern finds in the names of files; empty if it fits none."""
    names = set()
    for file in islice(_files(paths), MOST_FILES):
        with suppress(GoldspanError):
            names.add(Naming(pattern).read(file)[0])
    return _named(sorted(names)) if names else ""


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        yield from files_below(path) if path.is_dir() else [path]


def _named(names: Sequence[str]) -> str:
    first = ", ".join(names[:MOST_NAMES])
    if len(names) > MOST_NAMES:
        first = wording.SOME_NAMES.format(names=first, more=len(names) - MOST_NAMES)
    return wording.GIVES.format(annotators=many(len(names), "annotator"), names=first)


def _example(cells: Sequence[str]) -> str:
    return wording.SUCH_AS.format(cells=", ".join(cells)) if cells else ""


def _cells(paths: Sequence[Path], columns: Collection[str]) -> dict[str, list[str]]:
    """The first different cells of each column of a table that has all these columns."""
    for file in islice(_files(paths), MOST_TABLES):
        found: dict[str, list[str]] = {}
        with suppress(OSError, GoldspanError, csv.Error):
            lines = head(file).splitlines()[:50]
            mark = max(",;\t", key=lines[0].count) if lines else ","
            rows = list(csv.reader(lines, delimiter=mark))
            for at, name in enumerate(rows[0] if rows else []):
                column = [row[at][:40] for row in rows[1:] if at < len(row) and row[at].strip()]
                found[name.strip()] = list(dict.fromkeys(column))[:MOST_CELLS]
        if not found.keys().isdisjoint(columns):
            return found
    return {}


def presence_question(corpus: Corpus) -> Question | None:
    """What is asked where an annotator has no span in a task and nothing says why."""
    unknown = {task.id: _unknown(task) for task in corpus}
    if not any(unknown.values()) or (corpus.layers and not any(task.units for task in corpus)):
        return None
    counts = {
        "seen": sum(len(task.annotators) + len(unknown[task.id]) > 1 for task in corpus),
        "unseen": sum(len(task.annotators) > 1 for task in corpus),
    }
    task, (name, *_) = next(pair for pair in unknown.items() if pair[1])
    return Question(
        PRESENCE,
        wording.QUESTIONS[PRESENCE].format(annotator=name, task=task),
        "",
        tuple(
            Choice(value, wording.VALUES[PRESENCE, value],
                   wording.MEASURABLE.format(some=count, tasks=many(len(unknown), "task")))
            for value, count in counts.items()
        ),
        free=False,
    )  # fmt: skip


def _unknown(task: Continuum) -> list[str]:
    return [name for name, state in task.presence.items() if state is Presence.UNKNOWN]
