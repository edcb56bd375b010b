"""Page: where it is, and its address, printed and opened."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.plugin.cli.messages import Messages


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Where the page is, and whether it is opened."""

    port: int | None
    browser: bool


def announce(url: str, page: PageRequest, messages: Messages, how_to_end: str) -> None:
    """Say where the page is; open it if a person started this on a terminal."""
    print(url, flush=True)  # noqa: T201 - this is what it is for
    messages.say(how_to_end)
    if page.browser and sys.stdout.isatty():
        import threading  # noqa: PLC0415 - rarely needed
        import webbrowser  # noqa: PLC0415 - rarely needed

        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
