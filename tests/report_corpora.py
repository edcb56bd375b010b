"""Corpora for the tests of reports: small ones, hostile ones, and results of any size."""

from __future__ import annotations

import random
from collections.abc import Iterable

from goldspan.engine.alignment.alignment import Alignment, UnitaryAlignment
from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.coefficient.registry import ALWAYS
from goldspan.engine.disagreement import differences, summarise
from goldspan.engine.facts import Reason, ReasonKind
from goldspan.engine.model import Continuum, Corpus, Measure, Unit
from goldspan.engine.result import AnnotatorResult, Excluded, Result, TaskResult
from goldspan.engine.settings import Chance, Settings

TEXT = "Ada Obi met the Harbour Board in Port Alder on Monday, and nobody wrote it down. "
LABELS = ("PER", "ORG", "LOC", "DATE")
NAMES = ("ann", "bob", "cyd")

HOSTILE_LABEL = "<script>window.hit='label'</script>"
HOSTILE_TEXT = (
    "a</script><script>window.hit='text'</script><!-- <img src=x onerror=hit()> & {{7*7}} "
)
HOSTILE_NAME = "\"'><img src=x onerror=\"window.hit='name'\">"


def texts(tasks: int = 6, seed: int = 1, length: int = 1) -> Corpus:
    """Texts that three people marked, the third not as well as the others."""
    rng = random.Random(seed)
    text = TEXT * length
    return Corpus(tuple(_text(f"doc{k}", text, rng) for k in range(tasks)), scale=LABELS)


def _text(name: str, text: str, rng: random.Random) -> Continuum:
    units = set()
    for at in range(0, len(text) - 20, 16):
        label = rng.choice(LABELS)
        for who in NAMES:
            slips = 0.4 if who == "cyd" else 0.1
            if rng.random() < slips / 2:
                continue
            start = at + (rng.randrange(1, 4) if rng.random() < slips else 0)
            mine = rng.choice(LABELS) if rng.random() < slips else label
            units.add(Unit(who, start, at + 8, mine))
    return Continuum(name, tuple(units), text=text)


def recordings() -> Corpus:
    """Two recordings of ten minutes."""

    def unit(who: str, start: float, end: float, label: str) -> Unit:
        return Unit(who, start, end, label)

    return Corpus(
        tuple(
            Continuum(
                f"tape {k}",
                tuple(
                    unit(who, 1000.0 * at + 137.5 * place, 1000.0 * at + 4000, label)
                    for place, who in enumerate(NAMES)
                    for at, label in ((20, "speech"), (95 + k, "laughter"), (430, "speech"))
                ),
                length=600_000,
                measure=Measure.MILLISECOND,
            )
            for k in range(2)
        )
    )


def hostile() -> Corpus:
    """Everything that comes from data tries to be markup."""
    text = HOSTILE_TEXT * 2
    people = (HOSTILE_NAME, "bob & co", "</td></table>")
    return Corpus(
        tuple(
            Continuum(
                f"<b>task {k}</b>",
                (
                    Unit(people[0], 2, 11, HOSTILE_LABEL),
                    Unit(people[1], 2 + k % 2, 11, HOSTILE_LABEL),
                    Unit(people[2], 2, 12, "PER|`x`@me"),
                    Unit(people[0], 20, 30, "PER|`x`@me"),
                ),
                text=text,
            )
            for k in range(6)
        )
    )


def result(tasks: Iterable[Continuum], annotators: tuple[str, ...] = NAMES) -> Result:
    """A result as large as wished: each task's units are aligned by their order, not by γ."""
    settings = Settings()
    found: dict[str, TaskResult] = {}
    for place, continuum in enumerate(tasks):
        alignment = _aligned(continuum, annotators)
        own = tuple(differences(alignment, settings.dissimilarity))
        value = 0.2 + 0.7 * ((place * 7919) % 1000) / 1000
        figure = Figure(
            value, None, None, 0.95, len(continuum.units),
            reason=Reason.other("one task"), observed=1 - value, expected=1.0,
        )  # fmt: skip
        found[continuum.id] = TaskResult(
            id=continuum.id, annotators=annotators, n_units=len(continuum.units),
            figures=figures(figure, continuum.categories), expected_disorder=1.0, n_samples=30,
            chance=Chance.CORPUS, alignment=alignment, differences=own,
            disagreements=summarise(own),
        )  # fmt: skip
    few = figures(Figure.undefined(Reason.other("few"), 0.95))
    people = tuple(AnnotatorResult(name=name, n_tasks=len(found), n_units=1, figures=few)
                   for name in annotators)  # fmt: skip
    whole = Figure(0.6, 0.5, 0.7, 0.95, 1, "log-scale t over tasks", None, 0.4, 1.0)
    return Result(
        settings=settings, coefficients=ALWAYS, figures=figures(whole, LABELS),
        median_gamma=0.6, expected_disorder=1.0, n_samples=30, unproved=0, tasks=found, pairs=(),
        annotators=people, disagreements=summarise(()), disagreements_by_label={},
        excluded=(Excluded("gone", Reason.of(ReasonKind.ONE_ANNOTATOR)),),
    )  # fmt: skip


def figures(figure: Figure, labels: Iterable[str] = ()) -> dict[tuple[str, str], Figure]:
    """The same figure for γ, γcat and γk of each label."""
    keys = [("gamma", ""), ("gamma_cat", ""), *(("gamma_k", label) for label in labels)]
    return dict.fromkeys(keys, figure)


def _aligned(continuum: Continuum, annotators: tuple[str, ...]) -> Alignment:
    by_place: dict[int, list[Unit]] = {}
    for name in annotators:
        for place, unit in enumerate(continuum.of(name)):
            by_place.setdefault(place, []).append(unit)
    unitary = tuple(
        UnitaryAlignment(tuple(units), 0.1, 0.0, (3 - len(units)) / 3)
        for units in by_place.values()
    )
    return Alignment(annotators, unitary, 0.4, 0.4, optimal=True)
