"""Adapters are found by name or by content; everything else is a sentence."""

from __future__ import annotations

import zipfile
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from goldspan.adapters import (
    Adapter,
    ReadOptions,
    WriteOptions,
    detect,
    formats,
    read,
    registry,
    write,
)
from goldspan.adapters.extras import require
from goldspan.engine.errors import InputError, MissingExtra, SettingsError
from goldspan.engine.model import Corpus


class Yes(Adapter):
    name = "yes"
    summary = annotators = presence = "-"
    writes = False

    def sniff(self, path: Path) -> bool:
        return path.suffix == ".yes"


class Also(Yes):
    name = "also"


class OnlyWrites(Adapter):
    name = "only-writes"
    summary = annotators = presence = "-"
    reads = False

    def sniff(self, path: Path) -> bool:
        return True


class Fails(Yes):
    name = "fails"

    def sniff(self, path: Path) -> bool:
        raise ZeroDivisionError("oops")


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> object:
    """Declare entry points as an installed package would."""

    def declare(**values: str) -> None:
        group = registry.GROUP
        points = [EntryPoint(name, value, group) for name, value in values.items()]

        def entry_points(**wanted: str) -> EntryPoints:
            return EntryPoints(points).select(**wanted)

        monkeypatch.setattr(registry, "entry_points", entry_points)

    return declare


def adapters(monkeypatch: pytest.MonkeyPatch, *kinds: type[Adapter]) -> None:
    monkeypatch.setattr(registry, "load_all", lambda: (tuple(k() for k in kinds), ()))


def test_every_declared_format_loads_and_describes_itself() -> None:
    loaded, broken = registry.load_all()
    assert broken == ()
    assert [a.name for a in loaded] == list(registry.names())
    for one in formats():
        assert one.summary
        assert one.annotators
        assert one.presence
        assert one.reads or one.writes


def test_an_unknown_name_lists_the_known() -> None:
    with pytest.raises(SettingsError, match=r"no format 'cvs'; there are .*csv"):
        read(".", format="cvs")


def test_exactly_one_sniffs_yes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.yes"
    path.touch()
    adapters(monkeypatch, Yes, OnlyWrites)
    assert detect([path, path]) == "yes"
    adapters(monkeypatch, Yes, Also)
    with pytest.raises(InputError, match="this can be yes, also; choose one with --from"):
        detect(path)


def test_none_sniffs_yes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.no"
    path.write_text("no", encoding="utf-8")
    adapters(monkeypatch, Yes, OnlyWrites)
    with pytest.raises(InputError, match=rf"^{path}: no format recognises .* --from \(yes\)"):
        detect(path)
    with pytest.raises(InputError, match="no such file"):
        detect(tmp_path / "missing")


def test_a_sniffer_that_fails_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    adapters(monkeypatch, Fails)
    with pytest.raises(SettingsError, match=r"'fails' fails at .* ZeroDivisionError: oops"):
        detect(tmp_path)


def test_what_cannot_be_loaded_spoils_nothing_else(declared) -> None:  # type: ignore[no-untyped-def]
    declared(
        lost="no.such.module:Thing", odd="pathlib:Path", csv="goldspan.adapters.csv:CsvAdapter"
    )
    loaded, broken = registry.load_all()
    assert [a.name for a in loaded] == ["csv"]
    assert [b.name for b in broken] == ["lost", "odd"]
    with pytest.raises(SettingsError, match=r"'lost' cannot be loaded: .* ModuleNotFoundError"):
        registry.get("lost")
    with pytest.raises(SettingsError, match=r"pathlib:Path is not a goldspan\.adapters\.Adapter"):
        registry.get("odd")


def test_one_way_formats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "get", lambda _: OnlyWrites())
    with pytest.raises(SettingsError, match="can be written but not read"):
        read(tmp_path, format="only-writes")
    monkeypatch.setattr(registry, "get", lambda _: Yes())
    with pytest.raises(SettingsError, match="can be read but not written"):
        write(Corpus(()), tmp_path / "x", "yes")
    with pytest.raises(SettingsError, match="no file or folder was given"):
        read([])


def test_a_missing_extra_names_itself() -> None:
    assert require("json", feature="x", extra="y").__name__ == "json"
    with pytest.raises(MissingExtra, match=r'reading XML needs .* pip install "goldspan\[elan\]"'):
        require("no_such_module_at_all", feature="reading XML", extra="elan")


def test_what_an_adapter_does_not_do_it_says(tmp_path: Path) -> None:
    class Bare(Adapter):
        name = "bare"

    assert Bare().sniff(tmp_path) is False
    with pytest.raises(SettingsError, match="'bare' cannot be read"):
        Bare().read([tmp_path], ReadOptions())
    with pytest.raises(SettingsError, match="'bare' cannot be written"):
        Bare().write(Corpus(()), tmp_path, WriteOptions())


def test_what_no_format_knows_says_why_where_it_can(tmp_path: Path) -> None:
    empty = tmp_path / "a.json"
    empty.touch()
    with pytest.raises(InputError, match=rf"^{empty}: the file is empty"):
        detect(empty)
    broken = tmp_path / "a.zip"
    broken.write_bytes(b"PK")
    with pytest.raises(InputError, match=rf"^{broken}: this is not a zip file"):
        detect(broken)
    with zipfile.ZipFile(broken, "w") as archive:
        archive.writestr("../ann.jsonl", "{}")
    with pytest.raises(InputError, match="points outside the archive"):
        detect(broken)
    with zipfile.ZipFile(broken, "w") as archive:
        archive.writestr("a.bin", b"?")
    with pytest.raises(InputError, match="no format recognises this"):
        detect([broken, tmp_path])


EXPORT = '[{"data": {"text": "a"}, "annotations": [{"completed_by": 1, "result": []}]}]'


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("r.json", '{\n "schema": 1,\n "goldspan": "1.0",\n "settings": {}}', "compare takes"),
        ("g.json", '{"schema": 1, "goldspan": "1.0", "strategy": ""}', "result of goldspan;"),
        ("r.html", "<!doctype html>\n<html>", "a web page"),
        (
            "r.csv",
            "who,from,to\nann,1,2\n",
            "start, end, category, annotator; --from csv --start-from",
        ),
        ("r.csv", "start;who;until\n1;ann;2\n", "header with end, .*--annotator-from names"),
    ],
)
def test_what_is_known_but_holds_no_annotations(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    for given in (path, tmp_path):
        with pytest.raises(InputError, match=rf"^{path}.*{said}"):
            detect(given)


def test_an_empty_folder_says_so(tmp_path: Path) -> None:
    (tmp_path / ".hidden").touch()
    with pytest.raises(InputError, match=rf"^{tmp_path}: the folder is empty"):
        detect(tmp_path)


def test_the_one_file_that_does_not_fit_is_named(tmp_path: Path) -> None:
    (tmp_path / "export.json").write_text(EXPORT, encoding="utf-8")
    (tmp_path / "README.md").write_text("read me", encoding="utf-8")
    assert detect(tmp_path) == "label-studio"
    odd = tmp_path / "result.json"
    odd.write_text('{"schema": 1, "goldspan": "1.0", "settings": {}}', encoding="utf-8")
    with pytest.raises(InputError, match=rf"^{odd}: .*not .* label-studio.*leave it out"):
        detect(tmp_path)
    with pytest.raises(InputError, match=rf"^{odd}:1.*leave this file out"):
        read(tmp_path, "label-studio")
    (tmp_path / "settings.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"this and 1 more are not .*leave them out"):
        detect(tmp_path)
