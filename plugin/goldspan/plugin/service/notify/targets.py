"""Targets: `--notify` and the mail server in the environment, read into channels."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from goldspan.engine.errors import SettingsError
from goldspan.plugin.service.notify.channels import Channel, Mail, MailServer, Program, Webhook
from goldspan.plugin.service.web.host import is_loopback

SMTP = "GOLDSPAN_SMTP"
"""The environment variable with the mail server."""

MAILTO, COMMAND, TEAMS, FILE = "mailto:", "command:", "teams:", "@"
SMTP_PORTS = {"smtp": 587, "smtps": 465}


def read_targets(given: Iterable[str]) -> tuple[Channel, ...]:
    """The channels; a SettingsError for what is none, which quotes no secret."""
    return tuple(_channel(line) for text in given for line in _lines(text))


def _lines(text: str) -> list[str]:
    """What was given, or what stands in the file that it names: a line each, # for remarks."""
    if not text.startswith(FILE):
        return [text]
    path = Path(text.removeprefix(FILE))
    try:
        found = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"--notify: the file {path} cannot be read") from error
    return [line.strip() for line in found if line.strip() and not line.lstrip().startswith("#")]


def _channel(text: str) -> Channel:
    if text.startswith(MAILTO):
        return Mail(_address(text.removeprefix(MAILTO)), _mail_server())
    if text.startswith(COMMAND):
        return Program(_words(text.removeprefix(COMMAND)))
    return _webhook(text.removeprefix(TEAMS), is_teams=text.startswith(TEAMS))


def _webhook(url: str, *, is_teams: bool) -> Webhook:
    try:
        parts = urlsplit(url)
        host = parts.hostname if parts.scheme in ("http", "https") and parts.port != 0 else None
    except ValueError:
        host = None
    if not host or any(mark.isspace() for mark in url):
        raise SettingsError(
            "--notify takes https://…, teams:https://…, mailto:ADDRESS, command:PROGRAM or @FILE "
            "with one of these on each line"
        )
    return Webhook(host, url, is_teams)


def _address(text: str) -> str:
    if text.count("@") != 1 or not text.isascii() or any(mark.isspace() for mark in text):
        raise SettingsError(f"--notify mailto: takes an address such as lead@example.org; {text!r} "
                            "is not one")  # fmt: skip
    return text


def _words(text: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(text))
    except ValueError:
        words = ()
    if not words:
        raise SettingsError("--notify command: takes a program and its arguments")
    return words


def _mail_server() -> MailServer:
    wrong = (
        f"--notify mailto: takes a mail server in the environment variable {SMTP}, such as "
        "smtp://user:password@mail.example.org:587 (smtps:// for TLS from the start)"
    )
    try:
        parts = urlsplit(os.environ.get(SMTP, ""))
        host, port = parts.hostname, parts.port or SMTP_PORTS.get(parts.scheme)
    except ValueError:
        raise SettingsError(wrong) from None
    if not host or not port:
        raise SettingsError(wrong)
    user = unquote(parts.username or "")
    return MailServer(
        host, port, user if "@" in user else f"goldspan@{host}", user,
        unquote(parts.password or ""), parts.scheme == "smtps", is_loopback(host),
    )  # fmt: skip
