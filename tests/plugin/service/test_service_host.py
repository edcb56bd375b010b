"""The Host header: one name or address and a port, or a sentence; never an exception."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.plugin.service.web.host import Host, is_loopback, read_host
from service_parts import PASSWORD, Parts, service
from service_process import Service

BAD = [
    b"", b" ", b"localhost ", b" localhost", b"local host", b"localhost:", b"localhost:0",
    b"localhost:65536", b"localhost:99999", b"localhost:123456", b"localhost:-1", b"localhost:+80",
    b"localhost:8o", b"localhost:80:80", b"user@localhost", b"user:pw@127.0.0.1", b"@localhost",
    b"127.0.0.1@evil.example", b"localhost/", b"localhost/path", b"localhost?x", b"localhost#x",
    b"http://localhost", b"localhost,localhost", b"localhost, evil.example", b"localhost\\",
    b"local%68ost", b"localhost%00", b"localhost\t", b"l\xc3\xb6calhost", b"\xff", b"-localhost",
    b"localhost-", b".localhost", b"local..host", b"a" * 64, b"a." * 150, b"127.1", b"127.0.0",
    b"127.0.0.1.1", b"127.0.0.256", b"0x7f.0.0.1", b"0x7f000001", b"2130706433", b"0177.0.0.1",
    b"127.0.0.0x1", b"[::1", b"::1", b"::1]", b"[]", b"[::1]x", b"[::1]:", b"[::1]:70000",
    b"[::1%25lo]", b"[::1%lo]", b"[127.0.0.1]", b"[localhost]", b"[:::1]", b"[v1.x]", b"[[::1]]",
]  # fmt: skip
OURS = ["127.0.0.1:9090", "localhost:9090", "localhost", "LOCALHOST:1", "127.8.8.8:65535",
        "[::1]:9090", "[::1]", "[0:0:0:0:0:0:0:1]"]  # fmt: skip
OTHERS = ["evil.example", "evil.example:9090", "127.0.0.1.evil.example", "10.0.0.8", "localhost.",
          "localhost.evil.example", "0.0.0.1", "[::]", "[2001:db8::1]:9090", "goldspan",
          "a_b.example"]  # fmt: skip


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    with service(tmp_path) as made:
        yield made


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Parts]:
    with service(tmp_path, password=PASSWORD) as made:
        yield made


@pytest.mark.parametrize("value", BAD, ids=repr)
def test_what_is_not_one_name_or_address_is_refused(
    value: bytes, parts: Parts, locked: Parts
) -> None:
    assert read_host([value]) is None
    for one in (parts, locked):
        answer = one.client.get("/", headers=[(b"Host", value)])
        assert answer.status_code == 400
        assert answer.text.count(".") == 1


@pytest.mark.parametrize("values", [[], [b"localhost", b"localhost"], [b"localhost", b"evil"]])
def test_there_is_exactly_one_header(values: list[bytes]) -> None:
    assert read_host(values) is None
    assert read_host([b"localhost"]) == Host("localhost")


def test_name_and_port_are_told_apart() -> None:
    assert read_host([b"Goldspan.Example:65535"]) == Host("goldspan.example", 65535)
    assert read_host([b"[2001:DB8::1]:1"]) == Host("2001:db8::1", 1)
    assert read_host([b"10.0.0.8"]) == Host("10.0.0.8", None)


def test_without_a_password_only_a_loopback_name_is_answered(parts: Parts, locked: Parts) -> None:
    for name in OURS:
        assert parts.client.get("/", headers={"Host": name}).status_code == 200, name
    for name in OTHERS:
        answer = parts.client.get("/", headers={"Host": name})
        assert answer.status_code == 421, name
        assert parts.access.key not in answer.text
        assert locked.client.get("/health", headers={"Host": name}).status_code == 200, name


def test_loopback_names() -> None:
    assert all(map(is_loopback, ["127.0.0.1", "localhost", "::1", "127.1.2.3"]))
    others = ["0.0.0.0", "::", "", "10.0.0.1", "example.org", "1.127.0.0"]  # noqa: S104
    assert not any(map(is_loopback, others))


VALUES = st.binary(max_size=40) | st.text("[]:.@%1a0x/", max_size=12).map(str.encode)


@given(st.lists(VALUES, max_size=3))
def test_any_bytes_are_read_or_refused(values: list[bytes]) -> None:
    found = read_host(values)
    if found is not None:
        assert len(values) == 1
        assert "@" not in found.name
        assert found.port is None or 0 < found.port < 65536


RAW = [
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: [::1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost:99999\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n",
]


def test_a_real_service_answers_with_a_sentence(tmp_path: Path) -> None:
    with Service(tmp_path / "folder") as real:
        for head in RAW:
            with socket.create_connection(("127.0.0.1", int(real.port)), timeout=60) as line:
                line.sendall(head)
                assert line.recv(4096).startswith(b"HTTP/1.1 400 "), head
        assert real.end() == 0
    assert len(real.said.splitlines()) == 1, "where it listens, and nothing else"
