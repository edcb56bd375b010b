"""The page of `goldspan adjudicate`: all keys and mouse ways, from files to written gold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from adjudicate_server import AdjudicateServer
from adjudication_pages import newsroom_texts
from adjudication_window import (
    chosen,
    decide,
    deciding,
    events,
    origins,
    page_of,
    press,
    rest,
    settled_text,
    status,
    title,
)
from browser import Window, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.e2e
STARTED = "0 settled · 19 open"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AdjudicateServer]:
    source = newsroom_texts(tmp_path)
    with AdjudicateServer(tmp_path / "gold.jsonl", str(source), "--to", "prodigy") as started:
        yield started


@pytest.fixture
def opened(browser: Browser, server: AdjudicateServer) -> Iterator[Window]:
    with page_of(browser, server) as window:
        yield window
        assert window.complaints == []
        assert [url for url in window.asked if not url.startswith(server.url)] == []


@pytest.mark.wheel
def test_all_keys_from_files_to_written_gold(opened: Window, server: AdjudicateServer) -> None:
    page = opened.page
    assert settled_text(page) == STARTED
    # Boundaries are a draft until they are accepted; Esc discards it.
    first = chosen(page)
    assert first.startswith("Suggested: ORG, the Ministry of Agriculture")
    press(page, "Shift+R", "w")
    assert chosen(page) == "Own: ORG, he Ministry of Agriculture for, not saved"
    press(page, "q", "Shift+E")
    assert chosen(page) == "Own: ORG, the Ministry of Agriculture, not saved"
    press(page, "e", "r", "Escape")
    assert chosen(page) == first
    # Cut, join, add, label by number and from the list.
    press(page, "c")
    assert page.locator("#spans button").count() == 2
    press(page, "v")
    assert chosen(page) == "Own: ORG, the Ministry of Agriculture, not saved"
    press(page, "i")
    assert page.locator("#spans button").count() == 2
    press(page, "Escape", "Shift+Digit1")
    assert chosen(page).startswith("Own: DATE")
    press(page, "l", "p", "e", "Enter")
    assert chosen(page).startswith("Own: PER")
    assert events(server) == []
    decide(page, "a")
    # Take, drop, skip, undo, redo.
    decide(page, "Digit1")
    decide(page, "d")
    decide(page, "x")
    decide(page, "s")
    decide(page, "z")
    decide(page, "Shift+Z")
    decide(page, "Control+z")
    # Next and previous only look.
    here = title(page)
    decide(page, "j")
    page.wait_for_function(
        "here => document.querySelector('#site-place').textContent !== here", arg=here
    )
    press(page, "k")
    page.wait_for_function(
        "here => document.querySelector('#site-place').textContent === here", arg=here
    )
    # Names, whole text, note, help.
    names = page.locator("#readings").text_content() or ""
    press(page, "b")
    assert "amira" in names
    assert "amira" not in (page.locator("#readings").text_content() or "")
    press(page, "b", "f")
    assert page.locator(".site-head [data-command=whole]").get_attribute("aria-pressed") == "true"
    press(page, "f", "n")
    page.keyboard.type("Is the article a part of the name?")
    page.get_by_role("checkbox", name="guideline").check()
    page.get_by_role("button", name="Save note").click()
    page.wait_for_function("() => document.querySelector('#status').textContent === 'Note saved.'")
    press(page, "?")
    assert page.get_by_role("heading", name="Help and keys").is_visible()
    press(page, "Escape")
    page.get_by_role("button", name="Write now").click()
    page.get_by_role("heading", name="Written").wait_for()

    done = [(one["op"], one.get("how")) for one in events(server)]
    assert done == [
        ("settle", "label"), ("settle", "take"), ("settle", "drop"), ("settle", "drop"),
        ("skip", None), ("undo", None), ("undo", None), ("undo", None), ("note", None),
    ]  # fmt: skip
    assert server.output.exists()
    by_person = [row for row in origins(server) if row["origin"] == "settled"]
    assert [(row["label"], row["by"]) for row in by_person if row["label"] == "PER"] == [
        ("PER", "ana")
    ]
    cases = server.output.with_name("gold.jsonl.hard-cases.md").read_text(encoding="utf-8")
    assert "Is the article a part of the name?" in cases


def test_the_mouse_does_all_of_it(opened: Window, server: AdjudicateServer) -> None:
    page = opened.page
    button = page.get_by_role("button", name="Start later")
    button.click()
    assert chosen(page).startswith("Own: ORG, he Ministry")
    page.get_by_role("button", name="Discard").click()
    for name in ("End earlier", "End later", "Start earlier"):
        page.get_by_role("button", name=name).click()
    page.locator("#by-word").check()
    page.get_by_role("button", name="End later").click()
    assert "Agriculture for" in chosen(page)
    # A handle is dragged to another letter.
    handle = page.locator("#text .handle.end").bounding_box()
    assert handle is not None
    page.mouse.move(handle["x"], handle["y"] + handle["height"] / 2)
    page.mouse.down()
    page.mouse.move(handle["x"] - 60, handle["y"] + handle["height"] / 2, steps=4)
    page.mouse.up()
    assert "Agriculture for" not in chosen(page)
    # Text that is selected becomes the span; a click on text decides nothing.
    word = page.locator("#text .block").bounding_box()
    assert word is not None
    page.mouse.dblclick(word["x"] + 15, word["y"] + 14)
    page.get_by_role("button", name="Use as span").click()
    assert chosen(page) == "Own: ORG, Frost, not saved"
    page.locator("#labels").get_by_role("button", name="LOC").click()
    assert chosen(page) == "Own: LOC, Frost, not saved"
    # A bar chooses its reading, a row too; a double click accepts.
    page.locator(".bar.here").first.click(force=True)
    assert chosen(page).startswith("Reading 1: LOC")
    page.get_by_role("radio", name="Reading 2").click()
    assert chosen(page).startswith("Reading 2: ORG")
    assert events(server) == []
    with deciding(page):
        page.get_by_role("radio", name="Reading 1").dblclick()
    page.wait_for_function("() => document.querySelector('#progress').textContent.startsWith('1 ')")
    with deciding(page):
        page.locator(".bar").get_by_role("button", name="Nothing here").click()
    page.wait_for_function("() => document.querySelector('#progress').textContent.startsWith('2 ')")
    with deciding(page):
        page.locator("#last").get_by_role("button", name="Undo").click()
    page.wait_for_function("() => document.querySelector('#progress').textContent.startsWith('1 ')")
    # The queue: another place, filters, all that was settled, reopened.
    rest(page)
    page.locator("#queue [role=option]").nth(3).click()
    page.wait_for_function(
        "() => document.querySelector('#site-place').textContent.includes(' 4 of')"
    )
    page.locator("#filter-state").select_option("settled")
    page.get_by_role("button", name="Reopen").click()
    page.wait_for_function("() => document.querySelector('#progress').textContent.startsWith('0 ')")
    assert [one["op"] for one in events(server)] == ["settle", "settle", "undo", "reopen"]
    assert events(server)[0]["how"] == "take"


def test_a_group_is_accepted_undone_and_done_again(
    opened: Window, server: AdjudicateServer
) -> None:
    page = opened.page
    page.locator("#groups button").first.click()
    page.locator("#batch-list input").nth(1).uncheck()
    offered = page.locator("#batch-list input").count()
    accept = page.locator("#batch-accept")
    assert accept.text_content() == f"Accept {offered - 1}"
    accept.click()
    page.wait_for_function(
        "() => !document.querySelector('#progress').textContent.startsWith('0 ')"
    )
    assert settled_text(page).startswith(f"{offered - 1} settled")
    press(page, "z")
    page.wait_for_function("() => document.querySelector('#progress').textContent.startsWith('0 ')")
    press(page, "Shift+Z")
    page.wait_for_function(
        "() => !document.querySelector('#progress').textContent.startsWith('0 ')"
    )
    stored = events(server)
    assert [one["op"] for one in stored] == ["batch", "undo", "undo"]
    assert len(stored[0]["items"]) == offered - 1


def test_the_end_is_reached_by_accepting(opened: Window, server: AdjudicateServer) -> None:
    page = opened.page
    done = 0
    while page.locator("#site").is_visible():
        if not chosen(page):
            # A random check: the suggestion is hidden until there is an answer.
            press(page, "a")
            assert status(page).startswith("Choose a reading first")
            decide(page, "Digit1")
        else:
            decide(page, "Enter")
        done += 1
        assert len(events(server)) == done
    page.get_by_role("heading", name="All decided").wait_for()
    assert settled_text(page) == f"{done} settled · 0 open"
    assert len({one["site"] for one in events(server)}) == done >= 19
    page.get_by_role("button", name="Look through all").click()
    page.locator("#readings [role=radio]").first.wait_for()
    assert page.locator("#queue-total").text_content() == "(88)"


def test_single_keys_can_be_off_and_changed(opened: Window, server: AdjudicateServer) -> None:
    page = opened.page
    press(page, "?")
    page.get_by_label("Key for: next site").press("m")
    page.get_by_label("Single keys off").check()
    press(page, "Escape", "a", "d", "1", "m")
    page.wait_for_timeout(200)
    assert (settled_text(page), title(page).endswith("1 of 19")) == (STARTED, True)
    press(page, "ArrowDown")
    assert chosen(page).startswith("Reading 1")
    decide(page, "Enter")
    page.get_by_role("button", name="Help and keys").click()
    page.get_by_label("Single keys off").uncheck()
    press(page, "Escape", "m")
    page.wait_for_function(
        "() => document.querySelector('#site-place').textContent.includes(' 2 of')"
    )
    assert len(events(server)) == 1
