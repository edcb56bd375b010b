"""The alignment view of `goldspan open`: units explained by a click, and two settings compared."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from xml.etree import ElementTree

import pytest

from adjudication_window import faults
from browser import chromium
from goldspan.adapters import read
from goldspan.engine import Dissimilarity, best_alignment, best_alignment_without, score
from goldspan.plugin.cli import build_parser
from goldspan.plugin.report.paper.paragraph import paragraph
from open_server import OpenServer
from plugin.open.test_open_page import DONE, page_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROWS = """task,annotator,category,start,end
d1,ann,X,1,5
d1,ben,X,1,6
d1,cat,Y,2,6
d1,ann,Y,8,12
d1,ben,Z,9,12
d1,cat,Z,40,44
d2,ann,X,3,9
d2,ben,Y,3,9
d2,cat,Y,3,8
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("given") / "rows.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def server(table: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenServer]:
    with OpenServer(tmp_path_factory.mktemp("open"), table) as running:
        yield running


@pytest.mark.parametrize("weights", [(1.0, 1.0), (3.0, 0.5)])
def test_every_unitary_alignment_is_explained_to_the_last_digit(
    server: OpenServer, table: Path, weights: tuple[float, float]
) -> None:
    alpha, beta = weights
    state = {"data": "given", "alpha": alpha, "beta": beta}
    d = Dissimilarity(alpha, beta)
    continuum = read(table)["d1"]
    best = best_alignment(continuum, d)
    drawn = server.post("/api/task", state=state, task="d1").json()
    assert drawn["disorder"] == best.disorder
    assert len(drawn["drawn"]["costs"]) == len(best.unitary)
    for link, unitary in enumerate(best.unitary):
        why: dict[str, Any] = server.post("/api/unit", state=state, task="d1", link=link).json()
        assert [one["start"] for one in why["units"]] == [unit.start for unit in unitary.units]
        cost = sum(alpha * p["positional"] + beta * p["categorial"] for p in why["found"])
        assert (cost + why["empty"]) / why["pairs"] == pytest.approx(unitary.disorder)
        assert why["disorder"] == unitary.disorder
        other = best_alignment_without(continuum, unitary, d)
        assert other is not None
        assert why["alternative"]["disorder"] == other.disorder
        assert why["alternative"]["disorder"] >= why["total"]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ({"task": "none"}, "The task 'none' has no alignment"),
        ({"task": "d1", "link": 99}, "not here any more"),
    ],
)
def test_what_is_not_there_is_a_sentence(
    server: OpenServer, call: dict[str, Any], says: str
) -> None:
    answer = server.post("/api/unit" if "link" in call else "/api/task",
                         state={"data": "given"}, **call)  # fmt: skip
    assert answer.status_code in (404, 422)
    assert says in answer.json()["say"]


def begin(page: Page) -> None:
    page.wait_for_selector(DONE)
    page.locator("#alignment-box summary").press("Enter")
    page.locator("#alignment .unit").first.wait_for()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1440, "light"), (3840, "dark")])
def test_a_unit_is_explained_by_the_keyboard(
    browser: Browser, server: OpenServer, width: int, scheme: Literal["light", "dark"]
) -> None:
    with page_of(browser, f"{server.url}/#{server.key}", width, scheme) as opened:
        page = opened.page
        begin(page)
        assert page.locator("#alignment .unit").count() == 6
        first = page.get_by_role("button", name="ann: X 1–5")
        first.focus()
        first.press("ArrowDown")
        page.keyboard.press("Enter")
        panel = page.locator("#explained[data-link]")
        panel.wait_for()
        said = panel.text_content() or ""
        assert "ben: X 1–6" in said
        assert "α · position + β · label" in said
        assert "The next best alignment costs" in said
        assert page.get_by_role("button", name="ben: X 1–6").get_attribute("aria-pressed") == "true"
        page.get_by_role("button", name="cat: Z 40–44").click()
        panel.get_by_text("pairs with a missing unit").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert faults(page) == []
        page.locator("#task").select_option("d2")
        page.wait_for_selector("#alignment[data-task=d2]")
        assert page.locator("#explained").is_hidden()
        assert page.locator("#alignment .unit").count() == 3
        assert opened.complaints == []


def test_two_settings_stand_side_by_side(browser: Browser, server: OpenServer) -> None:
    with page_of(browser, f"{server.url}/#{server.key}") as opened:
        page = opened.page
        begin(page)
        value = page.locator("[data-key=gamma] .value")
        first = value.get_attribute("data-value")
        page.get_by_role("button", name="Keep as A").click()
        page.wait_for_selector("#alignment figure[data-setting=B]")
        page.locator("#alpha").fill("3")
        page.wait_for_function(
            "old => document.querySelector('[data-key=gamma] .value').dataset.value !== old",
            arg=first,
        )
        page.wait_for_selector(DONE)
        other = page.locator("[data-key=gamma] .other")
        assert other.get_attribute("data-value") == first
        now = float(value.get_attribute("data-value") or "nan")
        more = now - float(first or "nan")
        assert f"{abs(more):.3f}" in (other.text_content() or "")
        page.wait_for_function(
            "() => { const [a, b] = [...document.querySelectorAll('#alignment figcaption')]"
            ".map((one) => one.textContent); return a && b && a.slice(2) !== b.slice(2); }"
        )
        assert page.locator("#alignment .unit").count() == 12
        assert faults(page) == []
        page.get_by_role("button", name="Back to A").click()
        page.wait_for_function(
            "old => document.querySelector('[data-key=gamma] .value').dataset.value === old",
            arg=first,
        )
        page.wait_for_selector(DONE)
        page.get_by_role("button", name="Drop A").click()
        page.wait_for_selector("#alignment figure[data-setting=B]", state="detached")
        assert other.count() == 0
        assert opened.complaints == []


def test_a_paragraph_a_figure_and_a_command_are_there_to_take(
    browser: Browser, server: OpenServer, table: Path, tmp_path: Path
) -> None:
    with page_of(browser, f"{server.url}/#{server.key}") as opened:
        page = opened.page
        begin(page)
        with page.expect_download() as saved:
            page.get_by_role("button", name="Figure (SVG)").click()
        assert saved.value.suggested_filename == "alignment.svg"
        saved.value.save_as(tmp_path / "alignment.svg")
        drawn = ElementTree.parse(tmp_path / "alignment.svg").getroot()  # noqa: S314 - our own
        assert len(drawn.findall(".//{*}rect")) == 7
        assert {"ann", "ben", "cat"} <= {one.text for one in drawn.findall(".//{*}text")}
        page.locator("#paper-box summary").click()
        page.get_by_text("3 annotators marked 9 units in 2 tasks.").wait_for()
        shown = page.locator("#paragraph").text_content()
        assert shown == paragraph(score(read(table)))
        page.locator("#settle-box summary").click()
        words = shlex.split(page.locator("#adjudicate").text_content() or "")
        assert faults(page) == []
        assert opened.complaints == []
    assert words[:3] == ["goldspan", "adjudicate", str(table)]
    assert build_parser().parse_args(words[1:]).output == Path("gold.csv")
