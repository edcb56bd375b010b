"""Naming: how annotators and tasks are read off the names of files and folders."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from goldspan.engine.errors import InputError, SettingsError

FIELDS = ("annotator", "task")
ANNOTATOR_FROM = "--annotator-from"
"""The option that says where annotators' names come from."""

SHORT = ":short"
"""What a field ends in that takes as little of a name as it can."""
SHOWN = 8
"""How many names a note lists before it says how many more there are."""
STRAY_BYTE = re.compile("[\udc80-\udcff]")
"""How Python holds the bytes of a file name that are not UTF-8, and no file can hold them."""


@dataclass(frozen=True, slots=True)
class Naming:
    """A pattern such as `{annotator}/{task}.ann` or `{task}_{annotator}.csv`.

    It is matched against the end of a path, so folders above need not be spelled out; `*` stands
    for anything within one name. Of several ways to match, the first field takes as much as it can,
    or as little as it can if it is written `{annotator:short}`. `dir` and `file` are short for
    `{annotator}/{task}.*` and `{annotator}.*`.
    """

    pattern: str

    def __post_init__(self) -> None:
        names = [name.removesuffix(SHORT) for name in re.findall(r"\{(.*?)\}", self._full)]
        if "annotator" not in names:
            raise SettingsError(
                f"'{self.pattern}' does not contain {{annotator}}; write 'dir', 'file' or a "
                "pattern such as {annotator}/{task}.txt"
            )
        for name in names:
            if name not in FIELDS or names.count(name) > 1:
                raise SettingsError(
                    f"'{self.pattern}' may hold {{annotator}} and {{task}}, each once"
                )

    @property
    def _full(self) -> str:
        return {"dir": "{annotator}/{task}.*", "file": "{annotator}.*"}.get(
            self.pattern, self.pattern
        )

    @property
    def names_task(self) -> bool:
        """Whether the pattern names the task too."""
        return "{task" in self._full

    def read(self, path: Path) -> tuple[str, str | None]:
        """The annotator and, where the pattern has one, the task; an error when it does not fit.

        A relative name is completed first: it may lack the folders that the pattern asks for.
        """
        found = _match(self._full, path)
        if found is None:
            raise InputError(
                f"the name does not fit the pattern '{self.pattern}'; correct --annotator-from",
                where=str(path),
            )
        return found["annotator"], found.get("task")


def spelled(name: str) -> str:
    r"""A name that came from a file's, with bytes that are not UTF-8 written as \xff."""
    if name.isascii():  # nearly all are, and this is known without a look at each character
        return name
    return STRAY_BYTE.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", name)


def task_in_name(pattern: str, path: Path) -> str:
    """The task that a path tells by a pattern such as `{task}_*.csv`, which names nothing else."""
    if re.findall(r"\{(.*?)\}", pattern) != ["task"]:
        raise SettingsError(f"--task-from '{pattern}' must hold {{task}}, once, and nothing else")
    found = _match(pattern, path)
    if found is None:
        raise InputError(
            f"the name does not fit the pattern '{pattern}'; correct --task-from", where=str(path)
        )
    return found["task"]


def _match(pattern: str, path: Path) -> dict[str, str] | None:
    parts = re.split(r"(\{annotator(?::short)?\}|\{task(?::short)?\}|\*)", pattern)
    expression = "".join(_expression(part) for part in parts)
    match = re.search(rf"(?:^|/){expression}$", path.resolve().as_posix())
    return None if match is None else match.groupdict()


def _expression(part: str) -> str:
    if part.startswith("{") and part[1:-1].removesuffix(SHORT) in FIELDS:
        lazy = "?" if part[1:-1].endswith(SHORT) else ""
        return f"(?P<{part[1:-1].removesuffix(SHORT)}>[^/]+{lazy})"
    return "[^/]*" if part == "*" else re.escape(part)


def listed(names: Iterable[str]) -> str:
    """The names in order, the first of them if there are many."""
    ordered = sorted(names)
    shown = ", ".join(f"'{name}'" for name in ordered[:SHOWN])
    return f"{shown} and {len(ordered) - SHOWN} more" if len(ordered) > SHOWN else shown
