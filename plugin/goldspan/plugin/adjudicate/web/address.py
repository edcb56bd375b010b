"""Address: the port and the key of an adjudicator's page.

Both are kept beside the journal, so that an open page goes on after a restart. Nobody but the owner
of the folder can read them.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

import msgspec

from goldspan.engine.errors import SettingsError
from goldspan.plugin.adjudicate.journal.file import SUFFIX, journal_path

HOST = "127.0.0.1"


class Address(msgspec.Struct, frozen=True):
    """Where the page is; `port` 0 means that none was taken yet."""

    key: str
    port: int = 0

    @property
    def url(self) -> str:
        """What a person opens. The key is in the fragment, which no browser sends or logs."""
        return f"http://{HOST}:{self.port}/#{self.key}"

    def opens(self, shown: str) -> bool:
        """Whether this is the key, in a time that does not depend on it."""
        return hmac.compare_digest(shown.encode(), self.key.encode())

    def capability(self, n: int) -> str:
        """What opens the recordings of a task: players send no header."""
        told = hmac.new(self.key.encode(), f"media {n}".encode(), hashlib.sha256)
        return told.hexdigest()[:40]

    def opens_media(self, n: int, shown: str) -> bool:
        """Whether this is the capability of the task."""
        return hmac.compare_digest(shown.encode(), self.capability(n).encode())


def new_address() -> Address:
    """One with a key that nobody can guess."""
    return Address(secrets.token_urlsafe(32))


def load_address(folder: Path, name: str) -> Address:
    """The address that an adjudicator's page had; a new one if there is none, or if others could
    read it.
    """
    path = _place(folder, name)
    with suppress(OSError, msgspec.DecodeError):
        if os.name == "nt" or not path.stat().st_mode & 0o077:
            found = msgspec.json.decode(path.read_bytes(), type=Address)
            if len(found.key) >= 32 and found.key.isascii() and 0 <= found.port < 65536:
                return found
    return new_address()


def keep_address(folder: Path, name: str, address: Address) -> None:
    """Store it for the next start."""
    path = _place(folder, name)
    part = path.with_name(f"{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(address))
        part.replace(path)
    except OSError as error:
        raise SettingsError(
            f"{path} cannot be written: {error.strerror or error}; choose another --output"
        ) from error


def _place(folder: Path, name: str) -> Path:
    return folder / f".{journal_path(folder, name).name.removesuffix(SUFFIX)}.address"
