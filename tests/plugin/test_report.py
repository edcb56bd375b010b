"""The report's content: what is counted, what is escaped, how large it gets."""

from __future__ import annotations

import argparse
import csv
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.engine import score
from goldspan.engine.coefficient.figure import UNANIMOUS, Figure
from goldspan.engine.facts import Reason
from goldspan.engine.gold.merging import merge
from goldspan.engine.model import Corpus
from goldspan.engine.result import Result
from goldspan.engine.settings import Settings
from goldspan.plugin.cli import main
from goldspan.plugin.cli.reading import OPTIONS, USUAL, add_reading
from goldspan.plugin.measurement import ComputeRequest, MeasureRequest
from goldspan.plugin.report import wording
from goldspan.plugin.report.charts import Axis, coefficient_axis, histogram, stacked
from goldspan.plugin.report.counts import SIDES, count
from goldspan.plugin.report.drawing import drawing, stack
from goldspan.plugin.report.markdown import escape, report_text
from goldspan.plugin.report.page import pieces, write_report
from goldspan.plugin.report.reproduce import command
from goldspan.plugin.report.tables import write_tables
from goldspan.plugin.report.view import LISTED, view
from goldspan.plugin.report.wording import number, share
from report_corpora import (
    HOSTILE_LABEL,
    HOSTILE_NAME,
    HOSTILE_TEXT,
    figures,
    hostile,
    recordings,
    result,
    texts,
)


@pytest.fixture(scope="module")
def scored() -> tuple[Corpus, Result]:
    corpus = texts(8)
    return corpus, score(corpus, precision=0.1)


class Page(HTMLParser):
    """The elements and words of a page, as a browser would find them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts[-1] += data
        else:
            self.words.append(data)


def write(tmp_path: Path, corpus: Corpus, found: Result, **more: object) -> Page:
    path = tmp_path / "report.html"
    write_report(path, "a title", corpus, found, merge(corpus, found))
    return Page(path.read_text(encoding="utf-8"))


def test_counts_add_up(scored: tuple[Corpus, Result]) -> None:
    """Every pair of aligned units and every disagreement is counted, and no cost is lost."""
    _, found = scored
    counts = count(found)
    units = [u for t in found.tasks.values() for u in t.alignment.unitary]

    assert sum(counts.pairs.values()) == sum(len(list(combinations(u.units, 2))) for u in units)
    cost = sum(part.disorder for part in found.disagreements.values())
    assert sum(sum(c.values()) for c in counts.costs.values()) == pytest.approx(cost)
    cases = sum(part.count for part in found.disagreements.values())
    assert sum(sum(c.values()) for c in counts.cases.values()) == 2 * cases
    between = sum(sum(t.costs_of_pairs.values()) for t in found.tasks.values())
    assert between == pytest.approx(cost)
    missed = sum(c["missed"] for c in counts.cases.values())
    assert missed == sum(c["alone"] for c in counts.cases.values()) > 0


def test_counts_from_columns_are_those_of_values(scored: tuple[Corpus, Result]) -> None:
    _, found = scored
    columns, values = count(found), count(replace(found, tasks=dict(found.tasks)))

    assert list(columns.pairs.items()) == list(values.pairs.items())
    assert columns.unmatched == values.unmatched
    assert columns.costs == values.costs  # to the last digit
    for name, cases in columns.cases.items():
        assert {side: n for side, n in cases.items() if n} == values.cases[name]


def test_the_report_shows_every_part(tmp_path: Path, scored: tuple[Corpus, Result]) -> None:
    page = write(tmp_path, *scored)
    said = " ".join(" ".join(page.words).split())

    for piece in ("γ", "γcat", "95% interval", "Borrowed scale", "Landis and Koch (1977)", "γk",
                  "confused", "not marked", "without", "missed", "boundary", "split", "median",
                  "share of cost", "doc3", "suggested gold", "seed", "chance samples", "8 tasks",
                  "3 annotators"):  # fmt: skip
        assert piece in said, piece
    assert [attrs["id"] for tag, attrs in page.tags if tag == "section" and "id" in attrs] == [
        "labels", "annotators", "kinds", "tasks", "outlook", "settings",
    ]  # fmt: skip
    drawn = [json.loads(one) for one in page.scripts[1:-1]]
    assert len(drawn) == 8
    assert all(d["text"] == scored[0].continua[0].text and d["gold"] for d in drawn)


def test_the_page_asks_nobody(tmp_path: Path, scored: tuple[Corpus, Result]) -> None:
    """No element can load anything, and the policy forbids it besides."""
    page = write(tmp_path, *scored)

    links = [
        v for _, attrs in page.tags for k, v in attrs.items() if k in ("src", "href", "srcset")
    ]
    assert all(link is not None and link.startswith(("#", "data:")) for link in links)
    policy = next(a["content"] for t, a in page.tags if t == "meta" and "http-equiv" in a)
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert "url(" not in (Path(__file__).parents[2] / "plugin").joinpath(
        "goldspan/plugin/report/templates/style.css"
    ).read_text(encoding="utf-8")


def test_data_is_text(tmp_path: Path) -> None:
    corpus = hostile()
    page = write(tmp_path, corpus, score(corpus, precision=0.2))

    assert len([tag for tag, _ in page.tags if tag == "script"]) == 1 + 6 + 1
    assert not [tag for tag, _ in page.tags if tag in ("img", "b")]
    assert not [a for _, attrs in page.tags for a in attrs if a.startswith("on")]
    said = "".join(page.words)
    for piece in (HOSTILE_LABEL, HOSTILE_NAME, "<b>task 3</b>"):
        assert piece in said
    assert json.loads(page.scripts[1])["text"] == HOSTILE_TEXT * 2


@given(st.text(st.characters(exclude_categories=[]), min_size=1))
def test_no_text_ends_a_script_early(text: str) -> None:
    corpus = texts(1)
    odd = Corpus((replace(corpus.continua[0], text=text, units=(), length=None),))
    found = result(corpus.continua)

    made = drawing(found.tasks["doc0"], odd.continua[0], None, {"PER": 0, "ORG": 1, "LOC": 2,
                   "DATE": 3})  # fmt: skip
    report = replace(view("t", corpus, found), drawings=iter([made]))
    html = "".join(pieces("report.html.j2", report=report, settings={}, command="",
                          most_annotators=9))  # fmt: skip
    page = Page(html.encode("utf-8", "backslashreplace").decode("utf-8"))
    assert json.loads(page.scripts[1])["text"] == text


def test_too_little_data_gets_a_warning_instead_of_a_figure(tmp_path: Path) -> None:
    corpus = texts(2)
    found = score(corpus, precision=0.2)
    said = " ".join(" ".join(write(tmp_path, corpus, found).words).split())

    assert "Too little data." in said
    assert "an interval over tasks needs 5 tasks, there are 2" in said
    assert "Borrowed scale" not in said
    assert "too little data" in report_text("t", corpus, found)


def test_unanimity_in_two_tasks_is_too_little_as_well(tmp_path: Path) -> None:
    corpus = recordings()
    found = score(corpus, precision=0.2)
    assert found.gamma_cat.reason == UNANIMOUS
    said = " ".join(" ".join(write(tmp_path, corpus, found).words).split())

    assert "no disagreement was observed, but in 2 tasks only" in said
    assert said.count("Too little data.") == 2
    assert "Borrowed scale" not in said


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        (Figure(0.7, 0.65, 0.75, 0.95, 9), "substantial"),
        (Figure(0.7, 0.3, 0.9, 0.95, 9), "fair to almost perfect"),
        (Figure(-0.1, -0.2, 0.1, 0.95, 9), "poor to slight"),
        (Figure(1.0, None, None, 0.95, 9, reason=UNANIMOUS), "almost perfect"),
        (Figure(0.7, None, None, 0.95, 9, reason=Reason.other("few")), ""),
        (Figure.undefined(Reason.other("nothing"), 0.95), ""),
    ],
)
def test_borrowed_words(figure: Figure, words: str) -> None:
    assert wording.borrowed(figure) == words


def test_large_reports_stay_small(tmp_path: Path) -> None:
    """200 tasks with long texts: the page has less than a megabyte, and says what it leaves out."""
    corpus = texts(200, length=14)
    found = result(corpus.continua)
    path = tmp_path / "r.html"
    write_report(path, "t", corpus, found, merge(corpus, found))

    assert path.stat().st_size < 1_000_000
    page = Page(path.read_text(encoding="utf-8"))
    drawn = len(page.scripts) - 2
    assert 1 <= drawn < 200
    assert f"The {drawn} worst tasks can be opened" in " ".join(page.words)


# The peak is the process's own: getrusage would begin with that of the process that started it.
SCRIPT = """
import re, sys
from pathlib import Path
from report_corpora import result, texts
from goldspan.engine.gold.merging import merge
from goldspan.plugin.report.page import write_report

def peak():
    return re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text()).group(1)

corpus = texts(10_000)
found = result(corpus.continua)
before = peak()
write_report(Path(sys.argv[1]), "t", corpus, found)
print(before, peak())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the memory is counted in other units")
def test_ten_thousand_tasks_are_streamed(tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    said = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path)], check=True, capture_output=True, text=True,
        env={"PYTHONPATH": ":".join(sys.path), "PATH": ""},
    ).stdout  # fmt: skip
    before, after = (int(kilobytes) / 1024 for kilobytes in said.split())

    assert after < 500
    assert after - before < 40
    assert path.stat().st_size < 2_000_000
    page = Page(path.read_text(encoding="utf-8"))
    assert f"{10_000 - LISTED:,} more tasks" in " ".join(page.words)
    assert sum(tag == "tbody" and a.get("class") == "task" for tag, a in page.tags) == LISTED


def test_nothing_is_left_of_a_report_that_fails(tmp_path: Path) -> None:
    corpus = texts(3)
    found = result(corpus.continua)
    path = tmp_path / "r.html"
    path.write_text("the old one")
    stranger = Corpus((replace(corpus.continua[0], id="another"),))

    with pytest.raises(KeyError):
        write_report(path, "t", stranger, found)
    assert path.read_text() == "the old one"
    assert [p.name for p in tmp_path.iterdir()] == ["r.html"]


intervals = st.lists(st.tuples(st.integers(0, 50), st.integers(1, 20)), max_size=30).map(
    lambda pairs: sorted((start, start + length) for start, length in pairs)
)


@given(intervals)
def test_stacked_units_never_overlap_in_a_row(units: list[tuple[int, int]]) -> None:
    rows = stack(units)
    for (one, row), (other, another) in combinations(zip(units, rows, strict=True), 2):
        assert row != another or one[1] <= other[0] or other[1] <= one[0]
    deepest = max((sum(a <= at < b for a, b in units) for at, _ in units), default=0)
    assert max(rows, default=-1) + 1 == deepest


@given(st.lists(st.floats(-3, 1), min_size=1))
def test_a_histogram_counts_every_value(values: list[float]) -> None:
    chart = histogram(values, None)
    assert sum(bar.count for bar in chart.bars) == len(values)
    assert max(bar.height for bar in chart.bars) == 100
    for value in values:
        assert any(
            bar.start - 1e-6 <= max(value, -1) <= bar.end + 1e-6 and bar.count for bar in chart.bars
        )


@given(st.floats(-2, 0.99), st.floats(-2, 1))
def test_marks_stay_on_the_axis(low: float, value: float) -> None:
    axis = coefficient_axis([Figure(value, low, None, 0.95, 1)])
    assert axis.low <= 0 < axis.high
    assert 0 <= axis.at(value) <= 100
    assert axis.at(axis.low) == 0
    assert axis.at(axis.high) == 100
    assert 2 <= len(axis.ticks) <= 6


@given(st.lists(st.floats(0, 10), min_size=1, max_size=5))
def test_stacked_bars_follow_each_other(parts: list[float]) -> None:
    bars = stacked(parts, sum(parts))
    for (left, width), (after, _) in pairwise(bars):
        assert left + width == pytest.approx(after, abs=0.02)
    assert sum(width for _, width in bars) <= 100.05


def test_numbers_read_well() -> None:
    assert [number(v) for v in (None, 0.5, -0.04, -0.001)] == ["–", "0.50", "−0.04", "0.00"]
    assert [share(v) for v in (0, 0.001, 0.5)] == ["0%", "<1%", "50%"]
    assert Axis(0, 1).ticks[0] == (0.0, 0.0)


def test_time_is_kept_in_time() -> None:
    corpus = recordings()
    found = score(corpus, precision=0.2)
    category = {name: k for k, name in enumerate(corpus.categories)}
    made = drawing(found.tasks["tape 0"], corpus["tape 0"], None, category)

    assert (made["measure"], made["from"], made["to"]) == ("millisecond", 0, 600_000)
    assert "text" not in made
    assert next(u[2] for u in made["units"] if u[0] == 1) == 20_137.5


def rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def test_tables_hold_every_figure(tmp_path: Path, scored: tuple[Corpus, Result]) -> None:
    _, found = scored
    odd = replace(found, excluded=(*found.excluded, *result(()).excluded))
    names = [path.name for path in write_tables(tmp_path, odd)]

    assert names == ["tasks.csv", "pairs.csv", "labels.csv", "annotators.csv", "confusion.csv"]
    tasks = {row["task"]: row for row in rows(tmp_path / "tasks.csv")}
    for task in found.tasks.values():
        assert float(tasks[task.id]["gamma"]) == task.gamma.value
        assert int(tasks[task.id]["n_missed"]) == task.disagreements["missed"].count
    assert tasks["gone"]["reason"] == "left out: only one annotator"
    labels = {row["label"]: row for row in rows(tmp_path / "labels.csv")}
    assert {k: float(row["gamma_k"]) for k, row in labels.items()} == {
        k: f.value for k, f in found.gamma_k.items()
    }
    pairs = [(r["annotator"], r["other"], float(r["gamma"])) for r in rows(tmp_path / "pairs.csv")]
    assert pairs == [(*p.annotators, p.gamma.value) for p in found.pairs]
    people = {row["annotator"]: row for row in rows(tmp_path / "annotators.csv")}
    assert all({f"n_{side}" for side in SIDES} <= set(row) for row in people.values())
    assert sum(int(r["pairs"]) for r in rows(tmp_path / "confusion.csv") if r["other"]) == sum(
        count(found).pairs.values()
    )


def test_markdown_is_a_comment(scored: tuple[Corpus, Result]) -> None:
    text = report_text("a title", *scored)

    assert text.startswith("## Agreement: a title\n")
    assert "**γ = " in text
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(cells) == 1, block


def test_markdown_shows_data_as_it_is() -> None:
    corpus = hostile()
    text = report_text("<t>", corpus, score(corpus, precision=0.2))

    assert "<script" not in text
    assert "<img" not in text
    assert "@me" not in text
    assert r"PER\|\`x\`&#64;me" in text
    assert "https://x" not in escape("https://x")


def test_markdown_fits_a_comment() -> None:
    long = [f"{'x' * 300} {k}" for k in range(400)]
    corpus = texts(1)
    found = result(replace(corpus.continua[0], id=name) for name in long)
    many = Corpus(tuple(replace(corpus.continua[0], id=name) for name in long), scale=tuple(long))

    assert len(report_text("t", many, replace(found, figures=figures(found.gamma, long)))) < 60_000


def test_the_command_repeats_the_settings(scored: tuple[Corpus, Result]) -> None:
    settings = replace(scored[1].settings, seed=7, precision=0.05, bootstrap=True)
    assert command(["my file.json"], MeasureRequest(settings)) == (
        "goldspan score 'my file.json' --seed 7 --precision 0.05 --interval bootstrap"
    )


def test_the_command_repeats_what_was_measured_and_not_where() -> None:
    settings = Settings(precision=0.123456789)
    request = MeasureRequest(settings, ComputeRequest(workers=3), ("gamma",), pairs=False)
    assert command(["a.csv"], request) == (
        "goldspan score a.csv --seed 0 --precision 0.123456789 --coefficient gamma --no-pairs"
    )


def test_the_command_in_a_result_measures_the_same_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = ["task,annotator,category,start,end,mood"]
    for task in ("one", "two", "three"):
        for who, label in (("al", "A"), ("bo", "A"), ("cy", "B"), ("di", "A")):
            rows += [f"{task},{who},X,{9 * k},{9 * k + 5},{label}{k % 2}" for k in range(8)]
    Path("round.csv").write_text("\n".join(rows), encoding="utf-8")
    Path("far.json").write_text('{"ordinal": ["A0", "A1", "B0", "B1"]}', encoding="utf-8")
    options = ["--category-from", "mood", "--exclude-annotator", "di", "--empty", "unseen",
               "--distances", "far.json", "--seed", "3", "--precision", "0.1"]  # fmt: skip

    assert main(["score", str(tmp_path / "round.csv"), *options, "--quiet", "--json", "1"]) == 0
    first = json.loads(Path("1").read_text(encoding="utf-8"))
    again = shlex.split(first["command"])[1:]
    assert main([*again, "--quiet", "--json", "2"]) == 0
    assert json.loads(Path("2").read_text(encoding="utf-8")) == first
    assert first["settings"]["distance_matrix"]["categories"] == ["A0", "A1", "B0", "B1"]
    assert first["settings"]["distance_matrix"]["rows"][0] == pytest.approx([0, 1 / 3, 2 / 3, 1])


def test_the_command_names_files_of_several_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for who, end in (("al", 5), ("bo", 6)):
        (tmp_path / "brat" / who).mkdir(parents=True)
        for n in range(6):
            file = tmp_path / "brat" / who / f"{n}.ann"
            file.write_text(f"T1\tX 0 {end}\t{'a' * end}\n", encoding="utf-8")
            file.with_suffix(".txt").write_text("a" * 60, encoding="utf-8")
    paths = sorted((tmp_path / "brat").glob("*/*.ann"))
    words = ["--annotator-from", "dir", "--quiet", "--json"]
    monkeypatch.chdir(tmp_path / "brat")
    assert main(["score", *map(str, paths), *words, "1"]) == 0
    first = json.loads(Path("1").read_text(encoding="utf-8"))
    again = shlex.split(first["command"])[1:]
    assert again[1:13] == [f"{who}/{n}.ann" for who in ("al", "bo") for n in range(6)]
    assert main([*again, "--quiet", "--json", "2"]) == 0
    assert json.loads(Path("2").read_text(encoding="utf-8")) == first


def test_every_option_of_reading_can_be_repeated() -> None:
    parser = argparse.ArgumentParser()
    add_reading(parser)
    # Those that formats declare are repeated by their declarations.
    shared = [action for action in parser._actions if not action.dest.startswith("reading_")]
    known = {name for action in shared for name in action.option_strings}
    assert set(OPTIONS) == known - {"-h", "--help", "--quiet"}
    assert {action.dest: action.default for action in parser._actions
            if action.default not in (None, False, [], argparse.SUPPRESS)} == USUAL  # fmt: skip


def test_score_writes_what_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "round.csv"
    table.write_text(
        "\n".join(f"{who},PER,{k * 20 + (who == 'bo')},{k * 20 + 9}" for k in range(9)
                  for who in ("al", "bo")), encoding="utf-8",
    )  # fmt: skip
    out = tmp_path / "new"
    options = ["--html", str(out / "r.html"), "--csv", str(out / "tables"), "--markdown", "-"]

    assert main(["score", str(table), "--quiet", *options]) == 0
    said = capsys.readouterr().out
    assert said.startswith("## Agreement: round.csv")
    assert "┏" not in said
    assert (out / "r.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert (out / "tables" / "tasks.csv").is_file()
    before = table.read_bytes()
    assert main(["score", str(table), "--html", str(table)]) == 2
    assert table.read_bytes() == before
    assert main(["score", str(table), "--quiet", "--csv", str(table)]) == 2
    assert "is a file; name a folder" in capsys.readouterr().err
    assert main(["score", str(table), "--json", "-", "--markdown", "-"]) == 2
    assert "cannot share standard output" in capsys.readouterr().err
