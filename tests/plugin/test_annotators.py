"""`goldspan annotators`: the verb, its files, and times in exports."""

from __future__ import annotations

import csv
import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from adjudication_projects import NEWSROOM, desk_at
from goldspan.adapters import registry
from goldspan.adapters.adapter import ReadOptions, read_with, times_with
from goldspan.engine.annotators.worktime import WorkTime
from goldspan.plugin.cli import main
from label_studio_export import annotation, region, save, task

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "annotators.schema.json").read_text(encoding="utf-8"))
WORDS = [str(NEWSROOM / "spans.csv"), "--assignments", str(NEWSROOM / "spans.assignments.csv")]
TEXT = "Ada met Bob in Rome on Monday. " * 4
NAMES = ("ann", "bob", "cyd", "dan")


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def export(path: Path, *, starred: bool = False) -> Path:
    """Twelve tasks; ann starts one character late and takes twice as long; the adjudicator eve
    settles them if so asked.
    """
    tasks = []
    for number in range(1, 13):
        work = []
        for at, name in enumerate(NAMES):
            late = name == "ann"
            spans = [(start + late, start + 3) for start in (0, 8, 31, 39, 62, 70)]
            work.append(
                annotation(
                    {"id": at, "email": name},
                    *(region(*span, "PER", id=f"r{number}{at}{span[0]}") for span in spans),
                    id=10 * number + at,
                    created_at=f"2026-03-{number:02}T10:00:00Z",
                    lead_time=(60.0 if late else 30.0) + number % 3,
                )
            )
        if starred:
            settled = [region(start, start + 3, "PER", id=f"s{start}") for start in (0, 8)]
            work.append(
                annotation({"id": 9, "email": "eve"}, *settled, id=10 * number + 9,
                           ground_truth=True, updated_by=9,
                           created_at=f"2026-04-{number:02}T10:00:00Z")
            )  # fmt: skip
        tasks.append(task(number, {"text": TEXT}, *work))
    return save(path, *tasks)


def test_the_schema_is_what_the_types_say() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_schema.py"))["render_annotators"]()
    assert (ROOT / "docs" / "annotators.schema.json").read_text(encoding="utf-8") == made
    Draft202012Validator.check_schema(SCHEMA)


def test_all_files_of_one_run_say_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = export(tmp_path / "export.json")
    page, folder, figures = tmp_path / "a.html", tmp_path / "tables", tmp_path / "a.json"
    words = ["annotators", str(path), "--html", str(page), "--csv", str(folder)]
    assert main([*words, "--json", str(figures), "--full"]) == 0
    shown = capsys.readouterr().out
    found = json.loads(figures.read_text(encoding="utf-8"))
    assert list(Draft202012Validator(SCHEMA).iter_errors(found)) == []
    people = {one["name"]: one for one in found["annotators"]}
    habit = people["ann"]["gold"]["start"]
    assert habit["offset"] == {"value": 1.0, "low": 1.0, "high": 1.0, "n": 72}
    assert habit["is_clear"]
    (said,) = people["ann"]["gold"]["habits"]
    assert said == "starts 1 character late on average (1 to 1, n = 72)"
    assert people["ann"]["speed"]["median_seconds"] == 61
    assert people["ann"]["speed"]["ratio"]["low"] > 1.9
    written = page.read_text(encoding="utf-8")
    for name in NAMES[1:]:
        assert people[name]["gold"]["habits"] == []
    assert said in shown
    assert said in written
    assert 'id="people"' in written
    assert 'href="#people"' in written
    (start,) = (
        row for row in rows(folder / "habits.csv")
        if (row["annotator"], row["side"]) == ("ann", "start")
    )  # fmt: skip
    assert (float(start["offset"]), start["late"]) == (1.0, "72")
    skills = {row["annotator"]: row for row in rows(folder / "skills.csv") if not row["label"]}
    assert {name: float(row["recall"]) for name, row in skills.items()} == dict.fromkeys(NAMES, 1.0)
    assert [row["advice"] for row in rows(folder / "advice.csv")] == [f"boundaries: {said}"]
    assert {row["annotator"] for row in rows(folder / "people.csv")} == set(NAMES)
    assert {row["matter"] for row in rows(folder / "drift.csv")} >= {"recall", "seconds"}
    assert rows(folder / "confusions.csv") == []


def test_starred_work_is_the_adjudicated_version(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = export(tmp_path / "export.json", starred=True)
    assert main(["annotators", str(path), "--json", "-", "--quiet"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["adjudicated_tasks"] == 12
    assert [one["name"] for one in found["annotators"]] == list(NAMES)
    for one in found["annotators"]:
        precision = one["adjudicated"]["overall"]["precision"]
        assert (precision["count"], precision["n"]) == (24, 72)


def test_a_file_of_adjudicated_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = tmp_path / "truth.csv"
    truth.write_text(
        "task,annotator,start,end,category\n"
        + "".join(
            f"{number},eve,{start},{start + 3},PER\n" for number in (1, 2) for start in (0, 8, 100)
        ),
        encoding="utf-8",
    )
    path = export(tmp_path / "export.json")
    words = ["annotators", str(path), "--adjudicated", str(truth), "--json", "-", "--quiet"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    recall = found["annotators"][1]["adjudicated"]["overall"]["recall"]
    assert (found["adjudicated_tasks"], recall["count"], recall["n"]) == (2, 4, 6)


def test_the_journal_of_an_adjudication(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "gold.csv.journal"
    desk = desk_at(folder)
    for site in [site for site in desk.docket.sites.values() if site.questions]:
        event = f'{{"id":"event-{site.id}","op":"settle","site":"{site.id}","spans":[]}}'
        desk.record(event.encode())
    desk.close()
    words = ["annotators", *WORDS, "--adjudicated", str(folder), "--json", "-", "--quiet"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["adjudicated_tasks"] > 0
    assert all(one["adjudicated"] is not None for one in found["annotators"])


def test_one_annotator_without_anything_to_compare_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.csv"
    path.write_text("task,annotator,start,end,category\n1,ann,0,3,PER\n", encoding="utf-8")
    assert main(["annotators", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "1 task of 1 had one or two annotators" in shown
    assert "ann        –" in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["no-such-file.csv"], "there is no such file"),
        ([*WORDS, "--adjudicated", "no-such-file.csv"], "there is no such file"),
        ([*WORDS, "--json", WORDS[0]], "would replace the input"),
        ([*WORDS, "--csv", WORDS[0]], "is a file; name a folder"),
        ([*WORDS, "--level", "2"], "level"),
    ],
)
def test_bad_requests_are_refused_in_one_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["annotators", *words, "--quiet"]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def times_of(path: Path, format_name: str, **options: Any) -> dict[tuple[str, str], WorkTime]:
    """The times, whose tasks and names must be those of the corpus."""
    adapter, asked = registry.get(format_name), ReadOptions(**options)
    found = dict(times_with(adapter, [path], asked))
    known = {(one.id, name) for one in read_with(adapter, [path], asked) for name in one.presence}
    assert set(found) <= known
    return found


def test_times_of_label_studio_go_by_the_names_of_the_corpus(tmp_path: Path) -> None:
    """Ids that are named later, an annotation that was replaced, one that was skipped."""
    path = save(
        tmp_path / "export.json",
        task(1, {"text": TEXT},
             annotation(5, region(0, 3, "PER"), created_at="2026-01-01T00:00:00Z", lead_time=5),
             annotation(6, was_cancelled=True, lead_time=1)),
        task(2, {"text": TEXT},
             annotation({"id": 5, "email": "ann@x"}, region(0, 3, "PER"), id=1, lead_time=9,
                        updated_at="2026-01-02T00:00:00Z"),
             annotation({"id": 5, "email": "ann@x"}, region(0, 3, "PER"), id=2, lead_time="x",
                        created_at="nothing", updated_at="2026-01-03T00:00:00Z")),
    )  # fmt: skip
    day = 86_400.0
    first = 1_767_225_600.0
    assert times_of(path, "label-studio") == {
        ("1", "ann@x"): WorkTime(5.0, first),
        ("2", "ann@x"): WorkTime(None, first + 2 * day),
    }


def test_times_of_prodigy(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    span = {"start": 0, "end": 3, "label": "PER"}
    lines = [
        {"text": "Ada met Bob.", "_input_hash": 1, "_task_hash": 2, "_view_id": "ner_manual",
         "answer": "accept", "_session_id": f"set-{name}", "_timestamp": when, "spans": [span]}
        for name, when in (("ann", 50), ("ben", 60), ("ann", 70))
    ]  # fmt: skip
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    found = times_of(path, "prodigy")
    assert {name: one for (_, name), one in found.items()} == {
        "ann": WorkTime(None, 70),
        "ben": WorkTime(None, 60),
    }


def test_other_formats_say_nothing_of_times() -> None:
    assert times_of(Path(WORDS[0]), "csv", assignments=Path(WORDS[2])) == {}
