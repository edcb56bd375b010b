"""Keys on the page of `goldspan adjudicate`: 50,000 characters, 5 annotators, 400 spans each.

    python -m benchmarks.adjudicate_keys [--keys 300]

Each key is timed in the browser, from the time of its keydown event until the frame has been drawn
in which the key shows: the next place, or the draft that it changed. A decision is shown as done
when it is on the disk; that time is printed apart. On a busy machine these times are mostly waiting,
so the CPU time of the page's main thread until the frame, and of the server for each key, is printed
too.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
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
        if (shown() === before && performance.now() - event.timeStamp < 5000) {
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


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a key took, in milliseconds: CPU of the page's main thread until its frame, by part."""

    key: str
    thread: float
    script: float
    layout: float
    style: float


class Meter:
    """CPU time of the page's main thread."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
        self._session.send("Performance.enable")

    def read(self) -> dict[str, float]:
        found = self._session.send("Performance.getMetrics")["metrics"]
        return {one["name"]: one["value"] * 1000 for one in found}


def press(page: Page, key: str, meter: Meter) -> Pressed:
    """One key, and what it changes on the screen."""
    page.wait_for_timeout(PAUSE_MS)
    page.wait_for_function(STORED)
    page.evaluate("moves => { window.pending = timed(moves) }", key in MOVES)
    before = meter.read()
    page.keyboard.press(key)
    page.evaluate("() => window.pending")
    after = meter.read()
    names = ("TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration")
    return Pressed(key, *(after[name] - before[name] for name in names))


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
            meter = Meter(page)
            spent = cpu_seconds(server.pid)
            pressed = [
                press(page, key, meter)
                for key in itertools.islice(itertools.cycle(ROUND), args.keys)
            ]
            page.wait_for_function(STORED)
            spent = cpu_seconds(server.pid) - spent
            times, stored = page.evaluate("() => [times, storedTimes]")
            heap = page.evaluate("() => performance.memory.usedJSHeapSize") / 1e6
            elements = page.locator("*").count()
    for place, key in enumerate(ROUND):
        own, ours = times[place :: len(ROUND)], pressed[place :: len(ROUND)]
        print(
            f"  {key}: {at(own, 0.5):.0f} ms, most {max(own):.0f}; CPU "
            f"{at((one.thread for one in ours), 0.5):.1f} ms (script "
            f"{at((one.script for one in ours), 0.5):.1f}, layout "
            f"{at((one.layout for one in ours), 0.5):.1f}, style "
            f"{at((one.style for one in ours), 0.5):.1f})"
        )
    thread = [one.thread for one in pressed]
    print(
        f"{len(times)} keys on 50,000 characters × 5 annotators × 400 spans, load "
        f"{os.getloadavg()[0]:.1f}: p50 {at(times, 0.5):.0f} ms, p95 {at(times, 0.95):.0f} ms, most "
        f"{max(times):.0f} ms; stored: p50 {at(stored, 0.5):.0f} ms, p95 {at(stored, 0.95):.0f} ms\n"
        f"CPU: page p50 {at(thread, 0.5):.1f} ms, p95 {at(thread, 0.95):.1f} ms a key until its "
        f"frame; server {1000 * spent / len(times):.1f} ms a key; "
        f"{elements} elements, {heap:.0f} MB of JavaScript"
    )
    return 0


def cpu_seconds(pid: int) -> float:
    """What a process has used so far (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
