"""Arguments of `goldspan label-studio`: what is refused before anything is asked or written."""

from __future__ import annotations

import codecs
from argparse import Namespace
from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from goldspan.engine import score
from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli import build_parser, main
from goldspan.plugin.cli.verbs.label_studio.arguments import connect, sync_options

NOWHERE = ("--url", "http://127.0.0.1:9", "--project", "1", "--quiet")


@pytest.fixture
def token(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text("0123456789abcdef")
    return path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sync", "--low", "nan"], "'nan' is not a limit for γ"),
        (["setup", "--low", "inf"], "'inf' is not a limit for γ"),
        (["sync", "--min-confidence", "2"], "it must be from 0 to 1"),
        (["sync", "--labels", "all"], "invalid choice: 'all'"),
        (["sync", "--seconds", "0"], "'0' is not a time limit"),
        (["sync", "--max-seconds", "inf"], "'inf' is not a time limit"),
        (["sync", "--max-seconds", "nan"], "'nan' is not a time limit"),
        (["sync", "--undo", "--max-seconds", "5"], "leave --max-seconds out"),
    ],
)
def test_a_value_out_of_its_range_is_refused(
    token: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    verb, *options = arguments
    try:
        code = main(["label-studio", verb, *NOWHERE, "--token-file", str(token), *options])
    except SystemExit as end:  # argparse ends by itself
        code = int(end.code or 0)
    assert code == 2
    assert said in capsys.readouterr().err


def test_limits_reach_the_engine() -> None:
    def scoring(*options: str) -> Mapping[str, Any]:
        arguments = ["label-studio", "sync", "--project", "1", *options]
        return sync_options(build_parser().parse_args(arguments)).scoring

    assert {"seconds", "max_seconds"}.isdisjoint(scoring())
    limited = scoring("--seconds", "3", "--max-seconds", "60")
    assert limited["seconds"] == 3
    assert limited["max_seconds"] == 60
    assert limited.keys() <= signature(score).parameters.keys()


def test_a_token_file_may_begin_with_a_byte_order_mark(token: Path) -> None:
    token.write_bytes(codecs.BOM_UTF8 + b"0123456789abcdef\r\n")
    with connect(Namespace(url="http://127.0.0.1:9", token_file=token)) as server:
        assert server.url == "http://127.0.0.1:9"


def test_a_token_file_in_another_encoding_is_told(token: Path) -> None:
    token.write_bytes("0123456789abcdef".encode("utf-16"))
    with pytest.raises(SettingsError, match="is not valid UTF-8; save it as UTF-8"):
        connect(Namespace(url="http://127.0.0.1:9", token_file=token))
