"""Results for verbs: the shared options for what is written, their request, and the files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.files.atomic import new_file
from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.outputs import STANDARD_OUTPUT, check_folder, check_outputs
from goldspan.plugin.document import json_text

if TYPE_CHECKING:
    from goldspan.engine.result import Result
    from goldspan.plugin.cli.messages import Messages

USUAL_TABLES = ("tasks", "pairs", "labels", "annotators", "confusion")
"""The files that --csv makes of every result."""

TABLES = (*USUAL_TABLES, "coefficients", "against", "against_labels", "layers")
"""All files that --csv can make."""


@dataclass(frozen=True, slots=True)
class OutputRequest:
    """The files to write a result or a comparison to; None for those that are not asked for.

    json, markdown  may be standard output
    html            a page
    csv             a folder for tables
    full            print all tables on the terminal
    paragraph       print a paragraph for a paper instead
    """

    json: Path | None = None
    html: Path | None = None
    markdown: Path | None = None
    csv: Path | None = None
    full: bool = False
    paragraph: bool = False

    def named(self, part: str) -> OutputRequest:
        """The same for a part of the data: files and the folder have its name before their suffix.
        Standard output cannot be shared.
        """
        if STANDARD_OUTPUT in (self.json, self.markdown):
            raise SettingsError("--by layer makes several results; name a file instead of -")
        json, html, markdown, csv = (
            None if path is None else path.with_name(f"{path.stem}.{part}{path.suffix}")
            for path in (self.json, self.html, self.markdown, self.csv)
        )
        return OutputRequest(json, html, markdown, csv, self.full, self.paragraph)


def add_json(group: argparse._ActionsContainer, what: str = "all figures") -> None:
    """Add the option for programs, which writes this."""
    group.add_argument(
        "--json", type=Path, metavar="FILE", help=f"write {what} as JSON; - for standard output"
    )


def add_full(group: argparse._ActionsContainer) -> None:
    """Add the option for all tables on the terminal."""
    group.add_argument(
        "--full", action="store_true", help="print all tables, not only the first ten lines"
    )


def add_paragraph(group: argparse._ActionsContainer) -> None:
    """Add the option for papers."""
    group.add_argument(
        "--paragraph", action="store_true",
        help="print a paragraph for a paper, with references, instead of the lines",
    )  # fmt: skip


def print_result(
    result: Result, *, full: bool, settled: Collection[str] = (), compares: bool = False
) -> None:
    """Print a result on the terminal: ten lines, or all tables; neither sends anybody to a
    `settled` task. `compares` says that somebody asked for a comparison with a reference.
    """
    # Slow to import.
    from goldspan.plugin.cli.console import VisibleConsole  # noqa: PLC0415
    from goldspan.plugin.cli.summary import print_brief, print_summary  # noqa: PLC0415

    if full:
        print_summary(result, VisibleConsole(), settled)
    else:
        print_brief(result, VisibleConsole(), settled, compares=compares)


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


def output_request(args: argparse.Namespace) -> OutputRequest:
    """What the arguments of `add_results` say."""
    return OutputRequest(args.json, args.html, args.markdown, args.csv)


def check_targets(request: OutputRequest, inputs: Iterable[Path | None]) -> None:
    """Refuse to write over what is read, or two things to one place; call it before the work."""
    check_folder("--csv", request.csv)
    tables = [request.csv / f"{name}.csv" for name in TABLES] if request.csv else []
    check_outputs(
        [
            ("--json", request.json),
            ("--html", request.html),
            ("--markdown", request.markdown),
            *(("--csv", table) for table in tables),
        ],
        inputs,
    )


def write_json(path: Path, value: Mapping[str, Any], messages: Messages) -> bool:
    """Write it to the file, or to standard output; whether it was the latter."""
    return write_json_text(path, (json_text(value),), messages)


def write_json_text(path: Path, pieces: Iterable[str], messages: Messages) -> bool:
    """Write JSON to the file, or to standard output; whether it was the latter."""
    if path == STANDARD_OUTPUT:
        sys.stdout.writelines(pieces)
        return True
    with (
        new_file(path) as temporary,
        # Half a surrogate pair is not valid UTF-8; written as \udXXX it is still JSON.
        temporary.open("w", encoding="utf-8", errors="backslashreplace") as file,
    ):
        file.writelines(pieces)
    messages.say(f"wrote {path}")
    return False


def write_text(path: Path, text: str, messages: Messages) -> bool:
    """Write Markdown to the file, or to standard output; whether it was the latter."""
    from goldspan.plugin.report.markdown import write_markdown  # noqa: PLC0415 - loads templates

    if path == STANDARD_OUTPUT:
        sys.stdout.write(text)
        return True
    write_markdown(path, text)
    messages.say(f"wrote {path}")
    return False
