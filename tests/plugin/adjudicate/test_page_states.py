"""The page under stress: reloads, kill -9, two people, hostile texts, right-to-left, sound, axe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from adjudicate_server import AdjudicateServer
from adjudication_pages import (
    ARABIC,
    HOSTILE_LABEL,
    arabic,
    hostile,
    long_text,
    newsroom_texts,
    recording,
)
from adjudication_window import (
    chosen,
    decide,
    deciding,
    events,
    faults,
    page_of,
    press,
    settled_text,
    title,
)
from browser import chromium
from label_studio_server import free_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdjudicateServer]:
    folder = tmp_path_factory.mktemp("shared")
    with serve(folder, newsroom_texts(folder)) as started:
        yield started


def serve(folder: Path, source: Path, *options: str) -> AdjudicateServer:
    return AdjudicateServer(folder / "gold.csv", str(source), "--to", "csv", *options)


def test_reload_and_kill_keep_the_place_and_the_draft(browser: Browser, tmp_path: Path) -> None:
    # The system chooses no port for it, because it may give that to another program after a kill.
    server = serve(tmp_path, newsroom_texts(tmp_path), "--port", str(free_port()))
    with server, page_of(browser, server) as opened:
        page = opened.page
        decide(page, "a")
        press(page, "Shift+R")
        here, draft = title(page), chosen(page)
        page.reload()
        page.wait_for_selector("body[data-ready=true]")
        assert (title(page), chosen(page)) == (here, draft)
        assert "from before the reload" in (page.locator("#readings").text_content() or "")
        # The server is killed; the key is pressed; the server comes back.
        page.wait_for_timeout(250)
        server.kill()
        with deciding(page):
            page.keyboard.press("a")
            page.locator("#alert", has_text="the server does not answer").wait_for()
            assert settled_text(page).startswith("1 settled")
            page.keyboard.press("a")
            page.keyboard.press("d")
            server.start()
        assert settled_text(page).startswith("2 settled")
        # The answer is stored, and the server dies before it says so.
        server.kill()
        server.start(fault="before-reply:1")
        with deciding(page):
            # A key on a place that was shown again a moment ago is ignored.
            while server.running:
                press(page, "d")
            server.wait()
            server.start()
        assert settled_text(page).startswith("3 settled")
        stored = events(server)
        assert [one["op"] for one in stored] == ["settle"] * 3
        assert len({one["id"] for one in stored}) == len({one["site"] for one in stored}) == 3


def test_two_people_work_side_by_side(browser: Browser, tmp_path: Path) -> None:
    server = serve(tmp_path, newsroom_texts(tmp_path))
    with server, page_of(browser, server) as one, page_of(browser, server, by="bo") as two:
        ana, bo = one.page, two.page
        assert (
            ana.locator("#queue [aria-selected=true]").text_content()
            != bo.locator("#queue [aria-selected=true]").text_content()
        )
        decide(ana, "a")
        bo.wait_for_function(
            "() => document.querySelector('#progress').textContent.startsWith('1 ')"
        )
        decide(bo, "d")
        ana.wait_for_function(
            "() => document.querySelector('#progress').textContent.startsWith('2 ')"
        )
        # Both look at one place; the second answer meets the first one's.
        place = ana.evaluate("() => JSON.parse(sessionStorage.getItem('goldspan.place')).site")
        bo.evaluate(
            """async place => (await import('/static/actions.js')).openSite(place)""", place
        )
        assert "ana has this on the screen" in (bo.locator("#site-say").text_content() or "")
        decide(ana, "Digit1")
        bo.locator("#site-say", has_text="Settled").wait_for()
        assert len(events(server)) == 2
        assert len(events(server, "bo")) == 1
        # Bo reopens it and answers otherwise: both see at once how often they agree.
        with deciding(bo):
            bo.locator("#reopen").click()
        bo.wait_for_function(
            "() => document.querySelector('#progress').textContent.includes('reopened')"
        )
        decide(bo, "d")
        for page in (ana, bo):
            page.wait_for_selector("#stop[title*='agree on 0 of 1 places']")
        assert one.complaints == two.complaints == []


def test_hostile_texts_and_labels_stay_text(browser: Browser, tmp_path: Path) -> None:
    server = serve(tmp_path, hostile(tmp_path))
    with server, page_of(browser, server) as opened:
        page = opened.page
        alerts: list[str] = []
        page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
        assert HOSTILE_LABEL in (page.locator("#readings").text_content() or "")
        assert "⟨RLO⟩evil⟨PDF⟩" in (page.locator("#text").text_content() or "")
        # A joined emoji is one step.
        decide(page, "j")
        width = [
            int(page.locator(f"#{edge}").get_attribute("aria-valuenow") or 0)
            for edge in ("start", "end")
        ]
        assert width[1] - width[0] == 5
        press(page, "q", "w", "w")
        assert "needs at least one character" in (page.locator("#status").text_content() or "")
        press(page, "Escape", "l", "Escape", "n", "Escape")
        for _ in range(2):
            decide(page, "Digit1")
        assert (alerts, opened.complaints) == ([], [])
        assert page.locator("img, script:not([src])").count() == 0
        assert all(url.startswith(server.url) for url in opened.asked)


def test_bars_stand_under_the_letters_from_right_to_left(browser: Browser, tmp_path: Path) -> None:
    server = serve(tmp_path, arabic(tmp_path))
    with server, page_of(browser, server) as opened:
        page = opened.page
        assert "FactKind" not in (page.locator("#done-say").text_content() or "")
        with deciding(page):
            page.get_by_role("button", name="Look through all").click()
        page.locator("#text .bar.here").first.wait_for()
        drawn, wanted = page.evaluate(
            """([start, end]) => {
              const node = document.querySelector('#text .block').firstChild;
              const range = document.createRange();
              range.setStart(node, start); range.setEnd(node, end);
              const box = range.getBoundingClientRect();
              const bars = [...document.querySelectorAll('#text .bar.here')]
                .map(one => one.getBoundingClientRect());
              const widest = bars.sort((a, b) => b.width - a.width)[0];
              return [[widest.left, widest.right], [box.left, box.right]];
            }""",
            [ARABIC.index("شركة"), ARABIC.index(" في")],
        )
        assert drawn == pytest.approx(wanted, abs=1.5)
        # The start is on the right, and later is further on in the text.
        start, end = (
            page.locator(f"#text .handle.{edge}").bounding_box() for edge in ("start", "end")
        )
        assert start is not None
        assert end is not None
        assert start["x"] > end["x"]
        before = int(page.locator("#start").get_attribute("aria-valuenow") or 0)
        press(page, "w")
        assert int(page.locator("#start").get_attribute("aria-valuenow") or 0) == before + 1
        assert page.locator("#text .block").evaluate("one => one.childNodes.length") == 1


def test_sound_plays_the_span_and_seeks(browser: Browser, tmp_path: Path) -> None:
    server = serve(tmp_path, recording(tmp_path), "--media", str(tmp_path))
    with server, page_of(browser, server) as opened:
        page = opened.page
        if page.locator("#done").is_visible():
            with deciding(page):
                page.get_by_role("button", name="Look through all").click()
        page.wait_for_function("() => document.querySelector('audio')?.readyState >= 1")
        page.wait_for_function(
            """() => { const wave = document.querySelector('canvas.wave');
               const data = wave.getContext('2d').getImageData(0, 0, wave.width, wave.height).data;
               return data.some((value, at) => at % 4 === 3 && value === 255); }"""
        )
        low, high = (
            int(page.locator(f"#{edge}").get_attribute("aria-valuenow") or 0) / 1000
            for edge in ("start", "end")
        )
        page.evaluate(
            """() => { const audio = document.querySelector('audio');
               window.heard = [];
               audio.addEventListener('play', () => heard.push(audio.currentTime));
               audio.addEventListener('pause', () => heard.push(audio.currentTime)); }"""
        )
        press(page, "Space")
        page.wait_for_function("() => heard.length >= 2")
        first, last = page.evaluate("() => heard")[:2]
        assert low - 0.05 <= first < high
        assert last == pytest.approx(high, abs=0.05)
        # A click on the wave seeks; 10 ms and 100 ms steps move the end.
        wave = page.locator("canvas.wave").bounding_box()
        assert wave is not None
        page.mouse.click(wave["x"] + 5, wave["y"] + 20)
        assert page.evaluate("() => document.querySelector('audio').currentTime") < low
        press(page, "r", "Shift+R", "o")
        moved = int(page.locator("#end").get_attribute("aria-valuenow") or 0) / 1000
        assert moved == pytest.approx(high + 0.11, abs=0.011)
        assert page.get_by_role("button", name="Loop").get_attribute("aria-pressed") == "true"
        assert faults(page) == []
        assert opened.complaints == []


def test_a_long_text_shows_a_window_and_is_searched(browser: Browser, tmp_path: Path) -> None:
    source = long_text(tmp_path, characters=12_000, people=3, spans=60)
    server = serve(tmp_path, source)
    with server, page_of(browser, server) as opened:
        page = opened.page
        assert 5 <= page.locator("#text .block").count() < 15
        box = page.locator("#strip").bounding_box()
        assert box is not None
        before = settled_text(page)
        page.mouse.click(box["x"] + 5, box["y"] + box["height"] - 3)
        page.wait_for_function(
            """() => { const box = document.querySelector('#text');
               return box.scrollTop > box.scrollHeight / 2; }"""
        )
        page.locator("#find-text").fill("skarvik")
        page.locator("#find-say", has_text="1 of").wait_for()
        page.get_by_role("button", name="Next match").click()
        page.locator("#find-say", has_text="2 of").wait_for()
        assert settled_text(page) == before
        page.get_by_role("button", name="Whole text").click()
        assert page.locator("#text .block").count() > 20
        page.get_by_role("button", name="Whole text").click()
        decide(page, "a")
        assert opened.complaints == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
def test_axe_finds_nothing_serious(
    browser: Browser, shared: AdjudicateServer, scheme: Literal["light", "dark"], width: int
) -> None:
    with page_of(browser, shared, width=width, scheme=scheme, touch=width < 700) as opened:
        page = opened.page
        found = {"first": faults(page)}
        press(page, "Shift+R", "c")
        found["draft"] = faults(page)
        for name, key in (("label", "l"), ("note", "n"), ("help", "?")):
            press(page, key)
            found[name] = faults(page)
            press(page, "Escape")
        press(page, "Escape")
        if width < 700:
            page.locator("#queue-open").tap()
            found["queue"] = faults(page)
        page.locator("#groups button").first.click()
        page.locator("#batch-accept:enabled").wait_for()
        found["batch"] = faults(page)
        press(page, "Escape")
        if width < 700:
            page.locator("#queue-close").tap()
            page.locator("#more").tap()
            found["tools"] = faults(page)
            with deciding(page):
                page.locator("[data-command=accept]").tap()
            overflow = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
            assert overflow <= 0
        page.evaluate(
            "() => { document.querySelector('#alert').textContent = 'It could not be saved.' }"
        )
        found["alert"] = faults(page)
        assert {name: one for name, one in found.items() if one} == {}


def test_fingers_do_all_of_it_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    server = serve(tmp_path, newsroom_texts(tmp_path))
    with server, page_of(browser, server, width=390, height=844, touch=True) as opened:
        page = opened.page
        bar, tools = page.locator(".bar"), page.locator(".decide")

        def tap(name: str, within: Locator) -> None:
            within.get_by_role("button", name=name, exact=True).tap()

        first = chosen(page)
        page.get_by_role("radio", name="Reading 1").tap()
        assert chosen(page).startswith("Reading 1")
        page.locator("#more").tap()
        for name in ("Start later", "Start earlier", "End later"):
            tap(name, tools)
        assert chosen(page).startswith("Own: ")
        cut_off = page.locator("#readings [role=radio]").evaluate_all(
            "all => all.filter((one) => one.scrollHeight > one.clientHeight + 1).length"
        )
        assert cut_off == 0, "rows keep their height beside the tools"
        # Somebody's span ends before the space that is now at the end: no place for a cut.
        assert chosen(page) == "Own: LOC, the Ministry of Agriculture , not saved"
        tap("Split", tools)
        assert page.locator("#spans button").count() == 2
        tap("Join", tools)
        tap("Discard", tools)
        assert chosen(page) == first
        assert events(server) == []
        tap("Note", tools)
        page.locator("#note-text").fill("With the article?")
        page.get_by_role("button", name="Save note").tap()
        page.locator("#status", has_text="Note saved.").wait_for()
        for name in ("Accept", "Nothing here", "Skip", "Undo"):
            with deciding(page):
                tap(name, bar)
        small = bar.get_by_role("button").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect()).filter((r) => r.height < 44)"
        )
        assert small == []
        page.locator("#queue-open").tap()
        assert "2 settled" in (page.locator("#queue-progress").text_content() or "")
        tap("Write now", page.locator("#queue-pane"))
        page.get_by_role("heading", name="Written").wait_for()
        assert server.output.exists()
        page.get_by_role("button", name="Close", exact=True).tap()
        here = title(page)
        page.locator("#queue [role=option]").nth(2).tap()
        page.wait_for_selector("body:not(.queue-shown)")
        page.wait_for_function(
            "here => document.querySelector('#site-place').textContent !== here", arg=here
        )
        assert [(one["op"], one.get("how")) for one in events(server)] == [
            ("note", None), ("settle", "accept"), ("settle", "drop"), ("skip", None),
            ("undo", None),
        ]  # fmt: skip
        assert opened.complaints == []
