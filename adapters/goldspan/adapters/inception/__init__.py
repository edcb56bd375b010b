"""inception: UIMA CAS XMI and WebAnno TSV 3, loose or in a project with its states."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.adapters.files.text_file import head
from goldspan.adapters.options import FRAGMENTS
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus


class InceptionAdapter(Adapter):
    """Exports of INCEpTION and of WebAnno."""

    name = "inception"
    summary = "UIMA CAS XMI or WebAnno TSV 3: a project's export, or DOCUMENT/ANNOTATOR.xmi"
    annotators = "files; INITIAL_CAS and CURATION_USER are left out; or --annotator-from"
    presence = "finished documents count (--include-partial takes the others); loose: --empty"
    extra = "inception"
    suffixes = (".xmi", ".tsv", ".zip")
    reading_options = (FRAGMENTS,)

    def sniff(self, path: Path) -> bool:
        """An .xmi or .tsv file that begins right, or a folder or zip that holds some."""
        from goldspan.adapters.files.bundle import open_bundle
        from goldspan.adapters.inception.project import PROJECT

        if path.is_file() and path.suffix.lower() != ".zip":
            return _looks_right(path)
        try:
            with open_bundle(path) as members:
                if any(PROJECT.fullmatch(member.name.name) for member in members):
                    return True
                files = [Path(m.where) for m in members if m.suffix in (".xmi", ".tsv")]
        except InputError:
            return False
        if not path.is_dir():
            return bool(files)
        return bool(files) and all(_looks_right(file) for file in files[:8])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """A task for each document."""
        from goldspan.adapters.inception.reader import Reader

        reader = Reader(options)
        reader.recognise(paths)
        for given in paths:
            reader.read(given)
        return reader.corpus()

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """XMI files with their type system, in a folder or a .zip laid out as a project."""
        from goldspan.adapters.inception.writer import write_inception

        return write_inception(value, path, options)


def _looks_right(path: Path) -> bool:
    from goldspan.adapters.inception.tsv import FORMAT
    from goldspan.adapters.inception.xmi import XMI

    if path.suffix.lower() == ".tsv":
        return head(path).startswith(FORMAT)
    return path.suffix.lower() == ".xmi" and XMI in head(path)
