"""Redaction: what logs, pages and callers may see of an error."""

from __future__ import annotations

import re
import traceback
from pathlib import Path

from goldspan.engine.errors import GoldspanError, InputError
from goldspan.plugin.platform import PlatformError

SENTENCE = "this is a bug in goldspan; its log says where"


QUOTED = re.compile("""['"“].*['"”]""", re.DOTALL)


def redact(error: GoldspanError) -> str:
    """An error's sentence for logs, the dashboard and the platform: nothing in it quotes data.

    The command line, which is its reader's own, says all of it.
    """
    if isinstance(error, InputError):
        said = QUOTED.sub("…", error.message)
        return f"{error.where}: {said}" if error.where else said
    if isinstance(error, PlatformError) and error.status == 400:
        return error.message
    return str(error)


def place(error: BaseException) -> str:
    """The kind of an error and the lines it came through, for the log.

    Its words are left out: they may quote a payload, and payloads hold tokens.
    """
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    lines = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    return f"{type(error).__name__} at {' > '.join(lines) or 'an unknown place'}"
