"""The GitHub Action: its script scores, its comment arrives, and nothing in it floats."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.repository

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
EXAMPLE = ROOT / "examples" / "spacy_project" / ".github" / "workflows" / "agreement.yml"
NEWSROOM = ROOT / "examples" / "newsroom"


def run_score(folder: Path, **given: str) -> tuple[dict[str, str], str]:
    """Outputs and summary of the script, as a runner would see them."""
    bash = shutil.which("bash")
    assert bash is not None
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "RUNNER_TEMP": str(folder),
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "step"),
        **given,
    }
    subprocess.run([bash, str(ROOT / "action" / "score.sh")], env=environment, check=True)
    lines = (folder / "output").read_text(encoding="utf-8").splitlines()
    summary = (folder / "step").read_text(encoding="utf-8")
    assert summary == (folder / "goldspan" / "summary.md").read_text(encoding="utf-8")
    return dict(line.split("=", 1) for line in lines), summary


def test_a_folder_is_scored(tmp_path: Path) -> None:
    found, summary = run_score(
        tmp_path,
        GOLDSPAN_PATHS=str(NEWSROOM / "spans.csv"),
        GOLDSPAN_ARGUMENTS=f"--assignments\n{NEWSROOM / 'spans.assignments.csv'}\n",
        GOLDSPAN_TITLE="Round 1",
    )
    assert found["code"] == "0"
    assert 0.6 < float(found["gamma"]) < 0.7
    assert summary.startswith("## Round 1\n\n")
    assert "γ" in summary
    assert (Path(found["folder"]) / "report.html").is_file()


def test_a_gate_that_is_not_met_is_a_code_and_a_sentence(tmp_path: Path) -> None:
    found, summary = run_score(
        tmp_path,
        GOLDSPAN_PATHS=str(NEWSROOM / "spans.csv"),
        GOLDSPAN_ARGUMENTS="--empty=unseen",
        GOLDSPAN_MIN_GAMMA="0.9",
    )
    assert found["code"] == "1"
    assert "**A gate was not met.**" in summary


def test_bad_input_is_a_code_and_a_sentence(tmp_path: Path) -> None:
    """A path is never taken for an option or expanded."""
    found, summary = run_score(tmp_path, GOLDSPAN_PATHS="--html=$(touch broken)")
    assert (found["code"], found["gamma"]) == ("2", "")
    assert "goldspan: --html=$(touch broken)" in summary
    assert not (tmp_path / "broken").exists()


class Comments(BaseHTTPRequestHandler):
    """The part of GitHub's API that comments need, with `stored` comments of one pull request."""

    stored: list[dict[str, Any]]
    refuse: bool

    def do_GET(self) -> None:
        page = int(re.findall(r"page=(\d+)$", self.path)[0])
        self.answer(200, self.stored[100 * (page - 1) : 100 * page])

    def do_POST(self) -> None:
        self.stored.append({"id": len(self.stored), **self.content()})
        self.answer(403 if self.refuse else 201, self.stored[-1])

    def do_PATCH(self) -> None:
        one = self.stored[int(self.path.rpartition("/")[2])]
        one.update(self.content())
        self.answer(200, one)

    def content(self) -> dict[str, Any]:
        return dict(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def answer(self, code: int, value: object) -> None:
        text = json.dumps(value).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    Comments.stored = [{"id": k, "body": f"comment {k}"} for k in range(130)]
    Comments.refuse = False
    with ThreadingHTTPServer(("127.0.0.1", 0), Comments) as found:
        thread = threading.Thread(target=found.serve_forever)
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def comment(server: ThreadingHTTPServer, folder: Path, text: str) -> str:
    summary = folder / "summary.md"
    summary.write_text(text, encoding="utf-8")
    environment = os.environ | {
        "GITHUB_API_URL": f"http://127.0.0.1:{server.server_port}",
        "GITHUB_REPOSITORY": "somebody/corpus",
        "GITHUB_TOKEN": "token",
        "GOLDSPAN_PULL_REQUEST": "7",
        "GOLDSPAN_SUMMARY": str(summary),
        "no_proxy": "127.0.0.1",
    }
    command = [sys.executable, str(ROOT / "action" / "comment.py")]
    return subprocess.run(
        command, env=environment, check=True, capture_output=True, text=True
    ).stdout


def test_a_comment_is_posted_once_and_then_replaced(
    server: ThreadingHTTPServer, tmp_path: Path
) -> None:
    assert comment(server, tmp_path, "## Agreement\n\nγ = 0.5\n") == "The comment was posted.\n"
    assert comment(server, tmp_path, "## Agreement\n\nγ = 0.6\n") == "The comment was replaced.\n"
    assert comment(server, tmp_path, "## Other\n\nγ = 0.7\n") == "The comment was posted.\n"
    bodies = [one["body"] for one in Comments.stored[130:]]
    assert bodies == [
        "<!-- goldspan: Agreement -->\n## Agreement\n\nγ = 0.6\n",
        "<!-- goldspan: Other -->\n## Other\n\nγ = 0.7\n",
    ]


def test_a_long_comment_is_cut(server: ThreadingHTTPServer, tmp_path: Path) -> None:
    comment(server, tmp_path, "## Agreement\n" + "a line\n" * 20_000)
    assert len(Comments.stored[-1]["body"]) < 65_536
    assert Comments.stored[-1]["body"].endswith("\n\nThe rest is in the job's summary.\n")


def test_a_token_that_may_not_write_is_a_warning(
    server: ThreadingHTTPServer, tmp_path: Path
) -> None:
    Comments.refuse = True
    assert comment(server, tmp_path, "## Agreement\n").startswith("::warning::goldspan could not")


def test_the_action_passes_inputs_by_the_environment_alone() -> None:
    """An input inside a script would be run as one."""
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
    known = set(ACTION["inputs"])
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"inputs\.([a-z-]+)", text)) == known


@pytest.mark.parametrize(
    "path", [*WORKFLOWS, EXAMPLE, ROOT / "action.yml"], ids=lambda path: path.name
)
def test_actions_of_others_are_pinned_by_commit(path: Path) -> None:
    used = re.findall(r"uses: (\S+)(.*)", path.read_text(encoding="utf-8"))
    assert used
    for name, comment_text in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name), name
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment_text), name


@pytest.mark.parametrize("path", [*WORKFLOWS, EXAMPLE], ids=lambda path: path.name)
def test_a_checkout_leaves_no_token_behind(path: Path) -> None:
    for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"] == {"persist-credentials": False}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_ask_for_little_and_run_targets_that_exist(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            for targets in re.findall(r"make ((?:[a-z-]+ ?)+)", step.get("run", "")):
                for target in targets.split():
                    assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
