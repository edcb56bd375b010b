"""Labels of whole tasks in every format that holds them: round trips, presence, bad input."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldspan.adapters import read, write
from goldspan.engine import Corpus
from strategies import corpora, with_layers

Given = dict[str, dict[str, dict[str, list[str]]]]
"""Labels by layer, task and annotator."""


def given_labels(corpus: Corpus) -> Given:
    """What a corpus holds of labels, as plain values; empty ones are annotators who gave none."""
    return {
        name: {
            one.id: {who: [u.category for u in one.of(who)] for who in one.annotators}
            for one in layer
        }
        for name, layer in corpus.layers.items()
    }


def plain(corpus: Corpus) -> tuple[Any, Given]:
    """All that must survive."""
    spans = [(one.id, one.units, dict(one.presence)) for one in corpus]
    return sorted(spans), {
        name: dict(sorted(of.items())) for name, of in given_labels(corpus).items()
    }


BINARY = st.sampled_from(["accept", "reject"])
TEXTS = corpora(max_tasks=3, max_units=2).flatmap(with_layers)
NUMBERS = corpora(max_tasks=3, max_units=2, with_text=False).flatmap(with_layers)


@settings(max_examples=40, deadline=None)
@given(corpus=TEXTS)
def test_label_studio_round_trip(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("ls") / "out.json"
    write(corpus, path, "label-studio")
    assert plain(read(path, "label-studio")) == plain(corpus)


@settings(max_examples=25, deadline=None)
@given(corpus=TEXTS)
def test_doccano_round_trip(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("doccano") / "out"
    write(corpus, path, "doccano")
    assert plain(read(path, "doccano")) == plain(corpus)


@settings(max_examples=25, deadline=None)
@given(corpus=TEXTS | TEXTS.flatmap(lambda c: with_layers(c, categories=BINARY)))
def test_prodigy_round_trip(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("prodigy") / "out.jsonl"
    write(corpus, path, "prodigy")
    assert plain(read(path, "prodigy")) == plain(corpus)


@pytest.mark.parametrize("suffix", [".jsonl", ".spacy"])
@settings(max_examples=15, deadline=None)
@given(corpus=TEXTS)
def test_spacy_round_trip(
    suffix: str, corpus: Corpus, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("spacy") / f"out{suffix}"
    write(corpus, path, "spacy")
    assert plain(read(path, "spacy")) == plain(corpus)


@settings(max_examples=25, deadline=None)
@given(corpus=NUMBERS)
def test_csv_round_trip(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("csv") / "out.csv"
    write(corpus, path, "csv")
    beside = path.with_name("out.assignments.csv")
    found = read(path, "csv", assignments=beside if beside.exists() else None)
    kept = {
        name: of
        for name, of in given_labels(corpus).items()
        if any(labels for task in of.values() for labels in task.values())
    }
    assert given_labels(found) == kept
