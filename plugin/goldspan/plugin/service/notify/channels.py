"""Channels: the ways a message takes. A webhook, an e-mail, or a command.

Addresses of webhooks and passwords of mail servers are secrets: no channel's representation, name
or error has them.
"""

from __future__ import annotations

import json
import smtplib
import ssl
import subprocess
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any, Protocol

from goldspan.plugin.service.notify.wording import sentences, subject

if TYPE_CHECKING:
    from goldspan.plugin.service.notify.message import Message

SEND_SECONDS = 10.0
"""Seconds that a channel has for a message."""

ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
"""Slack and Mattermost read these three as markup: a title could call everybody in the channel."""


class ChannelError(Exception):
    """A message was not delivered; the sentence holds no secret."""


class Channel(Protocol):
    """A way to people. `name` is what the log calls it."""

    @property
    def name(self) -> str: ...

    def send(self, message: Message, /) -> None:
        """Deliver the message, or raise a ChannelError."""
        ...


@dataclass(frozen=True, slots=True)
class Webhook:
    """An incoming webhook of a chat. Slack and Mattermost take a `text`; Teams takes a card."""

    host: str
    url: str = field(repr=False)
    is_teams: bool = False

    @property
    def name(self) -> str:
        """The host alone: the rest of the address lets anybody write to the chat."""
        return f"the webhook at {self.host}"

    def send(self, message: Message) -> None:
        """Post it."""
        body = _card(message) if self.is_teams else {"text": sentences(message).translate(ESCAPES)}
        request = urllib.request.Request(  # noqa: S310 - the address was checked to be http(s)
            self.url,
            json.dumps(body).encode(),
            {"Content-Type": "application/json", "User-Agent": "goldspan"},
        )
        try:
            with urllib.request.urlopen(request, timeout=SEND_SECONDS) as answer:  # noqa: S310 - as above
                answer.read(1000)
        except urllib.error.HTTPError as error:
            with error:
                hint = "; for Teams, write teams: before the address" if error.code == 400 else ""
                raise ChannelError(f"it answered {error.code}{hint}") from None
        except (OSError, ValueError) as error:
            # The words of the error may quote the address.
            raise ChannelError(f"it cannot be reached ({type(error).__name__})") from None


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where e-mail is handed in. `secure` speaks TLS from the start; otherwise TLS begins when the
    server offers it, and a password is never sent without it beyond this machine.
    """

    host: str
    port: int
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)
    secure: bool = False
    is_local: bool = False


@dataclass(frozen=True, slots=True)
class Mail:
    """An e-mail to one address."""

    to: str
    server: MailServer

    @property
    def name(self) -> str:
        """The address it goes to."""
        return f"e-mail to {self.to}"

    def send(self, message: Message) -> None:
        """Hand it in."""
        mail = EmailMessage()
        mail["Subject"] = subject(message)
        mail["From"] = self.server.sender
        mail["To"] = self.to
        mail.set_content(f"{sentences(message)}\n")
        try:
            with _connect(self.server) as smtp:
                smtp.send_message(mail)
        except smtplib.SMTPException as error:
            raise ChannelError(f"the mail server refused it ({type(error).__name__})") from None
        except (OSError, ValueError) as error:
            raise ChannelError(
                f"the mail server {self.server.host} cannot be used ({type(error).__name__})"
            ) from None


def _connect(server: MailServer) -> smtplib.SMTP:
    context = ssl.create_default_context()
    smtp = (
        smtplib.SMTP_SSL(server.host, server.port, timeout=SEND_SECONDS, context=context)
        if server.secure
        else smtplib.SMTP(server.host, server.port, timeout=SEND_SECONDS)
    )
    try:
        smtp.ehlo()
        encrypted = server.secure
        if not encrypted and smtp.has_extn("starttls"):
            smtp.starttls(context=context)
            smtp.ehlo()
            encrypted = True
        if server.user:
            _require_privacy(server, encrypted)
            smtp.login(server.user, server.password)
    except BaseException:
        smtp.close()
        raise
    return smtp


def _require_privacy(server: MailServer, encrypted: bool) -> None:
    if not (encrypted or server.is_local):
        raise ChannelError(
            f"the mail server {server.host} offers no encryption, so the password was not sent; "
            "use smtps:// if it speaks TLS"
        )


@dataclass(frozen=True, slots=True)
class Program:
    """A command, without a shell; it gets the facts and the sentence as JSON on standard input."""

    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """The program's name; its arguments may hold secrets."""
        return f"the command {self.words[0]}"

    def send(self, message: Message) -> None:
        """Run it to its end."""
        given = json.dumps(message.as_json() | {"message": sentences(message)})
        try:
            done = subprocess.run(  # noqa: S603 - a person chose it
                self.words, input=given.encode(), timeout=SEND_SECONDS, check=False,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise ChannelError(f"it did not end within {SEND_SECONDS:.0f} s") from None
        except OSError as error:
            raise ChannelError(f"it cannot be run: {error.strerror}") from None
        if done.returncode:
            raise ChannelError(f"it ended with exit code {done.returncode}")


def _card(message: Message) -> dict[str, Any]:
    """An adaptive card, which is what the workflows of Teams take."""
    block = {"type": "TextBlock", "text": sentences(message), "wrap": True}
    content = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": [block],
    }
    kind = "application/vnd.microsoft.card.adaptive"
    return {"type": "message", "attachments": [{"contentType": kind, "content": content}]}
