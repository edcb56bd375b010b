"""Text files: decoded once, line ends untouched, with a sentence for what cannot be decoded."""

from __future__ import annotations

from pathlib import Path

from goldspan.engine.errors import InputError

UTF16 = (b"\xff\xfe", b"\xfe\xff")
"""How a file in UTF-16 begins."""


def read_text(path: Path, *, keep_bom: bool = False) -> str:
    """The file's text in UTF-8, or UTF-16 where its first bytes say so; CRLF stays CRLF."""
    return decode(path.read_bytes(), str(path), keep_bom=keep_bom)


def decode(data: bytes, where: str, *, keep_bom: bool = False, first_line: int = 1) -> str:
    """The same for bytes that were read already, from this line on of the file `where` names."""
    begins = first_line == 1
    utf16 = begins and data.startswith(UTF16)
    try:
        text = data.decode("utf-16" if utf16 else "utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + first_line
        found = f"the byte 0x{data[error.start]:02x} is not valid {'UTF-16' if utf16 else 'UTF-8'}"
        raise InputError(f"{found}; save the file as UTF-8", where=f"{where}:{line}") from error
    return text if keep_bom or not begins else text.removeprefix("\ufeff")


def head(path: Path, size: int = 4096) -> str:
    """The beginning of the file for a first look; "" if it is not readable text."""
    if not path.is_file():
        return ""
    try:
        with path.open("rb") as file:
            data = file.read(size)
    except OSError:
        return ""
    utf16 = data.startswith(UTF16)
    if b"\0" in data and not utf16:
        return ""
    return data.decode("utf-16" if utf16 else "utf-8-sig", errors="ignore")
