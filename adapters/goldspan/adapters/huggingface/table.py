"""Tables: the rows of Parquet and Arrow files, with the names of labels that are numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goldspan.adapters.extras import require
from goldspan.adapters.files.folder import files_below
from goldspan.engine.errors import InputError

SUFFIXES = (".parquet", ".arrow")
PARQUET, FILE, STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"
ROWS_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Table:
    """A file that is open: its columns, and what `datasets` says of their features."""

    path: Path
    columns: tuple[str, ...]
    features: Mapping[str, Any]
    rows: Iterator[Mapping[str, Any]]

    def names(self, *keys: str) -> tuple[str, ...]:
        """The names of the labels of a column, or of a field in it; none if they are texts."""
        found: Any = self.features
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
            while isinstance(found, (list, dict)) and not (
                isinstance(found, dict) and ("names" in found or found.keys() & set(keys))
            ):
                inner = found[0] if isinstance(found, list) and found else None
                if isinstance(found, dict):
                    inner = found.get("feature")
                if inner is None:
                    break
                found = inner
        names = found.get("names") if isinstance(found, dict) else None
        return tuple(map(str, names)) if isinstance(names, list) else ()


def table_files(path: Path) -> list[Path]:
    """The Parquet and Arrow files of a folder, or the file itself."""
    return [path] if path.is_file() else files_below(path, SUFFIXES)


def looks_right(path: Path) -> bool:
    """Whether it begins as such a file does."""
    with path.open("rb") as file:
        return file.read(6).startswith((PARQUET, FILE, STREAM))


def open_table(path: Path) -> Table:
    """The file; what cannot be read is an error with its name."""
    arrow = require("pyarrow", feature="reading Parquet and Arrow files", extra="huggingface")
    try:
        schema, batches = _open(path)
        features = _features(schema.metadata or {})
        return Table(path, tuple(schema.names), features, _rows(path, batches))
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise _fault(path, error) from error


def _open(path: Path) -> tuple[Any, Iterator[Any]]:
    # By its bytes: a file may have a name that pyarrow cannot hold.
    arrow = require("pyarrow", feature="reading Parquet and Arrow files", extra="huggingface")
    data = path.read_bytes()
    if data.startswith(PARQUET):
        parquet = require("pyarrow.parquet", feature="reading Parquet files", extra="huggingface")
        source = parquet.ParquetFile(arrow.BufferReader(data))
        return source.schema_arrow, source.iter_batches(ROWS_AT_ONCE)
    ipc = require("pyarrow.ipc", feature="reading Arrow files", extra="huggingface")
    if data.startswith(FILE):
        source = ipc.open_file(data)
        return source.schema, (source.get_batch(at) for at in range(source.num_record_batches))
    source = ipc.open_stream(data)
    return source.schema, iter(source)


def _rows(path: Path, batches: Iterator[Any]) -> Iterator[Mapping[str, Any]]:
    arrow = require("pyarrow", feature="reading Parquet and Arrow files", extra="huggingface")
    try:
        for batch in batches:
            batch.validate(full=True)
            yield from batch.to_pylist()
    except (arrow.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        raise _fault(path, error) from error


def _fault(path: Path, error: Exception) -> InputError:
    return InputError(
        f"this Parquet or Arrow file cannot be read ({type(error).__name__}); write it again",
        where=str(path),
    )


def _features(metadata: Mapping[bytes, bytes]) -> Mapping[str, Any]:
    """What `datasets` keeps in the schema; nothing where it is not as expected."""
    try:
        told = json.loads(metadata.get(b"huggingface", b"{}"))
        found = told["info"]["features"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
