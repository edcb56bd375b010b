"""XML files, parsed without trusting them: no document type, no entities, no network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.parsers import expat

from goldspan.adapters.extras import require
from goldspan.engine.errors import InputError

REFUSED = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def parse_xml(source: Path | bytes, *, where: str = "", extra: str = "elan") -> Any:
    """The lxml tree of a file or of bytes; a document type is refused in a sentence.

    `extra` is the optional part of goldspan that brings lxml for the format at hand.
    """
    etree = require("lxml.etree", feature="reading XML", extra=extra)
    data = source.read_bytes() if isinstance(source, Path) else source
    where = where or (str(source) if isinstance(source, Path) else "the XML")
    if _declares_type(data):
        raise _refusal(where)
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False
    )
    try:
        tree = etree.fromstring(data, parser).getroottree()
    except etree.XMLSyntaxError as error:
        raise InputError(
            f"this is not well-formed XML: {error.msg}", where=f"{where}:{error.lineno or 1}"
        ) from error
    if tree.docinfo.internalDTD is not None:
        raise _refusal(where)
    return tree


def xml_text(text: str, *, where: str) -> str:
    """The text, when XML can hold it; control characters and half surrogate pairs it cannot."""
    refused = REFUSED.search(text)
    if refused is not None:
        raise InputError(
            f"XML cannot hold the character U+{ord(refused[0]):04X} of {text!r}", where=where
        )
    return text


def _refusal(where: str) -> InputError:
    return InputError(
        "the file declares a document type, which may hide entities; "
        "remove the <!DOCTYPE …> and try again",
        where=where,
    )


class _RootReached(Exception):  # noqa: N818 - a way to stop, no error
    """The prolog is over."""


def _declares_type(data: bytes) -> bool:
    """Whether a document type stands before the root element.

    lxml expands entities in attributes even if that is switched off, so this is checked before
    lxml sees the file. What expat cannot read is left to lxml to complain about.
    """
    found = False

    def doctype(*_: object) -> None:
        nonlocal found
        found = True
        raise _RootReached

    def root(*_: object) -> None:
        raise _RootReached

    reader = expat.ParserCreate()
    reader.StartDoctypeDeclHandler = doctype
    reader.StartElementHandler = root
    try:
        reader.Parse(data, True)
    except (_RootReached, expat.ExpatError, ValueError, LookupError):
        return found
    return found
