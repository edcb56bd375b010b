"""Writes commands.md beside this script: every verb and option, as the command line declares them.

`make docs` runs it; a test compares.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from goldspan.plugin.cli import build_parser

PAGE = Path(__file__).with_name("commands.md")
HEAD = """\
# Commands

Every verb and option; `goldspan VERB --help` shows the same in the terminal. Exit codes: 0 success,
1 a gate was not met, 2 bad usage or bad input, with one sentence on the standard error stream, and
70 a bug in goldspan; set GOLDSPAN_DEBUG=1 in the environment to see its details. As in any shell,
130 means an interrupt, and 141 that the reader of the output stopped before its end.
[Files and terminals](files.md) explains how files are written, and what is never printed.

<!-- Written by `make docs` from the command line itself. -->
"""


def verbs(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """What to type and its parser, for every verb that has no verbs of its own."""
    below = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    for action in below:
        for name in sorted(action.choices):
            yield from verbs(action.choices[name])
    if not below:
        yield parser.prog, parser


def options(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Every option of a verb but --help, which all have."""
    for action in parser._actions:
        if not isinstance(action, argparse._HelpAction):
            yield action


def render() -> str:
    """The page."""
    return HEAD + "".join(_section(name, parser) for name, parser in verbs(build_parser()))


def _section(name: str, parser: argparse.ArgumentParser) -> str:
    lines = ["", f"## {name}", "", _sentence(parser.description or ""), ""]
    lines += [f"- {_usage(action)}: {_help(action)}" for action in options(parser)]
    return "\n".join([*lines, "", _sentence(parser.epilog or ""), ""])


def _usage(action: argparse.Action) -> str:
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if not action.option_strings:
        return f"`{metavar}`"
    value = "" if action.nargs == 0 else f" {metavar}"
    if action.choices and action.metavar is None:
        value = f" {'|'.join(map(str, action.choices))}"
    return ", ".join(f"`{option}{value}`" for option in action.option_strings)


def _help(action: argparse.Action) -> str:
    return _sentence((action.help or "") % vars(action)) + _format(action)


def _format(action: argparse.Action) -> str:
    """The formats that have this option, where not all have it."""
    # argparse knows the group of an action and does not publish it.
    use, _, formats = str(action.container.title).partition(" ")  # type: ignore[attr-defined]
    return f" (only {use} {formats})" if formats and use in ("reading", "writing") else ""


def _sentence(text: str) -> str:
    before, colon, commands = " ".join(text.split()).partition(": goldspan ")
    shown = [f"`goldspan {command}`" for command in commands.split(", goldspan ")]
    return f"{before}: {', '.join(shown)}" if colon else before


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
