"""Write the table of all coefficients into docs/coefficients.md; `--check` only compares."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.coefficient.registry import ALWAYS, LITERATURE, known_coefficients

if TYPE_CHECKING:
    from goldspan.engine.coefficient.base import Coefficient

PAGE = Path(__file__).parent / "coefficients.md"
START, END = "## All coefficients\n\n", "\n\n## Several annotators and tasks\n"


def coefficients() -> Iterator[Coefficient]:
    """Those that are part of goldspan."""
    own = {name for classes in LITERATURE.values() for name in classes}
    for one in known_coefficients().values():
        if one.key in {always.key for always in ALWAYS} or type(one).__name__ in own:
            yield one


def table() -> str:
    """A row for each coefficient."""
    rows = ["| key | symbol | what it looks at | what it cannot see |", "|---|---|---|---|"]
    for one in coefficients():
        symbol = one.symbol.replace("|", "\\|")
        rows.append(f"| `{one.key}` | {symbol} | {one.about} | {one.blind} |")
    return "\n".join(rows)


def page() -> str:
    """The page with the current table."""
    text = PAGE.read_text(encoding="utf-8")
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        sys.exit(f"{PAGE.name} lacks one of the headings around the table: {START}{END}")
    return f"{before}{START}{table()}{END}{after}"


if __name__ == "__main__":
    current = page()
    if "--check" in sys.argv[1:]:
        sys.exit(current != PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(current, encoding="utf-8")
