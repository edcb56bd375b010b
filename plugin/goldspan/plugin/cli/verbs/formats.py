"""`goldspan formats`: which formats there are and how each tells annotators apart."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters import registry
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.verbs import VERBS

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Adapter, Option


@dataclass(frozen=True, slots=True)
class FormatsRequest:
    """The format to show, None for all; as JSON, or for people."""

    name: str | None
    json: bool


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "formats",
        help=VERBS["formats"],
        description="List every format: what it reads and writes, and where annotators come from. "
        "With the name of one, show all about it, also the options that only it has.",
        epilog="Example: goldspan formats elan",
    )
    parser.add_argument("name", nargs="?", metavar="FORMAT", help="show this format only")
    parser.add_argument("--json", metavar="-", choices=("-",), help="print the same as JSON")
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> FormatsRequest:
    """The request that the arguments make."""
    return FormatsRequest(args.name, json=args.json is not None)


def run(request: FormatsRequest) -> int:
    """Print the table, or all about one format; 0 when done."""
    name = request.name
    adapters, broken = ((registry.get(name),), ()) if name else registry.load_all()
    if request.json:
        rows = [_row(adapter) for adapter in adapters]
        sys.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
    elif name:
        _print_format(*adapters)
    else:
        _print_table(adapters, broken)
    return 0


def _row(adapter: Adapter) -> dict[str, Any]:
    return {
        "name": adapter.name,
        "reads": adapter.reads,
        "writes": adapter.writes,
        "summary": adapter.summary,
        "annotators": adapter.annotators,
        "presence": adapter.presence,
        "extra": adapter.extra,
        "reading_options": [_option(option) for option in adapter.reading_options],
        "writing_options": [_option(option) for option in adapter.writing_options],
    }


def _option(option: Option[Any]) -> dict[str, Any]:
    default = option.default
    return {
        "name": option.name,
        "flag": option.flag,
        "help": option.help,
        "kind": option.kind.__name__,
        "default": str(default) if isinstance(default, Path) else default,
        "choices": list(option.choices),
    }


def _print_format(adapter: Adapter) -> None:
    uses = " and ".join(["read"] * adapter.reads + ["written"] * adapter.writes)
    lines = [
        f"{adapter.name}: {adapter.summary}",
        f"It can be {uses}." if uses else "It can be neither read nor written.",
        f"Annotators: {adapter.annotators}",
        f"Seen tasks: {adapter.presence}",
    ]
    if adapter.extra:
        lines.append(f'It needs an extra: pip install "goldspan[{adapter.extra}]"')
    for use, own in (("reading", adapter.reading_options), ("writing", adapter.writing_options)):
        lines += [f"Options of its own, for {use}:"] if own else []
        lines += [f"  {_usage(option)}: {option.help}" for option in own]
    sys.stdout.write("\n".join(lines) + "\n")


def _usage(option: Option[Any]) -> str:
    if option.kind is bool:
        return option.flag
    value = "|".join(option.choices) or option.metavar
    default = "" if option.default is None else f" (default {option.default})"
    return f"{option.flag} {value}{default}"


def _print_table(adapters: tuple[Adapter, ...], broken: tuple[registry.Broken, ...]) -> None:
    # rich is slow to import and only this table needs it
    from rich.table import Table  # noqa: PLC0415

    from goldspan.plugin.cli.console import VisibleConsole, escape  # noqa: PLC0415

    table = Table("format", "use")
    table.add_column("annotators", min_width=len("(--annotator-from"), overflow="fold")
    table.add_column("who saw what", overflow="fold")
    table.add_column("extra", overflow="fold")
    for one in adapters:
        table.add_row(
            escape(one.name), _uses(one), escape(one.annotators), escape(one.presence),
            escape(one.extra),
        )  # fmt: skip
    for lost in broken:
        table.add_row(escape(lost.name), "-", escape(lost.reason), "", "")
    console = VisibleConsole()
    console.print(table)
    console.print('An extra is installed with: pip install "goldspan\\[EXTRA]"', highlight=False)


def _uses(adapter: Adapter) -> str:
    return "\n".join(["read"] * adapter.reads + ["write"] * adapter.writes)
