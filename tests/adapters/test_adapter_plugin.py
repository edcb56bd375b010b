"""The example of a third party's adapter: installed as a user would, then used."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "adapter_plugin"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the example is installed, and nothing of it in the real one."""
    pytest.importorskip("hatchling", reason="building the example needs hatchling")
    target = tmp_path_factory.mktemp("installed")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation",
         "--no-index", "--disable-pip-version-check", "--target", str(target), str(EXAMPLE)],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(target), *sys.path])}


def goldspan(
    environment: dict[str, str], *arguments: str, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "goldspan.plugin", *arguments],
        env=environment,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_is_listed(environment: dict[str, str]) -> None:
    rows = json.loads(goldspan(environment, "formats", "--json", "-").stdout)
    (ours,) = (row for row in rows if row["name"] == "audacity")
    assert (ours["reads"], ours["writes"]) == (True, False)


def test_it_is_detected_and_read(environment: dict[str, str], tmp_path: Path) -> None:
    for name, end in (("ann", "2.5"), ("bob", "2.25")):
        (tmp_path / "tracks" / name).mkdir(parents=True)
        track = tmp_path / "tracks" / name / "talk.txt"
        track.write_text(f"0.5\t{end}\tspeech\n", encoding="utf-8")
    (tmp_path / "tracks" / "eve").mkdir()
    (tmp_path / "tracks" / "eve" / "talk.txt").touch()
    out = tmp_path / "out.csv"
    done = goldspan(
        environment, "convert", str(tmp_path / "tracks"), "--to", "csv", "--output", str(out)
    )
    assert done.returncode == 0, done.stderr
    assert "as audacity" in done.stderr
    assert out.read_text(encoding="utf-8").splitlines()[1:] == [
        "talk,ann,speech,500,2500",
        "talk,bob,speech,500,2250",
    ]
    assert "talk,eve,empty" in (tmp_path / "out.assignments.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("given", "folder"), [("tracks/ann/talk.txt", "."), (".", "tracks"), (".", "tracks/ann")]
)
def test_it_reads_files_and_the_folder_one_is_in(
    environment: dict[str, str], tmp_path: Path, given: str, folder: str
) -> None:
    (tmp_path / "tracks" / "ann").mkdir(parents=True)
    track = tmp_path / "tracks" / "ann" / "talk.txt"
    track.write_text("0.5\t2.5\tspeech\n", encoding="utf-8")
    out = tmp_path / "out.csv"
    done = goldspan(
        environment, "convert", given, "--to", "csv", "-o", str(out), cwd=tmp_path / folder
    )
    assert done.returncode == 0, done.stderr
    assert "as audacity" in done.stderr
    assert out.read_text(encoding="utf-8").splitlines()[1:] == ["talk,ann,speech,500,2500"]


def test_its_own_option_works_like_any_other(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "talk.txt").write_text("0.5\t0.5\tclick\n", encoding="utf-8")
    out = tmp_path / "out.csv"
    words = ["convert", str(tmp_path / "ann"), "--to", "csv", "-o", str(out)]
    assert (
        "reading audacity:\n  --point-length VALUE"
        in goldspan(environment, "score", "--help").stdout
    )
    assert (
        "  --point-length VALUE (default 0): milliseconds"
        in goldspan(environment, "formats", "audacity").stdout
    )
    done = goldspan(environment, *words, "--point-length", "20")
    assert done.returncode == 0, done.stderr
    assert out.read_text(encoding="utf-8").splitlines()[1:] == ["talk,ann,click,500,520"]
    wrong = goldspan(environment, "score", str(out), "--point-length", "20")
    assert "--point-length does not apply to the format 'csv'; leave it out" in wrong.stderr
    assert goldspan(environment, *words, "--point-length", "long").returncode == 2


def test_a_folder_without_tracks_is_an_error(environment: dict[str, str], tmp_path: Path) -> None:
    out = str(tmp_path / "o.csv")
    done = goldspan(
        environment, "convert", str(tmp_path), "--from", "audacity", "--to", "csv", "-o", out
    )
    assert done.returncode == 2
    assert done.stderr == f"goldspan: {tmp_path}: there is no .txt file here\n"


def test_its_errors_are_sentences(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "talk.txt").write_text("0.5\t2.5\tspeech\nnoise\n", encoding="utf-8")
    out = str(tmp_path / "o.csv")
    done = goldspan(
        environment, "convert", str(tmp_path), "--from", "audacity", "--to", "csv", "-o", out
    )
    assert done.returncode == 2
    assert done.stderr == f"goldspan: {tmp_path}/ann/talk.txt:2: write START TAB END TAB LABEL\n"


def test_it_is_short() -> None:
    lines = (EXAMPLE / "goldspan_audacity.py").read_text(encoding="utf-8").splitlines()
    code = [line for line in lines if line.strip() and not line.strip().startswith(('"""', "#"))]
    assert len(code) <= 52
    assert {line.split()[1] for line in lines if line.startswith(("from goldspan", "import"))} == {
        "goldspan.adapters.kit"
    }


def test_the_page_shows_the_file_as_it_is() -> None:
    page = (EXAMPLE.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"```python\n{(EXAMPLE / 'goldspan_audacity.py').read_text(encoding='utf-8')}```" in page
    declared = (EXAMPLE / "pyproject.toml").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert shown in declared
