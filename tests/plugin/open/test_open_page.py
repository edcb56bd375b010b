"""The page of `goldspan open` in a real browser: from nothing to a report, by clicks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from adjudication_window import faults
from browser import Window, chromium
from open_server import OpenServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROWS = """task,annotator,category,start,end
d1,ann,X,1,5
d1,ben,X,1,6
d1,ann,Y,8,12
d1,ben,Z,8,12
d2,ann,X,3,9
d2,ben,Y,3,9
"""
GRID = (
    'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n3\n<exists>\n2\n"IntervalTier"\n'
    '"ann"\n0\n3\n2\n0\n1\n"X"\n1\n3\n""\n"IntervalTier"\n"ben"\n0\n3\n2\n0\n2\n"X"\n2\n3\n"Y"\n'
)
DONE = "body[data-stage=full]"
MOST_MS = 120_000
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenServer]:
    with OpenServer(tmp_path_factory.mktemp("open")) as running:
        yield running


@contextmanager
def page_of(
    browser: Browser, address: str, width: int = 1280, scheme: Literal["light", "dark"] = "light"
) -> Iterator[Window]:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce",
        accept_downloads=True,
    )  # fmt: skip
    page = context.new_page()
    opened = Window(page)
    page.on("console", lambda message: opened.complaints.append(message.text))
    page.on("pageerror", lambda error: opened.complaints.append(str(error)))
    page.set_default_timeout(MOST_MS)
    try:
        page.goto(address)
        page.wait_for_selector("body[data-ready=true]")
        yield opened
    finally:
        context.close()


@contextmanager
def page_with(
    browser: Browser, server: OpenServer, file: Path, text: str, width: int = 1280
) -> Iterator[Window]:
    """A page on which a file with this text was dropped."""
    file.write_text(text, encoding="utf-8")
    with page_of(browser, f"{server.url}/#{server.key}", width) as opened:
        opened.page.set_input_files("#files", file)
        yield opened


def test_from_files_to_a_report_and_back_by_a_link(
    browser: Browser, server: OpenServer, tmp_path: Path
) -> None:
    file = tmp_path / "rows.csv"
    file.write_text(ROWS, encoding="utf-8")
    with page_of(browser, f"{server.url}/#{server.key}") as opened:
        page = opened.page
        assert server.key not in page.url
        page.set_input_files("#files", file)
        page.wait_for_selector(DONE)
        assert "read as csv: 2 tasks, 2 annotators, 6 units, 3 labels" in (
            page.locator("#taken").text_content() or ""
        )
        gamma = page.locator("[data-key=gamma] .value")
        first = gamma.get_attribute("data-value")
        page.frame_locator("#report").locator("#tasks").wait_for()

        page.locator("#distances-box summary").click()
        page.get_by_label("Distance of X and Y").fill("0.2")
        page.get_by_label("Distance of X and Y").press("Enter")
        page.wait_for_function(
            "old => document.querySelector('[data-key=gamma] .value').dataset.value !== old",
            arg=first,
        )
        page.wait_for_selector(DONE)
        changed = gamma.get_attribute("data-value")
        assert page.locator(".moved").count() > 0
        assert "--distances distances.csv" in (page.locator("#command").text_content() or "")
        link = f"{server.url}/#{server.key}{page.url.partition('#')[2]}"

        with page.expect_download() as saved:
            page.get_by_role("button", name="JSON").click()
        assert saved.value.suggested_filename == "result.json"

        page.locator("#undo").click()
        page.wait_for_function(
            "old => document.querySelector('[data-key=gamma] .value').dataset.value === old",
            arg=first,
        )
        page.wait_for_selector(DONE)
        assert faults(page) == []
        assert opened.complaints == []
    with page_of(browser, link, width=390) as opened:
        page = opened.page
        page.wait_for_selector(DONE)
        assert page.locator("[data-key=gamma] .value").get_attribute("data-value") == changed
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert opened.complaints == []


def test_a_question_is_answered_by_a_click(
    browser: Browser, server: OpenServer, tmp_path: Path
) -> None:
    with page_with(browser, server, tmp_path / "talk.TextGrid", GRID) as opened:
        page = opened.page
        page.get_by_text("2 annotators: ann, ben").wait_for()
        assert page.locator("#undo").is_hidden()
        assert page.locator("#fields input[value=tier]").is_checked()
        assert faults(page) == []
        read = page.get_by_role("button", name="Read the files")
        page.locator("#fields input[type=text]").fill("no such thing")
        read.click()
        page.get_by_role("alert").get_by_text("no such thing").wait_for()
        assert page.locator("#fields input[type=text]").input_value() == "no such thing"
        page.locator("#fields input[value=tier]").check()
        read.click()
        page.wait_for_selector(DONE)
        assert page.locator("#alert").text_content() == ""
        assert "--annotator-from tier" in (page.locator("#command").text_content() or "")


def test_what_no_span_means_has_to_be_said_and_is_a_setting_then(
    browser: Browser, server: OpenServer, tmp_path: Path
) -> None:
    first, later = tmp_path / "rows.csv", tmp_path / "later.csv"
    first.write_text(f"{ROWS}d3,ann,X,1,5\n", encoding="utf-8")
    later.write_text(f"{ROWS}d4,ann,X,1,5\n", encoding="utf-8")
    with page_of(browser, f"{server.url}/#{server.key}", width=390) as opened:
        page = opened.page
        page.set_input_files("#files", first)
        read = page.get_by_role("button", name="Read the files")
        read.click()
        assert page.locator("#fields :checked").count() == 0
        assert page.locator("#fields :invalid").count() > 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert faults(page) == []
        page.get_by_label("they never saw the task").check()
        read.click()
        page.wait_for_selector(DONE)
        assert "--empty unseen" in (page.locator("#command").text_content() or "")
        page.get_by_text("Reading", exact=True).click()
        assert page.locator("#empty").input_value() == "unseen"
        page.get_by_role("button", name="Change answers").click()
        page.get_by_label("found nothing to mark").check()
        read.click()
        page.wait_for_selector(DONE)
        assert page.locator("#empty").input_value() == "seen"
        page.get_by_label("Files of the later round").set_input_files(later)
        page.wait_for_selector("body[data-rounds=done]")
        assert opened.complaints == []


def test_a_weight_outside_its_slider_is_written_as_a_number(
    browser: Browser, server: OpenServer, tmp_path: Path
) -> None:
    with page_with(browser, server, tmp_path / "rows.csv", ROWS) as opened:
        page = opened.page
        page.wait_for_selector(DONE)
        field, slider = page.get_by_label("α as a number"), page.locator("#alpha")
        field.fill("-1")
        field.press("Enter")
        assert "--alpha" not in (page.locator("#command").text_content() or "")
        field.fill("0.25")
        field.press("Enter")
        page.locator("#command", has_text="--alpha 0.25").wait_for()
        assert slider.input_value() == slider.get_attribute("min")
        page.wait_for_selector(DONE)
        slider.fill("2")
        page.locator("#command", has_text="--alpha 2").wait_for()
        assert field.input_value() == "2"
        page.locator("#undo").click()
        page.locator("#command", has_text="--alpha 0.25").wait_for()
        assert field.input_value() == "0.25"
        assert opened.complaints == []


UNCLEAR = "set,p,q,kind\nann,1,5,X\nben,1,6,X\nann,8,12,Y\nben,8,12,X\n"


def test_columns_that_nobody_can_guess_are_chosen_by_clicks(
    browser: Browser, server: OpenServer, tmp_path: Path
) -> None:
    with page_with(browser, server, tmp_path / "rows.csv", UNCLEAR) as opened:
        page = opened.page
        read = page.get_by_role("button", name="Read the files")
        read.click()
        assert page.locator("#ask").is_visible(), "nothing is chosen yet"
        for question, column in {
            "Which column has the start of a span?": "p",
            "Which column has the end of a span?": "q",
            "Where are the labels?": "kind",
            "Who is the annotator?": "set",
        }.items():
            group = page.get_by_role("group", name=question)
            assert group.get_by_role("radio", checked=True).count() == 0
            group.locator(f"input[value={column}]").check()
        assert faults(page) == []
        read.click()
        page.wait_for_selector(DONE)
        assert "1 task, 2 annotators, 4 units, 2 labels" in (
            page.locator("#taken").text_content() or ""
        )
        assert opened.complaints == []


def test_files_of_one_annotator_show_a_sentence_and_no_empty_results(
    browser: Browser, server: OpenServer, tmp_path: Path
) -> None:
    with page_with(browser, server, tmp_path / "talk.TextGrid", GRID, width=390) as opened:
        page = opened.page
        read = page.get_by_role("button", name="Read the files")
        page.locator("#fields input[value=file]").check()
        read.click()
        alert = page.get_by_role("alert")
        alert.get_by_text("agreement needs a task with two annotators").wait_for()
        assert (alert.text_content() or "").endswith(".")
        for part in ("#results", "#downloads", "#bottom"):
            assert page.locator(part).is_hidden()
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("button", name="Change answers").click()
        read.click()
        page.wait_for_selector(DONE)
        assert page.locator("#downloads").is_visible()
        page.locator("#alpha").scroll_into_view_if_needed()
        page.evaluate("scrollTo(0, 0)")
        page.get_by_role("button", name="Settings").click()
        page.wait_for_function(
            "document.querySelector('aside').getBoundingClientRect().top < innerHeight / 2"
        )


def test_a_hostile_file_is_a_sentence_and_the_page_goes_on(
    browser: Browser, server: OpenServer, tmp_path: Path
) -> None:
    bad, good = tmp_path / "<img src=x>.json", tmp_path / "rows.csv"
    bad.write_bytes(b"\x00\x01 nothing")
    good.write_text(ROWS, encoding="utf-8")
    with page_of(browser, f"{server.url}/#{server.key}") as opened:
        page = opened.page
        page.set_input_files("#files", bad)
        page.get_by_role("alert").get_by_text("no format recognises this").wait_for()
        assert page.locator("#alert img").count() == 0
        page.set_input_files("#files", good)
        page.wait_for_selector(DONE)
        assert page.locator("#alert").text_content() == ""


def test_labels_and_tasks_are_left_out_by_check_boxes(
    browser: Browser, server: OpenServer, tmp_path: Path
) -> None:
    rows = "".join(f"t{n},{who},X,1,5\n" for n in range(15) for who in ("ann", "ben"))
    file = tmp_path / "rows.csv"
    file.write_text(ROWS + rows, encoding="utf-8")
    with page_of(browser, f"{server.url}/#{server.key}") as opened:
        page = opened.page
        command = page.locator("#command")
        page.set_input_files("#files", file)
        page.wait_for_selector(DONE)
        page.locator("summary:has(#labels-out)").click()
        page.get_by_role("group", name="Labels that count").get_by_label("Z").uncheck()
        page.locator("#command", has_text="--exclude-label Z").wait_for()
        page.wait_for_selector(DONE)
        page.locator("summary:has(#tasks-out)").click()
        page.get_by_label("Filter the tasks").fill("t1")
        tasks = page.get_by_role("group", name="Tasks that count")
        assert tasks.get_by_role("checkbox").count() == 6
        page.locator("#task-list").get_by_role("button", name="Check none").click()
        page.locator("#command", has_text="--exclude-task t14").wait_for()
        page.wait_for_selector(DONE)
        assert (command.text_content() or "").count("--exclude-task") == 6
        assert page.locator("#tasks-out").text_content() == " (6 left out)"
        assert faults(page) == []
        page.locator("#undo").click()
        page.locator("#undo").click()
        page.wait_for_function(
            "() => !document.querySelector('#command').textContent.includes('--exclude')"
        )
        page.get_by_label("Filter the tasks").fill("")
        assert tasks.get_by_role("checkbox", checked=True).count() == 17
        assert opened.complaints == []


def test_thousands_of_tasks_are_left_out_at_once(
    browser: Browser, server: OpenServer, tmp_path: Path
) -> None:
    names = [f"{'folder/' * 6}document-{n}" for n in range(2500)]
    rows = "".join(f"{name},{who},X,1,5\n" for name in names for who in ("ann", "ben"))
    with page_with(browser, server, tmp_path / "rows.csv", ROWS + rows) as opened:
        page = opened.page
        page.wait_for_selector(DONE)
        page.locator("summary:has(#tasks-out)").click()
        page.get_by_label("Filter the tasks").fill("document")
        page.locator("#task-list").get_by_role("button", name="Check none").click()
        page.locator("#command", has_text="document-2499").wait_for()
        page.wait_for_selector(DONE)
        figure = page.locator("[data-key=gamma] .value").get_attribute("data-value")
        # The address holds them all.
        page.reload()
        page.locator("#tasks-out", has_text="(2500 left out)").wait_for(state="attached")
        page.wait_for_selector(DONE)
        again = page.locator("[data-key=gamma] .value").get_attribute("data-value")
        assert (again, opened.complaints) == (figure, [])


def test_an_export_that_is_written_again_is_read_again_by_itself(
    browser: Browser, tmp_path: Path
) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    file = folder / "rows.csv"
    file.write_text(ROWS, encoding="utf-8")
    with (
        OpenServer(tmp_path, folder) as watched,
        page_of(browser, f"{watched.url}/#{watched.key}") as opened,
    ):
        page = opened.page
        page.wait_for_selector(DONE)
        first = page.locator("[data-key=gamma] .value").get_attribute("data-value")
        file.write_text(ROWS.replace("d2,ben,Y", "d2,ben,X"), encoding="utf-8")
        page.wait_for_function(
            "old => document.querySelector('[data-key=gamma] .value').dataset.value !== old",
            arg=first,
        )
        page.wait_for_selector(DONE)
        file.write_text(f"{ROWS}d3,ann,X,1,5\nd3,ben,X,1,5\n", encoding="utf-8")
        page.locator("#taken", has_text="3 tasks").wait_for()
        page.wait_for_selector(DONE)
        file.write_text("half of a header", encoding="utf-8")
        page.locator("#ask").wait_for()
        file.write_text(ROWS, encoding="utf-8")
        page.locator("#taken", has_text="2 tasks").wait_for()
        page.wait_for_selector(DONE)
        assert page.locator("[data-key=gamma] .value").get_attribute("data-value") == first
        assert page.locator("#alert").text_content() == ""


AT_ONCE = """() => {
  const change = (selector, name, value) => {
    const found = document.querySelector(selector);
    found[name] = value;
    found.dispatchEvent(new Event("input", { bubbles: true }));
  };
  change("#join_touching", "checked", true);
  change("#alpha", "value", "2");
}"""
OTHER_COLUMNS = "doc,worker,code,from,to\nd1,ann,X,1,5\nd1,ben,Y,1,5\nd2,ann,X,3,9\nd2,ben,X,3,9\n"


def test_changes_at_once_all_count_and_a_later_round_may_have_other_columns(
    browser: Browser, server: OpenServer, tmp_path: Path
) -> None:
    first, later = tmp_path / "rows.csv", tmp_path / "later.csv"
    first.write_text(f"{ROWS}d2,ben,Y,9,11\n", encoding="utf-8")
    later.write_text(OTHER_COLUMNS, encoding="utf-8")
    with page_of(browser, f"{server.url}/#{server.key}") as opened:
        page = opened.page
        page.set_input_files("#files", first)
        page.wait_for_selector(DONE)
        page.locator("#taken", has_text="7 units").wait_for()
        page.evaluate(AT_ONCE)
        page.locator("#command", has_text="--alpha 2").wait_for()
        assert "--join-touching" in (page.locator("#command").text_content() or "")
        page.locator("#taken", has_text="6 units").wait_for()
        page.wait_for_selector(DONE)

        page.get_by_label("Files of the later round").set_input_files(later)
        page.wait_for_selector("body[data-rounds=asked]")
        assert faults(page) == []
        page.get_by_role("button", name="Read the later round").click()
        page.wait_for_selector("body[data-rounds=done]")
        assert page.locator("#rounds-questions").is_hidden()
        assert "2 shared tasks" in (page.locator("#rounds-said").text_content() or "")
        assert opened.complaints == []


DROP = """([target, name, text]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], name));
  const event = { dataTransfer: carried, bubbles: true, cancelable: true };
  document.querySelector(target).dispatchEvent(new DragEvent("drop", event));
}"""


def test_a_later_round_is_compared_and_follows_the_settings(
    browser: Browser, server: OpenServer, tmp_path: Path
) -> None:
    names = "round1.json", "round2.json"
    first, second = (files("goldspan.plugin").joinpath("demo", name) for name in names)
    bad = tmp_path / "bad.json"
    bad.write_text("[1, 2]", encoding="utf-8")
    with page_of(browser, f"{server.url}/#{server.key}") as opened:
        page = opened.page
        page.set_input_files("#files", str(first))
        page.wait_for_selector(DONE)
        page.get_by_label("Files of the later round").set_input_files(bad)
        page.wait_for_selector("body[data-rounds=refused]")
        assert "no format recognises this" in (page.locator("#rounds-said").text_content() or "")
        assert page.locator("#rounds").is_hidden()

        page.evaluate(DROP, ["#later h2", names[1], second.read_text(encoding="utf-8")])
        page.wait_for_selector("body[data-rounds=done]")
        assert page.locator("#rounds tr").first.locator("th").all_text_contents()[1:3] == [
            "round1", "round2",
        ]  # fmt: skip
        cells = page.locator("[data-change=γ] td")
        old, new, difference = (
            float(cells.nth(n).get_attribute("data-value") or "") for n in range(3)
        )
        assert difference == new - old
        assert " to " in (cells.nth(3).text_content() or "")
        assert "10 shared tasks" in (page.locator("#rounds-said").text_content() or "")
        assert faults(page) == []

        page.locator("#plan-box summary").click()
        page.get_by_label("Intervals of ±").fill("0.1")
        page.get_by_role("button", name="Plan", exact=True).click()
        page.wait_for_selector("body[data-plan=done]")
        assert page.locator("#plan-tables table").count() == 2
        assert "goldspan plan round1.json" in (page.locator("#plan-command").text_content() or "")
        page.locator("#alignment-box summary").click()
        page.locator("#alignment .unit").first.wait_for()
        page.evaluate("document.querySelectorAll('details').forEach((box) => { box.open = true; })")
        for width in (390, 1280, 3840):
            page.set_viewport_size({"width": width, "height": 900})
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                assert faults(page) == [], (width, scheme)

        page.locator("#alpha").fill("3")
        page.wait_for_selector("body[data-rounds=waiting]")
        assert page.locator("#plan-shown").is_hidden()
        page.wait_for_selector("body[data-rounds=done]")
        assert cells.nth(0).get_attribute("data-value") != str(old)
        with page.expect_popup() as shown:
            page.get_by_role("link", name="Open the whole comparison").click()
        shown.value.get_by_role("heading", name="round1 → round2").first.wait_for()
        page.wait_for_selector(DONE)
        page.get_by_role("button", name="Close").click()
        assert page.locator("#rounds-box").is_hidden()
        assert [one for one in opened.complaints if "422" not in one] == []
