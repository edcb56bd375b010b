"""Reading for Prodigy: which answers count, and what they say of who saw what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.record import Record, SharedTexts, label_text, read_records
from goldspan.adapters.kit.roundtrip import KEY, take_leftover
from goldspan.adapters.kit.text.marks import Mark, Marks
from goldspan.adapters.prodigy.questions import Question, answered, question
from goldspan.adapters.prodigy.session import Row, Sessions
from goldspan.adapters.prodigy.tasks import TaskIds
from goldspan.engine.annotators.worktime import Times, WorkTime
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import FIRST, LAST, Corpus, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import ReadOptions
    from goldspan.adapters.kit.task_draft import TaskDraft

ONE_SUGGESTION = {"ner", "spans", "pos", "dep"}
NO_SPANS = {
    "text", "html", "classification", "text_input", "image", "image_manual", "audio",
    "audio_manual", "diff", "compare", "llm_io",
}  # fmt: skip
REVIEW = "review"
MANUAL = {"ner_manual", "spans_manual", "pos_manual", "relations", REVIEW}
ANSWERS = ("accept", "reject", "ignore")
UNREAD = frozenset({"tokens"})
"""What takes more memory than the text, and tells nothing of the annotations."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """One annotator's answer to one task; `asked` is the question about the whole of it."""

    task: str
    annotator: str
    record: Record
    asked: Question | None

    @property
    def has_spans(self) -> bool:
        """Whether spans were asked for."""
        return self.asked is None or _marks_spans(self.record)

    @property
    def part(self) -> str:
        """What of the task was answered: the layer, or nothing for spans."""
        return "" if self.has_spans or self.asked is None else self.asked.layer

    @property
    def time(self) -> float:
        value = self.record.values.get("_timestamp")
        if not isinstance(value, (int, float)):
            return 0.0
        if not FIRST <= value <= LAST:
            raise self.record.error("'_timestamp' is not a time; export with db-out")
        return value


class Reader:
    """The answers of all files on their way to a draft."""

    def __init__(self, options: ReadOptions) -> None:
        self.options = options
        self.draft = Draft(options, spans_have_layers=False)
        self.marks = Marks(self.draft)
        self.sessions = Sessions.of(options.annotator_from)
        self.ids = TaskIds()
        self.texts = SharedTexts()
        self.rows: list[tuple[Row, Record]] = []
        self.views: dict[str, str] = {}
        self.marked = False
        self.fields: set[str] = set()
        self.labelled = False

    def read(self, path: Path) -> None:
        for read in read_records(path):
            record = self.texts.of(read, without=UNREAD)
            self._check(record)
            session = self.sessions.of_row(path, record)
            task = self.draft.task(self.ids.of(record, path))
            if task.text is None:
                task.text = record.text("text")
            take_leftover(record.values.get(KEY), self.draft, task)
            if session:
                self.rows.append(((path.stem, session, task.id), record))

    def corpus(self) -> Corpus:
        if self.views and not self.marked:
            view, where = next(iter(self.views.items()))
            raise InputError(
                f"no row has spans, options or a label (the view is '{view}'), so there is nothing "
                "to score",
                where=where,
            )
        for answer in self._latest():
            self._add(answer)
        field = self.options.category_from
        if field and self.fields and not self.labelled:
            known = ", ".join(sorted(self.fields))
            raise SettingsError(f"there is no field '{field}' in any span; there are {known}")
        self.marks.settle()
        return self.draft.corpus()

    def times(self) -> Times:
        """When the answers that count were given; Prodigy does not say how long they took."""
        return {
            (one.task, one.annotator): WorkTime(when=one.time or None) for one in self._latest()
        }

    def _check(self, record: Record) -> None:
        """A view that neither marks spans in whole tasks nor labels these is an error."""
        view = str(record.values.get("_view_id") or "")
        if question(record) is not None:
            self.marked = True
            return
        if view in ONE_SUGGESTION or record.values.get("_is_binary") is True:
            raise record.error(
                f"the view '{view}' asks about one suggestion at a time, so an answer does not "
                "annotate the whole task; annotate with ner_manual or spans_manual"
            )
        if view in NO_SPANS:
            raise record.error(
                f"the view '{view}' neither marks spans in a text nor labels it; export answers to "
                "ner_manual, spans_manual, choice or classification"
            )
        self.marked = self.marked or _marks_spans(record)
        self.views.setdefault(view, record.where)

    def _counts(self, record: Record, name: str) -> bool:
        """A review is made from the others' answers: it counts only when it is asked for."""
        if record.values.get("_view_id") != REVIEW or name in self.options.include_annotators:
            return True
        self.draft.note(FormatFact.REVIEW_LEFT_OUT, annotator=name)
        return False

    def _answers(self) -> Iterator[_Answer]:
        names = self.sessions.names([row for row, _ in self.rows])
        for (_, session, task), record in self.rows:
            if self._counts(record, names[session]):
                yield _Answer(task, names[session], record, question(record))

    def _latest(self) -> Iterator[_Answer]:
        """The last answer of each annotator to each task; later rows are later."""
        latest: dict[tuple[str, str, str], _Answer] = {}
        for answer in self._answers():
            key = answer.task, answer.annotator, answer.part
            before = latest.get(key)
            if before is not None:
                self.draft.note(FormatFact.REPEATED_ANSWERS)
            if before is None or answer.time >= before.time:
                latest[key] = answer
        return iter(latest.values())

    def _add(self, answer: _Answer) -> None:
        task, record = self.draft.task(answer.task), answer.record
        said = record.values.get("answer")
        if said not in ANSWERS:
            raise record.error("'answer' is not accept, reject or ignore; export with db-out")
        if answer.asked is not None:
            self._label(task, answer, answer.asked)
            if not answer.has_spans:
                return
        if said == "accept":
            partial = task.presences.get(answer.annotator) is Presence.PARTIAL
            self.marks.add(task, answer.annotator, record.text("text"), self._spans(record))
            task.saw(answer.annotator, Presence.PARTIAL if partial else Presence.DONE)
            return
        task.saw(answer.annotator, Presence.SKIPPED)
        self.draft.note(FormatFact.REJECTED if said == "reject" else FormatFact.IGNORED)

    def _label(self, task: TaskDraft, answer: _Answer, asked: Question) -> None:
        """The labels of the whole task; spans, where they are asked for too, settle presence."""
        said = answer.record.values["answer"]
        self.draft.layers.declare(asked.layer, asked.scale)
        if said == "accept" or (said == "reject" and asked.is_binary):
            task.read_by(answer.annotator, answer.record.text("text"))
            task.presences.setdefault(answer.annotator, Presence.DONE)
            for label in answered(answer.record, asked):
                task.label(asked.layer, answer.annotator, label, answer.record.where)
        elif not answer.has_spans:
            task.presences.setdefault(answer.annotator, Presence.SKIPPED)
            self.draft.note(FormatFact.REJECTED if said == "reject" else FormatFact.IGNORED)

    def _spans(self, record: Record) -> Sequence[Mark]:
        return [
            Mark(
                span.integer("start"),
                span.integer("end"),
                self._category(span),
                span.text("text") if isinstance(span.get("text"), str) else None,
                span.where,
            )
            for span in record.records("spans")
        ]

    def _category(self, span: Record) -> str:
        self.fields.update(span.values)
        value = span.get(self.options.category_from or "label")
        self.labelled = self.labelled or value is not None
        return label_text(value, span)


def _marks_spans(record: Record) -> bool:
    values = record.values
    return str(values.get("_view_id")) in MANUAL or values.get("spans") is not None
