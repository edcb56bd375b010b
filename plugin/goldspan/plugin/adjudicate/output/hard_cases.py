"""Hard cases: adjudicators' notes as a document with examples, for the next training."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from goldspan.plugin.adjudicate.aliases import aliases
from goldspan.plugin.adjudicate.texts import around, quote

if TYPE_CHECKING:
    from goldspan.engine.adjudication.answer import Span
    from goldspan.engine.adjudication.site import Site
    from goldspan.engine.model import Continuum
    from goldspan.plugin.adjudicate.docket import Docket

UNTAGGED = "other"
CONTEXT = 60


def hard_cases(docket: Docket, *, blind: bool = False, seed: int = 0) -> str:
    """A Markdown document: notes by tag and by the labels in question, each with its place, what
    was drawn, and the answer.
    """
    cases: dict[tuple[str, str], list[tuple[int, Site]]] = defaultdict(list)
    numbers = {one.id: n for n, one in enumerate(docket.gold.corpus)}
    for site in docket.sites.values():
        remarks = docket.mark(site.id).remarks
        tags = sorted({tag for one in remarks for tag in one.tags}) or [UNTAGGED]
        for tag in tags if remarks else ():
            cases[tag, " / ".join(site.labels) or "-"].append((numbers[site.task], site))
    lines = ["# Hard cases", ""]
    if not cases:
        lines += ["Nobody has written a note yet.", ""]
    for tag, labels in sorted(cases):
        lines += [f"## {_plain(tag)}: {_plain(labels)}", ""]
        for _, site in sorted(cases[tag, labels], key=lambda one: (one[0], one[1].start)):
            lines += [*_case(site, docket, blind, seed), ""]
    return "\n".join(lines)


def _case(site: Site, docket: Docket, blind: bool, seed: int) -> list[str]:
    task = docket.gold.corpus[site.task]
    names = aliases(tuple(task.presence), task.id, seed) if blind else {}
    lines = [f"- {_plain(task.id)}, {site.start}–{site.end}{_context(task, site)}"]
    for version in site.versions:
        who = ", ".join(sorted(names.get(name, name) for name in version.annotators))
        lines.append(f"  - {_plain(who)}: {_spans(version.spans, task)}")
    if site.absent:
        who = ", ".join(sorted(names.get(name, name) for name in site.absent))
        lines.append(f"  - {_plain(who)}: nothing")
    given = docket.settled(site.id)
    if given is not None:
        lines.append(f"  - **answer**: {_spans(given.spans, task)}")
    lines += [
        f"  - note by {_plain(one.by)}: {_plain(one.note)}" for one in docket.mark(site.id).remarks
    ]
    return lines


def _spans(spans: tuple[Span, ...], task: Continuum) -> str:
    said = []
    for one in spans:
        text = quote(task, one.start, one.end)
        said.append(
            f"{_plain(one.label)} " + (f"“{_plain(text)}”" if text else f"{one.start}–{one.end}")
        )
    return ", ".join(said) or "nothing belongs here"


def _context(task: Continuum, site: Site) -> str:
    text = quote(task, site.start, site.end)
    if not text:
        return ""
    before, after = around(task, site.start, site.end)
    return f": {_plain(before[-CONTEXT:])}**{_plain(text)}**{_plain(after[:CONTEXT])}"


def _plain(text: str) -> str:
    """On one line, and without meaning for Markdown or HTML."""
    said = " ".join(text.encode("utf-8", "replace").decode().split())
    for sign in "\\`*_[]<>#|":
        said = said.replace(sign, f"\\{sign}")
    return said
