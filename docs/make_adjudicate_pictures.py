"""Takes adjudicate*.png beside this script: the page of `goldspan adjudicate` with texts and with
a recording.

make picture
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicate_server import AdjudicateServer
from adjudication_pages import newsroom_texts, recording
from adjudication_window import decide, page_of, press
from browser import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HERE = Path(__file__).parent


def main() -> None:
    """Start the servers and take the pictures."""
    with chromium() as browser:
        with _newsroom() as server:
            _text(browser, server)
        with _recording() as server:
            _sound(browser, server)


@contextmanager
def _newsroom() -> Iterator[AdjudicateServer]:
    with tempfile.TemporaryDirectory() as name:
        source = newsroom_texts(Path(name))
        output = Path(name) / "gold.jsonl"
        with AdjudicateServer(output, str(source), "--to", "prodigy") as server:
            yield server


@contextmanager
def _recording() -> Iterator[AdjudicateServer]:
    with tempfile.TemporaryDirectory() as name:
        source = recording(Path(name))
        options = (str(source), "--to", "csv", "--media", name)
        with AdjudicateServer(Path(name) / "gold.csv", *options) as server:
            yield server


def _text(browser: Browser, server: AdjudicateServer) -> None:
    with page_of(browser, server) as opened:
        page = opened.page
        decide(page, "a")
        press(page, "Shift+Q")
        _take(page, "adjudicate")
        press(page, "Escape")
        page.locator("#groups button").first.click()
        page.locator("#batch-accept:enabled").wait_for()
        _take(page, "adjudicate-group")
    with page_of(browser, server, width=390, height=844, scheme="dark", touch=True) as opened:
        _take(opened.page, "adjudicate-narrow")


def _sound(browser: Browser, server: AdjudicateServer) -> None:
    with page_of(browser, server) as opened:
        page = opened.page
        if page.locator("#done").is_visible():
            page.get_by_role("button", name="Look through all").click()
            page.locator("#readings [role=radio]").first.wait_for()
        page.wait_for_timeout(1000)
        _take(page, "adjudicate-sound")


def _take(page: Page, name: str) -> None:
    page.screenshot(path=HERE / f"{name}.png")


if __name__ == "__main__":
    main()
