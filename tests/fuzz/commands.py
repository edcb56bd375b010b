"""Commands: the words of a verb with options that fit, or seldom do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TypeAlias

from fuzz.mutations import mutate_file
from fuzz.seeds import ENDINGS, Seed

IN, OUT = "{in}", "{out}"
"""What stands for the folder of the files, and for the one to write to, in a command line."""

FORMATS = (
    "brat", "conll", "csv", "doccano", "elan", "glozz", "huggingface", "inception",
    "label-studio", "prodigy", "rttm", "spacy", "textgrid",
)  # fmt: skip
READ_ONLY = ("catma", "potato")
TEXTS = (
    "brat", "conll", "csv", "doccano", "glozz", "huggingface", "inception", "label-studio",
    "prodigy", "spacy",
)  # fmt: skip
SOUNDS = ("csv", "elan", "label-studio", "rttm", "textgrid")
FITTING = {"csv": ("csv",), "elan": SOUNDS, "rttm": SOUNDS, "textgrid": SOUNDS}
"""Formats that hold what others hold; most hold texts."""

OWN = {
    "--fragments": ("brat", "catma"), "--not-annotated": ("conll",), "--skip-bad-rows": ("conll",),
    "--task-from": ("csv",), "--start-from": ("csv",),
    "--end-from": ("csv",), "--label-separator": ("csv",), "--sheet": ("csv",),
    "--items": ("potato",), "--item-keys": ("potato",),
    "--include-inferred": ("elan",), "--include-predictions": ("label-studio",),
    "--ground-truth": ("label-studio", "prodigy"),
}  # fmt: skip
"""Options that only some formats have, and refuse elsewhere."""

TABLES = {
    "assignments.csv": b"document,annotator,status\ndoc1,ann,empty\nrec1,ann,skipped\n",
    "labels.csv": b"PER,LOC\nX,Y\n",
    "labels.json": b'{"PER": "LOC", "speech": ""}',
    "distances.csv": b",PER,LOC\nPER,0,0.5\nLOC,0.5,0\n",
    "distances.json": b'{"ordinal": ["PER", "LOC", "GPE"]}',
}
"""Files that options name; they are mutated as well."""

VERBS = ("convert", "score", "gold", "annotators", "adjudicate", "plan", "shuffle")
VERB_WEIGHTS = (14, 5, 2, 3, 2, 1, 1)
"""How often each verb is taken on files of a format."""

MEASURING = ("score", "gold", "annotators", "adjudicate")
WRITING = ("convert", "gold", "adjudicate", "shuffle")

Command: TypeAlias = tuple[str, ...]


def perhaps(rng: Random, share: float, *words: str) -> tuple[str, ...]:
    """The words, so often, or none."""
    return words if rng.random() < share else ()


def _fits(option: str, format: str) -> float:  # noqa: A002
    """How often an option is given to a format: seldom where the format refuses it."""
    return 1 if format in OWN.get(option, (format,)) else 0.05


def command(
    rng: Random, base: Seed, top: str, files: dict[str, bytes], seeds: Sequence[Seed]
) -> Command:
    """Words of any verb on the files of a seed; files that its options name are added."""
    words = [
        f"{IN}/{top}",
        *(base.reading if rng.random() < 0.8 else ()),
        *_reading(rng, base.format, files),
    ]
    verb = rng.choices(VERBS, VERB_WEIGHTS)[0]
    if verb in MEASURING:
        words += ["--precision", "0.3", "--seconds", "2"]
        words += _table(rng, files, "--distances", ("distances.csv", "distances.json"), 0.05)
    if verb in ("score", "gold", "annotators"):
        words += perhaps(rng, 0.5, "--json", f"{OUT}/result.json")
    if verb in ("gold", "annotators"):
        words += _adjudicated(rng, base, files, seeds)
    if verb == "shuffle":
        words = _errors(rng, words[0], base.format)
    words += OWN_WORDS[verb](rng)
    if verb in WRITING:
        words += _writing(rng, verb, base, files, seeds)
    return (verb, *words)


def _nothing(_rng: Random) -> list[str]:
    return []


def _plan(rng: Random) -> list[str]:
    return [
        "--precision", "0.3",
        *perhaps(rng, 0.3, "--html", f"{OUT}/plan.html"),
        *perhaps(rng, 0.5, "--json", f"{OUT}/plan.json"),
    ]  # fmt: skip


def _score(rng: Random) -> list[str]:
    words = [
        *perhaps(rng, 0.08, "--html", f"{OUT}/report.html"),
        *perhaps(rng, 0.15, "--markdown", f"{OUT}/report.md"),
        *perhaps(rng, 0.15, "--csv", f"{OUT}/tables"),
    ]
    for option, values, share in (
        ("--also", ("all", "f1,alpha", "kappa"), 0.1),
        ("--against", ("ann", "cyd", f"{IN}/tables/none.csv"), 0.08),
        ("--chance", ("shift", "corpus", "statistical", "normal"), 0.15),
        ("--starred", ("adjudication", "annotation"), 0.05),
        ("--resume", (f"{OUT}/parts",), 0.05),
        ("--max-seconds", ("1", "0.01"), 0.05),
    ):  # fmt: skip
        words += perhaps(rng, share, option, rng.choice(values))
    return words


def _annotators(rng: Random) -> list[str]:
    return [
        *perhaps(rng, 0.08, "--html", f"{OUT}/report.html"),
        *perhaps(rng, 0.4, "--csv", f"{OUT}/tables"),
        *perhaps(rng, 0.2, "--full"),
        *perhaps(rng, 0.05, "--resume", f"{OUT}/parts"),
        *perhaps(rng, 0.05, "--starred", rng.choice(("adjudication", "annotation"))),
        *perhaps(rng, 0.05, "--max-seconds", rng.choice(("1", "0.01"))),
    ]


def _adjudicate(rng: Random) -> list[str]:
    return [
        "--no-browser",
        "--force",
        *perhaps(rng, 0.7, "--adjudicator", "ann"),
        *perhaps(rng, 0.2, "--only-settled"),
        *perhaps(rng, 0.2, "--blind"),
    ]


def _gold(rng: Random) -> list[str]:
    strategy = rng.choice(("vote", "medoid", "intersection", "union", "best-annotator"))
    return [
        *perhaps(rng, 0.3, "--strategy", strategy),
        *perhaps(rng, 0.3, "--decisions", f"{OUT}/decide.csv"),
        *perhaps(rng, 0.1, "--no-overlaps"),
    ]


OWN_WORDS: Mapping[str, Callable[[Random], list[str]]] = {
    "convert": _nothing, "score": _score, "gold": _gold, "annotators": _annotators,
    "adjudicate": _adjudicate, "plan": _plan, "shuffle": _nothing,
}  # fmt: skip
"""What a verb has besides what others have too."""


def _writing(
    rng: Random, verb: str, base: Seed, files: dict[str, bytes], seeds: Sequence[Seed]
) -> list[str]:
    target = rng.choice(FITTING.get(base.format, TEXTS) if rng.random() < 0.85 else FORMATS)
    ending = rng.choice(ENDINGS.get(target, ("",)))
    if verb in ("gold", "adjudicate") and target == "doccano":
        ending = ".jsonl"
    return [
        "--to", target, "--output", f"{OUT}/out{ending}",
        *(_source(rng, target, files, seeds) if rng.random() < 0.15 else []),
        *perhaps(rng, 0.05 * _fits("--ground-truth", target), "--ground-truth"),
    ]  # fmt: skip


def _adjudicated(
    rng: Random, base: Seed, files: dict[str, bytes], seeds: Sequence[Seed]
) -> list[str]:
    """Sometimes files that a person adjudicated: the same, or others of any format, damaged too."""
    if rng.random() >= 0.25:
        return []
    other = base if rng.random() < 0.7 else rng.choice(seeds)
    for name, data in other.files.items():
        changed = mutate_file(name, data, rng) if rng.random() < 0.3 else data
        files[f"adjudicated/{name}"] = changed
    return [
        "--adjudicated", f"{IN}/adjudicated/{other.top}",
        *perhaps(rng, 0.8, "--adjudicated-from", other.format),
        *perhaps(rng, 0.6, "--adjudicator", rng.choice(("ann", "ben", "gold", "x"))),
        *perhaps(rng, 0.1, "--adjudicator-from", rng.choice(("file", "tier", "dir"))),
        *perhaps(rng, 0.1, "--adjudicated-task-from", rng.choice(("file", "task"))),
    ]  # fmt: skip


def _errors(rng: Random, path: str, format: str) -> list[str]:  # noqa: A002
    """Words that take the files for a reference and make annotators who err."""
    kinds = ("position", "category", "false-negatives", "false-positives", "splits")
    chosen = rng.sample(kinds, rng.choice((1, 1, 2, 5)))
    magnitude = rng.choice(("=0", "=0.2", "=1", ""))
    return [
        "--reference", path, "--reference-from", format,
        "--errors", ",".join(kind + magnitude for kind in chosen),
        *perhaps(rng, 0.8, "--reference-annotator", rng.choice(("ann", "ben"))),
        *perhaps(rng, 0.2, "--correlated", "0.5"),
        *perhaps(rng, 0.2, "--no-overlap"),
        *perhaps(rng, 0.2, "--bad", "0.7"),
    ]  # fmt: skip


def _reading(rng: Random, format: str, files: dict[str, bytes]) -> list[str]:  # noqa: A002
    words: list[str] = []
    for option, values, share in (
        ("--empty", ("seen", "unseen"), 0.5),
        ("--unlabelled", ("none",), 0.3),
        ("--labels", ("split", "join"), 0.1),
        ("--fragments", ("hull", "split"), 0.1),
        ("--annotator-from", ("file", "dir", "tier", "{annotator}.*", "id", "column"), 0.05),
        ("--category-from", ("label", "type", "tier", "value", "name", "layer", "columns:*"), 0.04),
        ("--task-from", ("task", "file", "{task}.*"), 0.02),
        ("--start-from", ("start", "end", "category"), 0.02),
        ("--end-from", ("end", "start", "task"), 0.02),
        ("--label-separator", (";", "|", " "), 0.04),
        ("--sheet", ("Sheet", "x"), 0.02),
        ("--items", (f"{IN}/in/items.json", f"{IN}/none.json"), 0.1),
        ("--item-keys", ("id,text", "a,b", "text"), 0.05),
        ("--not-annotated", ("?", "_", "O"), 0.1),
        ("--layer", ("ents", "PER", "label", "ann/a", "channel:1", "NamedEntity", "*"), 0.04),
        ("--exclude-annotator", ("ann", "x"), 0.03),
        ("--include-annotator", ("gold",), 0.05),
    ):  # fmt: skip
        words += perhaps(rng, share * _fits(option, format), option, rng.choice(values))
    for option, share in (
        ("--trim", 0.1), ("--swap", 0.3), ("--join-touching", 0.1), ("--include-partial", 0.1),
        ("--include-predictions", 0.1), ("--include-inferred", 0.1),
        ("--skip-bad-rows", 0.4),
    ):  # fmt: skip
        words += perhaps(rng, share * _fits(option, format), option)
    words += _table(rng, files, "--assignments", ("assignments.csv",), 0.04)
    return words + _table(rng, files, "--rename-labels", ("labels.csv", "labels.json"), 0.04)


def _table(
    rng: Random, files: dict[str, bytes], option: str, names: Sequence[str], share: float
) -> list[str]:
    if rng.random() >= share:
        return []
    name = rng.choice(names)
    data = TABLES[name]
    files[f"tables/{name}"] = mutate_file(name, data, rng) if rng.random() < 0.8 else data
    return [option, f"{IN}/tables/{name}"]


def _source(rng: Random, target: str, files: dict[str, bytes], seeds: Sequence[Seed]) -> list[str]:
    """Other files of the written format, damaged too."""
    fitting = [seed for seed in seeds if seed.format == target]
    if not fitting:
        return []
    other = rng.choice(fitting)
    for name, data in other.files.items():
        files[f"source/{name}"] = mutate_file(name, data, rng) if rng.random() < 0.5 else data
    return ["--source", f"{IN}/source/{other.top}"]
