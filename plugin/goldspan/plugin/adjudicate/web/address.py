"""Address: where the port and the key of an adjudicator's page are kept.

Both are kept beside the journal, so that an open page goes on after a restart. Nobody but the owner
of the folder can read them.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from goldspan.engine.errors import SettingsError
from goldspan.plugin.adjudicate.journal.file import SUFFIX, journal_path
from goldspan.plugin.local.address import Address, new_address


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
