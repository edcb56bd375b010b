"""Host: the header that says whom a call is meant for, read strictly.

Only `name`, `1.2.3.4` or `[IPv6]`, with or without `:port`, are taken; what parsers elsewhere could
read in two ways is refused.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass

LABEL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")
FORM = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[^\[\]:]+))(?::(?P<port>[0-9]{1,5}))?")
LONGEST_NAME = 253


@dataclass(frozen=True, slots=True)
class Host:
    """A name or an address in lower case, without brackets; no port means the usual one."""

    name: str
    port: int | None = None

    @property
    def is_loopback(self) -> bool:
        """Whether it can be reached from this machine only."""
        return is_loopback(self.name)


def read_host(values: Sequence[bytes]) -> Host | None:
    """The host in all headers of this name that a call has; None unless there is one good one."""
    if len(values) != 1 or not values[0].isascii():
        return None
    found = FORM.fullmatch(values[0].decode("ascii"))
    if found is None:
        return None
    port = None if found["port"] is None else int(found["port"])
    if port is not None and not 0 < port < 65536:
        return None
    if found["six"] is not None:
        return Host(found["six"].lower(), port) if _is_address(found["six"], 6) else None
    name = found["name"].lower()
    return Host(name, port) if _is_name(name) else None


def is_loopback(host: str) -> bool:
    """Whether a name or address can be reached from this machine only."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_name(name: str) -> bool:
    labels = name.removesuffix(".").split(".")
    if len(name) > LONGEST_NAME or not all(LABEL.fullmatch(label) for label in labels):
        return False
    # Browsers read 127.1, 0x7f.1 and 2130706433 as addresses, so these are good ones or none.
    last = labels[-1]
    is_number = last.isdigit() or re.fullmatch("0x[0-9a-f]*", last) is not None
    return not is_number or _is_address(name, 4)


def _is_address(text: str, version: int) -> bool:
    try:
        return ipaddress.ip_address(text).version == version
    except ValueError:
        return False
