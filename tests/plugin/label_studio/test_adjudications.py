"""Work that a person settled: told from imports, left out of agreement, and measured against."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from goldspan.adapters import read
from goldspan.adapters.facts import chosen_tasks, settled_tasks
from goldspan.adapters.label_studio.provenance import sealed
from goldspan.engine import score
from goldspan.engine.gold.calibration import COMFORTABLE
from goldspan.engine.gold.merging import merge
from goldspan.plugin.adjudications import NAME, Adjudications
from goldspan.plugin.cli import main
from goldspan.plugin.label_studio.columns import ANNOTATORS, DIFFER, SETTLED, TO_DECIDE, columns
from goldspan.plugin.label_studio.data_manager_tab import TITLE, renewed, tab_data, traces
from goldspan.plugin.measurement import MeasureRequest
from goldspan.plugin.report.page import write_report
from label_studio_export import annotation, region, save, task

TEXT = {"text": "Ada Obi met Ben Cole in Port Alder on Monday."}
ADA, BEN, PORT = (0, 7), (12, 20), (24, 34)


def marks(*places: tuple[int, int], label: str = "PER", **more: Any) -> list[dict[str, Any]]:
    return [region(start, end, label, id=f"{start}", **more) for start, end in places]


def made(by: int, *places: tuple[int, int], **fields: Any) -> dict[str, Any]:
    return annotation(by, *marks(*places), id=by, **({"updated_by": by} | fields))


def export(folder: Path, *starred: dict[str, Any], tasks: int = 6) -> Path:
    """Three people; in the last task dario differs, and further annotations are there."""
    agreed = [
        task(n, TEXT, made(2, ADA, BEN), made(3, ADA, BEN), made(4, ADA)) for n in range(1, tasks)
    ]
    others = made(2, ADA, BEN), made(3, ADA), made(4, PORT)
    return save(folder / "export.json", *agreed, task(tasks, TEXT, *others, *starred))


def test_a_star_beside_others_work_settles_the_task(tmp_path: Path) -> None:
    path = export(tmp_path, made(9, ADA, BEN, PORT, ground_truth=True))
    corpus = read(path)
    assert settled_tasks(corpus.notes) == {"6"}
    assert "9" not in corpus.annotators
    assert score(corpus, precision=0.2).tasks["6"].annotators == ("2", "3", "4")

    assert "9" in read(path, losses=True).annotators, "converting keeps everybody's work"
    counted = read(path, starred="annotation")
    assert settled_tasks(counted.notes) == frozenset()
    assert counted["6"].annotators == ("2", "3", "4", "9")


@pytest.mark.parametrize(
    ("starred", "mode", "settled"),
    [
        ([made(9, ADA, ground_truth=True, updated_by=None)], "auto", False),
        ([made(9, ADA, ground_truth=True, updated_by=None)], "adjudication", True),
        # A person's star takes off all others: two come from an import.
        ([made(8, ADA, ground_truth=True), made(9, ADA, ground_truth=True)], "adjudication", False),
        ([made(9, ADA, ground_truth=True, was_cancelled=True)], "auto", False),
        ([made(9, ADA, ground_truth=True)], "annotation", False),
        ([made(9, ground_truth=True)], "auto", True),
    ],
    ids=["imported", "told", "several", "skipped", "counted", "empty"],
)
def test_which_stars_settle(
    tmp_path: Path, starred: list[dict[str, Any]], mode: str, settled: bool
) -> None:
    corpus = read(export(tmp_path, *starred), starred=mode)
    assert settled_tasks(corpus.notes) == ({"6"} if settled else frozenset())


def at(minute: int, by: int, *places: tuple[int, int], **fields: Any) -> dict[str, Any]:
    """An annotation made in this minute."""
    return made(by, *places, created_at=f"2026-01-01T10:{minute:02}:00Z", **fields)


def test_an_annotators_own_work_that_somebody_stars_is_still_a_vote(tmp_path: Path) -> None:
    star = {"ground_truth": True, "updated_by": 9}
    tasks = [
        # Chosen are an early one, one that happens to be the last, and one of an annotator whose
        # work is always chosen.
        task(1, TEXT, at(1, 2, ADA, BEN, **star), at(2, 3, ADA), at(3, 4, ADA)),
        task(2, TEXT, at(1, 2, ADA), at(2, 3, ADA, BEN, **star), at(3, 4, ADA)),
        task(3, TEXT, at(1, 2, ADA), at(2, 3, ADA), at(3, 4, ADA, BEN, **star)),
        task(4, TEXT, at(1, 5, ADA, BEN, **star), at(2, 3, ADA)),
        task(5, TEXT, at(1, 5, ADA, BEN, **star), at(2, 3, ADA)),
    ]
    path = save(tmp_path / "x.json", *tasks)
    corpus = read(path)
    assert chosen_tasks(corpus.notes) == settled_tasks(corpus.notes) == set("12345")
    assert [len(one.annotators) for one in corpus] == [3, 3, 3, 2, 2]
    told = read(path, starred="adjudication")
    assert [len(one.annotators) for one in told] == [2, 2, 2, 1, 1]

    adjudications = Adjudications.of(corpus, lambda: read(path, adjudicated=True))
    assert adjudications is not None
    assert adjudications.authors == {"1": "2", "2": "3", "3": "4", "4": "5", "5": "5"}
    result = score(corpus, precision=0.5)
    found = adjudications.compare(corpus, result, MeasureRequest(), None).against
    assert found is not None
    # 5 did nothing but what was chosen, and nobody is measured against themselves.
    assert {one.name: one.n_tasks for one in found.annotators} == {"2": 2, "3": 4, "4": 2}
    assert adjudications.calibration(merge(corpus, result)) is None


def test_an_adjudicator_comes_last_and_may_have_annotated_a_little(tmp_path: Path) -> None:
    star = {"ground_truth": True}
    tasks = [
        task(n, TEXT, at(1, 2, ADA), at(2, 3, ADA, BEN), at(9, 4, ADA, BEN, PORT, **star))
        for n in (1, 2, 3)
    ]
    # Somebody else annotated the third task after it was settled.
    tasks[2]["annotations"].append(at(20, 5, ADA))
    trained = task(4, TEXT, at(1, 2, ADA), at(2, 4, ADA))
    again = task(5, TEXT, at(1, 2, ADA), at(2, 3, ADA), made(2, ADA, BEN, **star) | {"id": 77})
    corpus = read(save(tmp_path / "x.json", *tasks[:2], again))
    assert chosen_tasks(corpus.notes) == frozenset()
    assert settled_tasks(corpus.notes) == {"1", "2", "5"}
    assert corpus["5"].annotators == ("2", "3"), "the annotator's first work is still there"
    several = read(save(tmp_path / "x.json", *tasks, tasks[0] | {"id": 6}, trained))
    assert settled_tasks(several.notes) == {"1", "2", "3", "6"}
    assert "4" not in several["3"].annotators
    assert several["4"].annotators == ("2", "4")


def test_an_import_in_which_everything_is_starred_is_not_adjudicated(tmp_path: Path) -> None:
    old = {"ground_truth": True, "updated_by": None}
    tasks = [task(n, TEXT, made(2, ADA, **old), made(3, ADA, **old)) for n in (1, 2)]
    alone = task(3, TEXT, made(2, ADA, ground_truth=True))
    corpus = read(save(tmp_path / "x.json", *tasks, alone))
    assert settled_tasks(corpus.notes) == frozenset()
    assert corpus["1"].annotators == ("2", "3")


def test_what_goldspan_itself_starred_settles_nothing_until_somebody_edits_it(
    tmp_path: Path,
) -> None:
    suggested = [
        one | {"meta": {"goldspan": {"confidence": 0.9}}, "id": "goldspan-1"} for one in marks(ADA)
    ]
    ours = annotation(9, *sealed(suggested), id=9, ground_truth=True, updated_by=1)
    assert not settled_tasks(read(export(tmp_path, ours)).notes)
    edited = json.loads(json.dumps(ours))
    edited["result"][0]["value"]["end"] = 3
    assert settled_tasks(read(export(tmp_path, edited)).notes) == {"6"}


def test_annotators_are_measured_against_it_and_nothing_is_left_to_decide(tmp_path: Path) -> None:
    path = export(tmp_path, made(9, ADA, BEN, PORT, ground_truth=True))
    result = tmp_path / "result.json"
    html = tmp_path / "report.html"
    assert main(["score", str(path), "--json", str(result), "--html", str(html), "--quiet"]) == 0

    found = json.loads(result.read_text(encoding="utf-8"))
    assert found["against"]["reference"] == NAME
    recall = {one["name"]: one["also"]["recall"]["value"] for one in found["against"]["annotators"]}
    assert recall == pytest.approx({"2": 2 / 3, "3": 1 / 3, "4": 1 / 3})
    assert "settled</span>" in html.read_text(encoding="utf-8")
    corpus = read(path)
    scored = score(corpus, precision=0.2)
    gold = merge(corpus, scored)
    assert gold.decisions.get("6")
    assert "6" not in gold.settled(settled_tasks(corpus.notes)).decisions


def test_the_terminal_sends_nobody_to_a_settled_task(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = []
    for more in ((), (made(9, ADA, BEN, PORT, ground_truth=True),)):
        path = str(export(tmp_path, *more))
        assert main(["score", path, "--precision", "0.5", "--no-pairs", "--quiet"]) == 0
        said = " ".join(capsys.readouterr().out.split())
        first.append(said.partition("Open first: ")[2].partition(".")[0].split(", "))
    assert "6" in first[0]
    assert "6" not in first[1]


def test_the_first_lines_stay_few_and_the_tables_leave_out_settled_tasks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    path = str(export(tmp_path, made(9, ADA, BEN, PORT, ground_truth=True)))
    usual = ["score", path, "--precision", "0.5", "--no-pairs", "--quiet"]
    assert main(usual) == 0
    said = capsys.readouterr().out
    assert len(said.splitlines()) <= 12
    assert "F1: 3 0.500, 4 0.500, 2 0.800." in said
    assert "Units that match" not in said

    assert main([*usual, "--full"]) == 0
    said = capsys.readouterr().out
    assert "Units that match" in said
    rows = said.partition("Tasks to look at first")[2].partition("The median")[0]
    assert re.findall(r"^│ (\d+) +│", rows, re.MULTILINE) == ["1", "2", "3", "4", "5"]


def test_confidences_are_calibrated_once_enough_is_settled(tmp_path: Path) -> None:
    for settled, calibrated in ((COMFORTABLE // 2 - 1, False), (COMFORTABLE // 2, True)):
        tasks = [
            task(
                n, TEXT, made(2, ADA, BEN), made(3, ADA, BEN), made(4, ADA, BEN),
                made(9, ADA, BEN if n % 2 else PORT, ground_truth=n <= settled),
            )
            for n in range(1, 21)
        ]  # fmt: skip
        path = save(tmp_path / "many.json", *tasks)
        corpus = read(path)
        gold = merge(corpus, score(corpus, precision=0.5))
        adjudications = Adjudications.of(corpus, lambda p=path: read(p, adjudicated=True))
        assert adjudications is not None
        known = adjudications.calibration(gold)
        assert (known is not None) == calibrated
    assert known is not None
    assert known.judged == COMFORTABLE


def test_the_columns_and_the_tab_of_settled_tasks(tmp_path: Path) -> None:
    corpus = read(export(tmp_path, made(9, ADA, BEN, PORT, ground_truth=True)))
    result = score(corpus, precision=0.2)
    gold = merge(corpus, result)
    settled = {"6": 3, "7": 1}
    assert columns("6", result, gold, settled)[TO_DECIDE] == 0
    assert columns("6", result, gold, settled)[SETTLED] == "yes"
    assert columns("1", result, gold, settled)[SETTLED] == "no"
    # Nobody is left to agree with, and still it is settled.
    alone = columns("7", result, gold, settled)
    assert (alone[ANNOTATORS], alone[DIFFER]) == (1, "no two annotators to compare")
    assert columns("8", result, gold, settled) == {}

    new = {"id": 1, "data": tab_data(0.6)}
    assert renewed(new, None) is None
    old = json.loads(json.dumps(new))
    del old["data"]["filters"]["items"][1]
    assert renewed(old, None) == new["data"]
    theirs = json.loads(json.dumps(old))
    del theirs["data"]["goldspan"]
    assert theirs["data"]["title"] == TITLE
    assert renewed(theirs, None) is None, "a tab that a person saved is theirs"
    assert traces([new, old]) == [new, old]


def test_a_report_of_a_result_without_settled_work_says_nothing_of_it(tmp_path: Path) -> None:
    corpus = read(export(tmp_path))
    write_report(tmp_path / "r.html", "x", corpus, score(corpus, precision=0.2))
    assert "Settled" not in (tmp_path / "r.html").read_text(encoding="utf-8")
