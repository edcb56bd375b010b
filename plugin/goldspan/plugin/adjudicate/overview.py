"""Overview: the project as a whole, and how far it is."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from goldspan.adapters.facts import settled_tasks
from goldspan.plugin.adjudicate import wording
from goldspan.plugin.adjudicate.agreement import agreement
from goldspan.plugin.adjudicate.journal.ledger import State
from goldspan.plugin.adjudicate.texts import text_of
from goldspan.plugin.adjudicate.views import Progress, Project, Stop, TaskView
from goldspan.plugin.report.wording import many

if TYPE_CHECKING:
    from goldspan.engine.model import Continuum
    from goldspan.plugin.adjudicate.docket import Docket
    from goldspan.plugin.adjudicate.settings import DeskSettings


def project_view(
    docket: Docket,
    settings: DeskSettings,
    by: str,
    *,
    stop: Stop,
    saved: str,
    digest: str,
    revision: int,
) -> Project:
    """All that the page needs once."""
    corpus = docket.gold.corpus
    annotators = corpus.annotators
    if settings.blind:
        most = max((len(one.presence) for one in corpus), default=0)
        annotators = tuple(f"A{at}" for at in range(1, most + 1))
    return Project(
        name=by,
        adjudicators=tuple(sorted({*docket.ledger.names, by})),
        labels=docket.labels,
        new_labels=settings.new_labels,
        annotators=annotators,
        blind=settings.blind,
        warning=wording.ALSO_ANNOTATOR if by in corpus.annotators else "",
        tasks=tuple(_task_view(n, one, docket) for n, one in enumerate(corpus)),
        kinds=open_kinds(docket),
        progress=progress(docket, by, saved),
        stop=stop,
        digest=digest,
        revision=revision,
        notes=_notes(docket),
        undo=docket.ledger.undoable(by),
        redo=docket.ledger.redoable(by),
    )


def progress(docket: Docket, by: str, saved: str) -> Progress:
    """How many sites stand where."""
    states = Counter(docket.state(name) for name in docket.sites)
    return Progress(
        settled=states[State.SETTLED],
        skipped=states[State.SKIPPED],
        contested=states[State.CONTESTED],
        reopened=states[State.REOPENED],
        open=states[State.OPEN],
        suggested=states[State.SUGGESTED],
        done_by_you=sum(
            by in docket.mark(name).answers for name in docket.ledger.sites if name in docket.sites
        ),
        saved=saved,
        agreement=agreement(docket),
    )


def open_kinds(docket: Docket) -> dict[str, int]:
    """How many open sites have each question."""
    states = (State.OPEN, State.REOPENED)
    return dict(
        Counter(
            question.value
            for site in docket.sites.values()
            if docket.state(site.id) in states
            for question in site.questions
        )
    )


def _task_view(n: int, task: Continuum, docket: Docket) -> TaskView:
    states = [docket.state(site.id) for site in docket.by_task.get(task.id, ())]
    waiting = sum(one not in (State.SETTLED, State.SUGGESTED) for one in states)
    return TaskView(
        n=n,
        id=task.id,
        length=task.length,
        measure=task.measure.value,
        text=text_of(task) is not None,
        media=task.media,
        sites=len(states),
        open=waiting,
    )


def _notes(docket: Docket) -> tuple[str, ...]:
    reopened = sum(docket.state(name) is State.REOPENED for name in docket.earlier)
    found = [
        wording.sentence(f"Task '{note.task}': {note.message}" if note.task else note.message)
        for note in docket.gold.notes
    ]
    settled = _settled_before(docket)
    if settled:
        found.append(wording.SETTLED_BEFORE.format(tasks=many(settled, "task")))
    if docket.forgotten:
        found.append(wording.FORGOTTEN.format(count=docket.forgotten))
    if reopened:
        found.append(wording.REOPENED.format(count=reopened))
    return tuple(found)


def _settled_before(docket: Docket) -> int:
    """How many tasks a person settled in the files, so that nothing is asked about them."""
    done = settled_tasks(docket.gold.corpus.notes)
    return sum(not any(site.questions for site in docket.by_task.get(task, ())) for task in done)
