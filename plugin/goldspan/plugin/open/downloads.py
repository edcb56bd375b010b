"""Downloads: a result in the files that the command line writes."""

from __future__ import annotations

import csv
import io
import shlex
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters import registry
from goldspan.adapters.adapter import write_with
from goldspan.adapters.files.table import safe_cell
from goldspan.adapters.options import WriteOptions
from goldspan.engine.errors import GoldspanError, SettingsError
from goldspan.plugin.document import text_pieces
from goldspan.plugin.open.refusal import Refused

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Adapter
    from goldspan.plugin.open.measuring import Found
    from goldspan.plugin.open.state import Matrix

OWN_NAMES = {"conll": "gold.conll", "csv": "gold.csv", "inception": "gold.zip"}
"""What gold is called in formats whose files have several names."""

GOLD_NAMES = ("gold.json", "gold.jsonl", "gold.csv", "gold.zip", "gold")
"""What gold may be called, if the format does not say; the last one is a folder."""


def json_file(found: Found) -> tuple[str, bytes]:
    """As `goldspan score --json`."""
    pieces = text_pieces(found.result, command=found.command)
    return "result.json", "".join(pieces).encode("utf-8", "backslashreplace")


def html_file(found: Found) -> tuple[str, bytes]:
    """As `goldspan score --html`."""
    return "report.html", "".join(report_html(found)).encode("utf-8", "backslashreplace")


def report_html(found: Found, *, embedded: bool = False) -> Iterator[str]:
    """The report, piece by piece; `embedded` in the page, which has a heading of its own."""
    from goldspan.plugin.report.page import report_pieces  # noqa: PLC0415 - loads templates

    return report_pieces(
        found.source.title,
        found.corpus,
        found.result,
        found.gold(),
        found.command,
        embedded=embedded,
    )


def markdown_file(found: Found) -> tuple[str, bytes]:
    """As `goldspan score --markdown`."""
    from goldspan.plugin.report.markdown import report_text  # noqa: PLC0415 - loads templates

    text = report_text(found.source.title, found.corpus, found.result, found.gold())
    return "report.md", text.encode("utf-8", "backslashreplace")


def paragraph_file(found: Found) -> tuple[str, bytes]:
    """As `goldspan score --paragraph`."""
    from goldspan.plugin.report.paper.paragraph import paragraph  # noqa: PLC0415 - not always wanted

    return "paragraph.txt", paragraph(found.result).encode("utf-8", "backslashreplace")


def tables_file(found: Found) -> tuple[str, bytes]:
    """As `goldspan score --csv`, in an archive."""
    from goldspan.plugin.report.tables import write_tables  # noqa: PLC0415 - not always wanted

    with tempfile.TemporaryDirectory(prefix="goldspan-open-") as name:
        folder = Path(name) / "tables"
        write_tables(folder, found.result)
        return "tables.zip", _archive(folder)


def gold_file(found: Found, name: str) -> tuple[str, bytes]:
    """As `goldspan gold`, in any format; an archive if it is more than one file."""
    gold = found.gold()
    if gold is None:
        raise Refused("invalid", reason="Nothing was measured, so there is no gold.")
    try:
        adapter = registry.get(name or found.source.format)
        with tempfile.TemporaryDirectory(prefix="goldspan-open-") as place:
            folder = Path(place) / "gold"
            folder.mkdir()
            target = folder / _gold_name(adapter)
            same = adapter.name == found.source.format
            options = WriteOptions(source=found.source.paths if same else ())
            write_with(adapter, gold, target, options)
            written = [file for file in sorted(folder.rglob("*")) if file.is_file()]
            if len(written) == 1:
                return written[0].name, written[0].read_bytes()
            return f"gold-{adapter.name}.zip", _archive(folder)
    except GoldspanError as error:
        raise Refused("invalid", reason=found.source.data.clean(str(error))) from error


def adjudicate_command(found: Found) -> str:
    """The command that opens the page on which people settle disagreements in these files."""
    adapter = registry.get(found.source.format)
    written = _gold_name(adapter) if adapter.writes else "gold.csv"
    output = ["--output", written] if adapter.writes else ["--output", written, "--to", "csv"]
    return shlex.join(["goldspan", "adjudicate", *found.source.words, *output])


def distances_file(matrix: Matrix) -> tuple[str, bytes]:
    """The matrix of the page, as `--distances` reads it."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["", *map(safe_cell, matrix.categories)])
    for category, row in zip(matrix.categories, matrix.rows, strict=True):
        rows.writerow([safe_cell(category), *map(repr, row)])
    return "distances.csv", text.getvalue().encode("utf-8", "backslashreplace")


def _gold_name(adapter: Adapter) -> str:
    if adapter.name in OWN_NAMES:
        return OWN_NAMES[adapter.name]
    names = (*(f"gold{suffix}" for suffix in adapter.suffixes), *GOLD_NAMES)
    for name in names:
        try:
            adapter.check(Path(name), gold=True)
        except SettingsError:
            continue
        return name
    return GOLD_NAMES[-1]


def _archive(folder: Path) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                file.write(path, path.relative_to(folder))
    return packed.getvalue()
