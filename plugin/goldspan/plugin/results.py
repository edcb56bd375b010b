"""Results for verbs: the shared options for what is written, and the files they lead to."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.files.atomic import new_file
from goldspan.plugin.document import Document, json_text
from goldspan.plugin.outputs import STANDARD_OUTPUT, check_folder, check_outputs
from goldspan.plugin.reading import given, inputs_of, say

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result

TABLES = ("tasks", "pairs", "labels", "annotators", "confusion")
"""The files that --csv makes."""


def add_json(group: argparse._ActionsContainer) -> None:
    """Add the option for programs."""
    group.add_argument(
        "--json", type=Path, metavar="FILE", help="write all figures as JSON; - for standard output"
    )


def add_pages(group: argparse._ArgumentGroup) -> None:
    """Add the options for people."""
    group.add_argument(
        "--html", type=Path, metavar="FILE",
        help="write a report for the browser: one self-contained file",
    )  # fmt: skip
    group.add_argument(
        "--markdown", type=Path, metavar="FILE",
        help="write a summary for a comment on a pull request; - for standard output",
    )  # fmt: skip


def add_results(group: argparse._ArgumentGroup) -> None:
    """Add every option for what a scoring writes."""
    add_json(group)
    add_pages(group)
    group.add_argument(
        "--csv", type=Path, metavar="DIR",
        help="write tables of tasks, pairs, labels, annotators and confusions into a folder",
    )  # fmt: skip


def check_targets(args: argparse.Namespace) -> None:
    """Refuse to write over what is read, or two things to one place; call it before the work."""
    folder: Path | None = getattr(args, "csv", None)
    check_folder("--csv", folder)
    tables = [folder / f"{name}.csv" for name in TABLES] if folder else []
    check_outputs(
        [
            ("--json", args.json),
            ("--html", args.html),
            ("--markdown", args.markdown),
            *(("--csv", table) for table in tables),
        ],
        inputs_of(args),
    )


def write_results(args: argparse.Namespace, corpus: Corpus, result: Result) -> bool:
    """Write what the arguments ask for; whether standard output is taken by it."""
    from goldspan.plugin.report.reproduce import command  # noqa: PLC0415 - loads the engine

    repeat = command(given(args), result.settings, getattr(args.distances, "name", ""))
    taken = False
    if args.json is not None:
        taken = write_json_text(args, Document.of(result, command=repeat).text)
    if args.html is not None or args.markdown is not None:
        taken = _write_report(args, corpus, result, repeat) or taken
    if args.csv is not None:
        from goldspan.plugin.report.tables import write_tables  # noqa: PLC0415 - not always wanted

        write_tables(args.csv, result)
        say(args, f"wrote the tables in {args.csv}")
    return taken


def write_json(args: argparse.Namespace, value: Mapping[str, Any]) -> bool:
    """Write it where the arguments say; whether that is standard output."""
    return write_json_text(args, json_text(value))


def write_json_text(args: argparse.Namespace, text: str) -> bool:
    """Write JSON where the arguments say; whether that is standard output."""
    if args.json == STANDARD_OUTPUT:
        sys.stdout.write(text)
        return True
    with (
        new_file(args.json) as temporary,
        # Half a surrogate pair is not valid UTF-8; written as \udXXX it is still JSON.
        temporary.open("w", encoding="utf-8", errors="backslashreplace") as file,
    ):
        file.write(text)
    say(args, f"wrote {args.json}")
    return False


def write_text(args: argparse.Namespace, text: str) -> bool:
    """Write Markdown where the arguments say; whether that is standard output."""
    from goldspan.plugin.report.markdown import write_markdown  # noqa: PLC0415 - loads templates

    if args.markdown == STANDARD_OUTPUT:
        sys.stdout.write(text)
        return True
    write_markdown(args.markdown, text)
    say(args, f"wrote {args.markdown}")
    return False


def _write_report(args: argparse.Namespace, corpus: Corpus, result: Result, repeat: str) -> bool:
    from goldspan.engine.gold.merging import merge  # noqa: PLC0415 - only a report shows it

    # The report is the one place where templates are needed.
    from goldspan.plugin.report.page import write_report  # noqa: PLC0415

    gold: Gold = merge(corpus, result)
    title = ", ".join(path.name or str(path) for path in args.paths[:3])
    title += " …" if len(args.paths) > 3 else ""
    if args.html is not None:
        write_report(args.html, title, corpus, result, gold, repeat)
        say(args, f"wrote {args.html}")
    if args.markdown is None:
        return False
    from goldspan.plugin.report.markdown import report_text  # noqa: PLC0415

    return write_text(args, report_text(title, corpus, result, gold))
