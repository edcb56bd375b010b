"""Address: the port and the key of a page on this machine."""

from __future__ import annotations

import hashlib
import hmac
import secrets

import msgspec

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
