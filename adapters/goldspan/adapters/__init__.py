"""Readers and writers: `read` and `write` go between files and the engine's values.

An adapter is found by name through the entry-point group `goldspan.adapters`; without a name the
content decides.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters import registry
from goldspan.adapters.adapter import Adapter, read_tasks_with, read_with, write_with
from goldspan.adapters.options import (
    Option,
    ReadOptions,
    WriteOptions,
    read_options,
    write_options,
)
from goldspan.engine.errors import SettingsError

if TYPE_CHECKING:
    from goldspan.engine.facts import Note
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus

__all__ = [
    "Adapter",
    "Option",
    "ReadOptions",
    "WriteOptions",
    "detect",
    "formats",
    "read",
    "read_tasks",
    "write",
]

AnyPath = str | os.PathLike[str]


def read(paths: AnyPath | Iterable[AnyPath], format: str | None = None, **options: Any) -> Corpus:
    """The corpus in a file, a folder, or several. Options: see `ReadOptions`, and those that the
    format declares (`goldspan formats NAME`).
    """
    given = _paths(paths)
    adapter = registry.get(format) if format else registry.detect(given)
    known = registry.declared_options("reading")
    return read_with(adapter, given, read_options(known, **options))


def read_tasks(tasks: Iterable[Any], format: str, **options: Any) -> Corpus:
    """The corpus in tasks that are values already, as the files of the format hold them: live data
    needs no file. Formats that cannot do this refuse it; label-studio can. Options as for `read`.
    """
    known = registry.declared_options("reading")
    return read_tasks_with(registry.get(format), tasks, read_options(known, **options))


def write(value: Corpus | Gold, path: AnyPath, format: str, **options: Any) -> tuple[Note, ...]:
    """Write to a new file or folder, all or nothing. Options: see `WriteOptions`, and those that
    the format declares (`goldspan formats NAME`).

    Returns notes: additional files that were written, and what the format could not hold.
    """
    adapter = registry.get(format)
    if not adapter.writes:
        raise SettingsError(f"the format '{adapter.name}' can be read but not written")
    known = registry.declared_options("writing")
    return write_with(adapter, value, Path(path), write_options(known, **options))


def detect(paths: AnyPath | Iterable[AnyPath]) -> str:
    """The name of the format, judged from the content."""
    return registry.detect(_paths(paths)).name


def formats() -> tuple[Adapter, ...]:
    """Every format that is installed, sorted by name."""
    return registry.load_all()[0]


def _paths(given: AnyPath | Iterable[AnyPath]) -> tuple[Path, ...]:
    one = isinstance(given, (str, os.PathLike))
    paths = (Path(given),) if one else tuple(Path(path) for path in given)  # type: ignore[arg-type, union-attr]
    if not paths:
        raise SettingsError("no file or folder was given")
    return paths


def __dir__() -> list[str]:
    return sorted(__all__)
