"""The page for a team in a real browser: login, queue, what is stored; at every width and theme."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Literal

import pytest

from adjudication_window import faults
from browser import PATIENCE_MS, Window, chromium
from open_server import PASSWORD, TeamServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROWS = """task,annotator,category,start,end
d1,ann,X,1,5
d1,ben,X,1,6
d1,ann,Y,8,12
d1,ben,Z,8,12
d2,ann,X,3,9
d2,ben,Y,3,9
"""
DONE = "body[data-stage=full]"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeamServer]:
    folder = tmp_path_factory.mktemp("team")
    with TeamServer(folder, "--workers", "1", "--max-megabytes", "1") as running:
        yield running


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    file = tmp_path / "rows.csv"
    file.write_text(ROWS, encoding="utf-8")
    return file


@contextmanager
def page_of(
    browser: Browser,
    server: TeamServer,
    width: int = 1280,
    scheme: Literal["light", "dark"] = "light",
) -> Iterator[Window]:  # fmt: skip
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    opened = Window(page)
    page.on("console", lambda message: opened.complaints.append(message.text))
    page.on("pageerror", lambda error: opened.complaints.append(str(error)))
    page.set_default_timeout(PATIENCE_MS)
    try:
        page.goto(server.url)
        yield opened
    finally:
        context.close()


def log_in(page: Page) -> None:
    page.get_by_label("The password of this server").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_selector("body[data-ready=true]")
    page.get_by_text("The people who run the server can read the files.").first.wait_for()


def fits(page: Page, width: int) -> bool:
    return int(page.evaluate("document.documentElement.scrollWidth")) <= width


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (3840, "light")])
def test_from_the_login_to_a_report_and_to_nothing_stored(
    browser: Browser, server: TeamServer, rows: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    with page_of(browser, server, width, scheme) as opened:
        page = opened.page
        assert page.url == f"{server.url}/login"
        assert faults(page) == []
        page.get_by_label("The password of this server").fill("not this one")
        page.get_by_role("button", name="Log in").click()
        page.get_by_role("alert").get_by_text("This is not the password.").wait_for()
        assert faults(page) == []
        opened.complaints.clear()  # the browser says that the server refused it
        log_in(page)
        assert "deleted 24 hours after" in (page.locator("#stored-note").text_content() or "")
        assert faults(page) == []

        page.set_input_files("#files", rows)
        page.wait_for_selector(DONE)
        page.frame_locator("#report").locator("#tasks").wait_for()
        gamma = page.locator("[data-key=gamma] .value").get_attribute("data-value")
        assert fits(page, width)
        page.reload()
        page.wait_for_selector(DONE)
        again = page.locator("[data-key=gamma] .value").get_attribute("data-value")
        assert again == gamma, "the address holds the state, and the session the files"

        page.get_by_role("button", name="Stored files").click()
        page.get_by_role("dialog").get_by_text("rows.csv: 1 file, 1 KB, until").wait_for()
        assert faults(page) == []
        assert fits(page, width)
        page.get_by_role("button", name="Delete everything now").click()
        page.locator("#drop").wait_for()
        page.get_by_role("button", name="Stored files").click()
        page.locator("#stored-nothing").wait_for()
        page.get_by_role("button", name="Delete and log out").click()
        page.get_by_label("The password of this server").wait_for()
        assert opened.complaints == []


def test_one_who_waits_sees_the_place_in_the_queue_and_can_give_it_up(
    browser: Browser, server: TeamServer, rows: Path
) -> None:
    dice = Random(1)
    lines = ["task,annotator,category,start,end"]
    for task in range(20):
        for who in "abcdefg":  # seven at random take minutes, and end when they are cancelled
            starts = [dice.randrange(600) for _ in range(60)]
            lines += [f"t{task},{who},{dice.choice('XYZ')},{n},{n + 9}" for n in starts]
    other = server.person()
    data = other.send("many.csv", "\n".join(lines).encode())
    state = {"data": data, "precision": 0.001}
    with page_of(browser, server) as opened, ThreadPoolExecutor(1) as threads:
        page = opened.page
        log_in(page)
        waiting = threads.submit(other.post, "/api/measure", state=state, stage="full")
        try:
            while not other.status()["is_running"]:
                assert not waiting.done(), waiting.result().text
            page.set_input_files("#files", rows)
            page.locator("#queue").get_by_text("You are number 1 in the queue.").wait_for()
            assert faults(page) == []
            page.locator("#queue").get_by_role("button", name="Cancel").click()
            page.get_by_role("alert").get_by_text("The computation was cancelled.").wait_for()
            page.locator("#queue").wait_for(state="hidden")
        finally:
            other.post("/api/team/cancel")
        assert waiting.result().json()["error"] == "cancelled"
        opened.complaints.clear()  # the browser says that the server refused it
        page.set_input_files("#files", rows)
        page.wait_for_selector(DONE)
        assert page.locator("#alert").text_content() == ""
        assert opened.complaints == []


def test_files_that_are_too_large_are_a_sentence_before_they_are_sent(
    browser: Browser, server: TeamServer, tmp_path: Path
) -> None:
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(2**30)
    with page_of(browser, server) as opened:
        page = opened.page
        log_in(page)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.set_input_files("#files", huge)
        page.get_by_role("alert").get_by_text("The files hold more than 1 MB.").wait_for()
        assert not [url for url in asked if "/api/data" in url]
        assert opened.complaints == []
