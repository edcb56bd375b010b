"""Annotators: what the page of each says of their work."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from goldspan.engine import Continuum, Corpus, Unit, against, score
from goldspan.plugin.document import Document
from goldspan.plugin.service.annotators import agreement, annotator_facts, page_name
from goldspan.plugin.service.pages import RESULT, pages, write_annotators
from goldspan.plugin.service.web.annotator_page import duration, habits
from service_parts import Parts, service

PLACES = [(0, 10), (20, 30), (40, 50), (60, 70), (80, 90), (100, 110)]
TEXT = "x" * 120


def task(name: str) -> Continuum:
    """Bob starts two characters early, calls the first PER a LOC, misses the last, and is alone
    once; ann and cyd agree.
    """
    units = [Unit(who, *place, "PER") for who in ("ann", "cyd") for place in PLACES]
    units += [Unit("bob", start - 2, end, "PER") for start, end in PLACES[1:-1]]
    units += [Unit("bob", 0, 10, "LOC"), Unit("bob", 112, 119, "ORG")]
    return Continuum(name, tuple(units), text=TEXT)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus((task("7"), task("8")))


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    with service(tmp_path) as made:
        made.studio.tasks = {1: (0, 3)}
        made.queue.request(4)
        made.run()
        yield made


def test_facts_are_what_was_marked(corpus: Corpus) -> None:
    result = score(corpus, precision=0.1)
    ann, bob, _ = annotator_facts(corpus, result, {"bob": [10.0, 0.0, 30.0, 50.0]})

    assert (bob["name"], bob["tasks"], bob["units"]) == ("bob", 2, 12)
    labels = {one["label"]: one for one in bob["labels"]}
    assert (labels["PER"]["marked"], labels["PER"]["missed"]) == (8, 2)
    assert labels["PER"]["missed_in"] == ["7", "8"]
    assert (labels["ORG"]["marked"], labels["ORG"]["alone"]) == (2, 2)
    assert bob["confusions"] == [{"mine": "LOC", "theirs": "PER", "count": 4, "tasks": ["7", "8"]}]
    assert bob["boundaries"]["aligned"] == 10
    assert bob["boundaries"]["same"] == 2
    assert bob["boundaries"]["start"] == pytest.approx(-1.6)
    assert bob["boundaries"]["end"] == 0
    assert habits(bob["boundaries"]) == ["starts 1.6 characters early"]
    assert bob["seconds"] == {"median": 30.0, "tasks": 3}
    assert ann["seconds"] is None
    assert habits(ann["boundaries"]) == ["starts 0.7 characters late"]


def test_agreement_is_the_mean_over_pairs(corpus: Corpus) -> None:
    document = Document.of(score(corpus, precision=0.1)).value
    ann, bob = agreement(document, "ann"), agreement(document, "bob")

    assert ann["with"]["cyd"] == 1
    assert ann["mean"] == pytest.approx((1 + bob["with"]["ann"]) / 2)
    assert bob["without"] == 1
    assert bob["settled"] is None
    assert agreement({}, "ann")["mean"] is None


def test_the_page_shows_them_and_links_the_tasks(parts: Parts, corpus: Corpus) -> None:
    result = score(corpus, precision=0.1)
    place = parts.archive.place(4, RESULT).parent
    write_annotators(place, corpus, result, {"bob": [200.0]})
    (place / RESULT).write_text(Document.of(result).text, encoding="utf-8")

    name = page_name("bob")
    assert f'<a href="project-4/annotators/{name}">bob</a>' in parts.client.get("/").text
    page = parts.client.get(f"/project-4/annotators/{name}").text
    assert "bob starts 1.6 characters early on average." in page
    assert 'href="http://studio.example/projects/4/data?task=7"' in page
    assert "3 minutes" in page
    assert "@media print" in page
    assert TEXT[:20] not in page
    n = sum(pair.figures["gamma_k", "PER"].n for pair in result.pairs if "bob" in pair.annotators)
    assert f'<small class="quiet">n {n}</small>' in page
    assert parts.client.get("/project-4/annotators/2").status_code == 404
    assert parts.client.get(f"/project-9/annotators/{name}").status_code == 404

    # In the next round somebody comes before bob, and the address is still bob's.
    more = [Unit("aaron", *place, "PER") for place in PLACES]
    new = Corpus(tuple(replace(one, units=(*one.units, *more)) for one in corpus))
    write_annotators(place, new, score(new, precision=0.5), {})
    assert "<h1>bob</h1>" in parts.client.get(f"/project-4/annotators/{name}").text


def test_the_address_of_a_page_is_one_annotators() -> None:
    names = ["bob@a.example", "bob@b.example", "Bob@a.example", "李", "", "a/b?c", "a b"]
    assert len({page_name(one) for one in names}) == len(names)
    assert all(re.fullmatch(r"[a-z0-9-]+", page_name(one)) for one in names)
    assert page_name("bob@a.example").startswith("bob-")


def test_agreement_on_a_label_is_the_mean_of_its_pairs(corpus: Corpus) -> None:
    result = score(corpus, precision=0.1)
    _, bob, _ = annotator_facts(corpus, result, {})
    found = {one["label"]: one["gamma_k"] for one in bob["labels"]}
    own = [pair.figures["gamma_k", "PER"] for pair in result.pairs if "bob" in pair.annotators]
    assert found["PER"] == {
        "mean": pytest.approx(sum(one.value or 0 for one in own) / 2),
        "n": sum(one.n for one in own),
    }
    assert found["ORG"] is None, "nobody else has it"


def test_f1_with_settled_work_is_on_the_page(parts: Parts, corpus: Corpus) -> None:
    settled = Corpus((Continuum("7", tuple(Unit("ground truth", *place, "PER") for place in PLACES),
                                text=TEXT),))  # fmt: skip
    result = replace(score(corpus, precision=0.1), against=against(corpus, settled))
    place = parts.archive.place(4, RESULT).parent
    write_annotators(place, corpus, result, {})
    (place / RESULT).write_text(Document.of(result).text, encoding="utf-8")
    assert agreement(Document.of(result).value, "ann")["settled"] == 1
    # bob has six spans, none of them with the same place and label.
    assert agreement(Document.of(result).value, "bob")["settled"] == 0
    for name, said in (("ann", "F1 1.00"), ("bob", "F1 0.00")):
        page = parts.client.get(f"/project-4/annotators/{page_name(name)}").text
        assert f"Agreement with settled work</dt><dd>{said}" in page


def test_what_a_sync_keeps_is_known(tmp_path: Path) -> None:
    assert tmp_path / "project-4" / "annotators.json" in pages(tmp_path, 4)


def test_a_password_guards_the_page(tmp_path: Path) -> None:
    with service(tmp_path, password="correct horse") as made:  # noqa: S106 - a made-up one
        assert made.client.get("/project-4/annotators/bob-1").status_code == 401


def test_times_are_in_words() -> None:
    assert (duration(1.2), duration(90), duration(200)) == ("1 second", "90 seconds", "3 minutes")
