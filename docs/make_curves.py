"""Write the measured part of docs/curves.md, and its pictures, from a folder of `goldspan curves`.

goldspan curves --paper all --workers 2 --output DIR
python docs/make_curves.py DIR
python docs/make_curves.py

The last command measures the other set-ups of `curve_variants.py`, in about a minute, and leaves
the rest of the page as it is.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from curve_variants import last_text, variants_text
from papers_said import SAID, SHAPES, WHY, WORDS, Said

from goldspan.engine.simulation.curves import curve_of, desiderata
from goldspan.engine.simulation.experiment import CurveFigure, Key, label_of
from goldspan.engine.simulation.papers import FIGURES
from goldspan.engine.simulation.point import Mean, Point
from goldspan.plugin.report.curve_table import HEAD, marks_rows

DOCS = Path(__file__).parent
PAGE = DOCS / "curves.md"
TASK = "make_curves.py writes what follows"
NEAR, CLOSE = 0.1, 0.05
"""A value that differs by no more than `CLOSE` agrees, one by no more than `NEAR` is near."""


def read_points(folder: Path, figure: CurveFigure) -> list[Point]:
    """The points of a figure's csv file."""
    means: dict[tuple[str, float], dict[Key, Mean]] = {}
    path = folder / f"{figure.name.replace(':', '-')}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            ends = [float(row[name]) if row[name] else None for name in ("low", "high")]
            mean = Mean(float(row["mean"]), ends[0], ends[1], int(row["sets"]))
            own = means.setdefault((row["experiment"], float(row["magnitude"])), {})
            own[row["measure"], row["label"]] = mean
    return [Point(name, magnitude, own, 0.0) for (name, magnitude), own in means.items()]


@dataclass(frozen=True, slots=True)
class Compared:
    """What a paper says of a curve, beside what was measured."""

    name: str
    said: Said
    mean: Mean

    @property
    def difference(self) -> float:
        return self.said.differs(self.mean.value)

    @property
    def row(self) -> str:
        mean, said = self.mean, self.said
        ends = "" if mean.low is None else f" [{mean.low:.3f}, {mean.high:.3f}]"
        shown = f"{self.difference:+.3f}" if abs(self.difference) >= 0.0005 else "none"
        value = f"{mean.value:.3f}{ends}"
        return f"| {self.name} | {said.magnitude:g} | {said.words} | {value} | {shown} |"


def compared(figure: CurveFigure, points: list[Point]) -> Iterator[Compared]:
    """Each statement of a paper on a figure for which there is a value."""
    at = {(p.experiment, p.magnitude): p.means for p in points}
    for said in SAID.get(figure.name, ()):
        experiment = said.experiment or figure.experiments[0].name
        mean = at.get((experiment, said.magnitude), {}).get(said.key)
        if mean is not None:
            name = label_of(said.key) + (" long" if "long" in experiment else "")
            yield Compared(name, said, mean)


def shapes(figure: CurveFigure, points: list[Point]) -> Iterator[tuple[str, bool, bool]]:
    """Curves of which a paper says whether they always decrease: what it says, and they do."""
    for measure, said in SHAPES.get(figure.name, {}).items():
        found = desiderata(curve_of(points, figure.experiments[0].name, (measure, "")))
        if found is not None and found.decreasing is not None:
            yield label_of((measure, "")), said, found.decreasing


def figure_text(figure: CurveFigure, points: list[Point]) -> Iterator[str]:
    """The section of a figure."""
    year, number = figure.name.split(":")
    yield f"### {year}, Fig. {number}: {figure.title}\n"
    yield f"![{figure.title}](curves/{figure.name.replace(':', '-')}.svg)\n"
    yield f"The paper: {WORDS[figure.name]}\n"
    rows = [one.row for one in compared(figure, points)]
    if rows:
        yield "| measure | magnitude | paper | here, with interval | difference |"
        yield "|---|---|---|---|---|"
        yield "\n".join(rows) + "\n"
    unlike = [
        f"{name} {'does' if here else 'does not'}"
        for name, said, here in shapes(figure, points) if said != here
    ]  # fmt: skip
    if unlike:
        yield f"Always decreasing, unlike in the paper: {', '.join(unlike)}.\n"
    if figure.name in WHY:
        yield f"{WHY[figure.name]}\n"


def summary_text(found: dict[str, list[Point]]) -> Iterator[str]:
    """Which figures agree, which differ and by how much; what differs most first."""
    every, rows = [], []
    kept = said = 0
    for name, points in found.items():
        own = list(compared(FIGURES[name], points))
        every += own
        held = [one == other for _, one, other in shapes(FIGURES[name], points)]
        kept, said = kept + sum(held), said + len(held)
        differing = sorted(
            (one for one in own if abs(one.difference) > CLOSE),
            key=lambda one: -abs(one.difference),
        )
        shown = [f"{o.name} {o.difference:+.2f} at {o.said.magnitude:g}" for o in differing]
        shape = f"{sum(held)} of {len(held)}" if held else "–"
        agreed = f"{len(own) - len(differing)} of {len(own)}" if own else "–"
        rows.append(f"| {name} | {agreed} | {', '.join(shown) or '–'} | {shape} |")
    close = sum(abs(one.difference) <= CLOSE for one in every)
    near = sum(CLOSE < abs(one.difference) <= NEAR for one in every)
    yield (
        f"The texts state {len(every)} values or ranges. {close} of them agree here to "
        f"within {CLOSE:g}, {near} differ by up to {NEAR:g}, and {len(every) - close - near} by "
        f"more. The texts also say of {said} curves whether they always decrease; for {kept} "
        "of them it is the same here."
    )
    yield ""
    yield "| figure | values that agree | values that differ | decreasing or not, as stated |"
    yield "|---|---|---|---|"
    yield from rows


def run_text(folder: Path, figures: list[CurveFigure]) -> str:
    """What was run."""
    journal = (folder / "points.jsonl").read_text(encoding="utf-8").splitlines()
    wanted = {one.digest for figure in figures for one in figure.experiments}
    lines = [line for line in map(json.loads, journal) if line["key"].split("/")[0] in wanted]
    _, _, sets, seed, precision, _ = lines[0]["key"].split("/")
    steps = sorted({float(line["key"].split("/")[1]) for line in lines})
    names = ", ".join(figure.name for figure in figures)
    seconds = sum(line["seconds"] for line in lines)
    return (
        f"- {names}: {sets} annotation sets for each point, steps of {steps[1]:g}, seed {seed}, "
        f"precision {precision}; {len(lines)} points, {seconds:.0f} s of processor time"
    )


def marks_text(points: list[Point]) -> str:
    """The desiderata of every curve."""
    rows = [HEAD, ("---",) * len(HEAD), *marks_rows(FIGURES.values(), points)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main(folders: list[Path]) -> None:
    """Write the summary, the figures and the pictures."""
    homes: dict[Path, list[CurveFigure]] = {}
    found: dict[str, list[Point]] = {}
    (DOCS / "curves").mkdir(exist_ok=True)
    for figure in FIGURES.values():
        stem = figure.name.replace(":", "-")
        home = next(one for one in folders if (one / f"{stem}.csv").is_file())
        homes.setdefault(home, []).append(figure)
        found[figure.name] = read_points(home, figure)
        (DOCS / "curves" / f"{stem}.svg").write_bytes((home / f"{stem}.svg").read_bytes())
    measured = ["What was run:\n", *(run_text(*one) for one in homes.items()), ""]
    for figure in FIGURES.values():
        measured += figure_text(figure, found[figure.name])
    # An experiment may be in several figures: the one of its own name counts.
    points = [p for name in found if name != "2015:29" for p in found[name]]
    measured += ["### What each measure sees\n", marks_text(points)]
    _write({"summary": summary_text(found), "figures": measured})


def _write(parts: Mapping[str, Iterable[str]]) -> None:
    """Put these parts on the page."""
    page = PAGE.read_text(encoding="utf-8")
    for name, lines in parts.items():
        page = _with(page, name, "\n".join(lines))
    PAGE.write_text(page, encoding="utf-8")


def _with(page: str, name: str, text: str) -> str:
    """The page with another text between the marks of this name."""
    begin, end = f"<!-- {name}: {TASK} -->", f"<!-- end of {name} -->"
    before, _, rest = page.partition(begin)
    return f"{before}{begin}\n{text}\n\n{end}{rest.partition(end)[2]}"


if __name__ == "__main__":
    if sys.argv[1:]:
        main([Path(one) for one in sys.argv[1:]])
    else:
        _write({"variants": variants_text(), "magnitude 1": last_text()})
