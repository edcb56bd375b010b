"""Words and facts: sentences are made in one table each part, and nothing decides by them."""

from __future__ import annotations

import ast
import csv
import inspect
import json
import string
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from goldspan.plugin.gates import Gate

from goldspan.adapters.adapter import ReadOptions
from goldspan.adapters.facts import FormatFact
from goldspan.engine import Continuum, Corpus, Presence, Unit, merge, score
from goldspan.engine.facts import Fact, FactKind, Kind, ReasonKind, Verdict
from goldspan.plugin.cli import main
from goldspan.plugin.facts import PlatformFact
from goldspan.plugin.label_studio.plan import WriteRequest, make_plan
from goldspan.plugin.label_studio.platform import Pulled, SyncOptions
from goldspan.plugin.label_studio.snapshot import Snapshot
from label_studio_export import annotation, region, save, task
from report_corpora import texts

ROOT = Path(__file__).parents[1]
KINDS: list[type[Kind]] = [ReasonKind, FactKind, Verdict, FormatFact, PlatformFact]
ALL = [kind for kinds in KINDS for kind in kinds]
NAMED = {"annotator", "fault", "first", "label", "place", "second"}
"""Parameters that are never numbers."""


@pytest.mark.parametrize("kind", ALL, ids=str)
def test_every_kind_has_words_that_use_its_parameters(kind: Kind) -> None:
    template = kind.table()[kind.code]
    if isinstance(template, str):
        used = {name for _, name, _, _ in string.Formatter().parse(template) if name}
    else:
        used = set(inspect.signature(template).parameters)

    assert used == kind.names
    assert str(Fact.of(kind, **{name: "x" if name in NAMED else 1 for name in kind.names}))


@pytest.mark.parametrize("kinds", KINDS)
def test_all_words_belong_to_a_kind(kinds: type[Kind]) -> None:
    assert sorted(kinds.table()) == sorted(kind.code for kind in kinds)


def test_a_code_means_one_thing() -> None:
    codes = [kind.code for kind in ALL if kind.code != "other"]

    assert len(set(codes)) == len(codes)
    assert all(kind.code == kind.name.lower() for kind in ALL)


def nonsense(kind: Kind) -> Callable[..., str]:
    """Other words for each kind, with its parameters in them."""
    return lambda **parameters: f"{kind.code[::-1]} {' '.join(map(str, parameters.values()))}"


def alike(_kind: Kind) -> Callable[..., str]:
    """The same word for everything."""
    return lambda **_: "bla"


def reword(monkeypatch: pytest.MonkeyPatch, words: Callable[[Kind], Callable[..., str]]) -> None:
    for kind in ALL:
        table = kind.table()
        assert isinstance(table, dict)
        monkeypatch.setitem(table, kind.code, words(kind))


def without_words(value: Any) -> Any:
    """JSON without its sentences."""
    if isinstance(value, dict):
        said = {"reason", "message", "remarks", "verdict"}
        return {key: without_words(one) for key, one in value.items() if key not in said}
    return [without_words(one) for one in value] if isinstance(value, list) else value


class Shape(HTMLParser):
    """The elements of a page with what styles and places them; not its words."""

    SAID = frozenset(("title", "aria-label", "data-said"))

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kept = tuple((name, value) for name, value in attrs if name not in self.SAID)
        self.found.append((tag, kept))


def strange() -> Corpus:
    """What makes most reasons: few tasks, one annotator, nobody's unit, a label of one person,
    agreement on all of a label, and spans that fill the text.
    """
    everybody = {"ann": Presence.DONE, "bob": Presence.DONE, "cyd": Presence.DONE}
    two = {name: everybody[name] for name in ("ann", "bob")}
    rows = [(who, at, at + 5, "AB"[at % 2]) for at in (0, 11, 20) for who in everybody]
    units = (*(Unit(*row) for row in rows), Unit("ann", 30, 34, "C"), Unit("bob", 35, 39, "B"))
    full = tuple(Unit(who, 0, 40, "A") for who in two)
    return Corpus(
        (
            Continuum("marked", units, everybody, 100),
            Continuum("filled", full, two, 40),
            Continuum("one", (Unit("ann", 0, 3, "A"),), {"ann": Presence.DONE}, 10),
            Continuum("none", (), {}, 10),
            Continuum("blank", (), everybody, 10),
        )
    )


def unanimous() -> Corpus:
    """Six tasks in which nobody differs."""
    units = [Unit(who, at, at + 5, "AB"[at % 2]) for at in (0, 11, 20) for who in ("ann", "bob")]
    return Corpus(tuple(Continuum(f"t{k}", units, {}, 100 + k) for k in range(6)))


def measured() -> Iterator[Any]:
    """Figures, gold and gates of strange corpora."""
    for corpus, options in (
        (strange(), {"chance": "shift"}),
        (strange(), {"chance": "statistical"}),
        (texts(3), {}),
        (texts(6), {"bootstrap": True}),
    ):
        result = score(corpus, precision=0.2, **options)
        gold = merge(corpus, result)
        yield without_words(result.as_json())
        yield without_words(gold.as_json())
        yield list(gold.spans), [note.fact for note in gold.notes]
        for lower in (True, False):
            gate = Gate(gamma=0.5, gamma_k=dict.fromkeys(result.gamma_k, 0.5), lower=lower)
            yield len(list(gate.failures(result)))


def cut_short() -> Iterator[Any]:
    """What a time limit left out; how far it lets the figures come is up to the clock."""
    result = score(strange(), chance="statistical", max_seconds=1e-9)
    yield [note.fact for note in result.cut_short]
    yield [figure.reason for pair in result.pairs for figure in pair.figures.values()]


def synced() -> Iterator[Any]:
    """A project with work that began from suggestions, ground truth, models, and a faulty task."""
    config = """<View><Labels name="label" toName="text"><Label value="PER"/></Labels>
    <Text name="text" value="$text"/></View>"""
    text, ours = {"text": "Anna met Bob"}, {"meta": {"goldspan": {"votes": []}}}
    anna, bob = region(0, 4, "PER", text="Anna"), region(9, 12, "PER", text="Bob", id="b")
    model = {"id": 9, "model_version": "m", "result": [anna]}
    tasks = [
        task(1, text, annotation(1, anna, bob), annotation(2, anna), predictions=[model]),
        task(2, text, annotation(1, anna, bob), annotation(2, bob, ground_truth=True)),
        task(3, text, annotation(1, anna), annotation(2, anna | ours), annotation(3, anna)),
        task(4, text, annotation(1, anna), annotation(2, region(9, 99, "PER", text="Bob"))),
        task(5, text, annotation(1, region(0, 4, "ORG", text="Anna")), annotation(2)),
    ]
    project = {"id": 5, "label_config": config, "description": "", "title": "Test"}
    snapshot = Snapshot(project, tasks, [], task_ids=[1, 2, 3, 4, 5])
    corpus = snapshot.corpus(ReadOptions())
    pulled = Pulled(snapshot, corpus, SyncOptions(Path()))
    assert (pulled.contaminated, pulled.faulty) == (1, ("4",))
    yield [note.fact for note in pulled.notes]
    result = score(corpus, precision=0.2, pairs=False)
    plan = make_plan(snapshot, corpus, result, merge(corpus, result), WriteRequest())
    yield plan.counts(), plan.columns, [note.fact for note in plan.notes]


def commanded(folder: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """Exit codes, files and choices of the command line."""
    rounds = []
    for number, corpus in enumerate((unanimous(), texts(6), texts(5, seed=5), texts(4))):
        table, found = folder / f"{number}.csv", folder / f"{number}.json"
        write_table(table, corpus)
        page = folder / f"{number}.html"
        yield main(["score", str(table), "--json", str(found), "--html", str(page),
                    "--precision", "0.2", "--min-gamma", "0.3"])  # fmt: skip
        yield Shape(page.read_text(encoding="utf-8")).found
        yield without_words(json.loads(found.read_text(encoding="utf-8")))
        rounds.append(str(found))
    trend, told = folder / "trend.html", folder / "trend.json"
    yield main(["compare", *rounds, "--html", str(trend), "--json", str(told)])
    yield Shape(trend.read_text(encoding="utf-8")).found
    yield without_words(json.loads(told.read_text(encoding="utf-8")))
    yield from adjudicated(folder)
    said = capsys.readouterr().out
    yield said.count("as γcat"), said.count("for the reason above")


def adjudicated(folder: Path) -> Iterator[Any]:
    """Only tasks with a ground truth count as adjudicated."""
    spans = region(0, 5, "A", id="r"), region(6, 11, "B", id="s")
    tasks = [
        task(number, {"text": "alpha bravo"}, *(annotation(who, *spans) for who in (1, 2, 3)),
             *([annotation(9, *spans, ground_truth=True)] if number < 5 else []))
        for number in range(1, 9)
    ]  # fmt: skip
    export, out = save(folder / "export.json", *tasks), folder / "gold.csv"
    yield main(["gold", str(export), "--to", "csv", "-o", str(out), "--adjudicated", str(export),
                "--exclude-annotator", "9"])  # fmt: skip
    kept = json.loads((folder / "gold.csv.calibration.json").read_text(encoding="utf-8"))
    assert kept["judged"] == 8, "four tasks with two spans each"
    yield out.read_bytes(), kept


def write_table(path: Path, corpus: Corpus) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("task", "annotator", "start", "end", "category", "length"))
        for one in corpus:
            for unit in one.units:
                rows.writerow((one.id, unit.annotator, unit.start, unit.end, unit.category,
                               one.length))  # fmt: skip


@pytest.mark.parametrize("words", [nonsense, alike])
def test_other_words_change_no_figure_and_no_choice(
    words: Callable[[Kind], Callable[..., str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def outcomes(folder: str) -> list[Any]:
        place = tmp_path / folder
        place.mkdir()
        return [*measured(), *cut_short(), *synced(), *commanded(place, capsys)]

    before = outcomes("before")
    reword(monkeypatch, words)
    after = outcomes("after")

    for one, other in zip(before, after, strict=True):
        assert one == other
    assert (tmp_path / "before/trend.json").read_text() != (
        tmp_path / "after/trend.json"
    ).read_text()


def test_the_corpora_that_are_reworded_have_many_reasons() -> None:
    found = {one.get("reason_code") for value in measured() for one in objects(value)}

    assert found >= {
        "few_tasks", "few_unitary_alignments", "no_annotator", "unanimous", "no_comparable_pair",
        "no_unit", "one_user", "one_annotator", "no_room",
    }  # fmt: skip


def objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from objects(one)


PARTS = [
    path
    for part in ("engine", "adapters", "plugin")
    for path in sorted((ROOT / part / "goldspan" / part).rglob("*.py"))
]
MADE = {"note", "of", "other", "Note", "Reason", "Fact", "undefined", "without_value", "Excluded"}
"""Calls that take a fact, and from other packages a sentence."""

WORDED = {"message", "remark", "verdict"}
"""Attributes that are a fact in words."""

FACTS = {"fact", "reason", "remarks"}
LOOKED_AT = {"startswith", "endswith", "partition", "split", "find", "index", "removeprefix"}


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    )


def is_worded(node: ast.AST) -> bool:
    """Whether an expression is a fact in words."""
    match node:
        case ast.Attribute(attr=name):
            return name in WORDED
        case ast.Call(func=ast.Name(id="str"), args=[ast.Attribute(attr=name)]):
            return name in FACTS
    return False


def sentences(tree: ast.Module) -> Iterator[int]:
    """Lines that make a sentence for a fact, or decide by one."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args):
                given = [*args, *(one.value for one in node.keywords if one.arg == "reason")]
                if name in MADE and any(is_text(one) for one in given):
                    yield node.lineno
                of = node.func.value if isinstance(node.func, ast.Attribute) else node.func
                if name in LOOKED_AT and is_worded(of):
                    yield node.lineno
            case ast.Compare(left=left, comparators=others):
                if any(is_worded(one) for one in (left, *others)):
                    yield node.lineno


@pytest.mark.parametrize("path", PARTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_sentence_is_made_elsewhere_or_decides(path: Path) -> None:
    assert list(sentences(ast.parse(path.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize(
    "line",
    [
        "draft.note('spans without length dropped')",
        "Note.of(f'{count} spans')",
        "Figure.undefined(Reason.other('nobody marked it'), 0.95)",
        "Excluded(task, reason='only one annotator')",
        "if note.message == SETTLED: ...",
        "found = [one for one in notes if one.message.startswith(LEFT_OUT)]",
        "same = str(figure.reason) == str(other.reason)",
        "good = change.verdict in ('better', 'worse')",
        "few = 'tasks' in (figure.remark)",
    ],
)
def test_a_sentence_elsewhere_would_be_seen(line: str) -> None:
    assert list(sentences(ast.parse(line))) == [1]
