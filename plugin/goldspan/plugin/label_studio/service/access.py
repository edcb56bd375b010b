"""Access: who may call what.

People show a password, as HTTP basic authentication, unless the service listens on the loopback
address only. Webhooks show the secret in a header. Label Studio's model protocol shows a key in its
address: connecting a model makes Label Studio register a webhook that can carry no header, but
keeps the address. All comparisons take the same time, right or wrong.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import ipaddress
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from goldspan.engine.errors import SettingsError
from goldspan.plugin.label_studio.private import private
from goldspan.plugin.label_studio.service.refusals import Refusals

SECRET_HEADER = "X-Goldspan-Secret"  # noqa: S105 - a header's name
SECRET_FILE = "webhook-secret"  # noqa: S105 - a file's name
LEAST_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Access:
    """What opens the service. Without a password, it must listen on the loopback address only."""

    secret: str = field(repr=False)
    password: str | None = field(default=None, repr=False)
    form_token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    refusals: Refusals = field(default_factory=Refusals, repr=False, compare=False)

    @property
    def key(self) -> str:
        """The part of the model's address that shows that it was given by us."""
        return hmac.new(self.secret.encode(), b"model", hashlib.sha256).hexdigest()[:32]

    def shows_secret(self, headers: Mapping[str, str]) -> bool:
        """Whether the header holds the secret."""
        return same(headers.get(SECRET_HEADER.lower(), ""), self.secret)

    def shows_key(self, key: str) -> bool:
        """Whether this is the key in the address of the model."""
        return same(key, self.key)

    def shows_password(self, headers: Mapping[str, str]) -> bool:
        """Whether there is a password, and the call shows it, under any user name."""
        if self.password is None:
            return False
        scheme, _, value = headers.get("authorization", "").partition(" ")
        try:
            decoded = base64.b64decode(value.strip(), validate=True).decode()
        except (binascii.Error, ValueError):
            return False
        return scheme.lower() == "basic" and same(decoded.partition(":")[2], self.password)

    def lets_person(self, headers: Mapping[str, str]) -> bool:
        """Whether a person, or a model call without a key, may come in."""
        return self.password is None or self.shows_password(headers)

    def knows_host(self, headers: Mapping[str, str]) -> bool:
        """Whether the call was meant for us.

        Without a password a page of any site could reach the loopback address under a name of its
        own (DNS rebinding); it cannot pretend that the name is ours.
        """
        return self.password is not None or is_loopback(_host_name(headers.get("host", "")))


def same(one: str, other: str) -> bool:
    """Whether two texts are the same, in a time that does not tell."""
    return hmac.compare_digest(_digest(one), _digest(other))


def is_loopback(host: str) -> bool:
    """Whether a name or address can be reached from this machine only."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def webhook_secret(folder: Path) -> str:
    """The secret of a folder; the first who asks makes it, and only its owner can read it."""
    path = folder / SECRET_FILE
    if not path.exists():
        try:
            with private(folder):
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return webhook_secret(folder)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
    return read_secret(path)


def read_secret(path: Path) -> str:
    """The first line of a file, of some length."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {type(error).__name__}") from error
    return checked(lines[0].strip(), str(path))


def checked(value: str, where: str) -> str:
    """A secret that is long enough to be one."""
    if len(value) < LEAST_LENGTH:
        raise SettingsError(
            f"{where} holds {len(value)} characters; a secret has {LEAST_LENGTH} or more"
        )
    return value


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()


def _host_name(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]
