"""Whether two installed versions of goldspan measure the same, to the last digit.

    python -m benchmarks.same_figures OLD/bin/python NEW/bin/python [--expect '*/low']

Both measure the demo, the spaCy project of the examples and, where they are there, the public
corpora in ../shared/data. Every number of the results is compared; words are not. A key that only
one version writes is listed apart. Exit code 1 if a figure differs that nobody expected.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULT = "result.json"
SHOWN = 20
"""Differences of one corpus that are printed; the others are counted."""


@dataclass(frozen=True, slots=True)
class Case:
    """Commands of goldspan, the last of which writes `RESULT`, and the files that they read."""

    name: str
    commands: tuple[tuple[str, ...], ...]
    files: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Differences:
    """The figures that differ, by the path of keys that leads to them; and keys of one side."""

    figures: Mapping[str, tuple[Any, Any]]
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]


def cases(data: Path) -> list[Case]:
    """All that is compared; `data` holds the public corpora."""
    demo = ROOT / "plugin" / "goldspan" / "plugin" / "demo"
    first, second = demo / "round1.json", demo / "round2.json"
    continua = data / "pygamma_tests" / "tests" / "data"
    tiers = [continua / f"MaureenMarvinRobin.{kind}" for kind in ("eaf", "TextGrid")]
    return [
        _score("demo 1", first),
        _score("demo 2", second),
        Case(
            "demo compared",
            (
                ("score", str(first), "--json", "old.json"),
                ("score", str(second), "--json", "new.json"),
                ("compare", "old.json", "new.json", "--json", RESULT),
            ),
            (first, second),
        ),
        _spacy_project(ROOT / "examples" / "spacy_project" / "assets"),
        _score("LEOKA", data / "labelstudio_leoka" / "LEOKA_team_1.json"),
        _score("bratiaa", data / "brat_bratiaa" / "example-files" / "example-project"),
        *(_score(f"pygamma {path.name}", path) for path in sorted(continua.glob("*.csv"))),
        *(_score(f"pygamma {path.name}", path, "--annotator-from", "tier") for path in tiers),
    ]


def _score(name: str, path: Path, *options: str) -> Case:
    return Case(name, (("score", str(path), *options, "--json", RESULT),), (path,))


def _spacy_project(assets: Path) -> Case:
    """As its project.yml has it."""
    first, second = assets / "first.json", assets / "second.jsonl"
    from_studio = ("--from", "label-studio", "--annotator-from", "name")
    to_spacy = ("--to", "spacy", "--output")
    return Case(
        "spaCy project",
        (
            ("convert", str(first), *from_studio, *to_spacy, "corpus/first.spacy"),
            ("convert", str(second), "--from", "prodigy", *to_spacy, "corpus/second.spacy"),
            ("score", "corpus", "--from", "spacy", "--seed", "0", "--json", RESULT),
        ),
        (first, second),
    )


def measure(python: str, case: Case) -> Any:
    """The result that a version writes; a RuntimeError with its words where it writes none."""
    # The commands run elsewhere. A link is not followed: it makes the Python that of its folder.
    program = Path(shutil.which(python) or python).absolute()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "corpus").mkdir()
        for command in case.commands:
            done = subprocess.run(
                [program, "-m", "goldspan.plugin", *command],
                cwd=folder, env=environment, capture_output=True, text=True, check=False,
            )  # fmt: skip
            if done.returncode:
                said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
                raise RuntimeError(f"{case.name}: {python} cannot measure it: {said[-1]}")
        return json.loads(Path(folder, RESULT).read_text(encoding="utf-8"))


def leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Whatever is neither an object nor a list, with the keys that lead to it."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, f"{path}/{key}")
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from leaves(one, f"{path}/{index}")
    else:
        yield path, value


def differences(old: Any, new: Any, name: str) -> Differences:
    """Compare two results; a figure may become another, appear where there was none, or go."""
    before, after = dict(leaves(old, name)), dict(leaves(new, name))
    both = [path for path in before if path in after]
    return Differences(
        {p: (before[p], after[p]) for p in both if _differ(before[p], after[p])},
        tuple(path for path in before if path not in after),
        tuple(path for path in after if path not in before),
    )


def _differ(old: Any, new: Any) -> bool:
    return old != new and (_is_figure(old) or _is_figure(new))


def _is_figure(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def report(found: Differences, name: str, expected: Sequence[str]) -> bool:
    """Print what was found; whether every difference was expected."""
    known = {p for p in found.figures if any(fnmatchcase(p, one) for one in expected)}
    others = {path: pair for path, pair in found.figures.items() if path not in known}
    state = f"{len(others)} figures differ" if others else "the same"
    print(f"{name}: {state}" + (f", {len(known)} differ as expected" if known else ""))
    _print_some([f"{path}: {old!r} -> {new!r}" for path, (old, new) in others.items()])
    for side, paths in (("old", found.only_old), ("new", found.only_new)):
        if paths:
            print(f"  only in the {side} version:")
            _print_some(paths)
    return not others


def _print_some(lines: Sequence[str]) -> None:
    for line in lines[:SHOWN]:
        print(f"    {line}")
    if len(lines) > SHOWN:
        print(f"    and {len(lines) - SHOWN} more")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure with both versions, compare, and say what differs."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.same_figures", description="Compare the figures of two versions."
    )
    parser.add_argument("old", help="the Python that has the old version")
    parser.add_argument("new", help="the Python that has the new version")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name has this")
    parser.add_argument(
        "--expect", action="append", default=[], metavar="PATTERN",
        help="a path that may differ, such as '*/low' or 'LEOKA/corpus/*'; may be repeated",
    )  # fmt: skip
    args = parser.parse_args(arguments)
    for one in (args.old, args.new):
        if shutil.which(one) is None:
            parser.error(f"there is no {one}")
    chosen = [case for case in cases(args.data.resolve()) if args.only in case.name]
    if not chosen:
        parser.error(f"no case has '{args.only}' in its name")
    good, measured = True, 0
    for case in chosen:
        missing = [path for path in case.files if not path.exists()]
        if missing:
            print(f"{case.name}: LEFT OUT, there is no {missing[0]}")
            continue
        try:
            found = differences(measure(args.old, case), measure(args.new, case), case.name)
        except RuntimeError as error:
            print(error)
            good = False
            continue
        measured += 1
        good &= report(found, case.name, args.expect)
    print(f"{measured} of {len(chosen)} cases were compared")
    return 0 if good and measured else 1


if __name__ == "__main__":
    sys.exit(main())
