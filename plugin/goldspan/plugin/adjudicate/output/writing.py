"""Writing: the output, a table of where each span comes from, and the hard cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.files.table import write_rows
from goldspan.plugin.adjudicate.journal.ledger import State
from goldspan.plugin.adjudicate.output.derivation import derive
from goldspan.plugin.adjudicate.output.hard_cases import hard_cases
from goldspan.plugin.adjudicate.views import Written

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.plugin.adjudicate.docket import Docket

HEADER = ("task", "start", "end", "label", "origin", "by", "when", "confidence", "site")


def sidecar_of(output: Path) -> Path:
    """The table of origins beside an output."""
    return output.with_name(f"{output.name}.origins.csv")


def hard_cases_of(output: Path) -> Path:
    """The document of hard cases beside an output."""
    return output.with_name(f"{output.name}.hard-cases.md")


def journal_of(output: Path) -> Path:
    """The folder of journals beside an output."""
    return output.with_name(f"{output.name}.journal")


def write_output(
    docket: Docket, output: Path, write_gold: Callable[[Gold], Sequence[str]], *,
    only_settled: bool = False, blind: bool = False, seed: int = 0,
) -> Written:  # fmt: skip
    """Write all of it; `write_gold` writes the gold to the output and says what is to be known.
    Each file appears when it is complete.
    """
    derived = derive(docket, only_settled=only_settled)
    notes = write_gold(derived.gold)
    sidecar, cases = sidecar_of(output), hard_cases_of(output)
    with (
        new_file(sidecar) as temporary,
        temporary.open("w", encoding="utf-8", newline="", errors="backslashreplace") as file,
    ):
        rows = (
            (r.task, r.start, r.end, r.label, r.origin.value, r.by, r.when,
             f"{r.confidence:.4f}", r.site)
            for r in derived.rows
        )  # fmt: skip
        write_rows(file, [HEADER, *rows])
    with new_file(cases) as temporary:
        temporary.write_text(hard_cases(docket, blind=blind, seed=seed), encoding="utf-8")
    states = [docket.state(name) for name in docket.sites]
    settled, contested = states.count(State.SETTLED), states.count(State.CONTESTED)
    return Written(
        output=str(output),
        sidecar=str(sidecar),
        hard_cases=str(cases),
        settled=settled,
        suggested=len(states) - settled - contested,
        contested=contested,
        notes=tuple(notes),
    )
