"""What a verb says while the engine compiles."""

from __future__ import annotations

from pathlib import Path

import numba
import pytest

from goldspan.engine.alignment.kernel import kernel
from goldspan.plugin.cli.measuring import COMPILING_ONCE, say_compiling
from goldspan.plugin.cli.messages import Messages


@pytest.mark.parametrize("quiet", [False, True])
def test_compiling_is_said_when_no_code_is_stored_yet(
    quiet: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    @kernel
    def next_to(number: int) -> int:
        return number + 1

    with say_compiling(Messages(quiet)):
        next_to(1)
    assert capsys.readouterr().err == ("" if quiet else f"goldspan: {COMPILING_ONCE}\n")
    with say_compiling(Messages(quiet)):
        next_to(2)
    assert capsys.readouterr().err == ""
