"""The example of a third party's coefficient: it is seen everywhere that γ is seen."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.tokens import Span
from spacy.training import Example
from spacy.util import registry

from goldspan.adapters.adapter import ReadOptions
from goldspan.engine import merge, score
from goldspan.engine.coefficient.gamma import Gamma
from goldspan.engine.coefficient.registry import chosen, known_coefficients
from goldspan.engine.errors import SettingsError
from goldspan.plugin.label_studio.columns import merged, ours, own_fields
from goldspan.plugin.label_studio.plan import Plan, WriteRequest, make_plan
from goldspan.plugin.label_studio.snapshot import Snapshot
from goldspan.plugin.label_studio.undo import undo_plan
from label_studio_export import annotation, region, task
from service_parts import service

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "coefficient_plugin"
NEWSROOM = ROOT / "examples" / "newsroom"
READ = ["spans.csv", "--assignments", "spans.assignments.csv", "--precision", "0.2", "--no-pairs"]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has the example, as pip would leave it."""
    place = tmp_path_factory.mktemp("installed")
    shutil.copy(EXAMPLE / "goldspan_exact.py", place)
    about = place / "goldspan_exact-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: goldspan-exact\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[goldspan.coefficients]\nexact = goldspan_exact:ExactAgreement\n"
    )
    return place


@pytest.fixture(scope="module")
def installed(package: Path) -> dict[str, str]:
    """An environment that has the example."""
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(package), *sys.path]), "COLUMNS": "200"}


@pytest.fixture
def here(package: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process has the example."""
    monkeypatch.syspath_prepend(str(package))
    known_coefficients.cache_clear()
    yield
    known_coefficients.cache_clear()


def goldspan(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "goldspan.plugin", *words],
        cwd=NEWSROOM, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def scored(
    installed: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    out = tmp_path_factory.mktemp("out")
    done = goldspan(
        installed, "score", *READ, "--coefficient", "exact", "--json", str(out / "one.json"),
        "--html", str(out / "one.html"), "--markdown", str(out / "one.md"),
        "--csv", str(out / "tables"), "--min-coefficient", "exact=0.99",
    )  # fmt: skip
    return out, done


def result(out: Path) -> Any:
    return json.loads((out / "one.json").read_text(encoding="utf-8"))


def test_the_json_has_it_with_an_interval(scored: tuple[Path, Any]) -> None:
    found = result(scored[0])
    figure = found["corpus"]["also"]["exact"]
    assert figure["low"] < figure["value"] < figure["high"]
    assert figure["method"] == "log-scale t over tasks"
    parts = [task["also"]["exact"]["sums"] for task in found["tasks"]]
    assert figure["value"] == sum(a for a, _ in parts) / sum(b for _, b in parts)
    assert found["coefficients"]["exact"]["symbol"] == "exact"


def test_the_terminal_and_a_gate_have_it(scored: tuple[Path, Any]) -> None:
    out, done = scored
    value = result(out)["corpus"]["also"]["exact"]["value"]
    assert done.returncode == 1, done.stderr
    assert "gate not met: exact has the lower limit" in done.stderr
    assert f"exact = {value:.3f}" in done.stdout


def test_reports_and_tables_have_it(scored: tuple[Path, Any]) -> None:
    out, _ = scored
    value = result(out)["corpus"]["also"]["exact"]["value"]
    for page in ("one.html", "one.md"):
        assert f"{value:.2f}" in (out / page).read_text(encoding="utf-8")
        assert "same place and same label by everybody" in (out / "one.html").read_text()
    with (out / "tables" / "coefficients.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["coefficient"] == "exact"]
    assert float(next(row["value"] for row in rows if not row["task"])) == value
    tasks = {task["id"]: task["also"]["exact"] for task in result(out)["tasks"]}
    with (out / "tables" / "tasks.csv").open(encoding="utf-8", newline="") as file:
        found = {row["task"]: float(row["exact"]) for row in csv.DictReader(file)}
    assert found == {task: figure["value"] for task, figure in tasks.items()}


def test_rounds_are_compared_by_it(installed: dict[str, str], scored: tuple[Path, Any]) -> None:
    out, _ = scored
    done = goldspan(
        installed, "compare", str(out / "one.json"), str(out / "one.json"), "--json", "-", "--quiet"
    )
    assert done.returncode == 0, done.stderr
    (change,) = (
        change for change in json.loads(done.stdout)["steps"][0]["changes"]
        if change["coefficient"] == "exact"
    )  # fmt: skip
    assert (change["difference"], change["verdict"]) == (0, "no clear change")
    assert change["low"] <= 0 <= change["high"]


def project(*data: dict[str, Any]) -> Snapshot:
    """A project in Label Studio with tasks that have this data beside the text."""
    work = (
        annotation(1, region(0, 4, "PER", text="Anna"), region(9, 12, "PER", text="Bob", id="b")),
        annotation(2, region(0, 4, "PER", text="Anna"), region(16, 20, "LOC", text="Rome", id="c")),
    )
    tasks = [
        task(number, {"text": "Anna met Bob in Rome"} | one, *work)
        for number, one in enumerate(data, start=1)
    ]
    config = (
        '<View><Labels name="label" toName="text"><Label value="PER"/><Label value="LOC"/></Labels>'
        '<Text name="text" value="$text"/></View>'
    )
    settings = {"id": 5, "label_config": config, "description": "", "title": "Test"}
    found = Snapshot(settings, tasks, [], task_ids=list(range(1, len(data) + 1)))
    for number, one in enumerate(data, start=1):
        found.own_fields[number] = own_fields(one)
        found.columns[number] = ours(one)
    return found


def planned(snapshot: Snapshot, *coefficients: str) -> Plan:
    corpus = snapshot.corpus(ReadOptions())
    found = score(corpus, pairs=False, precision=0.2, coefficients=coefficients)
    return make_plan(snapshot, corpus, found, merge(corpus, found), WriteRequest())


class TestLabelStudio:
    """A column in the Data Manager, which goldspan recognises whatever is installed."""

    def test_it_has_a_column(self, here: None) -> None:
        plan = planned(project({}, {}), "exact")
        # One unit of three is marked alike.
        assert [one["goldspan_exact"] for one in plan.columns.values()] == [0.33, 0.33]
        assert "exact 0.33" in str(plan.summary)
        assert plan.new_tabs[-1]["columnsDisplayType"]["tasks:data.goldspan_exact"] == "Number"
        assert planned(project(*plan.columns.values()), "exact").columns == {}

    def test_it_goes_when_it_is_no_longer_measured(self, here: None) -> None:
        plan = planned(project({"page": 4}), "exact")
        data = merged({"page": 4}, plan.columns[1])
        known_coefficients.cache_clear()
        later = planned(project(data))
        assert not any("exact" in name for name in merged(data, later.columns[1]))

    def test_undo_takes_it_away_where_it_is_not_installed(self, here: None) -> None:
        own = {"goldspan_source": 0.5, "page": 4}
        data = merged(own, planned(project(own), "exact").columns[1])
        assert data["goldspan_exact"] == 0.33
        plan = undo_plan(project(data))
        assert merged(data, plan.columns[1]) == own
        assert "goldspan_exact" in plan.freed
        assert "goldspan_source" not in plan.freed

    @pytest.mark.parametrize(
        "own",
        [{"goldspan_exact": 0.5}, {"goldspan_coefficients": "exact"}],
        ids=min,
    )
    def test_a_field_of_such_a_name_stays_a_persons(self, here: None, own: dict[str, Any]) -> None:
        plan = planned(project(own), "exact")
        assert any(f"called {min(own)}, left without" in note.message for note in plan.notes)
        data = merged(own, plan.columns[1])
        assert data.items() >= own.items()
        assert "goldspan_gamma" in data
        assert own_fields(data) == list(own)
        assert planned(project(data), "exact").columns == {}
        assert merged(data, undo_plan(project(data)).columns[1]) == own


def test_the_dashboard_and_the_trend_have_it(here: None, tmp_path: Path) -> None:
    with service(tmp_path) as parts:
        parts.studio.coefficients = ("exact",)
        values = []
        for action in ("score", "begin", "score"):
            form = {"project": "4", "form_token": parts.access.form_token}
            parts.studio.annotate(1, 3)
            parts.client.post(f"/{action}", data=form)
            parts.run()
            values.append(parts.studio.result.figures["exact", ""].value)
        page = parts.client.get("/").text
        trend = parts.client.get("/project-4/trend.html").text
        rounds = parts.history.projects()[0].rounds
    kept = [one.figures["exact"].value for one in rounds]
    assert kept == [values[0], values[2]]
    shown = " → ".join(f"{value:.2f}" for value in kept if value is not None)
    for text in (page, trend):
        assert '<th scope="col" class="num">exact</th>' in text
        assert f"</span>exact: {shown}</li>" in text
        for value in kept:
            assert f"<title>exact {value:.2f}</title>" in text


def test_the_spacy_scorer_has_it(here: None) -> None:
    nlp = spacy.blank("en")
    documents = []
    for spans in ([(0, 1), (2, 3)], [(0, 1), (4, 5)]):
        doc = nlp.make_doc("Anna met Bob in Rome")
        doc.ents = [Span(doc, *span, label="NAME") for span in spans]
        documents.append(doc)
    scorer = registry.scorers.get("goldspan.gamma.v1")
    scores = scorer(coefficients=["exact"])([Example(*documents)])
    assert scores["ents_exact"] == 1 / 3
    assert scores.keys() - scorer()([Example(*documents)]).keys() == {
        "ents_exact", "ents_exact_low", "ents_exact_high",
    }  # fmt: skip
    assert scorer(coefficients=["exact"])([]).keys() == scores.keys()
    with pytest.raises(SettingsError, match="no coefficient 'nemo'"):
        scorer(coefficients=["nemo"])


@pytest.mark.parametrize("key", ["Exact", "exact match", "", "ü", "1st"])
def test_a_key_that_cannot_name_a_column_is_refused(key: str) -> None:
    made = type("Odd", (Gamma,), {"key": key})()
    with pytest.raises(SettingsError, match="cannot be the key of a coefficient"):
        chosen([made])


def test_one_that_is_not_installed_is_a_sentence() -> None:
    done = goldspan(dict(os.environ), "score", *READ, "--coefficient", "nemo")
    assert done.returncode == 2
    assert "there is no coefficient 'nemo'; installed are gamma" in done.stderr


def test_the_page_shows_the_file_as_it_is() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"```python\n{(EXAMPLE / 'goldspan_exact.py').read_text(encoding='utf-8')}```" in page
