"""Writes the conformance set, and conformance.schema.json beside this script.

Disorders, alignments and label disagreements are fractions, found by trying every alignment;
goldspan computes the other coefficients. The table of pygamma-agreement in conformance.md comes
from its answers, which `make conformance` takes. `make docs` runs it; tests compare.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import msgspec
from conformance_cases import (
    CONTINUA,
    ITEMS,
    POSITIONAL,
    SPANS,
    ContinuumCase,
    ItemsCase,
    Row,
    SpansCase,
    Worked,
)
from exact_gamma import Exact, Groups, positional
from make_schema import rendered

from goldspan.engine import (
    Continuum,
    Corpus,
    Dissimilarity,
    Measure,
    Presence,
    Settings,
    Table,
    Unit,
    agreement,
    best_alignment,
)
from goldspan.plugin.conformance.answers import Match, compare, read_answers
from goldspan.plugin.conformance.shape import (
    AlignedUnits,
    CategoryDistances,
    ConformanceSet,
    ContinuumExample,
    DissimilarityExample,
    ItemsExample,
    LabelParts,
    MarkedUnit,
    Number,
    SpansExample,
    WorkedValue,
)

ROOT = Path(__file__).parents[1]
SET = ROOT / "plugin" / "goldspan" / "plugin" / "conformance" / "set.json"
SCHEMA = Path(__file__).with_name("conformance.schema.json")
PAGE = Path(__file__).with_name("conformance.md")
ANSWERS = ROOT / "benchmarks" / "pygamma-answers.json"
BEGIN, END = "<!-- answers -->", "<!-- end of answers -->"
DEFINITIONS = {
    "positional": "d_pos = ((|start - start| + |end - end|) / (length + length))² "
    "(Mathet, Widlöcher & Métivier 2015, equation 3, with Δ = 1)",
    "dissimilarity": "d = alpha · d_pos + beta · d_cat; a unit and an empty place: 1, as two empty "
    "places (2015, §4.4)",
    "unitary disorder": "the mean of d over all pairs of annotators (2015, equation 6)",
    "disorder": "the sum of the unitary disorders, divided by the mean number of units per "
    "annotator, annotators without units included (2015, equation 7); `disorder` is the least of "
    "all alignments",
    "gamma_cat": "over pairs of units in the same unitary alignment, weight w = max(0, 1 - d_pos) "
    "/ (n - 1) with n units in it: disagreement = Σ w · d_cat, weight = Σ w, observed = "
    "disagreement / weight (Mathet 2017, Algorithm 1)",
    "gamma_k": "the same over pairs in which at least one unit has the category k",
    "coefficients": "keys as in goldspan's list of coefficients, docs/coefficients.md",
}


def render() -> str:
    """The set as JSON, a line for each example."""
    parts = []
    for name, value in msgspec.to_builtins(whole()).items():
        if isinstance(value, list | tuple):
            lines = ",\n  ".join(json.dumps(one, ensure_ascii=False) for one in value)
            parts.append(f' "{name}": [\n  {lines}\n ]')
        else:
            parts.append(f' "{name}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def render_schema() -> str:
    """The schema of the set."""
    return rendered("What goldspan conformance writes", ConformanceSet)


def whole() -> ConformanceSet:
    """All examples with their values."""
    return ConformanceSet(
        conformance="goldspan",
        version=1,
        definitions=DEFINITIONS,
        dissimilarities=tuple(_dissimilarity(*one) for one in POSITIONAL),
        continua=tuple(map(_continuum, CONTINUA)),
        items=tuple(map(_items, ITEMS)),
        spans=tuple(map(_spans, SPANS)),
    )


def _dissimilarity(
    name: str, one: tuple[float, float], other: tuple[float, float], printed: str
) -> DissimilarityExample:
    value = positional(("", *one, ""), ("", *other, ""))
    return DissimilarityExample(
        f"figure-10-{name}", "2015, Figure 10", "d_pos of two units.", one, other, _number(value),
        printed,
    )  # fmt: skip


def _continuum(case: ContinuumCase) -> ContinuumExample:
    annotators = tuple(dict.fromkeys([*(row[0] for row in case.rows), *case.empty]))
    exact = Exact(case.rows, len(annotators), case.alpha, case.distances)
    if case.small:
        least, found = exact.best()
    else:
        found = exact.ties(_solved(case, annotators))
        least = exact.disorder(found[0])
    categories = sorted({row[3] for row in case.rows})
    return ContinuumExample(
        id=case.id,
        source=case.source,
        shows=case.shows,
        annotators=annotators,
        units=tuple(MarkedUnit(*row) for row in case.rows),
        alpha=case.alpha,
        beta=1,
        distances=_distances(case.distances, categories),
        disorder=_number(least),
        alignments=tuple(_aligned(exact, groups, categories) for groups in found),
        proof="every alignment was tried" if case.small else "integer program",
    )


def _solved(case: ContinuumCase, annotators: Sequence[str]) -> Groups:
    """The alignment that the integer program proves to be best."""
    found = best_alignment(
        continuum(case.rows, annotators), Dissimilarity(case.alpha), solver="HiGHS"
    )
    if not found.optimal:
        raise SystemExit(f"{case.id}: the alignment was not proved")
    at = {Unit(*row): number for number, row in enumerate(case.rows)}
    groups = (tuple(sorted(at[unit] for unit in one.units)) for one in found.unitary)
    return tuple(sorted(groups))


def continuum(
    rows: Sequence[Row], annotators: Sequence[str], length: float | None = None
) -> Continuum:
    """The same for goldspan."""
    presence = dict.fromkeys(annotators, Presence.EMPTY)
    presence |= dict.fromkeys((row[0] for row in rows), Presence.DONE)
    return Continuum("t", tuple(Unit(*row) for row in rows), presence, length, Measure.STEP)


def _aligned(exact: Exact, groups: Groups, categories: Sequence[str]) -> AlignedUnits:
    return AlignedUnits(
        groups,
        _parts(*exact.labels(groups)),
        {label: _parts(*exact.labels(groups, label)) for label in categories},
    )


def _parts(disagreement: Fraction, weight: Fraction) -> LabelParts:
    observed = float(disagreement / weight) if weight else None
    return LabelParts(_number(disagreement), _number(weight), observed)


def _number(exact: Fraction) -> Number:
    return Number(float(exact), str(exact))


def _distances(
    given: Mapping[str, float] | None, categories: Sequence[str]
) -> CategoryDistances | None:
    if given is None:
        return None
    rows = tuple(
        tuple(0.0 if a == b else given.get(a + b, given.get(b + a, 1.0)) for b in categories)
        for a in categories
    )
    return CategoryDistances(tuple(categories), rows)


def _items(case: ItemsCase) -> ItemsExample:
    coders = {
        f"coder {number:02}": tuple(None if one == "." else one for one in row)
        for number, row in enumerate(case.coders, start=1)
    }
    rows = [
        (name, float(item), item + 1.0, label)
        for name, row in coders.items()
        for item, label in enumerate(row)
        if label is not None
    ]
    distances = _distances(case.distances, case.scale)
    return ItemsExample(
        case.id, case.source, case.shows, coders, tuple(case.scale), distances,
        _worked(Corpus((continuum(rows, (), len(case.coders[0])),), scale=tuple(case.scale)),
                case.worked, distances),
    )  # fmt: skip


def _spans(case: SpansCase) -> SpansExample:
    annotators = tuple(dict.fromkeys(row[0] for row in case.rows))
    corpus = Corpus((continuum(case.rows, annotators, case.length),))
    return SpansExample(
        case.id, case.source, case.shows, annotators, case.length,
        tuple(MarkedUnit(*row) for row in case.rows), _worked(corpus, case.worked, None),
    )  # fmt: skip


def _worked(
    corpus: Corpus, worked: Sequence[Worked], distances: CategoryDistances | None
) -> tuple[WorkedValue, ...]:
    table = (
        Dissimilarity(distances=Table(distances.categories, distances.rows)) if distances else None
    )
    settings = Settings(dissimilarity=table) if table else None
    figures = agreement(corpus, {one.coefficient for one in worked}, settings=settings)
    values = []
    for one in worked:
        value = figures[one.coefficient, one.label or ""].value
        if value is None:
            raise SystemExit(f"{one.coefficient} has no value")
        values.append(WorkedValue(one.coefficient, one.label, value, one.printed, one.remark))
    return tuple(values)


def render_page(page: str) -> str:
    """The page with the table of what pygamma-agreement answered."""
    found = read_answers(ANSWERS)
    rows = compare(found)
    counts = Counter(str(row.result) for row in rows)
    total = (
        f"Of {found.implementation}, {counts['same']} values are the same, {counts['differs']} "
        f"differ, and {counts['not given']} it does not have:"
    )
    lines = [
        total,
        "",
        "| example | value | exact | pygamma-agreement |",
        "|---|---|---|---|",
        *(
            f"| `{row.example}` | {row.what} | {row.expected} | {row.given} |"
            for row in rows
            if row.result is Match.DIFFERS
        ),
    ]
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "\n" + "\n".join(lines) + "\n" + END + after


if __name__ == "__main__":
    SET.write_text(render(), encoding="utf-8")
    PAGE.write_text(render_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    SCHEMA.write_text(render_schema(), encoding="utf-8")
