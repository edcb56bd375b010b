"""Arguments of `goldspan label-studio`: what is refused before anything is asked or written."""

from __future__ import annotations

import codecs
from argparse import Namespace
from pathlib import Path

import pytest

from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli import main
from goldspan.plugin.label_studio.arguments import connect

NOWHERE = ("--url", "http://127.0.0.1:9", "--project", "1", "--quiet")


@pytest.fixture
def token(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text("0123456789abcdef")
    return path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sync", "--low", "nan"], "'nan' is no limit for γ"),
        (["setup", "--low", "inf"], "'inf' is no limit for γ"),
        (["sync", "--min-confidence", "2"], "it must be from 0 to 1"),
        (["sync", "--labels", "all"], "invalid choice: 'all'"),
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


def test_a_token_file_may_begin_with_a_byte_order_mark(token: Path) -> None:
    token.write_bytes(codecs.BOM_UTF8 + b"0123456789abcdef\r\n")
    with connect(Namespace(url="http://127.0.0.1:9", token_file=token)) as server:
        assert server.url == "http://127.0.0.1:9"


def test_a_token_file_in_another_encoding_is_told(token: Path) -> None:
    token.write_bytes("0123456789abcdef".encode("utf-16"))
    with pytest.raises(SettingsError, match="is no UTF-8; save it as such"):
        connect(Namespace(url="http://127.0.0.1:9", token_file=token))
