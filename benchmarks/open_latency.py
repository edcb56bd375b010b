"""Changes of settings on the page of `goldspan open`: from the change until the figures are drawn.

    python -m benchmarks.open_latency [--changes 60]

Changes of α, β and of the distance between two labels take turns, on the demo's corpus. Each is
timed in the browser, from its event until the frame has been drawn in which the coarse figures
stand, and until the one with the exact figures. α and β come from the whole of their sliders. α of
.1 to .4, written as a number, has a row of its own, because alignments are large there. Then 200
tasks of 3 annotators with 20 units each.
On a busy machine these times are mostly waiting, so the load and the CPU time of the server are
printed too, and the longest time in which the page could not react (a task of its main thread).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser import chromium
from open_server import OpenServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TASKS, ANNOTATORS, UNITS = 200, 3, 20
SMALL_ALPHAS = [0.1, 0.2, 0.3, 0.4]
EXACT_STAGE, FULL_STAGE = 2, 3
FULL = "body[data-stage=full]"
LONGEST_MS = 600_000

TIMED = """() => {
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) longest = Math.max(longest, one.duration);
  }).observe({ type: 'longtask', buffered: true });
  window.timed = (selector, value, last) => new Promise((done) => {
    const found = document.querySelector(selector);
    const begun = performance.now();
    const times = {};
    found.value = value;
    found.dispatchEvent(new Event('input', { bubbles: true }));
    found.dispatchEvent(new Event('change', { bubbles: true }));
    const look = () => {
      const stage = document.body.dataset.stage;
      const now = performance.now() - begun;
      const reached = { coarse: 1, figures: 2, full: 3 }[stage] ?? 0;
      if (reached >= 1) times.coarse ??= now;
      if (reached >= 2) times.exact ??= now;
      if (reached >= last) done(times);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}"""


def slider(page: Page, selector: str) -> list[float]:
    """All values of a slider."""
    low, high, step = (
        float(page.locator(selector).get_attribute(name) or "") for name in ("min", "max", "step")
    )
    return [low + step * n for n in range(round((high - low) / step) + 1)]


def changes(page: Page, count: int, alphas: Sequence[float], last: int) -> list[dict[str, float]]:
    """The times of so many changes, each after the last stage of the one before."""
    cell = page.locator("#distances input").first.get_attribute("data-at")
    ranges: dict[str, Sequence[float]] = {
        **({"#alpha-number": alphas} if alphas else {"#alpha": slider(page, "#alpha")}),
        "#beta": slider(page, "#beta"),
        f"#distances [data-at='{cell}']": [0.05 * n for n in range(20)],
    }
    random = Random(2)  # noqa: S311 - as below
    times, chosen = [], dict.fromkeys(ranges, "")
    for number in range(count):
        place = list(ranges)[number % len(ranges)]
        value = random.choice([one for one in map("{:.2f}".format, ranges[place])
                               if one != chosen[place]])  # fmt: skip
        chosen[place] = value
        times.append(page.evaluate("(asked) => timed(...asked)", [place, value, last]))
    return times


def at(values: Iterable[float], part: float) -> float:
    """A quantile."""
    ordered = sorted(values)
    return ordered[round(part * (len(ordered) - 1))]


def many(folder: Path) -> Path:
    """The larger corpus."""
    random = Random(1)  # noqa: S311 - figures, not secrets
    lines = ["task,annotator,category,start,end"]
    for task in range(TASKS):
        starts = sorted(random.sample(range(0, 2000, 10), UNITS))
        for who in range(ANNOTATORS):
            for start in starts:
                begin, label = start + random.randrange(4), random.choice("XYZ")
                lines.append(f"t{task},a{who},{label},{begin},{begin + 5}")
    path = folder / "many.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def measured(
    browser: Browser, folder: Path, path: Path, count: int, alphas: Sequence[float] = ()
) -> str:
    """What was measured on a corpus, as a line; α comes from its slider where none is given."""
    with OpenServer(folder, path) as server:
        page = browser.new_page(reduced_motion="reduce")
        page.set_default_timeout(LONGEST_MS)
        page.goto(f"{server.url}/#{server.key}")
        page.wait_for_selector(FULL)
        page.evaluate(TIMED)
        before = cpu_seconds(server.pid)
        # Nobody waits for the report of alignments that large.
        times = changes(page, count, alphas, EXACT_STAGE if alphas else FULL_STAGE)
        shown = alphas or slider(page, "#alpha")
        used = cpu_seconds(server.pid) - before
        longest = page.evaluate("() => longest")
        page.close()
    said = [
        f"{stage} p50 {at(own, 0.5):.0f} ms, p95 {at(own, 0.95):.0f} ms"
        for stage in ("coarse", "exact")
        for own in [[one[stage] for one in times]]
    ]
    return (
        f"{path.name}, α {min(shown):g} to {max(shown):g}: {count} changes: {'; '.join(said)}; "
        f"server {1000 * used / count:.0f} ms of CPU a change; "
        f"longest task of the page {longest:.0f} ms; load {os.getloadavg()[0]:.1f}"
    )


def cpu_seconds(pid: int) -> float:
    """What a process has used so far (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Measure and print; 0 when done."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.open_latency")
    parser.add_argument("--changes", type=int, default=60)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        demo = folder / "demo.json"
        demo.write_bytes(files("goldspan.plugin").joinpath("demo", "round1.json").read_bytes())
        print(measured(browser, folder, demo, args.changes))
        print(measured(browser, folder, demo, max(6, args.changes // 5), SMALL_ALPHAS))
        print(measured(browser, folder, many(folder), max(3, args.changes // 10)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
