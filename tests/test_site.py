"""The site of the documentation builds without a warning, loads nothing, and can be searched."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from browser import chromium, window

ROOT = Path(__file__).parents[1]
STAGING = runpy.run_path(str(ROOT / "docs" / "stage_pages.py"))
LOADING = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src"}
"""Elements that make a browser load something, and the attribute that says what."""

pytestmark = pytest.mark.repository


class Page(HTMLParser):
    """What a page links to, what it loads, and the anchors that it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.anchors.add(found.get("id") or "")
        if tag == "a" and found.get("href"):
            self.links.append(str(found["href"]))
        if tag in LOADING and found.get(LOADING[tag]):
            self.loaded.append(str(found[LOADING[tag]]))


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build as `make site` does. With --quiet, MkDocs would not count what it warns of."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=folder,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site; a warning of MkDocs is an error."""
    folder = tmp_path_factory.mktemp("site")
    STAGING["stage"](folder / "build" / "pages")
    (folder / "mkdocs.yml").write_bytes((ROOT / "mkdocs.yml").read_bytes())
    built = build(folder)
    assert built.returncode == 0, built.stdout
    assert {line.split()[0] for line in built.stdout.splitlines()} == {"INFO"}
    return folder / "build" / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    found = {path: Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
    assert len(found) == len(STAGING["pages"]())
    return found


def targets(pages: dict[Path, Page], kind: str) -> Iterator[tuple[Path, Path, str]]:
    """Page, file and anchor of every address inside the site."""
    for path, page in pages.items():
        for address in getattr(page, kind):
            parts = urlsplit(address)
            if not parts.scheme and not parts.netloc:
                file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
                yield path, file, unquote(parts.fragment)


def test_every_link_leads_to_a_file_and_an_anchor(pages: dict[Path, Page]) -> None:
    broken = [
        f"{path.name}: {file.name}#{anchor}"
        for path, file, anchor in targets(pages, "links")
        if not file.is_file()
        or (anchor and file in pages and anchor not in pages[file].anchors | {"__skip"})
    ]

    assert broken == []


@pytest.mark.parametrize("link", ["there.md#no-such-part", "nowhere.md"])
def test_a_broken_link_stops_the_build(tmp_path: Path, link: str) -> None:
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[0]
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    pages = tmp_path / "build" / "pages"
    pages.mkdir(parents=True)
    (pages / "index.md").write_text("# Start\n\n[On](there.md#part)\n", encoding="utf-8")
    (pages / "there.md").write_text("# There\n\n## Part\n", encoding="utf-8")
    assert build(tmp_path).returncode == 0

    (pages / "index.md").write_text(f"# Start\n\n[On]({link})\n", encoding="utf-8")
    broken = build(tmp_path)
    assert broken.returncode != 0
    assert link in broken.stdout


def test_no_page_loads_anything_from_elsewhere(pages: dict[Path, Page]) -> None:
    inside = {file for _, file, _ in targets(pages, "loaded")}
    outside = [a for page in pages.values() for a in page.loaded if urlsplit(a).netloc]

    assert outside == []
    assert [file for file in inside if not file.is_file()] == []


def test_scripts_of_the_repository_are_not_published_with_the_pages(site: Path) -> None:
    assert list(site.glob("*.py")) == []


def test_lists_and_tables_are_read_as_such(pages: dict[Path, Page]) -> None:
    """GitHub reads a list that follows a line of text; MkDocs takes it for more text."""
    for path in pages:
        text = path.read_text(encoding="utf-8")
        paragraphs = [part.split("</p>")[0] for part in text.split("<p>")[1:]]
        lines = [line for one in paragraphs for line in one.splitlines()[1:]]
        assert [x for x in lines if x.startswith(("- ", "* ", "| ", "1. ", "2. "))] == [], path.name


def test_search_works_from_the_disk_without_a_network(site: Path) -> None:
    start = site / "examples" / "newsroom" / "index.html"
    with chromium() as browser, window(browser, start) as opened:
        opened.page.locator(".md-search__input").click()
        opened.page.keyboard.type("jackknife")
        first = opened.page.locator(".md-search-result__item a").first
        first.wait_for()

        assert "scoring.html" in (first.get_attribute("href") or "")
        assert opened.complaints == []
        assert [url for url in opened.asked if not url.startswith(site.as_uri())] == []
        assert opened.page.evaluate("document.fonts.size") == 0
