"""Take the pictures of the walk-through, of a demo that is running and was not clicked through.

PYTHONPATH=tests python examples/label_studio/make_screenshots.py
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import httpx

from browser import chromium
from label_studio_api import LabelStudioApi
from label_studio_pages import Pages, pages
from label_studio_server import EMAIL, PASSWORD

HERE = Path(__file__).parent
SETTLING = 1500
"""Milliseconds for what moves on Label Studio's pages to come to rest."""


def main() -> None:
    """Write the pictures beside this file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="http://127.0.0.1:8080", help="of Label Studio")
    parser.add_argument("--service-url", default="http://127.0.0.1:9090", help="of goldspan")
    parser.add_argument("--project", type=int, default=1)
    args = parser.parse_args()
    with chromium() as browser, pages(browser, args.url) as window:
        window.page.set_viewport_size({"width": 1280, "height": 600})
        window.log_in(LabelStudioApi(args.url, EMAIL, PASSWORD).me)
        window.open_tab(args.project, "Default")
        _take(window, "columns")
        # All of goldspan's columns are visible in this tab from this width on.
        window.page.set_viewport_size({"width": 1440, "height": 600})
        window.open_tab(args.project, "Low agreement")
        _take(window, "low-agreement")
        window.page.set_viewport_size({"width": 1280, "height": 600})
        window.open_task(args.project, int(window.rows()[-1]["ID"]))
        window.open_annotation("goldspan")
        _take(window, "suggestion")
        _connect(window, args.project, args.service_url)
        window.page.goto(args.service_url)
        window.page.locator(".project").screenshot(path=HERE / "dashboard.png")
        window.page.get_by_role("link", name="dario").click()
        window.page.screenshot(path=HERE / "annotator.png", full_page=True)


def _connect(window: Pages, project: int, service: str) -> None:
    """The form under Settings > Model, filled in; the key in the address is not a real one."""
    found = re.search(r"http[^<]+/model/\w+", httpx.get(service, trust_env=False).text)
    address = re.sub(r"\w+$", "3f0c9a" + "…", found[0]) if found else ""
    window.page.set_viewport_size({"width": 1280, "height": 720})
    window.page.goto(f"{window.url}/projects/{project}/settings/ml")
    window.page.get_by_text("Connect Model").first.click()
    window.page.fill("input[name=title]", "goldspan")
    window.page.fill("input[name=url]", address)
    _take(window, "connect-model")


def _take(window: Pages, name: str) -> None:
    window.page.wait_for_timeout(SETTLING)
    window.page.screenshot(path=HERE / f"{name}.png")


if __name__ == "__main__":
    main()
