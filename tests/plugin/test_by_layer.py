"""Tiers of several kinds: said where they are scored as one, and scored by themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.adapters import read
from goldspan.adapters.kit.tiers import merged_kinds
from goldspan.engine.errors import InputError, SettingsError
from goldspan.plugin.cli import main


def tier(name: str, *marks: tuple[int, int, str]) -> str:
    rows = "".join(f'{start}\n{end}\n"{label}"\n' for start, end, label in marks)
    return f'"IntervalTier"\n"{name}"\n0\n20\n{len(marks)}\n{rows}'


def grid(path: Path, *tiers: str) -> Path:
    path.write_text(
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n20\n<exists>\n'
        f"{len(tiers)}\n{''.join(tiers)}",
        encoding="utf-8",
    )
    return path


# An emotion study: what somebody does and what the face shows are tiers of their own.
TASK = [(0, 4, "walk"), (4, 9, "sit"), (9, 20, "walk")]
FACE = [(0, 10, "smile"), (10, 20, "frown")]


def study(path: Path) -> Path:
    moved = [(0, 5, "walk"), (5, 9, "sit"), (9, 20, "sit")]
    return grid(
        path, tier("TASK@r1", *TASK), tier("FACE@r1", *FACE),
        tier("TASK@r2", *moved), tier("FACE@r2", *FACE),
    )  # fmt: skip


NAMING = "tier:{layer}@{annotator}"
OPTIONS = ["--annotator-from", NAMING, "--precision", "0.2", "--chance", "shift"]


def test_kinds_that_are_scored_as_one_are_said(tmp_path: Path) -> None:
    path = study(tmp_path / "study.TextGrid")
    corpus = read(path, annotator_from=NAMING)
    (said,) = [note.message for note in corpus.notes if "several kinds" in note.message]
    assert "FACE, TASK" in said
    assert "--by layer" in said
    one = read(path, annotator_from=NAMING, layers="F*")
    assert {unit.category for unit in one.continua[0].units} == {"smile", "frown"}
    assert not [note for note in one.notes if "several kinds" in note.message]


def test_each_layer_has_the_figures_that_it_has_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(study(tmp_path / "study.TextGrid"))
    assert main(["score", path, *OPTIONS, "--by", "layer", "--json", str(tmp_path / "r.json")]) == 0
    said = capsys.readouterr().out
    assert "Layer FACE" in said
    assert "Layer TASK" in said
    for layer in ("FACE", "TASK"):
        alone = tmp_path / f"{layer}-alone.json"
        assert main(["score", path, *OPTIONS, "--layer", layer, "--json", str(alone)]) == 0
        together = tmp_path / f"r.{layer}.json"
        assert json.loads(together.read_bytes()) == json.loads(alone.read_bytes())
    assert not (tmp_path / "r.json").exists()


def test_what_cannot_be_split_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(study(tmp_path / "study.TextGrid"))
    assert main(["score", path, "--annotator-from", "tier", "--by", "layer"]) == 2
    assert "no tiers of several kinds" in capsys.readouterr().err
    assert main(["score", path, *OPTIONS, "--by", "layer", "--json", "-"]) == 2
    assert "several results" in capsys.readouterr().err


NAMES = st.text("abc", min_size=1, max_size=3)
KINDS = st.sets(st.sampled_from(["FACE", "TASK", "VOICE"]), min_size=1)


@given(st.dictionaries(NAMES, KINDS, min_size=2, max_size=4))
def test_kinds_that_annotators_share(tiers: dict[str, set[str]]) -> None:
    found = merged_kinds(tiers)
    if all(len(kinds) == 1 for kinds in tiers.values()):
        assert found == ()
    elif set.intersection(*tiers.values()):
        assert set(found) == set().union(*tiers.values())


@given(st.sets(st.integers(0, 9), min_size=2, max_size=4))
def test_names_that_hold_the_rater_become_patterns(raters: set[int]) -> None:
    before = {f"p{n}": {f"Rater #{n} FACE", f"Rater #{n} TASK"} for n in raters}
    assert merged_kinds(before) == ("*FACE", "*TASK")
    after = {f"p{n}": {f"FACE r{n}", f"TASK r{n}"} for n in raters}
    assert merged_kinds(after) == ("FACE*", "TASK*")
    assert merged_kinds({f"p{n}": {f"Rater #{n} FACE"} for n in raters}) == ()


TWO_LAYERS = """#FORMAT=WebAnno TSV 3.3
#T_SP=custom.Claim|value
#T_SP=custom.Clause|value
#T_SP=custom.Other|value


#Text=One two
1-1\t0-3\tOne\tx\t_\t_\t
1-2\t4-7\ttwo\t_\ty\tz\t
"""


def test_layers_are_chosen_by_patterns(tmp_path: Path) -> None:
    for name in ("ann", "ben"):
        (tmp_path / f"{name}.tsv").write_text(TWO_LAYERS, encoding="utf-8")
    (task,) = read(tmp_path, layers="Cla*")
    assert {unit.category for unit in task.units} == {"Claim/x", "Clause/y"}
    with pytest.raises(InputError, match=r"there is no layer 'D\*'"):
        read(tmp_path, layers="D*")
    brat = tmp_path / "brat" / "ann"
    brat.mkdir(parents=True)
    (brat / "d.txt").write_text("One two", encoding="utf-8")
    (brat / "d.ann").write_text("T1\tClaim 0 3\tOne\nT2\tOther 4 7\ttwo\n", encoding="utf-8")
    (task,) = read(tmp_path / "brat", layers="Cl*")
    assert {unit.category for unit in task.units} == {"Claim"}
    with pytest.raises(SettingsError, match=r"there is no layer 'D\*'"):
        read(tmp_path / "brat", layers="D*")
