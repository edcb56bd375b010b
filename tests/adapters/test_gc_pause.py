"""The collector is paused for a block, and only for that."""

from __future__ import annotations

import gc

import pytest

from goldspan.adapters.files.gc_pause import gc_pause


def test_collection_is_paused_and_comes_back_after_an_error_too() -> None:
    assert gc.isenabled()
    with gc_pause():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(KeyError), gc_pause():
        raise KeyError
    assert gc.isenabled()


def test_who_had_it_off_keeps_it_off() -> None:
    gc.disable()
    try:
        with gc_pause():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
