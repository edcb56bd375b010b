"""Keys on the page of `goldspan adjudicate`: 50,000 characters, 5 annotators, 400 spans each.

    python -m benchmarks.adjudicate_keys [--keys 300]

Each key is timed in the browser, from the time of its keydown event until the frame has been drawn
in which the key shows: the next place, or the draft that it changed. A decision is shown as done
when it is on the disk; that time is printed apart. On a busy machine these times are mostly
waiting, so the CPU time a key of the page's process and of the server is printed too, with all
that they do after the frame: storing, and asking for what may come next. Timing a key takes CPU
time of the page, too; what it takes with a key that does nothing is printed beside it.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from adjudicate_server import AdjudicateServer
from adjudication_pages import long_text
from adjudication_window import page_of
from browser import chromium

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

ROUND = ("a", "r", "e", "Shift+R", "Escape", "Digit1", "j", "k", "d", "s", "a", "z")
"""Decisions, boundaries, and steps, in a round."""

NOTHING = "Shift"
"""A key that does nothing by itself."""

PAUSE_MS = 200
"""Between keys; the page takes no decision within 150 ms after a new place appeared."""

MOVES = frozenset(("a", "Digit1", "d", "s", "z", "j", "k"))
"""Keys after which another place stands on the screen, or the same one again."""

TIMED = """() => {
  window.times = [];
  window.storedTimes = [];
  const main = document.querySelector('#main');
  const readings = document.querySelector('#readings');
  window.timed = (moves) => new Promise((done) => {
    const shown = () => moves ? main.dataset.since : readings.textContent;
    addEventListener('keydown', (event) => {
      const before = shown();
      const look = () => {
        if (moves !== null && shown() === before && performance.now() - event.timeStamp < 5000) {
          requestAnimationFrame(look);
          return;
        }
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          times.push(performance.now() - event.timeStamp);
          done(null);
          const saved = document.querySelector('#saved');
          const ended = () => {
            if (saved.dataset.storing === 'true') setTimeout(ended, 2);
            else if (moves) storedTimes.push(performance.now() - event.timeStamp);
          };
          ended();
        };
        channel.port2.postMessage(null);
      };
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  });
}"""


STORED = """() => document.querySelector('#saved').dataset.storing !== 'true'"""


def page_seconds(session: CDPSession) -> float:
    """The CPU time that the processes of pages have used so far."""
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return float(sum(one["cpuTime"] for one in found if one["type"] == "renderer"))


def press(page: Page, key: str) -> None:
    """One key, and what it changes on the screen, if it does."""
    page.wait_for_timeout(PAUSE_MS)
    page.wait_for_function(STORED)
    moves = None if key == NOTHING else key in MOVES
    page.evaluate("moves => { window.pending = timed(moves) }", moves)
    page.keyboard.press(key)
    page.evaluate("() => window.pending")


def at(values: Iterable[float], part: float) -> float:
    """A quantile."""
    ordered = sorted(values)
    return ordered[round(part * (len(ordered) - 1))]


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
            session = browser.new_browser_cdp_session()
            timing = page_seconds(session)
            for _ in range(args.keys // 4):
                press(page, NOTHING)
            timing = page_seconds(session) - timing
            page.evaluate("() => times.splice(0)")
            drawing, serving = page_seconds(session), cpu_seconds(server.pid)
            for key in itertools.islice(itertools.cycle(ROUND), args.keys):
                press(page, key)
            page.wait_for_function(STORED)
            drawing = page_seconds(session) - drawing
            serving = cpu_seconds(server.pid) - serving
            times, stored = page.evaluate("() => [times, storedTimes]")
            heap = page.evaluate("() => performance.memory.usedJSHeapSize") / 1e6
            elements = page.locator("*").count()
    for place, key in enumerate(ROUND):
        own = times[place :: len(ROUND)]
        print(f"  {key}: median {at(own, 0.5):.0f} ms, most {max(own):.0f} ms")
    print(
        f"{len(times)} keys on 50,000 characters × 5 annotators × 400 spans: "
        f"p50 {at(times, 0.5):.0f} ms, p95 {at(times, 0.95):.0f} ms, most {max(times):.0f} ms; "
        f"stored p50 {at(stored, 0.5):.0f} ms, p95 {at(stored, 0.95):.0f} ms; "
        f"load {os.getloadavg()[0]:.1f}"
    )
    print(
        f"CPU a key, with what follows it: page {1000 * drawing / len(times):.1f} ms "
        f"(of these, timing takes {1000 * timing / max(args.keys // 4, 1):.1f}), "
        f"server {1000 * serving / len(times):.1f} ms; "
        f"{elements} elements, {heap:.0f} MB of JavaScript"
    )
    return 0


def cpu_seconds(pid: int) -> float:
    """What a process has used so far (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
