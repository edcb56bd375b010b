"""`goldspan open` over HTTP: files in, questions, figures, downloads; hostile files and calls."""

from __future__ import annotations

import io
import json
import shlex
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx
import pytest

from goldspan.plugin.cli import main
from goldspan.plugin.open.data import Shelf, given_data
from goldspan.plugin.open.measuring import Measurer
from goldspan.plugin.open.reading import Reader
from goldspan.plugin.open.refusal import Refused
from goldspan.plugin.open.state import State
from open_server import OpenServer

ROWS = """task,annotator,category,start,end
d1,ann,X,1,5
d1,ben,X,1,6
d1,ann,Y,8,12
d1,ben,Z,8,12
d2,ann,X,3,9
d2,ben,Y,3,9
d2,ben,Z,12,15
"""
CROWD = "doc,worker,code,from,to\nd1,a,X,1,3\nd1,b,X,1,4\nd2,a,X,1,3\nd2,b,Y,1,3\n"
GRID = (
    'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n3\n<exists>\n2\n"IntervalTier"\n'
    '"ann"\n0\n3\n2\n0\n1\n"X"\n1\n3\n""\n"IntervalTier"\n"ben"\n0\n3\n2\n0\n2\n"X"\n2\n3\n"Y"\n'
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("given") / "rows.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def server(table: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenServer]:
    with OpenServer(tmp_path_factory.mktemp("open"), table) as running:
        yield running


def read(server: OpenServer, data: str, **state: Any) -> dict[str, Any]:
    answer = server.post("/api/read", state={"data": data, **state})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def packed(files: dict[str, bytes]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return archive.getvalue()


def test_it_says_what_it_took_a_given_file_for(server: OpenServer) -> None:
    found = read(server, "given")
    assert (found["format"], found["tasks"], found["units"]) == ("csv", 2, 7)
    assert [one["name"] for one in found["annotators"]] == ["ann", "ben"]
    assert found["labels"] == ["X", "Y", "Z"]


CHANGES: list[dict[str, Any]] = [
    {"alpha": 2.0},
    {"alpha": 0.3, "beta": 1.7},
    {"chance": "shift"},
    {"precision": 0.05},
    {"coefficients": ["alpha", "f1"]},
    {"distances": {"categories": ["X", "Y", "Z"],
                   "rows": [[0, 0.25, 1], [0.25, 0, 0.5], [1, 0.5, 0]]}},
    {"trim": True, "join_touching": True},
    {"chance": "statistical"},
    {"empty": "unseen"},
    {"left_out_labels": ["Z"]},
    {"left_out_labels": ["Y"], "left_out_tasks": ["d2"]},
    {"beta": 0.1},
]  # fmt: skip


def test_many_changes_in_a_row_end_with_the_figures_of_the_command_line(
    server: OpenServer, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state: dict[str, Any] = {"data": "given"}
    for change in CHANGES:
        state |= change
        for stage in ("coarse", "figures"):
            answer = server.post("/api/measure", state=state, stage=stage, tab="t")
            assert answer.status_code == 200, answer.text
    full = server.post("/api/measure", state=state, stage="full", tab="t").json()
    got = server.post("/api/download", state=state, what="json").json()
    distances = server.post("/api/download", state=state, what="distances")
    monkeypatch.chdir(tmp_path)
    Path("distances.csv").write_bytes(distances.content)

    words = full["command"].split()
    assert words[:3] == ["goldspan", "score", str(table)]
    assert main([*words[1:], "--json", "own.json", "--quiet"]) == 0
    own = json.loads(Path("own.json").read_text(encoding="utf-8"))
    got.pop("command")
    own.pop("command")
    assert got == own
    shown = {(one["key"], one["label"]): one["value"] for one in full["figures"]}
    assert shown["gamma", ""] == own["corpus"]["gamma"]["value"]


def test_left_out_annotators_do_not_count_and_stay_listed(server: OpenServer) -> None:
    data = server.send({"rows.csv": (ROWS + "d1,cat,X,1,5\nd2,cat,X,3,9\n").encode()})
    assert len(read(server, data, left_out=["cat"])["annotators"]) == 3
    found = {}
    for name, state in {
        "own": {"data": "given"},
        "left": {"data": data, "left_out": ["cat"]},
    }.items():
        found[name] = server.post("/api/measure", state=state, stage="figures").json()
    assert found["left"]["figures"] == found["own"]["figures"]
    assert "--exclude-annotator cat" in found["left"]["command"]
    answer = server.post(
        "/api/measure", state={"data": data, "left_out": ["cat", "ben"]}, stage="figures"
    )
    assert "annotator" in answer.json()["say"]


def test_labels_and_tasks_left_out_stay_listed_and_stand_in_the_command(server: OpenServer) -> None:
    state = {"data": "given", "left_out_labels": ["Z"], "left_out_tasks": ["d2"]}
    found = read(server, **state)
    assert (found["labels"], found["label_units"]) == (["X", "Y", "Z"], [3, 2, 2])
    assert (found["task_names"], found["task_units"]) == (["d1", "d2"], [4, 3])
    measured = server.post("/api/measure", state=state, stage="figures").json()
    assert "--exclude-label Z --exclude-task d2" in measured["command"]
    assert (measured["tasks"], measured["units"]) == (1, 3)
    state["left_out_tasks"] = ["d1", "d2"]
    refused = server.post("/api/measure", state=state, stage="figures")
    assert "keep one" in refused.json()["say"]


def test_a_table_with_other_columns_is_a_form_with_examples(server: OpenServer) -> None:
    data = server.send({"crowd.csv": CROWD.encode()})
    asked = read(server, data)
    by_option = {one["option"]: one for one in asked["questions"]}
    start = by_option["--start-from"]
    assert start["suggested"] == "from"
    assert {one["value"]: one["example"] for one in start["choices"]}["code"] == "such as X, Y"
    answers = {one["option"]: one["suggested"] for one in asked["questions"] if one["suggested"]}
    assert read(server, data, answers=answers)["units"] == 4


def test_answers_show_the_annotators_that_they_give(server: OpenServer) -> None:
    data = server.send({"talk.TextGrid": GRID.encode()})
    (question,) = read(server, data)["questions"]
    examples = {one["value"]: one["example"] for one in question["choices"]}
    assert examples["tier"] == "2 annotators: ann, ben"
    assert examples["file"] == "1 annotator: talk"
    assert "dir" not in examples, "the folder is the server's own"
    assert question["suggested"] == "tier", "with one annotator there is nothing to agree on"
    found = read(server, data, answers={"--annotator-from": "tier"})
    assert [one["name"] for one in found["annotators"]] == ["ann", "ben"]


ELAN_TIER = """<TIER TIER_ID="{who}" LINGUISTIC_TYPE_REF="t">
<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="{who}1" TIME_SLOT_REF1="s1" TIME_SLOT_REF2="s2">
<ANNOTATION_VALUE>{label}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER>"""
ELAN = f"""<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2026-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0">
<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>
<TIME_ORDER><TIME_SLOT TIME_SLOT_ID="s1" TIME_VALUE="0"/>
<TIME_SLOT TIME_SLOT_ID="s2" TIME_VALUE="900"/></TIME_ORDER>
{ELAN_TIER.format(who="ann", label="X")}{ELAN_TIER.format(who="ben", label="")}
<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="t" TIME_ALIGNABLE="true"/></ANNOTATION_DOCUMENT>"""


def test_an_answer_that_leads_to_another_question_is_offered_as_well(server: OpenServer) -> None:
    data = server.send({"talk.eaf": ELAN.encode()})
    (question,) = read(server, data)["questions"]
    examples = {one["value"]: one["example"] for one in question["choices"]}
    assert examples["tier"] == "2 annotators: ann, ben"
    (question,) = read(server, data, answers={"--annotator-from": "tier"})["questions"]
    assert (question["option"], question["suggested"]) == ("--unlabelled", "drop")


SPEAKERS = {"ann.rttm": "SPEAKER talk 1 1.0 2.0 <NA> <NA> ana <NA> <NA>\n",
            "ben.rttm": "SPEAKER chat 1 1.0 2.0 <NA> <NA> ana <NA> <NA>\n"
                        "SPEAKER talk 1 1.5 2.0 <NA> <NA> ana <NA> <NA>\n"}  # fmt: skip


def test_what_no_span_means_is_a_question_with_what_either_answer_gives(
    server: OpenServer,
) -> None:
    data = server.send({name: text.encode() for name, text in SPEAKERS.items()})
    (question,) = read(server, data)["questions"]
    assert (question["option"], question["suggested"], question["free"]) == ("--empty", "", False)
    assert "'ann'" in question["say"]
    assert "'chat'" in question["say"]
    examples = {one["value"]: one["example"] for one in question["choices"]}
    assert examples == {
        "seen": "2 of 2 tasks can be measured",
        "unseen": "1 of 2 tasks can be measured",
    }
    for value, count in (("seen", 2), ("unseen", 1)):
        found = read(server, data, empty=value)
        assert found["tasks"] == 2
        assert not any("dropped" in note for note in found["notes"])
        for state in ({"empty": value}, {"answers": {"--empty": value}}):
            asked = {"data": data, **state}
            found = server.post("/api/measure", state=asked, stage="figures").json()
            assert found["tasks"] == count
            assert f"--empty {value}" in found["command"]


TABLES = {f"play_{who}.csv": f"begin,end,label\n1,5,X\n{n},12,Y\n".encode()
          for n, who in enumerate(("01", "02"), start=8)}  # fmt: skip


def test_a_table_whose_rows_name_no_document_is_one_by_its_file(server: OpenServer) -> None:
    data = server.send({f"plays/{name}": text for name, text in TABLES.items()})
    answers: dict[str, str] = {}
    for _ in range(3):
        found = read(server, data, answers=answers)
        if "questions" not in found:
            break
        asked = {one["option"]: one for one in found["questions"]}
        if "--task-from" in asked:
            choices = {one["value"]: one for one in asked["--task-from"]["choices"]}
            assert asked["--task-from"]["suggested"] == ""
            assert choices[""]["says"] == "no column: each file is a document"
            assert choices["label"]["example"] == "such as X, Y"
            (named,) = (one for one in asked["--annotator-from"]["choices"] if "{" in one["value"])
            assert named["example"] == "2 annotators: 01, 02"
        answers |= {option: one["suggested"] for option, one in asked.items() if one["suggested"]}
    assert (found["task_names"], found["units"]) == (["play"], 4)
    assert [one["name"] for one in found["annotators"]] == ["01", "02"]


SEVERAL = """annotator,category,start,end,recording
ann,X,1,5,a
ann,Y,8,12,a
ann,X,1,6,b
ann,Y,8,13,b
ben,X,1,5,a
ben,Y,8,12,a
ben,X,2,6,b
ben,Y,8,13,b
"""


def test_a_column_that_may_be_the_document_is_a_question(server: OpenServer) -> None:
    data = server.send({"rows.csv": SEVERAL.encode()})
    (question,) = read(server, data)["questions"]
    assert (question["option"], question["suggested"]) == ("--task-from", ""), "nobody can know"
    assert [one["value"] for one in question["choices"]] == ["recording", "file"]
    for value, tasks in (("recording", 2), ("file", 1)):
        assert read(server, data, answers={"--task-from": value})["tasks"] == tasks


def test_the_command_names_all_files_and_how_they_are_read(server: OpenServer) -> None:
    rows = {f"play{n}_{who}.csv": text for n in range(4) for who, text in
            (("01", b"from,to,label\n1,5,X\n"), ("02", b"from,to,label\n1,6,X\n"))}  # fmt: skip
    answers = {
        "--from": "csv", "--start-from": "from", "--end-from": "to", "--category-from": "label",
        "--annotator-from": "{task}_{annotator}.csv",
    }  # fmt: skip
    state = {"data": server.send(rows), "answers": answers}
    command = server.post("/api/measure", state=state, stage="figures").json()["command"]
    words = shlex.split(command)
    assert words[2 : 2 + len(rows)] == sorted(rows)
    assert all(words[words.index(option) + 1] == value for option, value in answers.items())


def test_a_wrong_answer_is_a_sentence_that_says_to_give_another(server: OpenServer) -> None:
    data = server.send({"talk.TextGrid": GRID.encode()})
    state = {"data": data, "answers": {"--annotator-from": "no such thing"}}
    refused = server.post("/api/read", state=state).json()
    assert refused["do"] == "Give another answer, or correct the file."


def test_answers_of_no_session_are_asked_whose_they_are(server: OpenServer) -> None:
    row = {"text": "a b", "spans": [{"start": 0, "end": 1, "label": "X"}], "answer": "accept",
           "_input_hash": 1, "_task_hash": 1}  # fmt: skip
    data = server.send({f"{who}.jsonl": json.dumps(row).encode() for who in ("ann", "ben")})
    (question,) = read(server, data)["questions"]
    examples = {one["value"]: one["example"] for one in question["choices"]}
    assert (question["suggested"], examples["file"]) == ("file", "2 annotators: ann, ben")


POTATO = Path(__file__).parents[2] / "fuzz" / "by_hand" / "potato-two_users" / "in"
IN_A_FOLDER = {
    path.relative_to(POTATO).as_posix(): path.read_bytes()
    for path in sorted(POTATO.rglob("*"))
    if path.is_file()
}
"""What is in the folder of a project, without the folder."""


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"rows.csv": ROWS.encode()}, "where these files are"),
        (IN_A_FOLDER, "in a folder with these files alone"),
        ({"sent.zip": packed({"rows.csv": ROWS.encode()})},
         "with sent.zip unpacked into a folder of that name"),
    ],
)  # fmt: skip
def test_the_command_says_where_it_works(
    server: OpenServer, files: dict[str, bytes], place: str
) -> None:
    assert read(server, server.send(files))["place"] == f"The same on the command line, {place}"
    assert read(server, "given")["place"] == "The same on the command line"


@pytest.mark.parametrize("kind", ["files", "folder", "zip"])
def test_files_a_folder_and_a_zip_give_the_same(server: OpenServer, kind: str) -> None:
    line = "SPEAKER talk 1 {:.3f} 2.000 <NA> <NA> ana <NA> <NA>\n"
    files = {f"{who}.rttm": line.format(at).encode() for at, who in enumerate(("ada", "bob"))}
    if kind == "folder":
        files = {f"turns/{name}": content for name, content in files.items()}
    if kind == "zip":
        files = {"turns.zip": packed(files)}
    found = read(server, server.send(files))
    assert (found["format"], found["tasks"], found["units"]) == ("rttm", 1, 2)
    assert [one["name"] for one in found["annotators"]] == ["ada", "bob"]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("empty.json", b"", "empty"),
        ("noise.bin", bytes(range(256)) * 20, "no format recognises this"),
        ("page.html", b"<!doctype html><html>", "web page"),
        ("bad.zip", b"PK\x03\x04nothing", "not a zip file"),
        ("bomb.zip", packed({"a.json": bytes(50_000_000)}), "would expand"),
        ("out.zip", packed({"../../out.json": b"[]"}), "outside the archive"),
    ],
)
def test_a_hostile_file_is_a_sentence(
    server: OpenServer, name: str, content: bytes, says: str
) -> None:
    data = server.send({name: content})
    answer = server.post("/api/read", state={"data": data})
    assert answer.status_code == 422
    said = answer.json()["say"]
    assert says in said
    assert tempfile.gettempdir() not in said


@pytest.mark.parametrize("name", ["../up.json", "/etc/x", "a/../../b", "", "a\\b", "c:d"])
def test_a_name_that_leaves_the_folder_is_refused(server: OpenServer, name: str) -> None:
    data = server.send({})
    assert server.put(data, name, b"x").json()["error"] == "bad-name"
    assert server.post("/api/read", state={"data": data}).json()["error"] == "gone"


def test_calls_without_the_key_or_from_another_site_are_refused(server: OpenServer) -> None:
    for path in ("/api/start", "/api/data/given"):
        assert httpx.get(server.url + path).status_code == 401
    other = server.headers | {"Origin": "https://other.example"}
    assert httpx.get(f"{server.url}/api/start", headers=other).status_code == 403
    assert httpx.get(f"{server.url}/api/media/report/guess").status_code == 404


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"alpha": -1}, "alpha"),
        ({"precision": 0}, "precision"),
        ({"chance": "magic"}, "no chance model"),
        ({"coefficients": ["none"]}, "none"),
        ({"answers": {"--start-fro": "x"}}, "--start-fro"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_a_setting_without_a_meaning_is_a_sentence(
    server: OpenServer, change: dict[str, Any], says: str
) -> None:
    state = {"data": "given", **change}
    answer = server.post("/api/measure", state=state, stage="coarse")
    assert answer.status_code == 422, answer.text
    assert says in answer.json()["say"]


@pytest.mark.parametrize("what", ["html", "markdown", "csv"])
def test_results_can_be_downloaded(server: OpenServer, what: str) -> None:
    answer = server.post("/api/download", state={"data": "given"}, what=what)
    assert answer.status_code == 200
    assert "attachment" in answer.headers["content-disposition"]
    if what == "csv":
        assert "tasks.csv" in zipfile.ZipFile(io.BytesIO(answer.content)).namelist()


def test_gold_comes_in_the_format_that_is_asked_for(server: OpenServer) -> None:
    answer = server.post("/api/download", state={"data": "given"}, what="gold", format="csv")
    assert answer.status_code == 200
    assert b"category" in answer.content
    answer = server.post("/api/download", state={"data": "given"}, what="gold", format="brat")
    assert answer.status_code == 422
    assert answer.json()["say"]


def test_a_report_opens_by_its_token_alone_and_in_the_page_only(server: OpenServer) -> None:
    found = server.post("/api/measure", state={"data": "given"}, stage="full").json()
    answer = httpx.get(f"{server.url}/api/media/report/{found['report']}")
    assert answer.status_code == 200
    assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    assert 'class="embedded"' in answer.text


DEMO = files("goldspan.plugin").joinpath("demo")
SETTINGS = {"alpha": 2.0, "precision": 0.1, "coefficients": ["f1"], "left_out": ["amira"]}


def test_a_later_round_is_compared_as_goldspan_compare_does(
    server: OpenServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = {}
    for name in ("round1.json", "round2.json"):
        data[name] = server.send({name: DEMO.joinpath(name).read_bytes()})
        state = {"data": data[name], **SETTINGS}
        result = server.post("/api/download", state=state, what="json")
        Path(name).write_bytes(result.content)
    words = ["compare", "round1.json", "round2.json", "--quiet"]
    assert main([*words, "--json", "own.json", "--html", "own.html"]) == 0

    state = {"data": data["round1.json"], **SETTINGS}
    found = server.post("/api/rounds", state=state, later=data["round2.json"], tab="t").json()
    own = json.loads(Path("own.json").read_text(encoding="utf-8"))
    assert found["comparison"] == own
    (step,) = own["steps"]
    assert step["n_shared_tasks"] > 0
    assert any(change["low"] is not None for change in step["changes"])
    page = httpx.get(f"{server.url}/api/media/rounds/{found['report']}")
    assert page.text == Path("own.html").read_text(encoding="utf-8")
    assert "frame-ancestors 'self'" in page.headers["content-security-policy"]
    assert httpx.get(f"{server.url}/api/media/rounds/guess").status_code == 404


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (bytes(range(256)) * 20, "later.csv:1: the first line"),
        (
            b"task,annotator,category,start,end\nd1,ann,X,1,5\n",
            "The later round: no task can be scored",
        ),
    ],
)
def test_a_later_round_that_cannot_be_measured_is_a_sentence(
    server: OpenServer, content: bytes, says: str
) -> None:
    later = server.send({"later.csv": content})
    answer = server.post("/api/rounds", state={"data": "given"}, later=later, tab="t")
    assert (answer.status_code, answer.json()["error"]) == (422, "later-round")
    assert says in answer.json()["say"]
    assert tempfile.gettempdir() not in answer.text
    answer = server.post("/api/rounds", state={"data": "given"}, later="gone", tab="t")
    assert answer.json()["error"] == "gone"


def test_a_later_round_has_answers_of_its_own(server: OpenServer) -> None:
    first = server.send({"rows.csv": ROWS.encode()})
    later = server.send({"crowd.csv": CROWD.encode()})
    answers = {
        one["option"]: one["suggested"] for one in read(server, later)["questions"]
        if one["suggested"]
    }  # fmt: skip
    compare = {"state": {"data": first}, "later": later}
    assert server.post("/api/rounds", **compare).json()["error"] == "later-round"
    found = server.post("/api/rounds", **compare, answers=answers).json()
    (step,) = found["comparison"]["steps"]
    assert (step["from"], step["to"]) == ("rows", "crowd")


def test_a_plan_is_that_of_the_command_that_is_shown(
    server: OpenServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    content = DEMO.joinpath("round1.json").read_bytes()
    Path("round1.json").write_bytes(content)
    labels = ["DATE", "LOC", "ORG", "PER", "QUOTE"]
    rows = [[abs(a - b) / 4 for b in range(5)] for a in range(5)]
    matrix = {"categories": labels, "rows": rows}
    state = {"data": server.send({"round1.json": content}), **SETTINGS, "distances": matrix}
    found = server.post("/api/plan", state=state, half_width=0.04, more=30).json()
    distances = server.post("/api/download", state=state, what="distances")
    Path("distances.csv").write_bytes(distances.content)
    words = shlex.split(found["command"])
    assert words[:3] == ["goldspan", "plan", "round1.json"]
    assert main([*words[1:], "--json", "own.json", "--quiet"]) == 0
    own = json.loads(Path("own.json").read_text(encoding="utf-8"))
    assert found["plan"] == own
    assert own["target"]["half_width"] == 0.04
    tables = found["tables"]
    assert [row[0] for row in tables[0]][:3] == ["figure", "γ", "γcat"]
    assert tables[0][1][3] == str(own["figures"][0]["tasks"])
    assert any("30 more tasks" in remark for remark in found["remarks"])


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ({}, "a plan needs 5 or more"),
        ({"half_width": 2.0}, "between 0 and 1"),
        ({"more": 0}, "1 or more"),
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_made_is_a_sentence(
    server: OpenServer, call: dict[str, Any], says: str
) -> None:
    answer = server.post("/api/plan", state={"data": "given"}, **call)
    assert answer.status_code == 422
    assert says in answer.json()["say"]


def test_a_file_that_changes_has_a_new_version_and_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(ROWS, encoding="utf-8")
    with OpenServer(tmp_path, path) as server:
        before = read(server, "given")
        assert server.get("/api/data/given")["version"] == before["version"]
        path.write_text(ROWS + "d3,ann,X,1,2\nd3,ben,X,1,2\n", encoding="utf-8")
        assert server.get("/api/data/given")["version"] != before["version"]
        assert read(server, "given")["tasks"] == 3


def test_dropped_files_are_private_and_deleted_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    with OpenServer(tmp_path) as server:
        assert server.get("/api/start")["given"] == ""
        server.send({"rows.csv": ROWS.encode()})
        (folder,) = place.glob("goldspan-open-*")
        assert folder.stat().st_mode & 0o077 == 0
        assert len(list(folder.rglob("rows.csv"))) == 1
        for _ in range(4):
            last = server.send({"rows.csv": ROWS.encode()})
        assert len(list(folder.rglob("rows.csv"))) == 4, "the oldest set makes room"
        assert read(server, last)["units"] == 7
        assert server.end() == 0
    assert list(place.iterdir()) == []


def test_ctrl_c_as_soon_as_the_address_is_printed_ends_it_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    with OpenServer(tmp_path) as server:
        assert server.end() == 0
    assert list(place.iterdir()) == []
    assert "Traceback" not in (tmp_path / "open.err").read_text()


def test_a_path_that_is_not_there_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["open", "nowhere.json", "--no-browser"]) == 2
    assert "there is no such file or folder" in capsys.readouterr().err


def test_the_newest_change_counts_in_whatever_order_the_calls_begin(tmp_path: Path) -> None:
    measurer = Measurer(Reader(Shelf(tmp_path), lambda _name, _options: []), lambda: False)
    newer = measurer.begin("tab", 2)
    older = measurer.begin("tab", 1)
    assert older()
    assert not newer()
    newest = measurer.begin("tab", 3)
    assert newer()
    assert not newest()


def test_a_newer_change_ends_the_one_before(tmp_path: Path) -> None:
    """A page never waits for figures that it no longer asks for."""
    path = tmp_path / "rows.csv"
    path.write_text(ROWS, encoding="utf-8")
    shelf = Shelf(tmp_path, given_data([path], tmp_path / "given"))
    reader = Reader(shelf, lambda _name, _options: [])
    measurer = Measurer(reader, lambda: False)
    state, looks = State(data="given"), iter([False, False])
    with pytest.raises(Refused) as refused:
        measurer.find(state, "full", lambda: next(looks, True))
    assert refused.value.refusal.error == "superseded"
    assert measurer.find(state, "full", lambda: False).result.gamma.value is not None
