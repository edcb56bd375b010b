"""Python's collector of cyclic garbage, paused while a large file is read."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """No collection inside the block.

    Reading makes hundreds of thousands of small values and no cycles; each time their number has
    grown by a quarter the collector would walk them all, a fifth of the time for 100 MB.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():
                # All that was made is old at once; as young it would be walked right away.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
