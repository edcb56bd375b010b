"""Copies every page of the site into build/pages, from which mkdocs.yml builds it: `make site`.

Pages stand where people look for them in the repository: most in docs, some beside an example. On
the site they are one tree, so pages and what they link to are copied, and links are adjusted.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[1]
STAGE = ROOT / "build" / "pages"
OUTSIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "examples/*/README.md")
"""Pages of the site that are not in docs."""
ASSETS = ROOT / "docs" / "assets"
"""What the site needs and no page links to: mkdocs.yml names these files."""
CODE = re.compile(r"^(?P<fence>`{3,}).*?^(?P=fence)`*$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<=\]\()(?P<target>[^)#\s]+)")


class MissingTargetError(Exception):
    """A page links to what is not in the repository."""


def pages() -> list[Path]:
    """Every page of the site, where it is in the repository."""
    found = {*ROOT.glob("docs/**/*.md"), *(p for rule in OUTSIDE for p in ROOT.glob(rule))}
    return sorted(found)


def place(source: Path) -> Path:
    """Where a file of the repository is on the site: docs is the root, and no name is hidden."""
    inside = source.relative_to(ROOT)
    parts = inside.parts[1:] if inside.parts[0] == "docs" else inside.parts
    if inside == Path("README.md"):
        return Path("index.md")
    return Path(*(part.lstrip(".") for part in parts))


def stage(folder: Path = STAGE) -> None:
    """Make a folder with every page and every file that a page links to, and nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ASSETS, folder / place(ASSETS))
    for page in pages():
        linked = list[Path]()
        text = _adjusted(page, linked)
        target = folder / place(page)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        for file in linked:
            copy = folder / place(file)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)


def _adjusted(page: Path, linked: list[Path]) -> str:
    """The text of a page with links as the site has them; adds the files that it links to."""

    def link(match: re.Match[str]) -> str:
        target = match["target"]
        if "://" in target or target.startswith("mailto:"):
            return target
        file = (page.parent / unquote(target)).resolve()
        if not file.is_file() or not file.is_relative_to(ROOT):
            where = page.relative_to(ROOT)
            raise MissingTargetError(f"{where}: link to a file: {target} is not a file here")
        if file.suffix != ".md":
            linked.append(file)
        return Path(os.path.relpath(place(file), place(page).parent)).as_posix()

    return _outside_code(page.read_text(encoding="utf-8"), lambda text: LINK.sub(link, text))


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """A text that is changed wherever it is not code."""
    parts, end = list[str](), 0
    for code in CODE.finditer(text):
        parts += [change(text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, change(text[end:])])


if __name__ == "__main__":
    try:
        stage()
    except MissingTargetError as error:
        sys.exit(str(error))
