"""Planning: a study's plan from a pilot, which is measured again with fewer annotators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus
    from goldspan.engine.planning import StudyPlan, Target
    from goldspan.engine.result import Result
    from goldspan.plugin.measurement import MeasureRequest

    Measure = Callable[[MeasureRequest, Corpus], Result]

ROUGH_PRECISION = 0.05
"""Of the measurements with fewer annotators: the precision of chance matters little there."""

FEWER = "measuring with an annotator fewer in each task"
PLANNING = "planning"


def plan_study(
    corpus: Corpus,
    result: Result,
    request: MeasureRequest,
    target: Target,
    measure: Measure,
    say: Callable[[str], None] = lambda _step: None,
) -> StudyPlan:
    """The plan for a corpus with this result; `measure` measures it with fewer annotators."""
    from goldspan.engine.planning import plan  # noqa: PLC0415 - loads numpy

    others = list(_with_fewer(corpus, request, target, measure, say))
    say(PLANNING)
    return plan(result, target, others)


def _with_fewer(
    corpus: Corpus,
    request: MeasureRequest,
    target: Target,
    measure: Measure,
    say: Callable[[str], None],
) -> Iterator[Result]:
    """The agreement without one annotator in each task."""
    from goldspan.engine.planning import thinned  # noqa: PLC0415 - loads numpy

    settings = request.settings
    rough = replace(settings, precision=max(settings.precision, ROUGH_PRECISION))
    measuring = replace(request, settings=rough, pairs=False, coefficients=())
    for number, one in enumerate(thinned(corpus, target.seed)):
        if not any(task.units for task in one):  # each keeps two annotators
            continue
        if number == 0:
            say(FEWER)
        yield measure(measuring, one)
