"""Settings for every test, and the real Label Studio that some of them share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

from label_studio_server import MISSING, LabelStudioServer, installed
from running_order import LONGEST
from wheel_tests import WHEEL_TESTS

# No time limits on a shared machine, and a quick profile for wheels. Examples are new in every run,
# but for continuous integration: what it says of a commit must be the same the second time.
SAME_EXAMPLES = bool(os.environ.get("CI"))
settings.register_profile("thorough", deadline=None, print_blob=True, derandomize=SAME_EXAMPLES)
settings.register_profile(
    "quick", deadline=None, print_blob=True, derandomize=SAME_EXAMPLES, max_examples=10
)
settings.load_profile("thorough")

TESTS = Path(__file__).parent
END_TO_END = TESTS / "e2e"
# Here servers, browsers and killed processes share the machine with whatever else it does.
REAL_PARTS = (
    END_TO_END,
    *(TESTS / "plugin" / name for name in ("adjudicate", "open", "service")),
)
RANKS = {TESTS.parent / name: rank for rank, name in enumerate(LONGEST)}
ON_WHEEL = {TESTS.parent / name for name in WHEEL_TESTS}
MEMORY, ROOM = Path("/dev/shm"), 2**30  # noqa: S108 - a folder of our own is made in it


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever lies in e2e is marked so: a wheel runs only those that are marked `wheel` too.

    Of the other tests it runs the files that `wheel_tests` lists. A test of real parts that fails
    runs once more, and the summary names it: a fault fails twice.
    """
    for item in items:
        if END_TO_END in item.path.parents:
            item.add_marker("e2e")
        elif item.path in ON_WHEEL and item.get_closest_marker("e2e") is None:
            item.add_marker("wheel")
        if any(folder in item.path.parents for folder in REAL_PARTS):
            item.add_marker(pytest.mark.flaky(reruns=1))
    long = {
        item.path for item in items if {"e2e", "simulation"} & {m.name for m in item.iter_markers()}
    }
    items.sort(key=lambda item: (RANKS.get(item.path, len(RANKS)), item.path not in long))


@contextmanager
def _swift_folder() -> Iterator[Path]:
    """A folder in memory, where there is room: Label Studio waits for the disk after each write."""
    room = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM
    with TemporaryDirectory(prefix="goldspan-", dir=MEMORY if room else None) as folder:
        yield Path(folder)


@pytest.fixture
def swift_folder() -> Iterator[Path]:
    """An empty folder that need not outlive a power cut."""
    with _swift_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def label_studio() -> Iterator[LabelStudioServer]:
    """A server for all tests: each makes a project of its own, none stops the server."""
    if installed() is None:
        pytest.skip(MISSING)
    with _swift_folder() as folder, LabelStudioServer(folder / "label-studio") as server:
        yield server


@pytest.fixture
def own_label_studio(swift_folder: Path) -> Iterator[LabelStudioServer]:
    """A server for one test, which may stop, kill and restart it; six seconds to come up."""
    if installed() is None:
        pytest.skip(MISSING)
    with LabelStudioServer(swift_folder / "label-studio") as server:
        yield server
