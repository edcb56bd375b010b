"""The terminal: text from files and people is shown, never obeyed.

A label, a name or a file's name can hold characters that a terminal takes for commands (write to
the clipboard, move the cursor, change the title) or that reverse the text around them. Everything
that goldspan prints passes `visible`: through `visible_output`, which guards standard output and
standard error while a command runs, or through `goldspan.plugin.cli.console`, which draws tables.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TextIO, cast

CONTROLS = (*range(0x20), *range(0x7F, 0xA0))
"""C0, DEL and C1: escape sequences begin with one of them."""

DIRECTIONS = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Unicode's Bidi_Control: marks, embeddings, overrides and isolates."""

SEPARATORS = (0x2028, 0x2029)
"""Line and paragraph separators: some terminals begin a new line there."""

OUTPUT = "standard output"
"""What an error calls it."""

SHORT = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r"}
ESCAPES = {code: f"\\u{code:04x}" for code in (*CONTROLS, *DIRECTIONS, *SEPARATORS)} | SHORT
LINE_ESCAPES = {code: escape for code, escape in ESCAPES.items() if chr(code) != "\n"}


def visible(text: str, *, lines: bool = False) -> str:
    r"""The text with an escape such as `\u001b` for every character that acts on a terminal; with
    `lines`, line feeds stay.

    The escapes are those of JSON: JSON that passes here is JSON with the same content.
    """
    return text.translate(LINE_ESCAPES if lines else ESCAPES)


class NamedStream:
    """A text stream whose errors say which stream it is; all else is the stream's own."""

    def __init__(self, stream: TextIO, name: str) -> None:
        self.stream = stream
        self.name = name

    def write(self, text: str) -> int:
        """Write it as it is."""
        with self._named():
            return self.stream.write(text)

    def flush(self) -> None:
        """Write what is still waiting."""
        with self._named():
            self.stream.flush()

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            error.filename = self.name
            raise

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


class VisibleStream:
    """A text stream that makes visible what is written to it; all else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write it so that a terminal shows it and does nothing else."""
        self.stream.write(visible(text, lines=True))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each so."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


@contextmanager
def visible_output() -> Iterator[None]:
    """Standard output and standard error are guarded while the block runs."""
    out = _guarded(sys.stdout, OUTPUT)
    err = _guarded(sys.stderr, "standard error")
    with redirect_stdout(out), redirect_stderr(err):
        yield


def _guarded(stream: TextIO, name: str) -> TextIO:
    if isinstance(stream, VisibleStream):
        return stream
    return cast("TextIO", VisibleStream(cast("TextIO", NamedStream(stream, name))))


def unguarded(stream: TextIO) -> TextIO:
    """The stream without its guard, for what is visible already and may be coloured."""
    return stream.stream if isinstance(stream, VisibleStream) else stream
