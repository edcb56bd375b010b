"""Text files: decoded once, line ends untouched, with a sentence for what cannot be decoded."""

from __future__ import annotations

from pathlib import Path

from goldspan.engine.errors import InputError


def read_text(path: Path, *, keep_bom: bool = False) -> str:
    """The file's text in UTF-8, or UTF-16 where its first bytes say so; CRLF stays CRLF."""
    data = path.read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    else:
        encoding = "utf-8" if keep_bom else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"the byte 0x{data[error.start]:02x} is no {encoding}; save the file as UTF-8",
            where=f"{path}:{line}",
        ) from error


def head(path: Path, size: int = 4096) -> str:
    """The beginning of the file for a first look; "" for what is no readable text."""
    if not path.is_file():
        return ""
    try:
        with path.open("rb") as file:
            data = file.read(size)
    except OSError:
        return ""
    utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\0" in data and not utf16:
        return ""
    return data.decode("utf-16" if utf16 else "utf-8-sig", errors="ignore")
