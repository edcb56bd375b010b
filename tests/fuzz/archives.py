"""Zip files: members renamed, doubled, dropped, cut, changed, and packed in odd ways."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Callable
from random import Random
from typing import TypeAlias

from fuzz import raw_bytes

Members: TypeAlias = list[tuple[str, bytes]]
Mutate: TypeAlias = Callable[[str, bytes, Random], bytes]

LONG_AGO = (2001, 1, 1, 0, 0, 0)
NAMES = (
    "./{}", "../{}", "/{}", "a\\..\\{}", "C:/{}", ".hidden/{}", "__MACOSX/{}", "x/../{}", "{}/",
    "x//{}", "{}.zip", "{}\n", "{}\0", "é/{}", "a/" * 40 + "{}", "",
)  # fmt: skip
METHODS = (
    zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2,
    zipfile.ZIP_LZMA,
)  # fmt: skip


def pack(members: Members, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip file that is the same whenever it is made."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a name that occurs twice
        for name, content in members:
            info = zipfile.ZipInfo(name, LONG_AGO)
            info.compress_type = method
            file.writestr(info, content)
    return data.getvalue()


def unpack(data: bytes) -> Members:
    """The members of a zip file that is in order."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return [(info.filename, file.read(info)) for info in file.infolist()]


def mutate_archive(data: bytes, rng: Random, mutate: Mutate) -> bytes:
    """The archive with one change; `mutate` changes a member after its kind."""
    members = unpack(data)
    if not members or rng.random() < 0.1:
        return raw_bytes.mutate_bytes(data, rng)
    at = rng.randrange(len(members))
    name, content = members[at]
    kind = rng.randrange(10)
    if kind < 5:
        members[at] = name, mutate(name, content, rng)
    elif kind == 5:
        members[at] = rng.choice(NAMES).format(name), content
    elif kind == 6:
        folder = rng.choice(("./", "x/", "exported/", "./"))
        members = [(folder + one, held) for one, held in members]
    elif kind == 7:
        del members[at]
    elif kind == 8:
        members.append((name, rng.choice((content, b"", content[: len(content) // 2]))))
    else:
        members[at] = name, rng.choice((b"", pack(members[:2]), rng.choice(members)[1]))
    return _flag(pack(members, rng.choice(METHODS)), rng)


def _flag(data: bytes, rng: Random) -> bytes:
    """Sometimes say that members are encrypted, or larger than they are."""
    at = data.find(b"PK\x01\x02")
    if rng.random() > 0.08 or at < 0:
        return data
    changed = bytearray(data)
    changed[at + rng.choice((8, 9, 10, 16, 20, 24, 28, 42))] ^= 1 << rng.randrange(8)
    return bytes(changed)
