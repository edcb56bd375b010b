"""The page with odd annotations: boundaries inside of a character, long spans, 25 annotators."""

from __future__ import annotations

import re
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from adjudicate_server import AdjudicateServer
from adjudication_pages import recording, write_prodigy
from adjudication_window import chosen, decide, events, page_of, press, title
from browser import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.e2e

FAMILY = "👩‍👩‍👧"
TEXT = f"See {FAMILY} at home. " + "The ferry left the old harbour on Monday. " * 300
LONG = (300, 12_000)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def boundaries(folder: Path) -> AdjudicateServer:
    """Two places: a family of which all cut off a member, and a span of 11,700 characters."""
    family = (4, 4 + len(FAMILY) - 2, "PER")
    marked = {
        "amira": [family, (*LONG, "LOC")],
        "bruno": [family, (*LONG, "LOC")],
        "celia": [(*family[:2], "ORG"), (LONG[0], LONG[1] - 4000, "LOC")],
    }
    source = write_prodigy(folder / "odd.jsonl", {"odd": TEXT}, {"odd": marked})
    return AdjudicateServer(folder / "gold.csv", str(source), "--to", "csv")


def test_boundaries_in_characters_are_marked_and_far_ends_come_into_view(
    browser: Browser, tmp_path: Path
) -> None:
    server = boundaries(tmp_path)
    with server, page_of(browser, server) as opened:
        page = opened.page
        page.locator("#filter-state").select_option("all")
        page.locator(".item", has_text="👩").click()
        page.locator("#readings [role=radio]", has_text="cuts a character").first.wait_for()
        press(page, "r")
        assert f"PER, {FAMILY}, not saved" in chosen(page)
        assert "cuts a character" not in chosen(page)

        press(page, "Escape")
        page.locator(".item", has_text="harbour").click()
        page.locator("#start", has_text=str(LONG[0])).wait_for()
        assert "cuts a character" not in chosen(page)
        press(page, "r")
        end = page.locator("#text .handle[data-edge=end]")
        end.wait_for(state="attached")
        page.wait_for_function(
            """() => {
              const box = document.querySelector('#text').getBoundingClientRect();
              const end = document.querySelector('#text .handle[data-edge=end]');
              const place = end?.getBoundingClientRect();
              return place?.height > 0 && place.top >= box.top && place.bottom <= box.bottom;
            }"""
        )
        assert page.locator("#end").text_content() == str(LONG[1] + 1)
        assert opened.complaints == []


def test_of_many_annotators_each_reading_has_a_lane_and_arrows_reach_all(
    browser: Browser, tmp_path: Path
) -> None:
    text = "The harbour crew said that the ferry left on Monday."
    marked = {f"person {n:02}": [(n % 12, 20 + n % 3, "ORG")] for n in range(25)}
    source = write_prodigy(tmp_path / "many.jsonl", {"one": text}, {"one": marked})
    server = AdjudicateServer(tmp_path / "gold.csv", str(source), "--to", "csv")
    with server, page_of(browser, server) as opened:
        page = opened.page
        readings = page.locator("#readings [role=radio][data-choice]").all()
        numbers = [one.get_attribute("data-choice") for one in readings]
        assert [one for one in numbers if (one or "").isdigit()] == [str(n) for n in range(1, 13)]
        assert page.locator("#lanes", has_text="person 00 +2").count() == 1
        assert page.locator("#lanes .unit.clickable").count() == 8
        press(page, *["ArrowDown"] * 11)
        assert "Reading 11" in chosen(page)
        decide(page, "Enter")
        assert events(server)[0]["reading"] == 11
        assert opened.complaints == []


def test_without_a_text_places_are_shown_by_their_positions(
    browser: Browser, tmp_path: Path
) -> None:
    with AdjudicateServer(tmp_path / "gold.csv") as server, page_of(browser, server) as opened:
        page = opened.page
        assert not page.locator("#text-area").is_visible()
        assert page.locator("#lanes .unit.clickable").count() >= 1
        before = int(page.locator("#start").get_attribute("aria-valuenow") or 0)
        assert re.match(rf"{before}–\d+ steps", title(page))
        press(page, "w", "Shift+W")
        after = int(page.locator("#start").get_attribute("aria-valuenow") or 0)
        assert before + 1 < after <= before + 11
        drawn = page.locator("#lanes .unit.current").count()
        press(page, "Escape")
        assert (drawn, page.locator("#lanes .unit.current").count()) == (1, 1)
        decide(page, "a")
        assert len(events(server)) == 1
        assert opened.complaints == []


def test_a_recording_that_is_too_short_is_said(browser: Browser, tmp_path: Path) -> None:
    source = recording(tmp_path)
    with wave.open(str(tmp_path / "talk.wav")) as whole:
        form, start = whole.getparams(), whole.readframes(6 * whole.getframerate())
    with wave.open(str(tmp_path / "talk.wav"), "wb") as cut:
        cut.setparams(form)
        cut.writeframes(start)
    server = AdjudicateServer(
        tmp_path / "gold.csv", str(source), "--to", "csv", "--media", str(tmp_path)
    )
    with server, page_of(browser, server) as opened:
        page = opened.page
        page.locator("#filter-state").select_option("all")
        page.locator("#order").select_option("text")
        page.locator("#queue [role=option]").nth(2).click()
        page.locator("#media", has_text="The recording ends at 0:06.000").wait_for()
        page.locator("#queue [role=option]").first.click()
        page.locator("#media .soft", has_text="ends at").wait_for(state="detached")
        assert opened.complaints == []
