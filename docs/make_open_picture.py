"""Takes open.png beside this script: the page of `goldspan open` with the demo's first round, and
the alignment of a task.

make picture
"""

from __future__ import annotations

import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

from browser import chromium
from open_server import OpenServer

HERE = Path(__file__).parent
DONE = "body[data-stage=full]"


def main() -> None:
    """Start the command, change a setting, open a panel, and take the picture."""
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        round1 = Path(name) / "round1.json"
        shutil.copy(str(files("goldspan.plugin").joinpath("demo", "round1.json")), round1)
        with OpenServer(Path(name)) as server:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_default_timeout(120_000)
            page.goto(f"{server.url}/#{server.key}")
            page.wait_for_selector("body[data-ready=true]")
            page.set_input_files("#files", round1)
            page.wait_for_selector(DONE)
            page.locator("#alpha").fill("2")
            page.wait_for_selector("body:not([data-stage=full])")
            page.wait_for_selector(DONE)
            page.locator("#alignment-box summary").click()
            page.locator("#alignment .unit").first.wait_for()
            page.screenshot(path=HERE / "open.png")


if __name__ == "__main__":
    main()
