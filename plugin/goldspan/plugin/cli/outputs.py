"""Outputs: the places that a verb is going to write to, checked before the work begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from goldspan.adapters.files.atomic import file_to_write, place_to_write, real_place
from goldspan.engine.errors import SettingsError

STANDARD_OUTPUT = Path("-")
STREAMED = ("--json", "--markdown")
"""The options that can name it."""

Output: TypeAlias = tuple[str, Path | None]
"""The option that names it, and where it goes; None if it was not asked for."""


def check_outputs(
    files: Iterable[Output], inputs: Iterable[Path | None], *, beside: Iterable[Output] = ()
) -> None:
    """Refuse files that cannot be written, that would replace what is read, or that share a place
    with another output. `beside` are outputs that were checked already, files or folders.
    """
    given = [path for path in inputs if path is not None]
    taken = {real_place(path): option for option, path in beside if path is not None}
    wanted: dict[Path, str] = {}
    for option, path in files:
        if path is None:
            continue
        if path == STANDARD_OUTPUT and option in STREAMED:
            place = path
        else:
            place = real_place(file_to_write(path))
            _refuse_inputs(option, path, given)
        if other := taken.get(place):
            raise SettingsError(_shared(other, option, place))
        taken[place] = wanted[place] = option
    _refuse_nested(wanted, taken)


def check_folder(option: str, path: Path | None) -> None:
    """Refuse a folder for files that is something else, or read-only."""
    if path is not None and place_to_write(path).is_file():
        raise SettingsError(f"{option}: {path} is a file; name a folder")


def touches(output: Path, given: Path) -> bool:
    """Whether writing the output would change what is read, or a file in a folder that is read."""
    target, path = real_place(output), real_place(given)
    replaces_part = path in target.parents and (target.exists() or path.is_file())
    return target == path or replaces_part or target in path.parents


def _refuse_inputs(option: str, path: Path, inputs: Iterable[Path]) -> None:
    for one in inputs:
        if touches(path, one):
            raise SettingsError(
                f"{option} {path} would replace the input {one}, or a part of it; choose another "
                "place"
            )


def _shared(one: str, other: str, place: Path) -> str:
    if place == STANDARD_OUTPUT:
        return f"{one} - and {other} - cannot share standard output; name a file"
    return f"{one} and {other} would both be written to {place}; choose two places"


def _refuse_nested(files: Mapping[Path, str], outputs: Mapping[Path, str]) -> None:
    for place, option in outputs.items():
        for parent in place.parents:
            if parent in files:
                raise SettingsError(
                    f"{option} would be written into {parent}, which {files[parent]} makes a file; "
                    "choose another place"
                )
