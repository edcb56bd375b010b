"""Write the measured part of docs/curves.md, and its pictures, from a folder of `goldspan curves`.

goldspan curves --paper all --workers 2 --output DIR
python docs/make_curves.py DIR
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from goldspan.engine.simulation.experiment import CurveFigure, Key, label_of
from goldspan.engine.simulation.papers import FIGURES
from goldspan.engine.simulation.point import Mean, Point
from goldspan.plugin.report.curve_table import HEAD, marks_rows

DOCS = Path(__file__).parent
PAGE = DOCS / "curves.md"
BEGIN, END = "<!-- measured: make_curves.py writes what follows -->", "<!-- end of measured -->"


@dataclass(frozen=True, slots=True)
class Said:
    """What a paper says of a curve at a magnitude: a value, or a range if there are two."""

    key: Key
    magnitude: float
    low: float
    high: float | None = None
    experiment: str = ""

    @property
    def words(self) -> str:
        return f"{self.low:g}" if self.high is None else f"{self.low:g} to {self.high:g}"

    def differs(self, value: float) -> float:
        """By how much a value is above or below what is said."""
        high = self.low if self.high is None else self.high
        return max(value - high, 0.0) + min(value - self.low, 0.0)


def _said(measure: str, magnitude: float, low: float, high: float | None = None, label: str = "",
          experiment: str = "") -> Said:  # fmt: skip
    return Said((measure, label), magnitude, low, high, experiment)


SAID: dict[str, tuple[Said, ...]] = {
    "2015:24a": (_said("gamma", 0.95, 0, 0.1),),
    "2015:24b": (_said("window_diff", 1, 0.4), _said("ghd", 1, 0.4), _said("gamma", 1, 0)),
    "2015:25": (_said("gamma", 1, 0), _said("cu_alpha", 1, 0), _said("ser", 1, 0.6, 1),
                _said("u_alpha_2013", 0.6, -1, 0)),
    "2015:26a": (_said("gamma", 1, 0.1), _said("ser", 0.05, 0.5), _said("ser", 1, -1, 0),
                 _said("u_alpha_2013", 0.8, -1, 0)),
    "2015:26b": (_said("gamma", 1, 0), _said("u_alpha_2013", 0.8, -1, 0)),
    "2015:27": (_said("gamma", 1, 0.2), _said("ser", 0.6, -1, 0), _said("u_alpha_2013", 1, 1),
                _said("cu_alpha", 1, 1), _said("kappa_d", 1, 1)),
    "2015:28a": (_said("ser", 1, -1, 0),),
    "2015:28b": (_said("gamma", 0.95, 0.025), _said("ser", 0.4, -1, 0), _said("cu_alpha", 0.6, 1),
                 _said("u_alpha_2013", 0.4, -1, 0)),
    "2017:11": (_said("gamma_cat", 0.55, 1), _said("gamma_cat", 0.8, 0.9, 1),
                _said("cu_alpha", 0.8, 0.5), _said("gamma", 1, 0)),
    "2017:12": (_said("gamma", 1, 0.35), _said("gamma_cat", 1, 0), _said("cu_alpha", 1, 0)),
    "2017:14": (_said("cu_alpha", 1, 0.54, experiment="2017:14 long"),
                _said("gamma_cat", 1, 0.27, experiment="2017:14 long"),
                _said("gamma_cat", 1, 0.27)),
    "2017:15": (_said("gamma_k", 1, 1, label="D"), _said("gamma_k", 1, 0.1, label="A"),
                _said("gamma_k", 1, 0.1, label="B"), _said("gamma_k", 1, 0.1, label="C")),
}  # fmt: skip
"""Only what the texts state as numbers; the figures themselves were not read off."""

WORDS = {
    "2015:24a": (
        "WD and GHD are close to each other and almost linear up to .6, then reach an "
        "asymptote, because chance is not taken into account; γ uses the whole range. Here WD "
        "and GHD are means over pairs of annotators; the paper does not say whether its own "
        "are."
    ),
    "2015:24b": ("WD and GHD end at about .4, γ goes from 1 to 0."),
    "2015:25": (
        "γ is almost the same as cuα, and both reach 0. uα is below 0 from .5 on. κd does not "
        "reach 0 because of the gaps. SER stays above .6. Whether uα goes below 0 depends on "
        "the gaps, which the paper does not give; with units that touch it does."
    ),
    "2015:26a": (
        "γ is the only measure that always decreases, and ends at .1. SER drops to .5 at once, "
        "then below 0. uα is negative from .6 to .9. Here uα stays above 0: it depends on the "
        "gaps."
    ),
    "2015:26b": (
        "γ always decreases and reaches 0. uα is below 0 from .6 on. κd has a similar shape to "
        "that of γ."
    ),
    "2015:27": (
        "γ goes from 1 to .2, almost linearly; SER is below 0 above .6. uα, cuα and κd stay at "
        "1. Here γ falls faster at small magnitudes: the paper's tool probably cuts less there."
    ),
    "2015:28a": (
        "All respond well, cuα late; the end of SER rises, below 0. Two units are added for "
        "each one at magnitude 1 here (the paper does not say how many), and SER stays above 0."
    ),
    "2015:28b": (
        "γ always decreases, to .025. uα is at 0 or below from .3 on, SER from .4 on. κd is not "
        "always decreasing. cuα stays at 1, and has no value above .7. At magnitude 1 nothing "
        "is left, so the curves end at .95."
    ),
    "2015:29": ("The curves of Fig. 26 to 28 again, a panel for each measure."),
    "2015:30": ("γ behaves as it does without overlaps, and cuα in a similar way."),
    "2017:11": (
        "γcat stays at 1 up to .55 and is above .9 at .8. cuα falls almost linearly, to .5 at "
        ".8. γ goes from 1 to 0. Here γ ends higher: a shift of two lengths of a unit at most, "
        "with which γcat is as the paper says, leaves γ at .4."
    ),
    "2017:12": ("γcat and cuα are about the same, from 1 to 0. γ goes from 1 to .35."),
    "2017:13": (
        "γcat is as in Fig. 12. cuα is lower by up to .06 between .1 and .6. γ is lower than γcat."
    ),
    "2017:14": (
        "The two curves of γcat coincide. cuα ends at .54 if D is long, twice as high as γcat "
        "(.27). Here the two curves of γcat are up to .1 apart, because chance does not align "
        "units of length 5 with units of length 20."
    ),
    "2017:15": ("γk of D stays at 1, the others end at about .1."),
}
"""What the papers say, and why the curves here differ where that is known."""


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


def figure_text(figure: CurveFigure, points: list[Point]) -> Iterator[str]:
    """The section of a figure."""
    year, number = figure.name.split(":")
    yield f"### {year}, Fig. {number}: {figure.title}\n"
    yield f"![{figure.title}](curves/{figure.name.replace(':', '-')}.svg)\n"
    yield f"The paper: {WORDS[figure.name]}\n"
    rows = [_row(one, figure, points) for one in SAID.get(figure.name, ())]
    if rows:
        yield "| measure | magnitude | paper | here, with interval | difference |"
        yield "|---|---|---|---|---|"
        yield "\n".join(row for row in rows if row) + "\n"


def _row(said: Said, figure: CurveFigure, points: list[Point]) -> str:
    experiment = said.experiment or figure.experiments[0].name
    at = {(p.experiment, p.magnitude): p.means for p in points}.get(
        (experiment, said.magnitude), {}
    )
    mean = at.get(said.key)
    if mean is None:
        return ""
    ends = "" if mean.low is None else f" [{mean.low:.3f}, {mean.high:.3f}]"
    differs = said.differs(mean.value)
    name = label_of(said.key) + (" long" if "long" in experiment else "")
    shown = f"{differs:+.3f}" if abs(differs) >= 0.0005 else "none"
    return f"| {name} | {said.magnitude:g} | {said.words} | {mean.value:.3f}{ends} | {shown} |"


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
    """Write the page and the pictures."""
    homes: dict[Path, list[CurveFigure]] = {}
    found: dict[str, list[Point]] = {}
    (DOCS / "curves").mkdir(exist_ok=True)
    for figure in FIGURES.values():
        stem = figure.name.replace(":", "-")
        home = next(one for one in folders if (one / f"{stem}.csv").is_file())
        homes.setdefault(home, []).append(figure)
        found[figure.name] = read_points(home, figure)
        (DOCS / "curves" / f"{stem}.svg").write_bytes((home / f"{stem}.svg").read_bytes())
    parts = [BEGIN, "What was run:\n", *(run_text(*one) for one in homes.items()), ""]
    for figure in FIGURES.values():
        parts += figure_text(figure, found[figure.name])
    # An experiment may be in several figures: the one of its own name counts.
    every = {(p.experiment, p.magnitude): p for p in found["2015:29"]}
    own = [name for name in found if name != "2015:29"]
    experiments = {p.experiment for name in own for p in found[name]}
    points = [p for p in every.values() if p.experiment not in experiments]
    points += [p for name in own for p in found[name]]
    parts += ["### What each measure sees\n", marks_text(points), "", END]
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(before + "\n".join(parts) + after, encoding="utf-8")


if __name__ == "__main__":
    main([Path(one) for one in sys.argv[1:]])
