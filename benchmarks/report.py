"""The report: a table on the terminal, and docs/benchmarks.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.process import Outcome

HEADER = ("what", "goldspan", "before", "peak", "pygamma-agreement", "ratio", "target", "met")
WORST_HEADER = ("worst case", "seconds", "peak", "disorder", "target", "met")
PAGE = Path(__file__).with_name("page.md")
NOTES = Path(__file__).with_name("notes.md")
"""What is said of the run on the page, by hand: `make bench` keeps it, and says to renew it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report."""

    name: str
    ours: Outcome
    theirs: Outcome | None
    mode: str
    ratio: float | None
    target: str
    reached: bool
    before: Outcome | None = None

    @property
    def met(self) -> bool:
        """Whether the target was reached with an answer that is proved to be the best."""
        return self.reached and bool(self.ours.answer.get("proved", True))

    def cells(self) -> tuple[str, ...]:
        """The line as texts, in the order of the header."""
        theirs = _seconds(self.theirs) if self.theirs else ""
        return (
            self.name,
            _seconds(self.ours),
            self._earlier(),
            f"{self.ours.peak_mb:.0f} MB",
            f"{theirs} ({self.mode})" if theirs and self.mode else theirs,
            self._times(),
            self.target,
            "yes" if self.met else "NO",
        )

    def _earlier(self) -> str:
        """The earlier version's seconds, and how many times as long goldspan takes now."""
        if self.before is None or self.before.cpu is None or self.ours.cpu is None:
            return self.before.failure if self.before else ""
        return f"{_cost(self.before)}: {self.ours.cpu / self.before.cpu:.2f} ×"

    def _times(self) -> str:
        if self.ratio is None:
            return ""
        times = f"{self.ratio:,.0f} ×" if self.ratio >= 100 else f"{self.ratio:.3g} ×"
        return f"> {times}" if self.theirs and self.theirs.cpu is None else times


@dataclass(frozen=True, slots=True)
class WorstRow:
    """What a worst case took: seconds, memory, and whether the answer is proved."""

    name: str
    ours: Outcome
    most_mb: int

    @property
    def met(self) -> bool:
        """Whether there is an answer, within the memory."""
        return self.ours.cpu is not None and self.ours.peak_mb < self.most_mb

    def cells(self) -> tuple[str, ...]:
        """The line as texts, in the order of WORST_HEADER."""
        seconds = f"{self.ours.cpu:.3g} s" if self.ours.cpu is not None else self.ours.failure
        target = f"an answer, < {self.most_mb / 1024:g} GB"
        met = "yes" if self.met else "NO"
        return self.name, seconds, f"{self.ours.peak_mb:.0f} MB", self._proof(), target, met

    def _proof(self) -> str:
        if self.ours.cpu is None:
            return ""
        if self.ours.answer["proved"]:
            return "proved"
        bound, disorder = self.ours.answer["lower_bound"], self.ours.answer["disorder"]
        return f"between {bound:.3g} and {disorder:.3g}"


@dataclass(frozen=True, slots=True)
class Line:
    """What a script said, and which of its targets were met."""

    said: str
    targets: Mapping[str, bool]

    @property
    def met(self) -> bool:
        return all(self.targets.values())

    def __str__(self) -> str:
        verdicts = (f"target {t}: {'yes' if met else 'NO'}" for t, met in self.targets.items())
        return f"{self.said} ({', '.join(verdicts)})"


def print_table(rows: Iterable[Row], worst: Iterable[WorstRow], machine: Sequence[str]) -> None:
    """Show the rows on the terminal."""
    console = Console()
    # A pipe has no width of its own, and the default of 80 columns breaks every line.
    console = console if console.is_terminal else Console(width=140)
    for header, lines in ((HEADER, rows), (WORST_HEADER, worst)):
        table = Table(*header, caption="\n".join(machine), caption_justify="left")
        for line in lines:
            table.add_row(*line.cells())
        console.print(table)


def write_page(
    path: Path,
    rows: Iterable[Row],
    worst: Iterable[WorstRow],
    readings: Iterable[Line],
    machine: Sequence[str],
) -> None:
    """Write the page with the rows as Markdown tables and the readings as a list."""
    temporary = path.with_suffix(".tmp")
    page = PAGE.read_text(encoding="utf-8").format(
        notes=NOTES.read_text(encoding="utf-8").strip(),
        table=_markdown(HEADER, rows),
        worst=_markdown(WORST_HEADER, worst),
        readings="\n".join(f"- {line}" for line in readings),
        machine=machine,
    )
    temporary.write_text(page, encoding="utf-8")
    temporary.replace(path)


def _markdown(header: Sequence[str], rows: Iterable[Row | WorstRow]) -> str:
    lines = [header, ("---",) * len(header), *(row.cells() for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _seconds(outcome: Outcome) -> str:
    if outcome.cpu is None:
        return outcome.failure
    disorder = outcome.answer.get("disorder")
    cost = _cost(outcome) + ("" if outcome.answer.get("proved", True) else ", not proved")
    return cost if disorder is None else f"{cost} [{disorder:.6f}]"


def _cost(outcome: Outcome) -> str:
    """CPU seconds, and the number of chance samples that they were spent on."""
    samples = outcome.answer.get("samples")
    return f"{outcome.cpu:.3g} s" + (f", {samples} samples" if samples else "")
