"""The registry: every adapter that is installed, ours and others', by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from pathlib import Path
from typing import Any, Literal

from goldspan.adapters.adapter import Adapter, Option
from goldspan.engine.errors import InputError, SettingsError

GROUP = "goldspan.adapters"


@dataclass(frozen=True, slots=True)
class Broken:
    """An adapter that is declared but cannot be loaded, and why."""

    name: str
    reason: str


def names() -> tuple[str, ...]:
    """The names of all declared formats, sorted; nothing is loaded."""
    return tuple(sorted({point.name for point in _declared(entry_points)}))


def get(name: str) -> Adapter:
    """The adapter of this name; an unknown name is an error that lists the known ones."""
    points = [point for point in _declared(entry_points) if point.name == name]
    if not points:
        known = ", ".join(names())
        raise SettingsError(f"there is no format '{name}'; there are {known}")
    found = _load(_first(points))
    if isinstance(found, Broken):
        raise SettingsError(f"the format '{name}' cannot be loaded: {found.reason}")
    return found


def load_all() -> tuple[tuple[Adapter, ...], tuple[Broken, ...]]:
    """All adapters, sorted by name, and those that cannot be loaded."""
    points = _declared(entry_points)
    known = sorted({point.name for point in points})
    loaded = [_load(_first(p for p in points if p.name == name)) for name in known]
    return (
        tuple(one for one in loaded if isinstance(one, Adapter)),
        tuple(one for one in loaded if isinstance(one, Broken)),
    )


def declared_options(use: Literal["reading", "writing"]) -> dict[Option[Any], tuple[str, ...]]:
    """Every option that formats declare for a use, with the names of those formats."""
    found: dict[Option[Any], tuple[str, ...]] = {}
    for adapter in load_all()[0]:
        own = adapter.reading_options if use == "reading" else adapter.writing_options
        for option in own:
            found[option] = (*found.get(option, ()), adapter.name)
    return found


def detect(paths: Sequence[Path]) -> Adapter:
    """The one adapter that takes every path for its own; none or several is an error."""
    for path in paths:
        if not path.exists():
            raise InputError("there is no such file or folder", where=str(path))
    adapters, broken = load_all()
    fitting = [a for a in adapters if a.reads and all(_sniffs(a, path) for path in paths)]
    if len(fitting) == 1:
        return fitting[0]
    where = str(paths[0]) if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
    if fitting:
        candidates = ", ".join(a.name for a in fitting)
        raise InputError(
            f"this can be {candidates}; choose one with --from",
            where=where,
            choices={"--from": tuple(a.name for a in fitting)},
        )
    from goldspan.adapters.unrecognised import refuse  # noqa: PLC0415 - needed for this only

    for path in paths:
        refuse(path, lambda file: [a.name for a in adapters if a.reads and _sniffs(a, file)])
    unloaded = "".join(f"; '{one.name}' could not be loaded" for one in broken)
    known = ", ".join(a.name for a in adapters if a.reads)
    raise InputError(
        f"no format recognises this; name it with --from ({known}){unloaded}", where=where
    )


def _sniffs(adapter: Adapter, path: Path) -> bool:
    if adapter.suffixes and path.is_file() and path.suffix.lower() not in adapter.suffixes:
        return False
    try:
        return adapter.sniff(path)
    except OSError:
        raise
    except Exception as error:
        raise SettingsError(
            f"the format '{adapter.name}' fails at {path} with {type(error).__name__}: {error}; "
            "name the right format with --from"
        ) from error


@cache
def _declared(installed: Callable[..., EntryPoints]) -> tuple[EntryPoint, ...]:
    """What is installed; looked for once, because a look reads a file of every package."""
    return tuple(installed(group=GROUP))


def _first(points: Iterable[EntryPoint]) -> EntryPoint:
    # Ours come before anyone's who took the same name, whatever the order of installation.
    return min(points, key=lambda point: not point.value.startswith("goldspan."))


def _load(point: EntryPoint) -> Adapter | Broken:
    try:
        made = point.load()()
    except Exception as error:  # noqa: BLE001 - other people's code may fail in any way
        return Broken(point.name, f"{point.value} fails with {type(error).__name__}: {error}")
    if not isinstance(made, Adapter):
        return Broken(point.name, f"{point.value} is not a goldspan.adapters.Adapter")
    return made
