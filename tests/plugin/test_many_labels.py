"""Many labels, and names that are not meant to be read: a page stays one that opens."""

from __future__ import annotations

import re
from pathlib import Path

from goldspan.engine.errors import LONGEST
from goldspan.engine.model import Continuum, Corpus, Unit
from goldspan.engine.scoring import score
from goldspan.plugin.report.page import write_report
from goldspan.plugin.report.view import MOST_LABELS, MOST_RARE, view

CODES = 784
"""How many codes a published coding scheme of diagnoses had."""


def coded(codes: int) -> Corpus:
    """Two people give code k to about codes / k spans, as codes are used."""
    units = []
    at = 0
    for code in range(codes):
        for turn in range(max(1, 60 // (code + 1))):
            at += 10
            other = code if turn % 3 else (code + 1) % codes
            units += [
                Unit("ann", at, at + 5, f"C{code:03}"),
                Unit("ben", at, at + 5, f"C{other:03}"),
            ]
    return Corpus((Continuum("notes", tuple(units), length=at + 10),))


def page(corpus: Corpus, path: Path) -> str:
    write_report(path, "codes", corpus, score(corpus, precision=0.2, pairs=False))
    return path.read_text(encoding="utf-8")


def section(html: str, name: str) -> str:
    return html.partition(f'<section id="{name}">')[2].partition("</section>")[0]


def test_labels_come_by_their_evidence_and_rare_ones_are_folded(tmp_path: Path) -> None:
    corpus = coded(CODES)
    result = score(corpus, precision=0.2, pairs=False)
    rows = view("codes", corpus, result).labels
    assert len(rows) == CODES
    known = [row.figure.n for row in rows if row.figure.value is not None]
    assert known == sorted(known, reverse=True)
    assert all(row.figure.value is None for row in rows[len(known) :])
    write_report(tmp_path / "page.html", "codes", corpus, result)
    labels = section((tmp_path / "page.html").read_text(encoding="utf-8"), "labels")
    open_part, folded, rare = labels.partition("<details>")
    assert folded
    assert f"{CODES - MOST_LABELS} rarer labels" in rare
    in_table = re.findall(r'<th scope="row">.*?(C\d{3})</th>', open_part)
    assert in_table == [row.name for row in rows[:MOST_LABELS]]
    shown = re.findall(r'<th scope="row">(C\d{3})</th>', rare.partition("</details>")[0])
    assert shown == [row.name for row in rows[MOST_LABELS:MOST_RARE]]


def test_few_labels_are_all_open_with_the_lowest_first() -> None:
    corpus = coded(5)
    rows = view("codes", corpus, score(corpus, precision=0.2, pairs=False)).labels
    values = [row.figure.value for row in rows if row.figure.value is not None]
    assert values == sorted(values)


def test_a_name_of_a_megabyte_makes_no_page_of_many(tmp_path: Path) -> None:
    long = "x" * 1_000_000
    texts = [
        Continuum(
            f"{long}{task}",
            tuple(
                Unit(name, at, at + 5 + at % 2, label)
                for name in (f"{long}a", f"{long}b", "c")
                for at, label in ((0, f"{long}L"), (10, f"{long}M"), (20, "N"))
            ),
            length=40,
        )
        for task in range(6)
    ]
    corpus = Corpus(tuple(texts))
    plain = page(coded(5), tmp_path / "plain.html")
    html = page(corpus, tmp_path / "page.html")
    assert len(html) < len(plain) + 300 * LONGEST
    assert "x" * 100 in html
    assert long not in html
