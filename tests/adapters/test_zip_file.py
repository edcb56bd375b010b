"""Zip files that point outside themselves or expand without bound are refused."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest

from goldspan.adapters.files import zip_file
from goldspan.adapters.files.zip_file import open_zip
from goldspan.engine.errors import InputError


def make(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


def test_members_are_read(tmp_path: Path) -> None:
    path = make(tmp_path / "x.zip", **{"a/b.txt": b"hello", "c.txt": b"", "d/": b""})
    with open_zip(path) as archive:
        assert archive.names == ("a/b.txt", "c.txt")
        assert archive.read("a/b.txt") == b"hello"
        assert archive.read("c.txt") == b""


def test_a_name_may_begin_with_a_dot_and_slash(tmp_path: Path) -> None:
    path = make(tmp_path / "x.zip", **{"./a/b.txt": b"hello", "c//d.txt": b"you", "./e/": b""})
    with open_zip(path) as archive:
        assert archive.names == ("a/b.txt", "c/d.txt")
        assert archive.read("a/b.txt") == b"hello"
        assert archive.read("c/d.txt") == b"you"


def test_a_member_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    path = make(tmp_path / "x.zip", **{"./a.txt": b"one", "a.txt": b"two"})
    with (
        pytest.raises(InputError, match=r"x\.zip/a\.txt: it is in the archive twice"),
        open_zip(path),
    ):
        pass


def test_what_a_mac_hides_is_passed_over(tmp_path: Path) -> None:
    hidden = {"__MACOSX/export/._a.jsonl": b"\0", "export/.DS_Store": b"\0", ".old/a.jsonl": b""}
    with open_zip(make(tmp_path / "x.zip", **{"export/a.jsonl": b"{}"}, **hidden)) as archive:
        assert archive.names == ("export/a.jsonl",)


@pytest.mark.parametrize(
    "name", ["../x", "a/../../x", "/etc/x", "C:/x", "..\\x", "a\\..\\..\\x", "\\\\host\\x"]
)
def test_names_that_point_outside(tmp_path: Path, name: str) -> None:
    path = make(tmp_path / "x.zip", **{"good.txt": b"x", name: b"x"})
    with pytest.raises(InputError, match="points outside the archive"), open_zip(path):
        pass


def test_a_bomb_is_refused_before_anything_is_unpacked(tmp_path: Path) -> None:
    path = make(tmp_path / "x.zip", zeros=b"\0" * (64 * 1024**2))
    with (
        pytest.raises(InputError, match=r"x\.zip/zeros: it would expand \d+ times"),
        open_zip(path),
    ):
        pass


def test_a_total_beyond_the_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_file, "MAX_BYTES", 10)
    path = make(tmp_path / "x.zip", a=b"123456", b=b"123456")
    with pytest.raises(InputError, match="it would expand to"), open_zip(path):
        pass


def test_a_member_that_lies_about_its_size(tmp_path: Path) -> None:
    path = make(tmp_path / "x.zip", a=b"0123456789")
    data = bytearray(path.read_bytes())
    # The uncompressed size stands at byte 24 of the central directory's entry.
    entry = data.index(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = struct.pack("<I", 4)
    path.write_bytes(data)
    with open_zip(path) as archive, pytest.raises(InputError, match=r"x\.zip/a: it"):
        archive.read("a")


def test_what_is_no_zip(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(b"PK\x03\x04 and then nothing")
    with pytest.raises(InputError, match=rf"^{path}: this is not a zip file"), open_zip(path):
        pass


def test_an_archive_whose_beginning_is_lost(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("a.txt", "some text")
    path = tmp_path / "x.zip"
    path.write_bytes(data.getvalue()[20:])
    inside = open_zip(data.getvalue()[20:], where="x.zip/y.zip")
    for opened, where in ((open_zip(path), str(path)), (inside, "x.zip/y.zip")):
        message = rf"^{where}(/a\.txt)?: (it cannot be unpacked|this is not a zip file)"
        with pytest.raises(InputError, match=message), opened as found:
            found.read("a.txt")


def test_an_archive_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), open_zip(tmp_path / "no.zip"):
        pass
