"""Label Studio's own pages in a real browser, as a person sees them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from browser import playwright
from label_studio_api import Person

PATIENCE = 120_000
"""Milliseconds: the pages are large, and machines that test are small."""


class Pages:
    """A person's window on a Label Studio."""

    def __init__(self, url: str, page: playwright.Page) -> None:
        self.url = url
        self.page = page
        page.set_default_timeout(PATIENCE)

    def log_in(self, person: Person) -> None:
        """By the form."""
        assert person.password is not None, f"{person.email} cannot log in"
        self.page.goto(f"{self.url}/user/login/")
        self.page.fill("input[name=email]", person.email)
        self.page.fill("input[name=password]", person.password)
        self.page.click("button[type=submit]")
        self.page.wait_for_url(lambda url: "/user/login" not in url)

    def open_tab(self, project: int, title: str) -> None:
        """The Data Manager, with the tab of this title in front, once it shows a task."""
        self.page.goto(f"{self.url}/projects/{project}/data")
        self.page.get_by_role("tab", name=title).click()
        self.page.wait_for_load_state("networkidle")
        self.page.get_by_test_id("table-row").first.wait_for()

    def rows(self) -> list[dict[str, str]]:
        """The tasks that a tab shows, in its order: what stands under each heading."""
        table = self.page.locator(".lsf-table")
        names = [text.split("\n")[0] for text in table.locator(".lsf-th").all_inner_texts()]
        rows = [
            row.locator(".lsf-table__cell").all_inner_texts()
            for row in table.get_by_test_id("table-row").all()
        ]
        return [
            {name: cell.strip() for name, cell in zip(names, row, strict=True) if name}
            for row in rows
        ]

    def connect_model(self, project: int, name: str, address: str) -> None:
        """Settings > Model > Connect Model, without authentication; waits for “Connected”."""
        self.page.goto(f"{self.url}/projects/{project}/settings/ml")
        self.page.get_by_text("Connect Model").first.click()
        self.page.fill("input[name=title]", name)
        self.page.fill("input[name=url]", address)
        self.page.get_by_text("Validate and Save").click()
        self.page.get_by_text("Connected", exact=True).wait_for()

    def retrieve_predictions(self, project: int) -> None:
        """Data Manager: all tasks, Actions > Retrieve Predictions, and until it is done."""
        self.page.goto(f"{self.url}/projects/{project}/data")
        self.page.get_by_test_id("table-row").first.wait_for()
        self.page.wait_for_load_state("networkidle")
        self.page.locator(".lsf-table__select-all input").check(force=True)
        self.page.get_by_label("Tasks Actions").click()
        self.page.get_by_text("Retrieve Predictions").click()
        with self.page.expect_response(_acted) as done:
            self.page.get_by_test_id("dialog-ok-button").click()
        assert done.value.ok

    def open_task(self, project: int, task: int) -> None:
        """A task, on the page to annotate it."""
        self.page.goto(f"{self.url}/projects/{project}/data?task={task}")
        self.page.locator(".lsf-annotation-button").first.wait_for()
        self.page.wait_for_load_state("networkidle")

    def annotations(self) -> list[str]:
        """Whose work a task shows: people's and models' names, in the order of the page."""
        return self.page.locator(".lsf-annotation-button__name").all_inner_texts()

    def open_annotation(self, name: str) -> None:
        """The work of one of them."""
        self.page.locator(".lsf-annotation-button__name", has_text=name).first.click()
        self.page.mouse.move(700, 700)
        self.page.wait_for_load_state("networkidle")

    def highlights(self) -> list[tuple[str, str]]:
        """The label and the words of each span that is drawn on a text, in order."""
        drawn = self.page.locator(".htx-highlight").all()
        return [
            (str(one.get_attribute("data-label")).split(":")[-1], one.inner_text()) for one in drawn
        ]

    def regions(self) -> list[str]:
        """The list beside the text: label, words and score of each region."""
        return [
            " ".join(text.split())
            for text in self.page.locator(".lsf-outliner-item__title").all_inner_texts()
        ]


def _acted(answer: playwright.Response) -> bool:
    return "/api/dm/actions" in answer.url and answer.request.method == "POST"


@contextmanager
def pages(browser: playwright.Browser, url: str) -> Iterator[Pages]:
    """A fresh window in which nobody has logged in."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    try:
        yield Pages(url, context.new_page())
    finally:
        context.close()
