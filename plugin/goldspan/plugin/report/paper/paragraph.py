"""Paragraph: a result in the words of a paper, with what a reader needs to measure it again."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from typing import TYPE_CHECKING

from goldspan.engine.coefficient.base import GAMMA, GAMMA_CAT
from goldspan.plugin.report.reproduce import unusual_in_words
from goldspan.plugin.report.wording import interval, many, number

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.result import Result
    from goldspan.engine.settings import Settings

CHANCES = {
    "corpus": "drawn from the other tasks of the corpus",
    "shift": "shifts of the annotators' own units along the task",
    "statistical": "random units with the measured gaps, lengths and labels",
    "normal": "random units, normally distributed, as in pygamma-agreement",
}
"""What the samples of each model of chance are."""

CITED = {GAMMA: "Mathet et al., 2015", GAMMA_CAT: "Mathet, 2017"}
REFERENCES = """\
Yann Mathet, Antoine Widlöcher and Jean-Philippe Métivier. 2015. The Unified and Holistic Method \
Gamma (γ) for Inter-Annotator Agreement Measure and Alignment. Computational Linguistics \
41(3):437-479. doi:10.1162/COLI_a_00227
Yann Mathet. 2017. The Agreement Measure γcat a Complement to γ Focused on Categorization of a \
Continuum. Computational Linguistics 43(3):661-681. doi:10.1162/COLI_a_00296
"""


def paragraph(result: Result) -> str:
    """The paragraph and its references, as text with a line for each. A result without tasks that
    could be measured has none.
    """
    if not result.tasks:
        return "No task could be measured, so there is nothing to report.\n"
    said = " ".join((_data(result), *_agreement(result), _method(result), *_limits(result)))
    return f"{said}\n\n{REFERENCES}The goldspan developers. goldspan {_version()}.\n"


def _data(result: Result) -> str:
    people = {name for task in result.tasks.values() for name in task.annotators}
    left_out = len(result.excluded)
    more = f" {many(left_out, 'task')} could not be measured." if left_out else ""
    return (
        f"{many(len(people), 'annotator')} marked {many(result.n_units, 'unit')} in "
        f"{many(len(result.tasks), 'task')}.{more}"
    )


def _agreement(result: Result) -> Iterator[str]:
    gamma, labels = result.gamma, result.gamma_cat
    yield f"Agreement was {_figure('γ', gamma, 'unit', CITED[GAMMA])}."
    if len(result.gamma_k) > 1:
        yield f"For the labels alone, it was {_figure('γcat', labels, 'pair', CITED[GAMMA_CAT])}."


def _figure(symbol: str, figure: Figure, noun: str, cited: str) -> str:
    if figure.value is None:
        return f"undefined in {symbol} ({figure.remark}; {cited})"
    ends = interval(figure)
    said = f"{figure.level:.0%} interval {ends}, {figure.method}; " if ends else "no interval; "
    return f"{symbol} = {number(figure.value)} ({said}{many(figure.n, noun)}; {cited})"


def _method(result: Result) -> str:
    settings = result.settings
    models = " and ".join(
        f"{name}: {CHANCES[name]}" if name in CHANCES else name for name in result.chance
    )
    return (
        f"γ is 1 minus the observed disorder divided by the disorder expected by chance ({models}; "
        f"{result.n_samples:,} samples, precision {settings.precision:.2g}, seed {settings.seed}), "
        f"with {_weights(settings)}; both disorders are summed over the tasks. The figures were "
        f"computed with goldspan {_version()}."
    )


def _weights(settings: Settings) -> str:
    weights = settings.dissimilarity
    more = "".join(f", {name}: {text}" for name, text in unusual_in_words(settings).items())
    return f"α = {weights.alpha:g}, β = {weights.beta:g}, {weights.distances.name} distances{more}"


def _limits(result: Result) -> Iterator[str]:
    if result.optimal:
        yield "Every alignment is proved to be the best one."
    else:
        yield "Not every alignment was proved to be the best one."
    for note in result.cut_short:
        yield f"{note.message[:1].upper()}{note.message[1:]}."


def _version() -> str:
    return version("goldspan")
