"""The collector is paused for a block, and only for that."""

from __future__ import annotations

import gc

import pytest

from goldspan.adapters.collector import paused


def test_collection_is_paused_and_comes_back_after_an_error_too() -> None:
    assert gc.isenabled()
    with paused():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(KeyError), paused():
        raise KeyError
    assert gc.isenabled()


def test_who_had_it_off_keeps_it_off() -> None:
    gc.disable()
    try:
        with paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_was_made_inside_is_old_and_not_walked_right_away() -> None:
    with paused():
        made = [[number] for number in range(10_000)]
    young = gc.get_objects(generation=0)
    assert not any(one is made[5000] for one in young)
    assert any(one is made[5000] for one in gc.get_objects(generation=2))


def test_values_that_somebody_froze_stay_frozen() -> None:
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with paused():
            pass
        assert gc.get_freeze_count() == frozen > 0
    finally:
        gc.unfreeze()
