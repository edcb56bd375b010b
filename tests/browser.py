"""A real headless browser that notices whatever a page asks for or complains about."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip

PATIENCE_MS = 120_000
"""How long a page may take for anything: machines that test are busy."""

__all__ = ["PATIENCE_MS", "Window", "chromium", "playwright", "window"]

if TYPE_CHECKING:
    from playwright import sync_api as playwright
else:
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="NO BROWSER TEST RUNS: playwright is not installed"
    )


@dataclass
class Window:
    """A page, what it asked for, and what it complained about."""

    page: playwright.Page
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@contextmanager
def chromium() -> Iterator[playwright.Browser]:
    """The browser that is installed; skips loudly where there is none."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("NO BROWSER TEST RUNS: there is no chromium (apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(QUIET))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def window(
    browser: playwright.Browser,
    path: Path,
    *,
    width: int = 1440,
    scheme: Literal["light", "dark"] = "light",
) -> Iterator[Window]:
    """A page opened from disk, by mouse or by keyboard."""
    page = browser.new_page(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page.set_default_timeout(PATIENCE_MS)
    opened = Window(page)
    page.on("request", lambda request: opened.asked.append(request.url))
    page.on("console", lambda message: opened.complaints.append(message.text))
    page.on("pageerror", lambda error: opened.complaints.append(str(error)))
    try:
        page.goto(path.as_uri())
        yield opened
    finally:
        page.close()
