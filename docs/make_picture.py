"""Takes two pictures of the demo's report, beside this script.

report.png is its head and one task of it opened, alignment.png the drawing of that task.

make picture
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from browser import chromium, window
from goldspan.plugin.cli import main as goldspan

PICTURE = Path(__file__).with_name("report.png")
ALIGNMENT = Path(__file__).with_name("alignment.png")
WIDTH = 1240
TASK, NEXT = "cinema", "bridge"
"""The task that is opened, and the row at which the picture ends."""
LEFT_OUT = "#annotators, #kinds, #settings, #tasks > *:not(article), footer"
HIDE = "found => found.forEach(one => { one.style.display = 'none' })"
UNIT = "ORG “Elias Brandt plays”"
"""One that others call something else."""


def main() -> None:
    """Run the demo and take the pictures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "demo"
        goldspan(["demo", str(folder)])
        with chromium() as browser, window(browser, folder / "report.html", width=WIDTH) as opened:
            page = opened.page
            page.set_viewport_size({"width": WIDTH, "height": 2 * WIDTH})
            page.eval_on_selector_all(LEFT_OUT, HIDE)
            for other in page.locator("button.open[aria-expanded=true]").all():
                other.click()
            page.get_by_role("button", name=TASK).click()
            page.locator(f'.unit[aria-label*="{UNIT}"]').hover()
            end = page.locator("tr", has_text=NEXT).first.bounding_box()
            height = end["y"] if end else 2 * WIDTH
            page.screenshot(path=PICTURE, clip={"x": 0, "y": 0, "width": WIDTH, "height": height})
            page.mouse.move(0, 0)  # the box with the costs of a unit hides the bands behind it
            drawn = page.locator(".lanes:visible").first.bounding_box()
            if drawn:
                page.screenshot(path=ALIGNMENT, clip=drawn)


if __name__ == "__main__":
    main()
