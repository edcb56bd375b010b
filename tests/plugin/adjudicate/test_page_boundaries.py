"""Boundaries on the page: inside of one character, and at the far end of a long span."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicate_server import AdjudicateServer
from adjudication_pages import write_prodigy
from adjudication_window import chosen, page_of, press
from browser import chromium

pytestmark = pytest.mark.e2e

FAMILY = "👩‍👩‍👧"
TEXT = f"See {FAMILY} at home. " + "The ferry left the old harbour on Monday. " * 300
LONG = (300, 12_000)


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


def test_boundaries_in_characters_are_marked_and_far_ends_come_into_view(tmp_path: Path) -> None:
    server = boundaries(tmp_path)
    with server, chromium() as browser, page_of(browser, server) as opened:
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
