"""The console: tables and progress bars in colour, with nothing in them that acts on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, TextIO

from rich import markup
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from goldspan.plugin.terminal import unguarded, visible


class VisibleConsole(Console):
    """A console on standard output, or on `file`; its own colours and cursor moves stay."""

    def __init__(self, file: TextIO | None = None) -> None:
        # A label such as :warning: is a label.
        super().__init__(file=unguarded(file or sys.stdout), emoji=False)

    def render_str(self, text: str, **options: Any) -> Text:
        """Text with markup; visible before columns are measured."""
        return super().render_str(visible(text, lines=True), **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The pieces of anything that is printed, however it was made."""
        for piece in super().render(renderable, options):
            if piece.control:
                yield piece
            else:
                yield Segment(visible(piece.text, lines=True), piece.style)


def escape(text: str) -> str:
    """Text from outside, to put into markup: it is shown as it is, on one line."""
    return markup.escape(visible(text))
