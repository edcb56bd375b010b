"""Formats on the page of `goldspan open`: from files, a folder or a zip file to a report.

Nothing is typed.
"""

from __future__ import annotations

import json
import shlex
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from adapters.test_catma import collection
from browser import chromium
from goldspan.adapters import registry, write
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from goldspan.plugin.cli import main
from goldspan.plugin.open.data import FOLDER
from open_server import OpenServer
from plugin.open.test_open_page import DONE, page_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from browser import Window

BY_HAND = Path(__file__).parents[2] / "fuzz" / "by_hand"
TEXT = "Anna Smith met Bob in Paris . Then Bob went home ."
SEEN = {"ann": Presence.DONE, "bob": Presence.DONE}
WORDS = (
    Unit("ann", 0, 10, "PER"), Unit("bob", 0, 4, "PER"),
    Unit("ann", 22, 27, "LOC"), Unit("bob", 22, 27, "LOC"),
)  # fmt: skip
TEXTS = Corpus(
    (Continuum("doc1", WORDS, SEEN, text=TEXT), Continuum("doc2", WORDS, SEEN, text=f"{TEXT} Yes"))
)
SOUNDS = (
    Unit("ann", 0, 1000, "speech"), Unit("bob", 250, 1000, "speech"),
    Unit("ann", 1500, 2000, "noise"), Unit("bob", 1500, 2200, "noise"),
)  # fmt: skip
LATER = tuple(replace(unit, start=unit.start + 700, end=unit.end + 700) for unit in SOUNDS)
TURNS = Corpus(
    tuple(
        Continuum(name, units, SEEN, 3000, Measure.MILLISECOND, media=f"{name}.wav")
        for name, units in (("rec1", SOUNDS), ("rec2", LATER))
    )
)
MARKS = {
    "ann": [("X", [(0, 10)]), ("Y", [(15, 18)]), ("X", [(22, 27)]), ("Y", [(35, 38)])],
    "bob": [("X", [(0, 4)]), ("Y", [(15, 18)]), ("Y", [(22, 27)]), ("Y", [(35, 38)])],
}
SMALL = "2 tasks, 2 annotators, 8 units, 2 labels"
AS_ONE = None
"""All that is in the folder, dropped together: without folders its files do not say enough."""


@dataclass(frozen=True)
class Given:
    """How the files of a format lie.

    file     what the corpus is written to
    corpus   what is written; None if the files are not written by goldspan
    loose    the parts of a path that a file has in its name, where it is dropped without folders
    answers  the answers that the form has to suggest; nothing is asked if there are none
    """

    file: str
    corpus: Corpus | None = TEXTS
    loose: str | None = "{name}"
    holds: str = SMALL
    answers: dict[str, str] = field(default_factory=dict)


FORMATS = {
    "brat": Given("project", loose="{stem}_{parent}{suffix}"),
    "catma": Given("Story", None, holds="1 task, 2 annotators, 8 units, 2 labels"),
    "conll": Given("rows.conll"),
    "csv": Given("rows.csv"),
    "doccano": Given("project"),
    "elan": Given("project", TURNS),
    "glozz": Given("project", loose="{stem}_{parent}{suffix}"),
    "huggingface": Given("rows.parquet"),
    "inception": Given("project", loose=AS_ONE),
    "label-studio": Given("export.json"),
    "potato": Given("potato-two_users", None, AS_ONE, "3 tasks, 2 annotators, 6 units, 2 labels"),
    "prodigy": Given("rows.jsonl"),
    "rttm": Given("project", TURNS),
    "spacy": Given("docs.spacy"),
    "textgrid": Given("project", TURNS, answers={"--annotator-from": "tier"}),
}
SHARED = ("annotation.conf",)
"""Files of a whole project, whose names stay."""

PRECISION = "0.1"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenServer]:
    with OpenServer(tmp_path_factory.mktemp("open")) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def dropping(browser: Browser, server: OpenServer) -> Iterator[Dropping]:
    """One page for all formats, with a low precision: the settings stay where files change."""
    packed = urlsafe_b64encode(json.dumps({"precision": float(PRECISION)}).encode()).decode()
    with page_of(browser, f"{server.url}/#{server.key}&s={packed.rstrip('=')}") as opened:
        yield Dropping(opened)


class Dropping:
    """A page on which things are dropped as from a file manager."""

    def __init__(self, opened: Window) -> None:
        self.page = opened.page
        self.complaints = opened.complaints
        self._line = self.page.context.new_cdp_session(self.page)

    def drop(self, paths: Sequence[Path]) -> None:
        """Drop files and folders of this machine."""
        held = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            event = {"type": kind, "x": 300, "y": 300, "data": held}
            self._line.send("Input.dispatchDragEvent", event)


def laid(name: str, folder: Path) -> Path:
    """A folder with the files of a format."""
    given = FORMATS[name]
    folder = folder / "annotations"
    if name == "catma":
        place = folder / given.file / "annotationcollections"
        place.mkdir(parents=True)
        (place.parent / f"{given.file}.txt").write_text(TEXT, encoding="utf-8")
        for who, marks in MARKS.items():
            made = collection(who, marks, len(TEXT))
            (place / f"{who}.xml").write_text(made, encoding="utf-8")
        return folder
    if given.corpus is None:
        return BY_HAND / given.file / "in"
    write(given.corpus, folder / given.file, name)
    for table in folder.glob("*.assignments.csv"):
        table.unlink()  # a person who has no such table gives none
    return folder


def loose(folder: Path, into: Path, pattern: str | None) -> list[Path]:
    """The files without their folders, with names that say the same; or all that is in the
    folder.
    """
    if pattern is AS_ONE:
        inner = list(folder.iterdir())
        return list(inner[0].iterdir()) if len(inner) == 1 else inner
    into.mkdir()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        own = "{name}" if path.name in SHARED else pattern
        parts = {
            "name": path.name, "stem": path.stem, "suffix": path.suffix,
            "parent": path.parent.name,
        }  # fmt: skip
        place = into / own.format(**parts)
        assert not place.exists()
        place.write_bytes(path.read_bytes())
    return sorted(into.iterdir())


def archive(folder: Path, path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            made.write(file, file.relative_to(folder))
    return path


def finish(page: Page, answers: dict[str, str]) -> None:
    """Wait for the report; nothing may be refused, and a form needs one click."""
    page.wait_for_selector(f"{DONE}, #ask:visible, #alert:not(:empty)")
    assert page.locator("#alert").text_content() == ""
    assert page.locator("#ask").is_visible() == bool(answers)
    if answers:
        assert page.locator("#fields fieldset").count() == len(answers)
        page.get_by_role("button", name="Read the files").click()
        page.wait_for_selector(DONE)


def shown(page: Page) -> dict[str, str]:
    """Every figure of all labels: the value that is drawn, by its key."""
    boxes: list[Locator] = page.locator("#figures [data-key]").all()
    return {str(box.get_attribute("data-key")): drawn(box) for box in boxes}


def drawn(box: Locator) -> str:
    return box.locator(".value").text_content() or ""


def said(value: float | None) -> str:
    """A figure of a result as the page draws it."""
    return "–" if value is None else f"{value:.3f}".replace("-", "−")


def scored(words: list[str], to: Path) -> dict[str, Any]:
    """The figures of all tasks that a command gives."""
    assert main([*words, "--json", str(to), "--quiet"]) == 0
    found: dict[str, Any] = json.loads(to.read_text(encoding="utf-8"))["corpus"]
    return found


def test_every_format_that_can_be_read_is_dropped_here() -> None:
    assert set(FORMATS) == {one.name for one in registry.load_all()[0] if one.reads}


@pytest.mark.parametrize("name", FORMATS)
def test_files_a_folder_and_a_zip_file_become_the_same_report(
    dropping: Dropping, tmp_path: Path, name: str
) -> None:
    given = FORMATS[name]
    folder = laid(name, tmp_path)
    ways = {
        "files": loose(folder, tmp_path / "loose", given.loose),
        "zip": [archive(folder, tmp_path / "sent.zip")],
        "folder": [folder],
    }
    options = [word for pair in given.answers.items() for word in pair]
    words = ["score", str(folder), "--from", name, *options, "--precision", PRECISION]
    expected = scored(words, tmp_path / "result.json")
    page = dropping.page
    for way, paths in ways.items():
        dropping.drop(paths)
        finish(page, given.answers)
        taken = page.locator("#taken").text_content() or ""
        assert taken.endswith(f", read as {name}: {given.holds}"), (way, taken)
        assert shown(page)["gamma"] == said(expected["gamma"]["value"])
        own = page.locator("#command").text_content() or ""
        assert own.endswith(shlex.join([*options, "--seed", "0", "--precision", PRECISION])), own
        assert FOLDER not in own
        page.frame_locator("#report").locator("#tasks").wait_for()
        page.get_by_role("button", name="Other files").click()
    assert dropping.complaints == []


ROWS = """task,annotator,category,start,end
d1,ann,X,1,5
d1,ben,X,1,6
d1,cat,Y,2,6
d1,ann,Y,8,12
d1,ben,Z,9,12
d1,cat,Y,8,13
d2,ann,X,3,9
d2,ben,Y,3,9
d2,cat,X,3,8
d3,ann,Z,2,7
d3,ben,Z,2,7
d3,cat,X,3,8
"""


def press(page: Page, selector: str, *keys: str) -> None:
    for key in keys:
        page.locator(selector).press(key)


def change_ten(page: Page) -> None:
    """Ten changes in a row, without waiting for any figure."""
    for summary in page.locator("#settings summary").all():
        summary.click()
    press(page, "#alpha", "ArrowRight", "ArrowRight", "ArrowRight")
    press(page, "#beta", "ArrowLeft", "ArrowLeft")
    page.select_option("#chance", "statistical")
    page.select_option("#precision", "0.05")
    press(page, "#distances [data-at='0 1']", "ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    page.get_by_role("group", name="Tasks that count").get_by_label("d3").uncheck()
    page.locator("#annotators").get_by_label("cat").uncheck()
    page.locator("#coefficients input").first.check()
    page.select_option("#empty", "seen")
    page.locator("#join_touching").check()


def test_ten_changes_in_a_row_end_with_the_figures_of_the_command(
    browser: Browser, server: OpenServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_text(ROWS, encoding="utf-8")
    with page_of(browser, f"{server.url}/#{server.key}") as opened:
        page = opened.page
        page.set_input_files("#files", "rows.csv")
        page.wait_for_selector(DONE)
        before = shown(page)
        change_ten(page)
        page.locator("#command", has_text="--join-touching").wait_for()
        page.wait_for_selector(DONE)
        words = shlex.split(page.locator("#command").text_content() or "")
        for option, value in {
            "--alpha": "1.3", "--beta": "0.8", "--chance": "statistical", "--precision": "0.05",
            "--distances": "distances.csv", "--exclude-task": "d3", "--exclude-annotator": "cat",
            "--empty": "seen",
        }.items():  # fmt: skip
            assert words[words.index(option) + 1] == value
        with page.expect_download() as saved:
            page.get_by_role("button", name="Distances").click()
        saved.value.save_as("distances.csv")
        figures = scored(words[1:], Path("result.json"))
        expected = {key: figures[key] for key in ("gamma", "gamma_cat")} | figures["also"]
        found = shown(page)
        digits = {key: page.locator(f"[data-key='{key}'] .value").get_attribute("data-value")
                  for key in found}  # fmt: skip
        values = {key: float(value) for key, value in digits.items() if value is not None}
        assert values == {key: figure["value"] for key, figure in expected.items()
                          if figure["value"] is not None}  # fmt: skip
        assert len(expected) == 3
        assert found != before
        assert found == {key: said(figure["value"]) for key, figure in expected.items()}
        assert opened.complaints == []
