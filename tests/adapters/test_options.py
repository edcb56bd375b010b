"""Options that formats declare: values beside the adapter, checked in one place, cheap to show."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from goldspan.adapters import Adapter, Option, ReadOptions, read, registry, write
from goldspan.adapters.adapter import Paths, read_with
from goldspan.adapters.options import shared_names
from goldspan.engine.errors import SettingsError
from goldspan.engine.model import Continuum, Corpus, Presence
from goldspan.plugin.cli.format_options import add_format_options, given_options, given_words

RATE = Option("frame_rate", "frames a second, 100% sure", default=25.0, kind=float, metavar="N")
TABLE: Option[Path | None] = Option("table", "a table", default=None, kind=Path, metavar="FILE")
SEED: Option[int | None] = Option("seed", "where it starts", default=None, kind=int)
TRIM: Option[bool] = Option("trim", "not what all formats mean by it", default=False, kind=bool)


class Frames(Adapter):
    name = "frames"
    summary = annotators = presence = "-"
    reading_options = (RATE, TABLE, SEED, TRIM)

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        task = f"{RATE.of(options):g} {TABLE.of(options)} {SEED.of(options)}"
        return Corpus((Continuum(task, (), {"ann": Presence.DONE}, length=10),))


def parse(monkeypatch: pytest.MonkeyPatch, *words: str) -> argparse.Namespace:
    monkeypatch.setattr(registry, "load_all", lambda: ((Frames(),), ()))
    parser = argparse.ArgumentParser()
    parser.add_argument("--trim", action="store_true")
    add_format_options(parser, "reading")
    parser.add_argument_group("measuring").add_argument("--seed", type=int, default=0)
    parser.format_help()
    return parser.parse_args(words)


def test_values_come_from_the_command_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    args = parse(monkeypatch, "--frame-rate", "30", "--table", "a/b.csv")
    assert given_options(args, "reading") == {"frame_rate": 30.0, "table": Path("a/b.csv")}
    assert given_words(given_options(args, "reading")) == [
        "--frame-rate",
        "30.0",
        "--table",
        "b.csv",
    ]
    options = ReadOptions(own=given_options(args, "reading"))
    assert [c.id for c in read_with(Frames(), [tmp_path], options).continua] == ["30 a/b.csv None"]
    assert given_options(parse(monkeypatch), "reading") == {}


def test_a_verb_and_all_formats_keep_their_own_names(monkeypatch: pytest.MonkeyPatch) -> None:
    args = parse(monkeypatch, "--trim", "--seed", "3")
    assert (args.trim, args.seed) == (True, 3)
    assert given_options(args, "reading") == {}


def read_frames(monkeypatch: pytest.MonkeyPatch, path: Path, **options: Any) -> str:
    monkeypatch.setattr(registry, "get", lambda _: Frames())
    monkeypatch.setattr(registry, "load_all", lambda: ((Frames(),), ()))
    (continuum,) = read(path, format="frames", **options).continua
    return continuum.id


def test_values_come_from_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert read_frames(monkeypatch, tmp_path) == "25 None None"
    assert read_frames(monkeypatch, tmp_path, frame_rate=30, table="x", seed=2) == "30 x 2"
    assert read_frames(monkeypatch, tmp_path, table=None) == "25 None None"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"frame_rate": "30"}, "frame_rate is '30'; it should be a number"),
        ({"frame_rate": True}, "frame_rate is True; it should be a number"),
        ({"seed": 2.5}, "seed is 2.5; it should be a whole number"),
        ({"frames": 2}, "there is no option 'frames'; there are annotator_from, .*frame_rate"),
    ],
)
def test_a_value_of_the_wrong_kind_is_a_sentence(
    given: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match=message):
        read_frames(monkeypatch, tmp_path, **given)


def test_a_choice_is_one_of_the_choices(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="fragments is 'x'; it can be 'hull' or 'split'"):
        read(tmp_path, format="brat", fragments="x")


def test_an_option_of_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("ann,X,0,5\n", encoding="utf-8")
    with pytest.raises(
        SettingsError, match="--include-inferred does not apply to the format 'csv'"
    ):
        read(path, include_inferred=True)
    corpus = read(path, include_inferred=False, fragments=None)
    with pytest.raises(SettingsError, match="--ground-truth does not apply to the format 'csv'"):
        write(corpus, tmp_path / "y.csv", "csv", ground_truth=True)
    assert not (tmp_path / "y.csv").exists()


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"name": "--rate"}, "'--rate' cannot be an option"),
        ({"name": "rate", "kind": list}, "the kind of the option 'rate' can be str, int"),
        ({"name": "rate", "kind": bool}, "the option 'rate' is a flag; its default is False"),
    ],
)
def test_a_declaration_that_cannot_be(declared: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        Option(help="-", default=None, **declared)


@pytest.mark.parametrize("use", ["reading", "writing"])
def test_no_format_declares_what_all_have(use: Any) -> None:
    names = [option.name for option in registry.declared_options(use)]
    assert len(set(names)) == len(names)
    assert set(names).isdisjoint(shared_names(ReadOptions))


def test_showing_options_loads_no_reader_and_no_extra() -> None:
    """`--help` loads every adapter, so their modules import nothing that reads or writes."""
    program = (
        "import sys; from goldspan.adapters import registry; "
        "assert not registry.load_all()[1]; print(*sorted(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = done.stdout.split()
    assert "goldspan.adapters.elan" in loaded
    heavy = ("goldspan.adapters.kit", "lxml", "spacy", "cassis", "msgspec")
    assert [name for name in loaded if name.startswith(heavy)] == []
    assert [name for name in loaded if name.endswith((".reader", ".writer"))] == []
