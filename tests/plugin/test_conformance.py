"""The conformance set: goldspan gives every value of it, and so do the definitions, tried out."""

from __future__ import annotations

import json
import runpy
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.brute_force import least_disorder
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
    score,
)
from goldspan.engine.positional import RATIO
from goldspan.plugin.cli import main
from goldspan.plugin.conformance.answers import examples, read_set
from goldspan.plugin.conformance.shape import (
    CategoryDistances,
    ContinuumExample,
    ItemsExample,
    SpansExample,
)

ROOT = Path(__file__).parents[2]
SET = read_set()
EACH_CONTINUUM = pytest.mark.parametrize("example", SET.continua, ids=lambda one: one.id)
EACH_WORKED = pytest.mark.parametrize("example", [*SET.items, *SET.spans], ids=lambda one: one.id)


def made(given: ContinuumExample | SpansExample, length: float | None = None) -> Continuum:
    marked = {unit.annotator for unit in given.units}
    presence = {
        name: Presence.DONE if name in marked else Presence.EMPTY for name in given.annotators
    }
    units = tuple(Unit(u.annotator, u.start, u.end, u.category) for u in given.units)
    return Continuum("t", units, presence, length, Measure.STEP)


def dissimilarity(alpha: float, given: CategoryDistances | None) -> Dissimilarity:
    if given is None:
        return Dissimilarity(alpha)
    return Dissimilarity(alpha, distances=Table(given.categories, given.rows))


def groups(example: ContinuumExample) -> list[list[int]]:
    """The alignment that goldspan finds, as numbers of units."""
    at = {Unit(u.annotator, u.start, u.end, u.category): k for k, u in enumerate(example.units)}
    found = best_alignment(made(example), dissimilarity(example.alpha, example.distances))
    assert found.optimal
    assert found.disorder == pytest.approx(example.disorder.value, abs=1e-12)
    return [sorted(at[unit] for unit in one.units) for one in found.unitary]


@EACH_CONTINUUM
def test_goldspan_finds_a_best_alignment(example: ContinuumExample) -> None:
    found = {frozenset(one) for one in groups(example)}
    assert any({frozenset(u) for u in one.unitary} == found for one in example.alignments)


@EACH_CONTINUUM
def test_goldspan_observes_these_label_disagreements(example: ContinuumExample) -> None:
    """`score` adds the same disagreement up, in all and for each label."""
    found = {frozenset(one) for one in groups(example)}
    (own,) = [one for one in example.alignments if {frozenset(u) for u in one.unitary} == found]
    settings = Settings(
        dissimilarity=dissimilarity(example.alpha, example.distances), precision=0.5
    )
    (task,) = score(Corpus((made(example),)), settings=settings, pairs=False).tasks.values()
    for figure, parts in (
        (task.gamma_cat, own.gamma_cat),
        *((task.gamma_k[label], parts) for label, parts in own.gamma_k.items()),
    ):
        if figure.observed is None:
            assert figure.value is None
        else:
            assert figure.observed == pytest.approx(parts.disagreement.value, abs=1e-12)


@EACH_CONTINUUM
def test_brute_force_finds_the_same_disorder(example: ContinuumExample) -> None:
    if example.proof != "every alignment was tried":
        found = best_alignment(made(example), dissimilarity(example.alpha, None), solver="HiGHS")
        assert found.lower_bound == pytest.approx(example.disorder.value, abs=1e-6)
        return
    d = dissimilarity(example.alpha, example.distances)
    assert least_disorder(made(example), d) == pytest.approx(example.disorder.value, abs=1e-12)


def test_dissimilarities_of_positions() -> None:
    """Figure 10 of 2015, in the digits that it prints, but for 3.22, which is 3.24."""
    for one in SET.dissimilarities:
        found = RATIO.between(Unit("a", *one.one, "x"), Unit("b", *one.other, "x"))
        assert found == pytest.approx(one.positional.value, abs=1e-12)
        assert one.printed is not None
        assert _rounds_to(found, one.printed) == (one.id != "figure-10-apart")


def _rounds_to(value: float, printed: str) -> bool:
    digits = len(printed.partition(".")[2])
    return abs(value - float(printed)) <= 0.5000001 * 10.0**-digits


def corpus(example: ItemsExample | SpansExample) -> Corpus:
    if isinstance(example, SpansExample):
        return Corpus((made(example, example.length),))
    units = tuple(
        Unit(name, item, item + 1, label)
        for name, row in example.coders.items()
        for item, label in enumerate(row)
        if label is not None
    )
    length = max(len(row) for row in example.coders.values())
    continuum = Continuum("t", units, length=length, measure=Measure.STEP)
    return Corpus((continuum,), scale=example.scale)


@EACH_WORKED
def test_goldspan_gives_the_worked_coefficients(example: ItemsExample | SpansExample) -> None:
    """Also as printed, but for the one that AP round from rounded numbers, which has a remark."""
    distances = example.distances if isinstance(example, ItemsExample) else None
    settings = Settings(dissimilarity=dissimilarity(1, distances))
    found = agreement(
        corpus(example), {one.coefficient for one in example.coefficients}, settings=settings
    )
    for one in example.coefficients:
        value = found[one.coefficient, one.label or ""].value
        assert value == pytest.approx(one.value, abs=1e-12)
        if one.printed is not None and one.remark is None:
            assert _rounds_to(one.value, one.printed), one


def _definitions(example: ItemsExample) -> dict[str, Fraction]:
    """Nominal coefficients in fractions, as their papers define them."""
    rows = list(example.coders.values())
    items = [[one for one in item if one is not None] for item in zip(*rows, strict=True)]
    items = [item for item in items if len(item) > 1]
    total = Counter(one for item in items for one in item)
    n = sum(total.values())
    found = {}
    apart = sum(
        Fraction(2 * sum(a != b for a, b in combinations(item, 2)), len(item) - 1) for item in items
    )
    squares = sum(count * count for count in total.values())
    found["alpha"] = 1 - apart * (n - 1) / (n * n - squares)
    agreed = 1 - apart / n
    if len({len(item) for item in items}) == 1:
        by_chance = Fraction(squares, n * n)
        found["observed_agreement"] = agreed
        found["multi_pi"] = found["pi"] = (agreed - by_chance) / (1 - by_chance)
        if example.scale:
            even = Fraction(1, len(example.scale))
            found["s"] = (agreed - even) / (1 - even)
    if len(rows) == 2:
        one, other = (Counter(row) for row in rows)
        by_chance = sum(Fraction(one[k] * other[k], len(rows[0]) ** 2) for k in one)
        found["kappa"] = (agreed - by_chance) / (1 - by_chance)
    return found


@pytest.mark.parametrize("example", SET.items, ids=lambda one: one.id)
def test_nominal_coefficients_follow_their_definitions(example: ItemsExample) -> None:
    exact = _definitions(example)
    for one in example.coefficients:
        if one.coefficient in exact:
            assert one.value == pytest.approx(float(exact[one.coefficient]), abs=1e-12)


def test_every_id_is_there_once() -> None:
    ids = [one.id for one in examples()]
    assert len(set(ids)) == len(ids) > 50


def to_12_digits(text: str) -> Any:
    """Processors add up in different orders, and the last digits differ."""
    return json.loads(text, parse_float=lambda digits: f"{float(digits):.12g}")


@pytest.mark.repository
def test_the_set_and_its_schema_are_what_the_script_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs")
    script = runpy.run_path(str(ROOT / "docs" / "make_conformance.py"))
    stored, made = script["SET"].read_text(encoding="utf-8"), script["render"]()
    assert to_12_digits(stored) == to_12_digits(made), "run `make docs`"
    assert script["SCHEMA"].read_text(encoding="utf-8") == script["render_schema"]()


@pytest.mark.repository
def test_the_set_follows_its_schema(tmp_path: Path) -> None:
    assert main(["conformance", "--output", str(tmp_path / "set.json")]) == 0
    written = json.loads((tmp_path / "set.json").read_text(encoding="utf-8"))
    schema = json.loads((ROOT / "docs" / "conformance.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(written)


def own_answers() -> dict[str, Any]:
    """What goldspan gives, in the shape of answers."""
    given: dict[str, dict[str, Any]] = {}
    for one in SET.dissimilarities:
        given[one.id] = {"positional": one.positional.value}
    for one in SET.continua:
        first = one.alignments[-1]
        given[one.id] = {
            "disorder": one.disorder.value,
            "unitary": first.unitary,
            "gamma_cat": first.gamma_cat.observed,
            "gamma_k": {label: parts.observed for label, parts in first.gamma_k.items()},
        }
    for one in [*SET.items, *SET.spans]:
        given[one.id] = {
            "coefficients": {
                c.coefficient if c.label is None else f"{c.coefficient}:{c.label}": c.value
                for c in one.coefficients
            }
        }
    return {"implementation": "ours", "answers": given}


def test_right_answers_pass_and_a_wrong_one_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "answers.json"
    answers = own_answers()
    path.write_text(json.dumps(answers), encoding="utf-8")
    assert main(["conformance", "--check", str(path)]) == 0
    assert " 0 differ, 0 were not given." in capsys.readouterr().out
    answers["answers"]["orphan-long"]["disorder"] = 1.0
    answers["answers"]["embedded"]["unitary"] = [[0, 3], [1, 2]]
    del answers["answers"]["fleiss-1971"]
    path.write_text(json.dumps(answers), encoding="utf-8")
    assert main(["conformance", "--check", str(path)]) == 1
    output = capsys.readouterr().out
    assert "orphan-long: disorder differs: 1.000000, not 0.666667\n" in output
    assert "embedded: alignment differs: 0-3 1-2, not 0-2 1-3\n" in output
    assert " 2 differ, 6 were not given." in output
    assert main(["conformance", "--check", str(path), "--tolerance", "0.5"]) == 1


def test_label_disagreements_are_those_of_the_alignment_given() -> None:
    """Two alignments are best; each comes with its own γk."""
    example = next(one for one in SET.continua if one.id == "tie-which-one")
    one, other = example.alignments
    assert one.gamma_k["y"].observed != other.gamma_k["y"].observed


@pytest.mark.parametrize(
    ("arguments", "text", "sentence"),
    [
        (["--check", "FILE"], "{}", "missing required field `implementation`"),
        (["--check", "FILE"], "[", "these are not answers to the conformance set"),
        (
            ["--check", "FILE"],
            '{"implementation": "x", "answers": {"none": {}}}',
            "the conformance set has no example 'none'",
        ),
        (["--check", "FILE", "--output", "x"], "{}", "--output writes the set and --check reads"),
        (["--check", "FILE", "--tolerance", "-1"], "{}", "--tolerance is -1.0; it must be from 0"),
    ],
)
def test_bad_answers_get_a_sentence(
    arguments: list[str], text: str, sentence: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    path = tmp_path / "answers.json"
    path.write_text(text, encoding="utf-8")
    assert main(["conformance", *(str(path) if a == "FILE" else a for a in arguments)]) == 2
    assert sentence in capsys.readouterr().err


def test_the_set_goes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance"]) == 0
    assert json.loads(capsys.readouterr().out)["conformance"] == "goldspan"


@pytest.mark.repository
def test_the_page_shows_what_pygamma_agreement_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs")
    script = runpy.run_path(str(ROOT / "docs" / "make_conformance.py"))
    page = script["PAGE"].read_text(encoding="utf-8")
    assert page == script["render_page"](page), "run `make docs`"
    assert "| `far-from-zero` | disorder |" in page
