"""XML that hides something is refused, and nothing is fetched or expanded."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldspan.adapters.files.xml_file import parse_xml
from goldspan.engine.errors import InputError

LAUGHS = '<!DOCTYPE a [<!ENTITY l0 "ha">' + "".join(
    f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10)
)


@pytest.mark.parametrize(
    "content",
    [
        LAUGHS + "]><a>&l9;</a>",
        LAUGHS + '<!ENTITY x "y">]><a b="&l9;"/>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a/>',
        "<!DOCTYPE a><a/>",
        '<?xml version="1.0"?>\n<!-- x --><!DOCTYPE a [<!ATTLIST a b CDATA "c">]><a/>',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_document_types_are_refused(tmp_path: Path, content: str, encoding: str) -> None:
    path = tmp_path / "x.eaf"
    path.write_text(content, encoding=encoding)
    with pytest.raises(InputError, match=rf"^{path}: the file declares a document type"):
        parse_xml(path)


def test_broken_xml_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "x.eaf"
    path.write_text("<a>\n<b>\n</a>", encoding="utf-8")
    with pytest.raises(InputError, match=rf"^{path}:3: this is not well-formed XML"):
        parse_xml(path)


@pytest.mark.parametrize("content", [b"", b"   ", b"no xml", b"\x00\x01"])
def test_what_is_no_xml_at_all(content: bytes) -> None:
    with pytest.raises(InputError, match=r"^x\.eaf:\d+: this is not well-formed XML"):
        parse_xml(content, where="x.eaf")


def test_honest_xml_is_read() -> None:
    tree = parse_xml('<?xml version="1.0" encoding="UTF-8"?><a b="é"><c>🙂 &lt;</c></a>'.encode())
    assert tree.getroot().get("b") == "é"
    assert tree.findtext("c") == "🙂 <"
