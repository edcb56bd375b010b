"""The dashboard tells what is, in words and marks, and hides what must not be shown."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldspan.plugin.label_studio.server import ServerError
from goldspan.plugin.service.web.dashboard import ago, span
from report_corpora import HOSTILE_TEXT
from service_parts import SECRET, Parts, service


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    with service(tmp_path) as made:
        made.studio.tasks = {1: (0, 3), 2: (0, 3)}
        yield made


def post(parts: Parts, action: str, project: int = 4) -> int:
    form = {"project": str(project), "form_token": parts.access.form_token}
    return parts.client.post(f"/{action}", data=form).status_code


def page(parts: Parts) -> str:
    answer = parts.client.get("/")
    assert answer.status_code == 200
    return answer.text


def test_an_empty_dashboard_says_how_to_begin(parts: Parts) -> None:
    text = page(parts)

    assert "No project is monitored yet" in text
    assert f"http://127.0.0.1:9090{parts.key_url}" in text
    assert SECRET not in text


def test_its_links_lead_where_people_open_label_studio(tmp_path: Path) -> None:
    with service(tmp_path, browser_url="https://labels.example") as parts:
        post(parts, "monitor")
        text = page(parts)
    assert 'href="https://labels.example/projects/4/data"' in text
    assert "<h1>https://labels.example</h1>" in text
    assert "--undo --url http://studio.example" in text, "a command uses goldspan's own address"


def test_it_says_how_far_the_work_is(parts: Parts) -> None:
    during: list[str] = []
    parts.studio.before_write = parts.studio.while_writing = lambda: during.append(page(parts))
    post(parts, "score")
    parts.run()
    share = 100 // max(2, len(parts.studio.tasks))
    assert "being looked at now" in during[0]
    assert f"at work now: writing columns, {share} % done" in during[1]
    assert "at work now" not in page(parts)
    post(parts, "score")
    parts.run()
    assert "being looked at now" in during[2], "what was said of the work before is forgotten"


def test_the_story_of_a_project(parts: Parts) -> None:
    assert post(parts, "score") == 303
    assert "it is scored next" in page(parts)
    parts.studio.before_write = lambda: during.append(page(parts))
    during: list[str] = []
    parts.run()
    assert "being looked at now" in during[0]
    first = page(parts)
    gamma = parts.studio.result.gamma.value
    assert gamma is not None
    assert f"{gamma:.2f}" in first
    assert "round 1 is complete" in first
    assert "project-4/rounds/round-1.html" in first
    assert "trend.html" not in first

    assert post(parts, "begin") == 303
    parts.studio.annotate(1)
    post(parts, "score")
    parts.run()
    second = page(parts)
    assert "project-4/trend.html" in second
    assert len(re.findall(r"<circle", second)) == 2, "a mark for each round"
    for address in re.findall(r'href="(project-[^"]+)"', second):
        assert parts.client.get(f"/{address}").status_code == 200
    for number in (1, 2):
        kept = parts.client.get(f"/project-4/rounds/round-{number}.html")
        assert kept.text == f"<p>report {number}</p>"
        assert "sandbox" in kept.headers["Content-Security-Policy"]
        assert parts.client.get(f"/project-4/rounds/round-{number}.json").json()["schema"] == 1

    parts.studio.tasks[1] = (9, 2)
    parts.queue.add(4, "ANNOTATIONS_DELETED")
    parts.run(31)
    assert "round 2 was scored; now 1 of 2 tasks with 3 annotators" in page(parts)

    assert post(parts, "forget") == 303
    assert "project-4/" not in page(parts)


def test_it_lists_what_to_open_first_and_gives_out_gold_and_decisions(parts: Parts) -> None:
    post(parts, "score")
    parts.run()
    folder = parts.archive.place(4, "")
    (folder / "decide.csv").write_text("task,start\n", encoding="utf-8")
    (folder / "gold.json").write_text("{}", encoding="utf-8")
    first = [{"task": "7", "gamma": -0.25, "to_decide": 3}]
    (folder / "open-first.json").write_text(json.dumps(first), encoding="utf-8")

    text = page(parts)
    assert '/projects/4/data?task=7"' in text
    assert "γ \N{MINUS SIGN}0.25, 3 to decide" in text
    for name in ("decide.csv", "gold.json"):
        assert f'href="project-4/{name}"' in text
        answer = parts.client.get(f"/project-4/{name}")
        assert f'attachment; filename="project-4-{name}"' in answer.headers["Content-Disposition"]
    for place, up in (("", "../"), ("rounds/", "../../"), ("with-models/", "../../")):
        # What a report's link to the dashboard leads to, wherever the report is.
        answer = parts.client.get(f"/project-4/{place}", follow_redirects=False)
        assert answer.headers["Location"] == f"{up}#project-4"
    (folder / "open-first.json").write_text("{", encoding="utf-8")
    assert "Open first" not in page(parts), "half a file is no reason to show nothing at all"


def test_errors_are_shown_until_they_are_over(parts: Parts) -> None:
    parts.studio.fault = ServerError("Label Studio at http://x does not accept the token")
    post(parts, "score")
    parts.run()
    text = page(parts)
    assert text.count("does not accept the token") == 2, "for the server, and for the project"
    assert "tried again in 30 seconds" in text
    parts.studio.fault = None
    parts.run(30)

    assert "does not accept the token" not in page(parts)


def test_hostile_names_stay_names(parts: Parts) -> None:
    parts.studio.fault = ServerError(HOSTILE_TEXT)
    post(parts, "score")
    parts.run()
    text = page(parts)

    assert html.escape("<script>", quote=True) in text
    assert "<script" not in text


def test_without_a_server_nothing_can_be_scored(tmp_path: Path) -> None:
    with service(tmp_path, connected=False) as parts:
        assert post(parts, "score") == 400
        assert "Score now" not in page(parts)


def test_only_named_projects_can_be_scored(tmp_path: Path) -> None:
    with service(tmp_path, only=frozenset({5})) as parts:
        assert post(parts, "score", 4) == 400
        assert post(parts, "score", 5) == 303


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 second"), (59, "59 seconds"), (60, "1 minute"), (7300, "2 hours"), (1e6, "11 days")],
)
def test_times_in_words(seconds: float, words: str) -> None:
    assert span(seconds) == words


def test_what_never_was() -> None:
    assert ago(None, 5) == "never"
    assert ago(10, 5) == "1 second ago", "clocks differ"
