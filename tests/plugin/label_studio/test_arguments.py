"""Arguments of `goldspan label-studio`: what is refused before anything is asked or written."""

from __future__ import annotations

import ast
import codecs
import inspect
import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from goldspan.adapters.facts import FormatFact
from goldspan.engine.errors import SettingsError
from goldspan.engine.settings import Settings
from goldspan.plugin.cli import build_parser, main
from goldspan.plugin.cli.verbs.label_studio.sync import SyncRequest, parse
from goldspan.plugin.facts import PlatformFact
from goldspan.plugin.label_studio.connection import ConnectionRequest
from goldspan.plugin.measurement import ComputeRequest, MeasureRequest

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


def test_options_of_measuring_reach_the_engine() -> None:
    def measuring(*options: str) -> MeasureRequest:
        arguments = ["label-studio", "sync", "--project", "1", *options]
        request = parse(build_parser().parse_args(arguments))
        assert isinstance(request, SyncRequest)
        return request.options.measuring

    assert measuring() == MeasureRequest()
    limited = measuring("--seconds", "3", "--max-seconds", "60", "--seed", "4")
    assert limited == MeasureRequest(Settings(seed=4, seconds=3, max_seconds=60))
    spread = measuring("--workers", "2", "--dask", "tcp://cluster:8786")
    assert spread.compute == ComputeRequest(2, "tcp://cluster:8786")
    assert repr(spread) == repr(measuring()), "where it runs makes no project due"


def test_a_token_file_may_begin_with_a_byte_order_mark(token: Path) -> None:
    token.write_bytes(codecs.BOM_UTF8 + b"0123456789abcdef\r\n")
    with ConnectionRequest("http://127.0.0.1:9", token).connect() as server:
        assert server.url == "http://127.0.0.1:9"


def test_a_token_file_in_another_encoding_is_told(token: Path) -> None:
    token.write_bytes("0123456789abcdef".encode("utf-16"))
    with pytest.raises(SettingsError, match="is not valid UTF-8; save it as UTF-8"):
        ConnectionRequest("http://127.0.0.1:9", token).connect()


ROOT = Path(__file__).parents[3]
ELSEWHERE = {
    "--annotator-from", "--assignments", "--by", "--exclude-label", "--exclude-task",
    "--include-predictions", "--source",
}  # fmt: skip
"""Options of files, which a live project has no use for: its annotators are accounts, and its
models are measured by --with-predictions. What was left out is said to those who left it out."""


def named_options(path: Path) -> set[str]:
    """The options that a module's sentences name: its own, and those of the notes that it makes."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        said: object = None
        match node:
            case ast.Attribute(value=ast.Name(id="FormatFact" | "PlatformFact"), attr=name):
                kinds = FormatFact if name in FormatFact.__members__ else PlatformFact
                said = kinds.table()[kinds[name].code]
            case ast.Constant(value=str(text)):
                said = text
        if callable(said):
            said = inspect.getsource(said)
        found |= set(re.findall(r"--[a-z][a-z-]+", str(said))) if said else set()
    return found


def test_sync_has_every_option_that_its_hints_name() -> None:
    """A hint that names an option which the command refuses helps nobody."""
    adapters, plugin = ROOT / "adapters/goldspan/adapters", ROOT / "plugin/goldspan/plugin"
    kit = ("draft.py", "annotator_filter.py", "channels.py")
    planning = ("label_studio/plan.py", "label_studio/snapshot.py", "service/sync.py")
    modules = [*(adapters / "label_studio").glob("*.py"), *(adapters / "kit" / one for one in kit)]
    modules += (adapters / "kit" / "rules").glob("*.py")
    modules += [plugin / one for one in planning]
    hints = set().union(*map(named_options, modules)) - ELSEWHERE
    help_text = io.StringIO()
    with redirect_stdout(help_text), pytest.raises(SystemExit):
        build_parser().parse_args(["label-studio", "sync", "--help"])

    assert {"--trim", "--swap", "--include-annotator", "--unlabelled"} <= hints
    assert hints <= set(re.findall(r"--[a-z][a-z-]+", help_text.getvalue()))


def test_reading_options_reach_the_reader() -> None:
    arguments = ["label-studio", "sync", "--project", "1", "--trim", "--swap",
                 "--include-annotator", "gold"]  # fmt: skip
    request = parse(build_parser().parse_args(arguments))
    assert isinstance(request, SyncRequest)
    reading = request.options.reading
    assert (reading.trim, reading.swap, reading.include_annotators) == (True, True, ("gold",))
