"""Connection: which Label Studio is meant, and the access token, which is never an argument."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import SettingsError

if TYPE_CHECKING:
    from goldspan.plugin.label_studio.server import Server

TOKENS = ("GOLDSPAN_LABEL_STUDIO_TOKEN", "LABEL_STUDIO_API_KEY")
URL = "LABEL_STUDIO_URL"
"""Environment variables."""

NAME = "Label Studio"
"""What people call it."""


def project_page(url: str, project: int) -> str:
    """The Data Manager of a project."""
    return f"{url}/projects/{project}/data"


def task_page(url: str, project: int, task: int | str) -> str:
    """A task, opened in the Data Manager."""
    return f"{project_page(url, project)}?task={task}"


@dataclass(frozen=True, slots=True)
class ConnectionRequest:
    """The address of a server and the file with its access token; without one, the token is in the
    environment.
    """

    url: str | None
    token_file: Path | None = None

    def connect(self) -> Server:
        """The server, to be closed after use."""
        from goldspan.plugin.label_studio.server import Server  # noqa: PLC0415 - slow to import

        if not self.url:
            raise SettingsError(f"the address of Label Studio is missing; give --url, or set {URL}")
        # A file can hold another token later; the environment stays what it is.
        renew = partial(read_token, self.token_file) if self.token_file else None
        return Server(self.url, read_token(self.token_file), renew=renew)


def read_token(path: Path | None) -> str:
    """The access token in the file, or without one in the environment."""
    if path is not None:
        try:
            # Editors on Windows put a byte order mark first.
            token = path.read_text(encoding="utf-8-sig").strip()
        except OSError as error:
            raise SettingsError(f"the token file {path} cannot be read") from error
        except UnicodeDecodeError as error:
            raise SettingsError(
                f"the token file {path} is not valid UTF-8; save it as UTF-8"
            ) from error
    else:
        token = next((os.environ[name] for name in TOKENS if os.environ.get(name)), "").strip()
    if not token:
        raise SettingsError(
            "an access token is needed: make one under Account & Settings > Personal Access "
            f"Token, and give it with --token-file FILE or in {TOKENS[0]}"
        )
    return token
