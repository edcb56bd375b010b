"""Options that formats declare, on the command line: a group for each format that has some."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from goldspan.adapters import registry
from goldspan.adapters.options import Option, as_flag

Use: TypeAlias = Literal["reading", "writing"]


def add_format_options(parser: argparse.ArgumentParser, use: Use) -> None:
    """Add every option that an installed format declares for this use."""
    groups: dict[tuple[str, ...], argparse._ArgumentGroup] = {}
    for option, formats in registry.declared_options(use).items():
        if option.flag in parser._option_string_actions:
            # All formats share it, or another one declares it in another way.
            continue
        if formats not in groups:
            groups[formats] = parser.add_argument_group(f"{use} {', '.join(formats)}")
        _add(groups[formats], option, use)
    # An option that the verb itself adds later takes the name of a format's.
    parser.conflict_handler = "resolve"


def given_options(args: argparse.Namespace, use: Use) -> dict[str, Any]:
    """The values that were given for formats' own options, by name."""
    return {
        key.removeprefix(f"{use}_"): value
        for key, value in vars(args).items()
        if key.startswith(f"{use}_") and value is not None
    }


def given_words(own: Mapping[str, Any]) -> list[str]:
    """The same values as words of a command, files by their names."""
    words: list[str] = []
    for name, value in own.items():
        words.append(as_flag(name))
        if value is not True:
            words.append(value.name if isinstance(value, Path) else str(value))
    return words


def _add(group: argparse._ArgumentGroup, option: Option[Any], use: Use) -> None:
    # None is "not given": a format that does not have the option refuses any other value.
    said = option.help.replace("%", "%%")
    dest = f"{use}_{option.name}"
    if option.kind is bool:
        group.add_argument(option.flag, dest=dest, action="store_true", default=None, help=said)
    elif option.choices:
        group.add_argument(option.flag, dest=dest, choices=option.choices, help=said)
    else:
        group.add_argument(
            option.flag, dest=dest, type=option.kind, metavar=option.metavar, help=said
        )
