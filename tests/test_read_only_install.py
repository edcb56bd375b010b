"""An installation that nobody can write to, used by somebody without a home."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldspan.plugin.cli import main
from goldspan.plugin.measurement import COMPILING

ROOT = Path(__file__).parents[1]
ROWS = "task,annotator,category,start,end\nt1,a,X,0,5\nt1,b,X,0,6\nt1,b,Y,9,12\n"


@pytest.fixture
def installed() -> Iterator[Path]:
    """A copy of the packages and a table, owned by us, that only can be read."""
    place = Path(tempfile.mkdtemp(prefix="goldspan-read-only-"))
    for part in ("engine", "adapters", "plugin"):
        shutil.copytree(
            ROOT / part / "goldspan" / part, place / "goldspan" / part,
            ignore=shutil.ignore_patterns("__pycache__"),
        )  # fmt: skip
    (place / "in.csv").write_text(ROWS, encoding="utf-8")
    paths = [place, *place.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield place
    for path in paths:
        path.chmod(stat.S_IRWXU)
    shutil.rmtree(place)


def run(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python there without the rights of root, whom nothing read-only would stop.

    Another user may not be able to run this Python: it can lie in root's own folder.
    """
    bound = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    return subprocess.run(
        [*bound, sys.executable, *words], cwd=place, capture_output=True, text=True, check=False,
        env={"PATH": os.environ["PATH"], "HOME": "/dev/null", "PYTHONPATH": str(place)},
    )  # fmt: skip


def test_kernels_compile_in_memory_and_it_is_said(
    installed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("root cannot give up its rights here: there is no setpriv")
    words = ["--precision", "0.3", "--no-pairs", "--json"]
    done = run(installed, "-m", "goldspan.plugin", "score", "in.csv", *words, "-")
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines().count(f"goldspan: {COMPILING}") == 1
    assert list(installed.rglob("__pycache__")) == []
    here = tmp_path / "here.json"
    assert main(["score", str(installed / "in.csv"), *words, str(here)]) == 0
    assert COMPILING not in capsys.readouterr().err, "code can be stored here"
    assert json.loads(done.stdout)["corpus"] == json.loads(here.read_bytes())["corpus"]


TINY = """
from goldspan.engine.alignment.kernel import compiles_in_memory, kernel

@kernel
def twice(number):
    return 2 * number

print(twice(21), compiles_in_memory())
"""


def run_tiny(folder: Path, store: Path) -> str:
    (folder / "tiny.py").write_text(TINY, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(folder / "tiny.py")], capture_output=True, text=True, check=False,
        env=os.environ | {"NUMBA_CACHE_DIR": str(store), "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout


def test_compiled_code_is_stored(tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert run_tiny(tmp_path, store) == "42 False\n"
    stored = {path: path.stat().st_mtime_ns for path in store.rglob("*.nb?")}
    assert {path.suffix for path in stored} == {".nbi", ".nbc"}
    assert run_tiny(tmp_path, store) == "42 False\n"
    assert {path: path.stat().st_mtime_ns for path in store.rglob("*.nb?")} == stored


def test_a_full_disk_stores_nothing_and_stops_nothing(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "goldspan-test", str(store)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False).returncode:
        pytest.skip("a small disk takes root and mount")
    try:
        assert run_tiny(tmp_path, store) == "42 False\n"
    finally:
        unmount = ["umount", str(store)]
        subprocess.run(unmount, check=True)
