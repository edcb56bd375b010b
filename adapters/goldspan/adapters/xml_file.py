"""XML files, parsed without trusting them: no DTD, no entities, no network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from goldspan.adapters.adapter import require
from goldspan.engine.errors import InputError


def parse_xml(source: Path | bytes, *, where: str = "", extra: str = "elan") -> Any:
    """The lxml tree of a file or of bytes; a document type or entity is refused in a sentence."""
    etree = require("lxml.etree", feature="reading XML", extra=extra)
    data = source.read_bytes() if isinstance(source, Path) else source
    where = where or (str(source) if isinstance(source, Path) else "the XML")
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        dtd_validation=False,
        no_network=True,
        huge_tree=False,
        remove_blank_text=False,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 1
        raise InputError(
            f"this is not well-formed XML: {error.msg}", where=f"{where}:{line}"
        ) from error
    tree = root.getroottree()
    if tree.docinfo.internalDTD is not None:
        raise InputError(
            "the file declares a document type, which may hide entities; "
            "remove the <!DOCTYPE …> and try again",
            where=where,
        )
    return tree
