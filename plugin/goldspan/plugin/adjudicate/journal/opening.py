"""Opening: the journals of a folder, checked against the corpus that they are about."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from goldspan.engine.adjudication.site import site_id, task_digest
from goldspan.engine.errors import InputError
from goldspan.engine.model import Unit
from goldspan.plugin.adjudicate.journal.event import Event, Header, Item
from goldspan.plugin.adjudicate.journal.folder import JournalFolder
from goldspan.plugin.adjudicate.journal.ledger import Ledger, items_of

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.plugin.adjudicate.settings import DeskSettings


@dataclass(slots=True)
class Journals:
    """The journals, what they say, and how new ones begin."""

    folder: JournalFolder
    ledger: Ledger
    digest: str
    seed: int
    renames: dict[str, str]

    def open(self, name: str, now: str) -> None:
        """Become the writer of an adjudicator's journal."""
        if self.folder.is_open(name):
            return
        header = Header(
            goldspan=version("goldspan"), by=name, corpus=self.digest, seed=self.seed, at=now
        )
        self.folder.open(name, header, now.replace(":", "-"))

    def read(self) -> list[Event]:
        """What was added by other processes."""
        return [renamed(event, self.renames) for event in self.folder.read()]

    def append(self, name: str, event: Event) -> None:
        self.folder.append(name, event)

    def close(self) -> None:
        self.folder.close()


def open_journals(
    gold: Gold, path: Path, settings: DeskSettings, now: str, say: Callable[[str], None]
) -> Journals:
    """The journals of a folder; this process writes that of the settings' adjudicator."""
    folder = JournalFolder(path, say)
    digest = corpus_digest(gold.corpus)
    journals = Journals(folder, Ledger(settings.lead), digest, settings.seed, {})
    try:
        journals.open(settings.adjudicator, now)
        _fill(journals, gold.corpus, rebase=settings.rebase)
    except BaseException:
        folder.close()
        raise
    return journals


def read_journals(path: Path, corpus: Corpus, *, lead: str = "", rebase: bool = False) -> Journals:
    """The journals of a folder, to read them only."""
    if not path.is_dir() or not any(path.glob("*.jsonl")):
        raise InputError("there is no journal of an adjudication here", where=str(path))
    journals = Journals(JournalFolder(path), Ledger(lead), corpus_digest(corpus), 0, {})
    _fill(journals, corpus, rebase=rebase)
    return journals


def corpus_digest(corpus: Corpus) -> str:
    """What tells a corpus from another one: its tasks and their texts, not the annotations."""
    said = "\0".join(f"{one.id}\0{task_digest(one)}" for one in corpus)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _fill(journals: Journals, corpus: Corpus, *, rebase: bool) -> None:
    events = journals.folder.read()
    tasks = {one.id: task_digest(one) for one in corpus}
    named = {(item.task, item.of) for event in events for item in items_of(event) if item.task}
    if rebase:
        by_digest = {digest: task for task, digest in tasks.items()}
        journals.renames |= {
            task: by_digest[of] for task, of in named if tasks.get(task) != of and of in by_digest
        }
    elif named and not any(tasks.get(task) == of for task, of in named):
        theirs = ", ".join(sorted({task for task, _ in named})[:3])
        ours = ", ".join(sorted(tasks)[:3])
        raise InputError(
            f"the journal is about other texts: it has the tasks {theirs}, and the corpus {ours}; "
            "choose another --output, or match tasks by their texts with --rebase",
            where=str(journals.folder.path),
        )
    for event in events:
        journals.ledger.add(renamed(event, journals.renames))


def renamed(event: Event, renames: dict[str, str]) -> Event:
    """The event with the tasks' new names. A site is named after its task, so it gets the name that
    it has there, unless nobody marked it.
    """
    if not renames:
        return event
    items = tuple(
        msgspec.structs.replace(
            item, task=renames.get(item.task, item.task), site=_site(item, renames)
        )
        for item in event.items
    )
    task = renames.get(event.task, event.task)
    return msgspec.structs.replace(event, task=task, site=_site(event, renames), items=items)


def _site(said: Event | Item, renames: dict[str, str]) -> str:
    if said.task not in renames or not said.drawn:
        return said.site
    units = [Unit(one.annotator, one.start, one.end, one.label) for one in said.drawn]
    return site_id(renames[said.task], said.of, units)
