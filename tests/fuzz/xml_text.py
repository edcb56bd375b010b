"""XML: elements and attributes, and what stands before them."""

from __future__ import annotations

import re
from copy import deepcopy
from random import Random
from typing import Any

from lxml import etree

from fuzz import atoms

BOMB = (
    b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaaaaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(8))
    + b"]>"
)
PROLOGUES = (
    b"", BOMB, b'<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
    b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>', b"<?xml-stylesheet href='x'?>",
    b'<?xml version="1.1"?>', b'<?xml version="1.0" encoding="UTF-16"?>',
    b'<?xml version="1.0" encoding="latin-1"?>', b'<?xml version="1.0" encoding="no-such"?>',
    b"\xef\xbb\xbf", b"  \n", b"<!-- x -->",
)  # fmt: skip


def mutate_xml(data: bytes, rng: Random) -> bytes:
    """The file with one change."""
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    if rng.random() < 0.1:
        return _prologue(etree.tostring(root), rng)
    elements = [one for one in root.iter() if isinstance(one.tag, str)]
    rng.choice(CHANGES)(rng.choice(elements), elements, rng)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8"))


def _prologue(data: bytes, rng: Random) -> bytes:
    data = rng.choice(PROLOGUES) + data
    at = data.find(b">", len(data) // 2) + 1
    if rng.random() < 0.5:
        data = (
            data[:at] + rng.choice((b"&i;", b"&a;", b"&#0;", b"&#xd800;", b"<![CDATA[")) + data[at:]
        )
    return data


def _drop(one: Any, elements: list[Any], rng: Random) -> None:
    if one.getparent() is not None:
        one.getparent().remove(one)


def _repeat(one: Any, elements: list[Any], rng: Random) -> None:
    parent = one.getparent()
    if parent is not None:
        for _ in range(rng.choice((1, 1, 30))):
            parent.insert(rng.randrange(len(parent) + 1), deepcopy(one))


def _move(one: Any, elements: list[Any], rng: Random) -> None:
    rng.choice(elements).append(deepcopy(one))


def _rename(one: Any, elements: list[Any], rng: Random) -> None:
    one.tag = rng.choice((rng.choice(elements).tag, "x", f"{{urn:x}}{etree.QName(one).localname}"))


def _drop_attribute(one: Any, elements: list[Any], rng: Random) -> None:
    if one.attrib:
        del one.attrib[rng.choice(sorted(one.attrib))]


def _set_attribute(one: Any, elements: list[Any], rng: Random) -> None:
    if not one.attrib:
        return
    name = rng.choice(sorted(one.attrib))
    others = [other.get(name) for other in elements if other.get(name) is not None]
    one.set(name, rng.choice((_holdable(atoms.word(rng)), rng.choice(others))))


def _rename_attribute(one: Any, elements: list[Any], rng: Random) -> None:
    donor = rng.choice(elements)
    if one.attrib and donor.attrib:
        value = one.attrib.pop(rng.choice(sorted(one.attrib)))
        one.set(rng.choice(sorted(donor.attrib)), value)


def _set_text(one: Any, elements: list[Any], rng: Random) -> None:
    text = rng.choice((None, _holdable(atoms.word(rng)), rng.choice(elements).text))
    if rng.random() < 0.8:
        one.text = text
    else:
        one.tail = text


def _nest(one: Any, elements: list[Any], rng: Random) -> None:
    for _ in range(rng.choice((2, 100, 3000))):
        one = etree.SubElement(one, one.tag, **{k: v for k, v in one.attrib.items() if k[0] != "{"})


def _holdable(text: str) -> str:
    held = re.compile("[^\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]+")
    return "".join(held.findall(text))


CHANGES = (
    _drop, _drop, _repeat, _move, _rename, _drop_attribute, _set_attribute, _set_attribute,
    _set_attribute, _rename_attribute, _set_text, _set_text, _nest,
)  # fmt: skip
