"""Executes the notebook of examples/notebook, and writes notebook.md beside this script from it.

The notebook keeps what its cells gave, so that it can be read where nothing runs. `make docs` runs
this; tests execute the notebook again and compare.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "examples" / "notebook" / "agreement.ipynb"
PAGE = Path(__file__).with_name("notebook.md")
DRAWING = Path(__file__).with_name("notebook.svg")
FROM = """\
This page is the notebook [agreement.ipynb](../examples/notebook/agreement.ipynb), with its results.

<!-- Written by `make docs` from the notebook. -->"""
SECONDS = 600
"""How long a cell may take: the first one that measures compiles the engine."""


def execute(notebook: Any, folder: Path) -> Any:
    """The notebook with what its cells give in a folder, and nothing that differs between runs."""
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    client = NotebookClient(
        notebook, timeout=SECONDS, resources={"metadata": {"path": str(folder)}}
    )
    done = client.execute(cleanup_kc=True)
    done.metadata.pop("language_info", None)
    for cell in done.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                output["data"].pop("text/plain", None)
    return done


def results(notebook: Any) -> list[dict[str, str]]:
    """What the cells gave, by kind of content."""
    return [
        {"text/plain": output["text"]} if "text" in output else dict(output["data"])
        for cell in notebook.cells
        for output in cell.get("outputs", [])
    ]


def page(notebook: Any) -> str:
    """The notebook as a page: its text, its code, and what the code gave."""
    title, rest = notebook.cells[0].source.split("\n\n", 1)
    parts = [f"{title}\n\n{FROM}\n\n{_linked(rest)}\n\n"]
    for cell in notebook.cells[1:]:
        if cell.cell_type == "markdown":
            parts.append(f"{_linked(cell.source)}\n\n")
            continue
        parts.append(f"```py\n{cell.source}\n```\n\n")
        parts += [_output(output) for output in cell.outputs]
    return "".join(parts).rstrip() + "\n"


def drawing(notebook: Any) -> str:
    """The first drawing of an alignment, as a file of its own: GitHub shows no other."""
    found = next(re.search(r"<svg.*</svg>", _html(one), re.DOTALL) for one in _drawn(notebook))
    return found[0].replace("currentColor", "#1c1e21") + "\n" if found else ""


def _drawn(notebook: Any) -> list[Any]:
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [output for output in outputs if "<svg" in _html(output)]


def _linked(text: str) -> str:
    """A text of the notebook with links as this folder has them."""
    return text.replace("](../../docs/", "](")


def _output(output: Any) -> str:
    html = _html(output)
    if "<svg" in html:
        return f"![The alignment of one text, with a lane for each annotator]({DRAWING.name})\n\n"
    if html:
        return _plain(html) + "\n\n"
    text = output["text"] if "text" in output else output["data"]["text/plain"]
    return f"```text\n{text.rstrip()}\n```\n\n"


def _plain(html: str) -> str:
    """A table without the styles of a notebook, for those of a page."""
    bare = re.sub(r"<style.*?</style>\n?|^ +", "", html, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"<(table|tr) [^>]*>", r"<\1>", bare)


def _html(output: Any) -> str:
    return str(output.get("data", {}).get("text/html", ""))


def main() -> None:
    """Execute the notebook in its folder, and write both."""
    done = execute(nbformat.read(NOTEBOOK, as_version=4), NOTEBOOK.parent)
    nbformat.write(done, NOTEBOOK)
    DRAWING.write_text(drawing(done), encoding="utf-8")
    PAGE.write_text(page(done), encoding="utf-8")


if __name__ == "__main__":
    main()
