"""Bad rows: those of another width, and those with a cell that is not a tag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from goldspan.adapters.conll.document import Conll, Document, Row
from goldspan.adapters.conll.options import SKIP_BAD_ROWS
from goldspan.adapters.conll.tags import is_tag
from goldspan.adapters.facts import FormatFact
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.adapters.kit.draft import Draft

SHOWN = 8
"""How many lines a message lists."""


@dataclass(slots=True)
class BadRows:
    """What is done with bad rows: the first is an error that names the others, or all are passed
    over and counted.
    """

    draft: Draft
    count: int = 0
    places: list[str] = field(default_factory=list)

    def check_widths(self, conll: Conll) -> None:
        """Rows of another width, before columns are chosen; a file of nothing else is an error."""
        if conll.faults and not (conll.documents and SKIP_BAD_ROWS.of(self.draft.options)):
            raise _error(conll, conll.faults)

    def without(self, conll: Conll, columns: Sequence[int], sign: str) -> Conll:
        """The file without its bad rows, if they may be passed over."""
        faults = dict(conll.faults)
        for number, cells in (row for d in conll.documents for s in d.sentences for row in s):
            for column in columns:
                if cells[column] != sign and not is_tag(cells[column]):
                    faults[number] = (
                        f"'{cells[column]}' is not a tag; write O, B-LABEL and I-LABEL, or BIOES"
                    )
        if not faults:
            return conll
        if not SKIP_BAD_ROWS.of(self.draft.options):
            raise _error(conll, faults)
        self.count += len(faults)
        self.places += (f"{conll.path.name}:{number}" for number in sorted(faults)[:SHOWN])
        documents = [_kept(document, faults) for document in conll.documents]
        return replace(conll, documents=documents, faults={})

    def tell(self) -> None:
        """Count them in a note, and name the first."""
        if self.count:
            named = ", ".join(self.places[:SHOWN])
            more = f" and {self.count - SHOWN} more" if self.count > SHOWN else ""
            self.draft.note(FormatFact.BAD_ROWS, count=self.count, rows=named + more)


def _kept(document: Document, faults: Mapping[int, str]) -> Document:
    kept: list[list[Row]] = [
        [row for row in sentence if row[0] not in faults] for sentence in document.sentences
    ]
    return Document(document.id, [sentence for sentence in kept if sentence])


def _error(conll: Conll, faults: Mapping[int, str]) -> InputError:
    first, *others = sorted(faults)
    message = faults[first]
    if others:
        lines = ", ".join(map(str, others[:SHOWN])) + (", …" if len(others) > SHOWN else "")
        message += f" (bad rows also in lines {lines})"
    hint = "; --skip-bad-rows passes over such rows" if conll.documents else ""
    return InputError(message + hint, where=f"{conll.path}:{first}")
