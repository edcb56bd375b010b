"""Access: who may call what.

People show a password, as HTTP basic authentication, unless the service listens on the loopback
address only. Webhooks show the secret in a header. A platform whose calls cannot carry a header,
such as Label Studio's calls to a connected model, shows a key in the address instead. All
comparisons take the same time, right or wrong, and guessing is slow.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import SettingsError
from goldspan.plugin.service.private import private
from goldspan.plugin.service.web.guesses import Guesses, Kind

if TYPE_CHECKING:
    # `setup` needs the secret, and no web framework.
    from starlette.requests import HTTPConnection

SECRET_HEADER = "X-Goldspan-Secret"  # noqa: S105 - a header's name
SECRET_FILE = "webhook-secret"  # noqa: S105 - a file's name
COOKIE = "goldspan-browser"
LEAST_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Access:
    """What opens the service. Without a password, it must listen on the loopback address only."""

    secret: str = field(repr=False)
    password: str | None = field(default=None, repr=False)
    form_token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    guesses: Guesses = field(default_factory=Guesses, repr=False, compare=False)

    @property
    def key(self) -> str:
        """The part of the model's address that shows that it was given by us."""
        return self._derived("model")

    @property
    def cookie(self) -> str:
        """What a browser gets that has shown the password. It opens nothing."""
        return self._derived("browser")

    def shows_secret(self, call: HTTPConnection) -> bool:
        """Whether the header holds the secret."""
        return self._is_right(Kind.SECRET, call, call.headers.get(SECRET_HEADER), self.secret)

    def shows_key(self, call: HTTPConnection) -> bool:
        """Whether the call came to the address of the model that holds the key."""
        return self._is_right(Kind.KEY, call, call.path_params.get("key"), self.key)

    def shows_password(self, call: HTTPConnection) -> bool:
        """Whether there is a password, and the call shows it, under any user name."""
        return self.is_password(call, _basic_password(call.headers.get("authorization", "")))

    def is_password(self, call: HTTPConnection, shown: str | None) -> bool:
        """Whether there is a password, and this is it."""
        return self._is_right(Kind.PASSWORD, call, shown, self.password)

    def lets_person(self, call: HTTPConnection) -> bool:
        """Whether a person, or a model call without a key, may come in."""
        return self.password is None or self.shows_password(call)

    def _is_right(
        self, kind: Kind, call: HTTPConnection, shown: str | None, right: str | None
    ) -> bool:
        """TooManyGuessesError for a caller that was wrong too often."""
        if shown is None or right is None:
            return False
        caller = call.client.host if call.client else ""
        if kind is Kind.PASSWORD and same(call.cookies.get(COOKIE, ""), self.cookie):
            caller = COOKIE
        return self.guesses.is_right(kind, caller, shown, right)

    def _derived(self, purpose: str) -> str:
        return hmac.new(self.secret.encode(), purpose.encode(), hashlib.sha256).hexdigest()[:32]


def same(one: str, other: str) -> bool:
    """Whether two texts are the same, in a time that does not depend on them."""
    return hmac.compare_digest(_digest(one), _digest(other))


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


def _basic_password(header: str) -> str | None:
    """The password in a header of basic authentication; None if it holds none."""
    scheme, _, value = header.partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        return base64.b64decode(value.strip(), validate=True).decode().partition(":")[2]
    except (binascii.Error, ValueError):
        return None
