"""Settings and Compute as values: one of them says what many keyword arguments say."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from goldspan.engine import (
    Chance,
    Compute,
    Continuum,
    Corpus,
    Dissimilarity,
    Settings,
    SettingsError,
    Unit,
    score,
)

UNITS = (Unit("a", 0, 5, "X"), Unit("a", 8, 9, "Y"), Unit("b", 1, 5, "X"), Unit("b", 7, 9, "X"))
CORPUS = Corpus((Continuum("t", UNITS, length=30),))


def test_settings_say_what_keyword_arguments_say() -> None:
    settings = Settings(
        seed=3, precision=0.3, level=0.9, dissimilarity=Dissimilarity(alpha=2.0), max_seconds=600
    )
    result = score(CORPUS, settings=settings)
    assert result.settings is settings
    keywords = score(CORPUS, seed=3, precision=0.3, level=0.9, alpha=2.0, max_seconds=600)
    assert result.as_json() == keywords.as_json()


def test_compute_runs_the_work_and_changes_no_figure() -> None:
    ran: list[object] = []

    class Counting(ThreadPoolExecutor):
        def map(self, *arguments: Any, **options: Any) -> Any:
            ran.append(arguments)
            return super().map(*arguments, **options)

    here = score(CORPUS, precision=0.3)
    with Counting(1) as executor:
        there = score(CORPUS, precision=0.3, compute=Compute(executor=executor))
        assert executor.submit(int).result() == 0, "it stays open"
    assert ran
    assert there.as_json() == here.as_json()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"settings": Settings(), "seed": 1}, "both settings and keyword .* its seed are given"),
        ({"settings": Settings(), "beta": 0.5}, "its dissimilarity are given; put them into"),
        ({"settings": Settings(seed=1), "chance": "shift"}, "its chance are given"),
        ({"compute": Compute(), "workers": 2}, "both compute and keyword .* its workers"),
    ],
)
def test_one_thing_said_in_two_ways_is_an_error(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        score(CORPUS, **given)


def test_chance_can_be_named() -> None:
    assert Settings(chance="shift").chance is Chance.SHIFT  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="no chance model 'dice'; use one of auto"):
        Settings(chance="dice")  # type: ignore[arg-type]


def test_no_worker_is_no_compute() -> None:
    with pytest.raises(SettingsError, match="the number of workers is 0; it must be 1 or more"):
        Compute(workers=0)
