"""The page of `goldspan adjudicate` in a real browser."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from adjudicate_server import AdjudicateServer
from browser import PATIENCE_MS, Window

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

READY = "body[data-ready=true]"
STILL_MS = 200
"""After a new place appears, keys that decide are ignored for a moment."""
AXE = "axe-core@4.14.0"


@contextmanager
def page_of(
    browser: Browser,
    server: AdjudicateServer,
    *,
    width: int = 1280,
    height: int = 800,
    scheme: Literal["light", "dark"] = "light",
    touch: bool = False,
    by: str = "",
) -> Iterator[Window]:
    """A tab on the server's page, ready for keys; what it asked for and complained about."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=touch,
        reduced_motion="reduce",
    )  # fmt: skip
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    opened = Window(page)
    page.on("request", lambda request: opened.asked.append(request.url))
    page.on("console", lambda message: opened.complaints.append(message.text))
    page.on("pageerror", lambda error: opened.complaints.append(str(error)))
    try:
        page.goto(f"{server.url}/{f'?by={by}' if by else ''}#{server.key}")
        page.wait_for_selector(READY)
        page.wait_for_timeout(STILL_MS)
        yield opened
    finally:
        context.close()


def press(page: Page, *keys: str) -> None:
    """Keys one after the other, each as a person would: not at once on a new place."""
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(20)


def decide(page: Page, act: str) -> None:
    """A key that decides; waits until the answer is stored and the next place stands."""
    with deciding(page):
        page.keyboard.press(act)


@contextmanager
def deciding(page: Page) -> Iterator[None]:
    """Something that decides; waits until it is stored and the next place stood for a moment."""
    before = page.locator("#main").get_attribute("data-since")
    yield
    page.wait_for_function(
        """before => { const since = document.querySelector('#main').dataset.since;
           return since !== before && performance.now() - Number(since) > 200
             && document.querySelector('#saved').dataset.storing !== 'true'; }""",
        arg=before,
    )


def rest(page: Page) -> None:
    """Wait until the queue is neither asked for again nor about to be."""
    page.wait_for_selector("#queue[aria-busy=false]")


def settled_text(page: Page) -> str:
    return page.locator("#progress").text_content() or ""


def status(page: Page) -> str:
    return page.locator("#status").text_content() or ""


def title(page: Page) -> str:
    return page.locator("#site-place").text_content() or ""


def chosen(page: Page) -> str:
    """What the chosen reading says to a screen reader; empty if none is chosen."""
    found = page.locator("#readings [aria-checked=true]")
    return (found.get_attribute("aria-label") or "") if found.count() else ""


def events(server: AdjudicateServer, name: str = "") -> list[dict[str, Any]]:
    """The journal of an adjudicator, without its header."""
    path = server.journal / f"{name or server.name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()[1:]] if path.exists() else []


def origins(server: AdjudicateServer) -> list[dict[str, str]]:
    path = server.output.with_name(f"{server.output.name}.origins.csv")
    with path.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


@cache
def axe() -> str:
    """axe-core, from the cache; skips loudly where npm cannot bring it."""
    folder = Path.home() / ".cache" / "goldspan" / AXE.replace("@", "-")
    source = folder / "package" / "axe.min.js"
    if not source.exists():
        if shutil.which("npm") is None:
            pytest.skip("NO ACCESSIBILITY TEST RUNS: there is no npm to fetch axe-core with")
        folder.mkdir(parents=True, exist_ok=True)
        words = ["npm", "pack", AXE, "--silent", "--pack-destination", str(folder)]
        done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=120)
        if done.returncode:
            pytest.skip(f"NO ACCESSIBILITY TEST RUNS: npm cannot fetch {AXE}: {done.stderr[-200:]}")
        with tarfile.open(next(folder.glob("*.tgz"))) as packed:
            member = packed.extractfile("package/axe.min.js")
            assert member is not None
            source.parent.mkdir(exist_ok=True)
            source.write_bytes(member.read())
    return source.read_text(encoding="utf-8")


def faults(page: Page) -> list[str]:
    """What axe calls serious or critical, a line each."""
    page.evaluate(axe())
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
