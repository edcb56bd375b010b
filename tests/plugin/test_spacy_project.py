"""The example project with the real spaCy and weasel: it runs, skips, stops and repeats itself."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import spacy
import srsly
from spacy.tokens import DocBin

from goldspan.adapters import read
from goldspan.plugin.cli import main
from goldspan.plugin.spacy.scorer import GammaScorer

EXAMPLE = Path(__file__).parents[2] / "examples" / "spacy_project"
STEPS = ["convert", "agreement", "gold", "train", "evaluate"]
MADE = ["corpus", "gold", "metrics", "training", "project.lock", "__pycache__"]


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """`spacy project run`, with its two streams as one."""
    return subprocess.run(
        [sys.executable, "-m", "spacy", "project", "run", *args],
        cwd=folder,
        env=os.environ | {"NO_COLOR": "1", "ANSI_COLORS_DISABLED": "1", "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )


def copy(target: Path) -> Path:
    """The project as a clean checkout has it."""
    shutil.copytree(EXAMPLE, target, ignore=shutil.ignore_patterns(*MADE))
    return target


def skipped(output: str) -> list[str]:
    return re.findall(r"Skipping '(\w+)': nothing changed", output)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which everything was run once."""
    folder = copy(tmp_path_factory.mktemp("spacy") / "project")
    said = run(folder, "all")
    assert said.returncode == 0, said.stdout
    assert skipped(said.stdout) == []
    return folder


def test_a_second_run_skips_everything(project: Path) -> None:
    said = run(project, "all")

    assert said.returncode == 0
    assert skipped(said.stdout) == STEPS
    assert "Running command" not in said.stdout


@pytest.fixture(scope="module")
def refused(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> subprocess.CompletedProcess[str]:
    """What a run says that asks for more agreement than there is."""
    folder = shutil.copytree(project, tmp_path_factory.mktemp("strict") / "project")
    return run(folder, "all", ".", "--vars.min_gamma", "0.97")


def test_a_failed_gate_stops_the_run_and_says_why(
    refused: subprocess.CompletedProcess[str],
) -> None:
    assert refused.returncode == 1
    assert skipped(refused.stdout) == ["convert"]
    reason = r"^goldspan: gate not met: γ has the lower limit 0\.\d{3}, below 0\.97$"
    assert re.search(reason, refused.stdout, re.MULTILINE)
    assert "goldspan gold" not in refused.stdout
    assert "Traceback" not in refused.stdout


def test_a_change_runs_what_depends_on_it(project: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(project, tmp_path / "project")
    config = folder / "configs" / "ner.cfg"
    config.write_text(config.read_text(encoding="utf-8") + "\n# another remark\n", encoding="utf-8")
    assert skipped(run(folder, "all", "--dry").stdout) == [
        "convert",
        "agreement",
        "gold",
        "evaluate",
    ]

    export = folder / "assets" / "second.jsonl"
    lines = export.read_text(encoding="utf-8").splitlines()
    export.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    assert skipped(run(folder, "all", "--dry").stdout) == ["agreement", "gold", "evaluate"]


def test_every_goldspan_step_makes_the_same_bytes_again(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    folder = copy(tmp_path / "again")
    monkeypatch.chdir(folder)
    settings = srsly.read_yaml(folder / "project.yml")
    made = []
    for step in settings["commands"][:3]:
        for line in step["script"]:
            for name, value in settings["vars"].items():
                line = line.replace(f"${{vars.{name}}}", str(value))  # noqa: PLW2901 - filled in
            start, args = shlex.split(line)[:4], shlex.split(line)[4:]
            assert start == ["python", "-m", "spacy", "goldspan"]
            assert main(args) == 0
        made += step["outputs"]

    for name in made:
        assert (folder / name).read_bytes() == (project / name).read_bytes(), name


def test_the_outputs_that_are_declared_are_the_ones_there_are(project: Path) -> None:
    declared = {
        name
        for step in srsly.read_yaml(project / "project.yml")["commands"]
        for name in step["outputs"]
    }
    found = {
        str(path.relative_to(project))
        for folder in ("corpus", "gold", "metrics")
        for path in (project / folder).rglob("*")
    }

    assert found | {"training/model-best"} == declared


def test_gold_is_flat_and_keeps_its_reasons(project: Path) -> None:
    docs = list(
        DocBin().from_disk(project / "gold" / "first.spacy").get_docs(spacy.blank("en").vocab)
    )

    assert len(docs) == 40
    for doc in docs:
        group = doc.spans["gold"]
        assert [str(span) for span in doc.ents] == [str(span) for span in group]
        for kept in ("confidence", "votes", "seen") if len(group) else ():
            assert len(group.attrs[kept]) == len(group)
    assert {"ines", "marek", "tuva"} == {
        name for doc in docs for votes in doc.spans["gold"].attrs.get("votes", ()) for name in votes
    }


def test_the_evaluation_says_what_goldspan_score_says(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the very documents, with the pipeline's predictions as the second annotator."""
    nlp = spacy.load(project / "training" / "model-best")
    references = list(DocBin().from_disk(project / "gold" / "second.spacy").get_docs(nlp.vocab))
    predictions = []
    for reference in references:
        doc = nlp(reference.text)
        doc.user_data["doc_id"] = reference.user_data["doc_id"]
        predictions.append(doc)
    files = [tmp_path / "reference.spacy", tmp_path / "predicted.spacy"]
    for file, docs in zip(files, (references, predictions), strict=True):
        DocBin(docs=docs, store_user_data=True).to_disk(file)
    out = tmp_path / "out.json"
    options = ["--annotator-from", "file", "--layer", "ents", "--empty", "seen", "--no-pairs"]
    assert main(["score", *map(str, files), *options, "--json", str(out), "--quiet"]) == 0

    figures = json.loads(out.read_text(encoding="utf-8"))["corpus"]
    scores = json.loads((project / "metrics" / "evaluation.json").read_text(encoding="utf-8"))
    assert scores["ents_gamma"] == pytest.approx(figures["gamma"]["value"], abs=1e-9)
    assert scores["ents_gamma_cat"] == pytest.approx(figures["gamma_cat"]["value"], abs=1e-9)
    assert scores["ents_gamma_k_per_type"] == pytest.approx(
        {label: figure["value"] for label, figure in figures["gamma_k"].items()}, abs=1e-9
    )
    assert scores["ents_gamma"] > 0.8
    assert scores["ents_f"] > 0.7


def test_the_best_model_is_chosen_by_agreement(project: Path) -> None:
    meta = json.loads((project / "training" / "model-best" / "meta.json").read_text())
    scores = json.loads((project / "metrics" / "evaluation.json").read_text(encoding="utf-8"))

    assert meta["performance"]["ents_gamma"] == pytest.approx(scores["ents_gamma"], abs=1e-9)


def test_a_trained_pipeline_can_do_without_the_scorer(project: Path) -> None:
    path = project / "training" / "model-best"
    assert isinstance(spacy.load(path).get_pipe("ner").scorer, GammaScorer)

    plain = {"components": {"ner": {"scorer": {"@scorers": "spacy.ner_scorer.v1"}}}}
    assert not isinstance(spacy.load(path, config=plain).get_pipe("ner").scorer, GammaScorer)


class TestData:
    """The exports are made by the script, and are what the README says."""

    def test_the_script_makes_them(self, tmp_path: Path) -> None:
        subprocess.run([sys.executable, EXAMPLE / "make_exports.py", tmp_path], check=True)

        for name in ("first.json", "second.jsonl"):
            made = (tmp_path / name).read_text(encoding="utf-8")
            assert made == (EXAMPLE / "assets" / name).read_text(encoding="utf-8")

    @pytest.mark.parametrize(
        ("name", "options", "count"),
        [("first.json", {"annotator_from": "name"}, 40), ("second.jsonl", {}, 14)],
    )
    def test_three_annotators(self, name: str, options: dict[str, Any], count: int) -> None:
        corpus = read(EXAMPLE / "assets" / name, **options)

        assert len(corpus.continua) == count
        assert corpus.annotators == ("ines", "marek", "tuva")
        states = [str(state) for task in corpus.continua for state in task.presence.values()]
        assert states.count("skipped") == 1
        assert set(states) <= {"done", "empty", "skipped"}


class TestWorkflow:
    """The GitHub Actions example, with everything real but GitHub itself."""

    GH = """#!/bin/bash
echo "$@" >> "$GH_CALLS"
case "$*" in
  *--jq*) cat "$GH_COMMENTS" ;;
esac
"""

    @pytest.fixture
    def steps(self) -> dict[str, str]:
        workflow = srsly.read_yaml(EXAMPLE / ".github" / "workflows" / "agreement.yml")
        assert workflow["permissions"] == {"contents": "read", "pull-requests": "write"}
        assert workflow["defaults"]["run"]["shell"] == "bash"
        (job,) = workflow["jobs"].values()
        return {step["name"]: step["run"] for step in job["steps"] if "run" in step}

    def act(self, step: str, folder: Path, comments: str = "") -> int:
        """Run a step as GitHub does, with a `gh` that only writes down how it was called."""
        tools = folder / "tools"
        tools.mkdir(exist_ok=True)
        (tools / "gh").write_text(self.GH, encoding="utf-8")
        (tools / "gh").chmod(0o755)
        (tools / "comments").write_text(comments, encoding="utf-8")
        here = {
            "PATH": f"{tools}:{os.environ['PATH']}",
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            "GITHUB_REPOSITORY": "a/b",
            "NUMBER": "12",
            "GH_CALLS": str(tools / "calls"),
            "GH_COMMENTS": str(tools / "comments"),
        }
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step],  # noqa: S607
            cwd=folder,
            env=os.environ | here,
            stdout=subprocess.DEVNULL,
            check=False,
        ).returncode

    @pytest.mark.parametrize(
        ("before", "call"),
        [
            ("", "pr comment 12 --body-file comment.md"),
            ("77\n78\n", "--method PATCH repos/a/b/issues/comments/77 -F body=@comment.md"),
        ],
        ids=["first run", "later run"],
    )
    def test_it_posts_one_comment(
        self, steps: dict[str, str], before: str, call: str, project: Path, tmp_path: Path
    ) -> None:
        shutil.copytree(project / "metrics", tmp_path / "metrics")
        (tmp_path / "measure.log").write_text("goldspan: all is well\n", encoding="utf-8")
        assert self.act(steps["Show"], tmp_path) == 0
        assert self.act(steps["Post"], tmp_path, before) == 0

        report = (project / "metrics" / "agreement.md").read_text(encoding="utf-8")
        assert (tmp_path / "summary.md").read_text(encoding="utf-8") == report
        assert (tmp_path / "comment.md").read_text(encoding="utf-8").endswith(f"-->\n{report}")
        calls = (tmp_path / "tools" / "calls").read_text(encoding="utf-8").splitlines()
        assert calls[0].startswith("api --paginate repos/a/b/issues/12/comments --jq")
        assert calls[-1].endswith(call)
        assert len(calls) == 2

    def test_a_failed_gate_fails_the_check_and_is_said_first(
        self,
        steps: dict[str, str],
        refused: subprocess.CompletedProcess[str],
        project: Path,
        tmp_path: Path,
    ) -> None:
        """Measuring was done for `refused`; here it is repeated word by word."""
        shutil.copytree(project / "metrics", tmp_path / "metrics")
        (tmp_path / "said").write_text(refused.stdout, encoding="utf-8")
        (tmp_path / "tools").mkdir()
        (tmp_path / "tools" / "python").write_text("#!/bin/bash\ncat said; exit 1\n")
        (tmp_path / "tools" / "python").chmod(0o755)

        assert self.act(steps["Measure"], tmp_path) == 1
        assert self.act(steps["Show"], tmp_path) == 0
        assert self.act(steps["Post"], tmp_path) == 0
        comment = (tmp_path / "comment.md").read_text(encoding="utf-8").splitlines()
        assert comment[:2] == ["<!-- agreement -->", "> [!WARNING]"]
        assert re.fullmatch(r"> The gate is not met: γ has the .* 0\.\d+, below 0\.97", comment[2])
        assert comment[3] == ""
        assert comment[4].startswith("## Agreement")

    def test_without_figures_there_is_nothing_to_post(
        self, steps: dict[str, str], tmp_path: Path
    ) -> None:
        assert self.act(steps["Show"], tmp_path) == 0
        assert self.act(steps["Post"], tmp_path) == 0
        assert not (tmp_path / "tools" / "calls").exists()

    def test_it_measures_what_the_project_measures(self, steps: dict[str, str]) -> None:
        workflows = srsly.read_yaml(EXAMPLE / "project.yml")["workflows"]

        assert steps["Measure"].startswith("python -m spacy project run check ")
        assert workflows["check"] == STEPS[:2]
        assert workflows["all"] == STEPS
