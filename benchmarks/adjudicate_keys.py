"""Keys on the page of `goldspan adjudicate`: 50,000 characters, 5 annotators, 400 spans each.

    python -m benchmarks.adjudicate_keys [--keys 300]

Each key is timed in the browser, from the time of its keydown event until the frame after it has
been drawn. An answer is on the disk before the page shows the next place, so that is in the time.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from adjudicate_server import AdjudicateServer
from adjudication_pages import long_text
from adjudication_window import page_of
from browser import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROUND = ("a", "r", "e", "Shift+R", "Escape", "Digit1", "j", "k", "d", "s", "a", "z")
"""Decisions, boundaries, and steps, in a round."""

MOVES = frozenset(("a", "Digit1", "d", "s", "z", "j", "k"))
"""Keys after which another place stands on the screen, or the same one again."""

TIMED = """() => {
  window.times = [];
  const main = document.querySelector('#main');
  const readings = document.querySelector('#readings');
  window.timed = (moves) => new Promise((done) => {
    const shown = () => moves ? main.dataset.since : readings.textContent;
    addEventListener('keydown', (event) => {
      const before = shown();
      const look = () => {
        if (shown() === before && performance.now() - event.timeStamp < 5000) {
          requestAnimationFrame(look);
          return;
        }
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          times.push(performance.now() - event.timeStamp);
          done(null);
        };
        channel.port2.postMessage(null);
      };
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  });
}"""


def press(page: Page, key: str) -> None:
    """One key, and what it changes on the screen."""
    page.wait_for_timeout(200)
    page.evaluate("moves => { window.pending = timed(moves) }", key in MOVES)
    page.keyboard.press(key)
    page.evaluate("() => window.pending")


def main() -> int:
    """Measure and print; 0 when done."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adjudicate_keys")
    parser.add_argument("--keys", type=int, default=300)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = str(long_text(folder))
        server = AdjudicateServer(folder / "gold.csv", source, "--to", "csv", "--show-suggestions")
        with server, chromium() as browser, page_of(browser, server, width=1440) as opened:
            page = opened.page
            # All places of the text, also those on which everybody agrees: enough for every key.
            page.locator("#filter-state").select_option("all")
            page.locator("#queue-total", has_text="(4").wait_for()
            page.evaluate(TIMED)
            for key in itertools.islice(itertools.cycle(ROUND), args.keys):
                press(page, key)
            each = page.evaluate("() => times")
            times = sorted(each)
            heap = page.evaluate("() => performance.memory.usedJSHeapSize") / 1e6
            elements = page.locator("*").count()
    at = [times[round(part * (len(times) - 1))] for part in (0.5, 0.95, 1.0)]
    for place, key in enumerate(ROUND):
        own = sorted(each[place :: len(ROUND)])
        print(f"  {key}: median {own[len(own) // 2]:.0f} ms, most {own[-1]:.0f} ms")
    print(
        f"{len(times)} keys on 50,000 characters × 5 annotators × 400 spans: "
        f"p50 {at[0]:.0f} ms, p95 {at[1]:.0f} ms, most {at[2]:.0f} ms; "
        f"{elements} elements, {heap:.0f} MB of JavaScript"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
