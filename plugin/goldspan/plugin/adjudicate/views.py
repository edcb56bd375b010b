"""Views: what the page gets, each value the JSON of one answer."""

from __future__ import annotations

from typing import Literal

import msgspec

from goldspan.engine.adjudication.answer import Span  # noqa: TC001 - msgspec reads it

Number = int | float


class Progress(msgspec.Struct, frozen=True):
    """How many sites stand where; `saved` is when the last event was stored. `agreement` is None as
    long as no two adjudicators settled the same site.
    """

    settled: int
    skipped: int
    contested: int
    reopened: int
    open: int
    suggested: int
    done_by_you: int
    saved: str
    agreement: AgreementView | None


class Stop(msgspec.Struct, frozen=True):
    """How many errors are left, and the advice that follows, in a sentence too."""

    state: str
    expected: float | None
    low: float | None
    high: float | None
    spans: int
    threshold: float
    more: int | None
    confirm: int
    audits: int
    audit_errors: int
    audit_expected: float
    unseen: float | None
    say: str


class AgreementView(msgspec.Struct, frozen=True):
    """How far adjudicators agree on the sites that both settled."""

    shared: int
    equal: int
    share: float
    pairs: tuple[tuple[str, str, int, int], ...]


class TaskView(msgspec.Struct, frozen=True):
    """A task, and how many sites it has."""

    n: int
    id: str
    length: Number | None
    measure: str
    text: bool
    media: str | None
    sites: int
    open: int


class Project(msgspec.Struct, frozen=True):
    """All that the page needs once. `undo` and `redo` name the events that the adjudicator could
    undo now.
    """

    name: str
    adjudicators: tuple[str, ...]
    labels: tuple[str, ...]
    new_labels: bool
    annotators: tuple[str, ...]
    blind: bool
    warning: str
    tasks: tuple[TaskView, ...]
    kinds: dict[str, int]
    progress: Progress
    stop: Stop
    digest: str
    revision: int
    notes: tuple[str, ...]
    undo: str
    redo: str


class QueueQuery(msgspec.Struct, frozen=True):
    """Which part of the queue: its order, filters, and a window."""

    order: Literal["value", "text", "kind", "pair", "task"] = "value"
    kind: str = ""
    label: str = ""
    annotator: str = ""
    task: str = ""
    state: Literal[
        "", "open", "settled", "skipped", "reopened", "contested", "suggested", "all"
    ] = ""
    noted: bool = False
    find: str = ""
    after: str = ""
    limit: int = 50


class QueueItem(msgspec.Struct, frozen=True):
    """A line of the queue."""

    id: str
    n: int
    task: str
    start: Number
    end: Number
    kind: str
    kinds: tuple[str, ...]
    quote: str
    labels: tuple[str, ...]
    state: str
    p: float | None
    via: str
    group: str
    noted: bool


class Queue(msgspec.Struct, frozen=True):
    """A window of the queue; `total` counts all of it."""

    revision: int
    total: int
    items: tuple[QueueItem, ...]


class ReadingView(msgspec.Struct, frozen=True):
    """What some annotators have at a site; or, with `when`, what an adjudicator answered before an
    annotation changed.
    """

    number: int
    spans: tuple[Span, ...]
    quotes: tuple[str, ...]
    who: tuple[str, ...]
    yours: bool = False
    when: str | None = None


class EvidenceView(msgspec.Struct, frozen=True):
    """What the merge knows of one span."""

    span: Span
    suggested: bool
    confidence: float
    exists: float | None
    labelled: float | None
    placed: float | None
    grade: str


class AnswerView(msgspec.Struct, frozen=True):
    """An answer that stands."""

    by: str
    spans: tuple[Span, ...]
    when: str
    how: str


class NeighbourView(msgspec.Struct, frozen=True):
    """Another site that overlaps, or is near."""

    id: str
    start: Number
    end: Number
    spans: tuple[Span, ...]
    state: str


class NoteView(msgspec.Struct, frozen=True):
    """A remark on a site."""

    by: str
    when: str
    note: str
    tags: tuple[str, ...]


class SiteView(msgspec.Struct, frozen=True):
    """One site, complete."""

    id: str
    n: int
    task: str
    start: Number
    end: Number
    kinds: tuple[str, ...]
    state: str
    base: int
    via: str
    pi: float
    quote: str
    before: str
    after: str
    measure: str
    readings: tuple[ReadingView, ...]
    absent: tuple[str, ...]
    suggestion: tuple[Span, ...] | None
    candidates: tuple[Span, ...]
    evidence: tuple[EvidenceView, ...]
    p: float | None
    value: float | None
    answer: tuple[Span, ...] | None
    answers: tuple[AnswerView, ...]
    neighbours: tuple[NeighbourView, ...]
    notes: tuple[NoteView, ...]
    group: str
    group_size: int
    lease: str


class Block(msgspec.Struct, frozen=True):
    """A piece of a text, and where it starts."""

    start: int
    text: str


class TaskText(msgspec.Struct, frozen=True, rename={"start": "from", "end": "to"}):
    """A window of a text, in blocks."""

    n: int
    start: int
    end: int
    length: int
    blocks: tuple[Block, ...]


class UnitView(msgspec.Struct, frozen=True, array_like=True):
    """A unit in a window; `who` counts in the window's names."""

    start: Number
    end: Number
    label: str
    who: int
    site: str


class TaskUnits(msgspec.Struct, frozen=True, rename={"start": "from", "end": "to"}):
    """The units and sites of a window."""

    n: int
    start: Number
    end: Number
    who: tuple[str, ...]
    units: tuple[UnitView, ...]
    sites: tuple[NeighbourView, ...]


class TaskSites(msgspec.Struct, frozen=True):
    """Where the sites of a task are: start, end, state and id of each."""

    n: int
    length: Number | None
    sites: tuple[tuple[Number, Number, str, str], ...]


class Recorded(msgspec.Struct, frozen=True):
    """An event is on the disk. `known` says that it was before. `undo` and `redo` name the events
    that the adjudicator could undo now. `shown` is the site as it is after an undo or a reopening.
    """

    n: int
    id: str
    site: str
    state: str
    known: bool
    undo: str
    redo: str
    next: tuple[SiteView, ...]
    progress: Progress
    stop: Stop
    kinds: dict[str, int]
    revision: int
    shown: SiteView | None = None


class Ahead(msgspec.Struct, frozen=True):
    """A site on the screen, what the queue gives when it is settled, and the sites beside it: with
    them the page answers the next key without a call.
    """

    site: SiteView
    then: SiteView | None
    beside: tuple[SiteView, ...]


class GroupView(msgspec.Struct, frozen=True):
    """Sites that are alike."""

    key: str
    kind: str
    labels: tuple[str, ...]
    surface: str
    size: int
    say: str


class Groups(msgspec.Struct, frozen=True):
    groups: tuple[GroupView, ...]


class BatchItem(msgspec.Struct, frozen=True):
    """What accepting a group would do at one site."""

    site: str
    n: int
    task: str
    base: int
    before: str
    quote: str
    after: str
    spans: tuple[Span, ...]
    p: float


class BatchPlan(msgspec.Struct, frozen=True):
    """What accepting a group would do."""

    group: str
    say: str
    items: tuple[BatchItem, ...]


class Changes(msgspec.Struct, frozen=True):
    """What happened since; `all` means that everything has to be read again."""

    revision: int
    sites: tuple[str, ...]
    by: tuple[str, ...]
    progress: Progress
    stop: Stop
    all: bool = False


class Written(msgspec.Struct, frozen=True):
    """What was written, and how much of it a person settled."""

    output: str
    sidecar: str
    hard_cases: str
    settled: int
    suggested: int
    contested: int
    notes: tuple[str, ...]


STATUS = {
    "changed": 409,
    "settled-since": 409,
    "no-such-task": 404,
    "no-such-event": 404,
    "no-such-site": 410,
    "note-too-long": 413,
    "invalid": 422,
    "other-writer": 423,
    "disk": 507,
    "bad-host": 400,
    "bad-call": 400,
    "no-key": 401,
    "other-origin": 403,
    "not-found": 404,
    "no-media": 404,
    "method": 405,
    "too-large": 413,
    "not-json": 415,
    "bug": 500,
    "ending": 503,
}


class Refusal(msgspec.Struct, frozen=True):
    """Why something was not done, and what to do; `site` is its present state where that helps."""

    error: str
    say: str
    do: str
    site: SiteView | None = None

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS[self.error]
