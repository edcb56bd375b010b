"""Real receivers of notifications: a web server and a mail server on this machine."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Chat:
    """A chat's webhook: what was posted, and the status that it answers."""

    url: str = ""
    status: int = 200
    posted: list[tuple[str, Any]] = field(default_factory=list)


@contextmanager
def chat(status: int = 200, *, hangs: threading.Event | None = None) -> Iterator[Chat]:
    """A web server; one that `hangs` answers when the event is set."""
    found = Chat(status=status)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.posted.append((self.headers["Content-Type"], json.loads(body)))
            if hangs is not None:
                hangs.wait(30)
            self.send_response(found.status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with _serving(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as port:
        found.url = f"http://127.0.0.1:{port}/services/T0/B0/very-secret"
        yield found


@dataclass
class Post:
    """A mail server: the mails that were handed in, and by whom."""

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)


@contextmanager
def post(*, refuses: bool = False) -> Iterator[Post]:
    """A mail server that knows as much of SMTP as handing in a mail takes."""
    found = Post()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.say("220 hello")
            while line := self.rfile.readline().decode().strip():
                verb = line.split()[0].upper()
                if verb == "EHLO":
                    self.say("250-localhost")
                    self.say("250 AUTH PLAIN")
                elif verb == "AUTH":
                    found.logins.append(line.split()[-1])
                    self.say("235 welcome")
                elif verb == "RCPT" and refuses:
                    self.say("550 nobody of that name")
                elif verb == "DATA":
                    self.say("354 go on")
                    found.mails.append(self.read_mail())
                    self.say("250 taken")
                elif verb == "QUIT":
                    self.say("221 bye")
                    return
                else:
                    self.say("250 fine")

        def read_mail(self) -> EmailMessage:
            lines = iter(self.rfile.readline, b".\r\n")
            mail = message_from_bytes(b"".join(lines), policy=policy.default)
            assert isinstance(mail, EmailMessage)
            return mail

        def say(self, text: str) -> None:
            self.wfile.write(f"{text}\r\n".encode())

    with _serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)) as port:
        found.port = port
        yield found


@contextmanager
def _serving(server: socketserver.TCPServer) -> Iterator[int]:
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
