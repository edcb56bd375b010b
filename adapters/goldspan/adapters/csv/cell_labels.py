"""Labels of a row: the cell of a category, several labels in one cell, or a column for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from goldspan.adapters.csv.options import LABEL_SEPARATOR
from goldspan.engine.errors import InputError, SettingsError

if TYPE_CHECKING:
    from goldspan.adapters.options import ReadOptions

COLUMNS = "columns:"
"""How --category-from begins where each label has a column."""

YES = frozenset(("1", "1.0", "x", "✓", "yes", "y", "true", "t"))
NO = frozenset(("", "0", "0.0", "no", "n", "false", "f"))
"""What stands in a label's column, with and without the label."""

JOINED = "|"
"""What stands between labels that become one category, as in all formats."""


@dataclass(frozen=True, slots=True)
class CellLabels:
    """How a row tells its labels.

    patterns   the columns of labels, with `*` for anything; empty if one column has the category
    separator  what stands between labels of one cell; empty if a cell is one label
    join       whether several labels are one category, and not a unit each
    """

    patterns: tuple[str, ...] = ()
    separator: str = ""
    join: bool = False

    @classmethod
    def of(cls, options: ReadOptions) -> CellLabels:
        """As the options say; a separator and columns of labels exclude each other."""
        given, separator = options.category_from or "", LABEL_SEPARATOR.of(options)
        if separator is not None and not separator.strip():
            raise SettingsError("--label-separator is blank; give a character such as ';'")
        patterns: tuple[str, ...] = ()
        if given.startswith(COLUMNS):
            patterns = tuple(
                part.strip() for part in given[len(COLUMNS) :].split(",") if part.strip()
            )
            if not patterns:
                raise SettingsError(
                    f"--category-from {COLUMNS} names no column; write {COLUMNS}PER,LOC or "
                    f"'{COLUMNS}label_*'"
                )
            if separator:
                raise SettingsError(
                    f"--label-separator is for one column of labels; leave it out with {COLUMNS}"
                )
        return cls(patterns, separator or "", options.labels == "join")

    def columns(self, names: Sequence[str], taken: Mapping[str, int], where: str) -> dict[str, int]:
        """The columns of labels by their names, without those that tell something else."""
        found: dict[str, int] = {}
        for pattern in self.patterns:
            # A column of exactly that name is meant, even if it holds a * itself.
            fitting = [pattern] if pattern in names else []
            fitting = fitting or [name for name in names if name and fnmatchcase(name, pattern)]
            free = [name for name in fitting if names.index(name) not in taken.values()]
            if not free:
                raise InputError(
                    f"there is no column '{pattern}' of labels; there are {', '.join(names)}",
                    where=where,
                )
            found.update((name, names.index(name)) for name in free)
        return found

    def read(
        self, cells: Sequence[str], category: str, columns: Mapping[str, int], where: str
    ) -> Sequence[str]:
        """The categories of a row; one empty category if there is no label."""
        labels = [category]
        if self.patterns:
            labels = [name for name, at in columns.items() if _ticked(name, cells[at], where)]
        elif self.separator:
            labels = [part.strip() for part in category.split(self.separator)]
        labels = list(dict.fromkeys(filter(None, labels)))
        if self.join and len(labels) > 1:
            return [JOINED.join(sorted(labels))]
        return labels or [""]


def _ticked(name: str, cell: str, where: str) -> bool:
    said = cell.strip().casefold()
    if said not in YES and said not in NO:
        raise InputError(
            f"'{cell[:40]}' in the column '{name}' is neither yes nor no; write 1 or 0", where=where
        )
    return said in YES
