"""Reports in a real browser: nothing breaks, nothing leaves, everything can be used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import chromium, window
from goldspan.engine import score
from goldspan.engine.comparison import Comparison, step
from goldspan.engine.gold.merging import merge
from goldspan.engine.model import Corpus
from goldspan.engine.wording import QUESTIONS
from goldspan.plugin.report.page import write_report
from goldspan.plugin.report.surroundings import Surroundings
from goldspan.plugin.report.trend import write_trend
from goldspan.plugin.rounds import read_round
from report_corpora import HOSTILE_LABEL, HOSTILE_NAME, HOSTILE_TEXT, hostile, recordings, texts


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


def write(folder: Path, corpus: Corpus) -> Path:
    result = score(corpus, precision=0.2)
    path = folder / "report.html"
    write_report(path, "a round", corpus, result, merge(corpus, result))
    return path


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus = texts(8)
    odd = corpus.continua[0].only(["ann", "bob"])
    mixed = Corpus((odd, *corpus.continua[1:]), scale=corpus.scale)
    return write(tmp_path_factory.mktemp("report"), mixed)


def shown(page: Any) -> list[str]:
    """The tasks in the list, from above."""
    return page.eval_on_selector_all(
        "tbody.task:not([hidden])", "rows => rows.map(row => row.dataset.id)"
    )


def column(page: Any, name: str) -> list[float]:
    return page.eval_on_selector_all(
        "tbody.task:not([hidden])", f"rows => rows.map(row => Number(row.dataset.{name}))"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_the_page_is_whole_and_asks_nobody(
    browser: Any, report: Path, width: int, scheme: str
) -> None:
    with window(browser, report, width=width, scheme=scheme) as opened:
        page = opened.page
        page.locator(".open").nth(1).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert opened.complaints == []
        assert [url for url in opened.asked if not url.startswith("data:")] == [report.as_uri()]


def test_a_cell_of_the_matrix_filters_the_tasks(browser: Any, report: Path) -> None:
    with window(browser, report) as opened:
        page = opened.page
        everything = shown(page)
        cell = page.locator("#pairs button", has_text=".").nth(1)  # ann and cyd
        cell.hover()
        assert "ann × cyd" in page.locator("#pair-said").inner_text()
        assert "units in 7 tasks" in page.locator("#pair-said").inner_text()
        cell.click()
        assert cell.get_attribute("aria-pressed") == "true"
        assert set(everything) - set(shown(page)) == {"doc0"}
        costs = page.locator("td.pair-cost:visible").all_inner_texts()
        assert costs == sorted(costs, key=float, reverse=True)
        page.locator("#pair-filter").click()
        assert shown(page) == everything


def test_sorting_and_filters(browser: Any, report: Path) -> None:
    with window(browser, report) as opened:
        page = opened.page
        assert column(page, "gamma") == sorted(column(page, "gamma"))
        page.locator("[data-sort=units]").click()
        assert column(page, "units") == sorted(column(page, "units"), reverse=True)
        page.locator("[data-sort=units]").click()
        assert column(page, "units") == sorted(column(page, "units"))
        page.locator("[data-sort=id]").click()
        assert shown(page) == [f"doc{k}" for k in range(8)]
        page.locator("#find").fill("DOC3")
        assert shown(page) == ["doc3"]
        assert page.locator("#shown").inner_text() == "1 of 1 shown, 8 in all"


def test_a_unit_shows_its_cost_to_mouse_and_keyboard(browser: Any, report: Path) -> None:
    with window(browser, report) as opened:
        page = opened.page
        units = page.locator(".unit[data-link]")
        assert units.count() > 5
        units.first.hover()
        tip = page.locator("#tip")
        tip.wait_for(state="visible")
        assert "Cost " in tip.inner_text()
        page.mouse.move(0, 0)
        assert tip.is_hidden()
        units.first.focus()
        before = tip.inner_text()
        page.keyboard.press("ArrowRight")
        page.mouse.wheel(0, 40)  # what is focused keeps its tip while the page moves
        page.wait_for_timeout(100)
        assert tip.is_visible()
        assert tip.inner_text() != before
        assert "Cost " in page.evaluate("document.activeElement.getAttribute('aria-label')")
        page.keyboard.press("Escape")
        assert tip.is_hidden()


def test_everything_can_be_reached_by_keyboard(browser: Any, report: Path) -> None:
    with window(browser, report) as opened:
        page = opened.page
        reached = set()
        for _ in range(120):
            page.keyboard.press("Tab")
            reached.add(page.evaluate(
                "(document.activeElement.className.baseVal ?? document.activeElement.className)"
                " + '#' + document.activeElement.id"
            ))  # fmt: skip
        for wanted in ("skip#", "#theme", "pair#", "#find", "#by-label", "#by-kind", "open#"):
            assert wanted in reached
        assert any(name.startswith("unit ") for name in reached)


def test_units_are_drawn_to_scale_and_linked(browser: Any, report: Path) -> None:
    with window(browser, report) as opened:
        page = opened.page
        number = page.locator("tbody.task.is-open").get_attribute("data-n")
        data = page.evaluate(f"JSON.parse(document.querySelector('#t{number}').textContent)")
        boxes = page.eval_on_selector_all(
            ".unit[data-link] rect",
            "all => all.map(r => [r.x.baseVal.value, r.width.baseVal.value])",
        )
        span = page.locator(".view svg").evaluate("svg => svg.width.baseVal.value") - 2
        length = data["to"] - data["from"]
        for (_, _, start, end, _, _), (x, width) in zip(data["units"], boxes, strict=True):
            assert x == pytest.approx(1 + start / length * span, abs=0.6)
            assert width == pytest.approx((end - start) / length * span, abs=0.6)
        linked = sum(max(0, sum(u[5] == k for u in data["units"]) - 1)
                     for k in range(len(data["costs"])))  # fmt: skip
        assert page.locator(".band").count() == linked > 0
        names = page.locator(".lanes .names span").all_inner_texts()
        assert names[-1] == "gold"
        assert "".join(page.locator(".text span").all_text_contents()) == data["text"]


def test_an_opened_task_lists_what_to_decide_and_links_to_its_page(
    browser: Any, tmp_path: Path
) -> None:
    corpus = texts(4)
    result = score(corpus, precision=0.2)
    gold = merge(corpus, result)
    there = Surroundings(
        "Desk", "http://desk.example/p", "http://desk.example/p?task={task}", "./",
        {"PER": "#123456", "LOC": "teal"},
    )  # fmt: skip
    write_report(tmp_path / "report.html", "a", corpus, result, gold, surroundings=there)
    with window(browser, tmp_path / "report.html") as opened:
        page = opened.page
        task = shown(page)[0]
        places = page.locator(".decide > ol > li")
        decisions = gold.decisions[task]
        assert places.count() == len(decisions)
        assert column(page, "decide")[0] == len(decisions)
        for place, decision in zip(places.all(), decisions, strict=True):
            said = place.inner_text()
            assert QUESTIONS[decision.question.value] in said
            for reading in decision.readings:
                assert f"{reading.category} “" in said
                assert ", ".join(reading.annotators) in said
        link = page.get_by_title(f"task {task} in Desk")
        assert link.get_attribute("href") == f"http://desk.example/p?task={task}"
        assert page.get_by_role("link", name="Dashboard").get_attribute("href") == "./"
        fills = page.eval_on_selector_all(
            ".labels .swatch", "all => all.map(one => getComputedStyle(one).backgroundColor)"
        )
        assert fills[0] == "rgb(18, 52, 86)"
        assert fills[2] == "rgb(0, 128, 128)"
        assert opened.complaints == []


def test_recordings_have_a_ruler_in_time(browser: Any, tmp_path: Path) -> None:
    with window(browser, write(tmp_path, recordings())) as opened:
        said = opened.page.locator(".view svg").text_content()
        assert "1:00" in said
        assert "9:00" in said
        assert opened.page.locator(".text").count() == 0
        assert opened.complaints == []


def test_hostile_data_shows_as_text(browser: Any, tmp_path: Path) -> None:
    with window(browser, write(tmp_path, hostile())) as opened:
        page = opened.page
        page.locator(".unit[data-link]").first.hover()
        assert page.evaluate("window.hit") is None
        assert page.locator("img").count() == 0
        assert HOSTILE_LABEL in page.locator("#tip").inner_text()
        assert HOSTILE_NAME in page.locator("#pairs").inner_text()
        assert page.locator(".text").first.text_content() == HOSTILE_TEXT * 2
        assert opened.complaints == []


@pytest.mark.parametrize("width", [1440, 390])
def test_the_trend_is_whole_and_asks_nobody(browser: Any, tmp_path: Path, width: int) -> None:
    rounds = []
    for name, seed in (("<b>one</b>", 1), ("two", 2), ("three", 3)):
        path = tmp_path / "round.json"
        found = score(texts(6, seed=seed), precision=0.2, pairs=False)
        path.write_text(json.dumps(found.as_json()), encoding="utf-8")
        rounds.append(read_round(path, name))
    steps = tuple(step(*couple) for couple in (rounds[:2], rounds[1:], rounds[::2]))
    page = tmp_path / "trend.html"
    write_trend(page, Comparison(tuple(rounds), steps))
    with window(browser, page, width=width, scheme="dark") as opened:
        assert opened.page.locator("polyline").first.is_visible()
        assert "<b>one</b> → three" in opened.page.locator("#changes").inner_text()
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
        assert opened.page.evaluate(CONTRAST) == []
        assert opened.complaints == []
        assert [url for url in opened.asked if not url.startswith("data:")] == [page.as_uri()]


CONTRAST = """
() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].map((v) => v / 255);
  };
  const light = ([r, g, b]) => [r, g, b]
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const ground = (element) => {
    const colour = rgba(getComputedStyle(element).backgroundColor);
    return colour[3] > 0.99 || !element.parentElement ? colour : ground(element.parentElement);
  };
  return [...document.querySelectorAll('main *, header *')]
    .filter((e) => e.checkVisibility() && !(e instanceof SVGElement)
      && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
    .map((e) => {
      const both = [light(rgba(getComputedStyle(e).color)), light(ground(e))];
      const ratio = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
      return [ratio, `${e.tagName}.${e.className} ${e.textContent.trim().slice(0, 30)}`];
    })
    .filter(([ratio]) => ratio < 4.5);
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_their_ground(browser: Any, report: Path, scheme: str) -> None:
    """WCAG AA: 4.5 to 1, for every text in either scheme and after switching by hand."""
    with window(browser, report, scheme=scheme) as opened:
        page = opened.page
        before = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert page.evaluate(CONTRAST) == []
        page.locator("#theme").click()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before
        assert page.evaluate(CONTRAST) == []
