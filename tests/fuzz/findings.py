"""Findings: inputs that went wrong, each a small file that a test runs again."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from fuzz.inputs import Input
from fuzz.trial import Outcome

FOLDER = Path(__file__).parent / "findings"
SAID = 1500
"""How much of what was said is stored."""


def store(given: Input, outcome: Outcome, folder: Path = FOLDER) -> Path:
    """Write a finding; one with the same signature keeps the first."""
    name = hashlib.sha256(outcome.signature.encode("utf-8", "replace")).hexdigest()[:12]
    path = folder / f"{given.format}-{name}.json"
    if path.exists():
        return path
    value = {
        "signature": outcome.signature,
        "said": without_folders(outcome.said)[-SAID:],
        "format": given.format,
        "command": given.command,
        "files": {name: _held(data) for name, data in given.files.items()},
    }
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    return path


def without_folders(said: str) -> str:
    """A traceback with the names of files alone: where they were is nobody's business."""
    return re.sub(r'(File ")[^"]*/(?=[^/"]+")', r"\1", said)


def load(path: Path) -> Input:
    """The input that a finding holds."""
    value = json.loads(path.read_text(encoding="utf-8"))
    files = {name: _data(held) for name, held in value["files"].items()}
    return Input(value["format"], files, tuple(value["command"]))


def stored(folder: Path = FOLDER) -> Iterator[Path]:
    """All findings, sorted."""
    yield from sorted(folder.glob("*.json"))


def _held(data: bytes) -> str | list[str]:
    """Text where it is some, else base64 in a list."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return [base64.b64encode(data).decode()]
    return text


def _data(held: str | list[str]) -> bytes:
    return held.encode() if isinstance(held, str) else base64.b64decode(held[0])
