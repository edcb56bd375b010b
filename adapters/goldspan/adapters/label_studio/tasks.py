"""Tasks as Label Studio exports them, in one shape whatever the export."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from goldspan.adapters.files.folder import files_below
from goldspan.adapters.files.json_stream import elements
from goldspan.adapters.kit.digits import from_digits
from goldspan.adapters.kit.roundtrip import KEY
from goldspan.adapters.label_studio.region import LABEL_KEYS, Region
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import Json

MIN_FIELDS = frozenset(
    {"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement"}
)
"""What JSON_MIN puts beside the task's data and the controls."""


@dataclass(slots=True)
class Work:
    """What one person or machine did with a task.

    `by` is `completed_by` as it stands, or a draft's user, or a prediction's model version.
    `imported` is work that came with an import and that nobody has touched since. `lead_time` is
    how many seconds it took, as it stands.
    """

    by: Json
    result: Sequence[Region]
    id: Json = None
    cancelled: bool = False
    draft: bool = False
    prediction: bool = False
    ground_truth: bool = False
    imported: bool = False
    created: str = ""
    updated: str = ""
    parent: Json = None
    lead_time: Json = None


class RawTask(NamedTuple):
    """A task: its data, and all work on it."""

    id: str
    where: str
    data: Mapping[str, Json]
    work: tuple[Work, ...]
    ours: Mapping[str, Json] = MappingProxyType({})
    """What our own writer left in `meta.goldspan`."""
    remarks: int = 0
    """How many entries of its meta are not ours."""


def json_files(path: Path) -> list[Path]:
    """The file itself, or the .json files in the folder and below."""
    if not path.is_dir():
        return [path]
    return files_below(path, (".json",))


def raw_tasks(path: Path) -> Iterator[RawTask]:
    """The tasks of one export, one at a time; rows of JSON_MIN on one task are put together."""
    file = str(path)
    return _raw((f"{file}:{line}", value) for line, value in elements(path))


def raw_values(tasks: Iterable[Json]) -> Iterator[RawTask]:
    """The same of tasks that are values already; they are looked at and never changed."""
    return _raw(("", value) for value in tasks)


def _raw(given: Iterable[tuple[str, Json]]) -> Iterator[RawTask]:
    """Tasks from values, each with the place where it stands if it is in a file."""
    rows: RawTask | None = None
    for number, (where, value) in enumerate(_task_values(given), start=1):
        if not isinstance(value, dict):
            raise InputError(
                f"a task is {_kind(value)} where an object is expected; "
                "leave this file out if it is not an export of Label Studio"
                if where
                else f"task {number} of the list is {_kind(value)} where an object is expected",
                where=where,
            )
        if "annotation_id" in value and "annotations" not in value:
            row = _from_min(value, where)
            if rows is not None and rows.id == row.id:
                rows = rows._replace(work=(*rows.work, *row.work))
                continue
            if rows is not None:
                yield rows
            rows = row
        else:
            yield _from_full(value, where, number)
    if rows is not None:
        yield rows


def _task_values(given: Iterable[tuple[str, Json]]) -> Iterator[tuple[str, Json]]:
    for where, value in given:
        # The API and the model protocol wrap the list; one task alone may be wrapped as well.
        if isinstance(value, dict) and isinstance(value.get("tasks"), list):
            yield from ((where, one) for one in value["tasks"])
        elif isinstance(value, dict) and isinstance(value.get("task"), dict):
            yield where, value["task"]
        else:
            yield where, value


def _place(where: str, name: str) -> str:
    return f"{where}, task {name}" if where else f"task {name}"


def _from_full(task: Mapping[str, Json], where: str, number: int) -> RawTask:
    data = task.get("data")
    meta = task.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    ours = meta.get(KEY)
    ours = ours if isinstance(ours, dict) else {}
    own = task.get("id")
    name = str(ours.get("task") or (number if own is None or own == "" else own))
    where = _place(where, name)
    if not isinstance(data, dict):
        raise InputError(
            "the task has no data; export the project as JSON, or leave this file out if it is "
            "not an export of Label Studio",
            where=where,
        )
    annotations = _objects(task, "annotations", where) or _objects(task, "completions", where)
    work = [_annotation(one, where) for one in annotations]
    if task.get("drafts"):
        work += [_draft(one, where) for one in _objects(task, "drafts", where)]
    if task.get("predictions"):
        work += [_prediction(one, where) for one in _objects(task, "predictions", where)]
    return RawTask(name, where, data, tuple(work), ours, len(meta.keys() - {KEY}))


def _objects(task: Mapping[str, Json], key: str, where: str) -> list[Mapping[str, Json]]:
    """The objects in a list; exports give predictions as bare ids, which say nothing."""
    found = task.get(key) or []
    if not isinstance(found, list):
        raise InputError(f"'{key}' is {_kind(found)} where a list is expected", where=where)
    return [one for one in found if isinstance(one, dict)]


def _annotation(one: Mapping[str, Json], where: str) -> Work:
    return Work(
        by=one.get("completed_by"),
        result=_result(one, where),
        id=one.get("id"),
        cancelled=bool(one.get("was_cancelled") or one.get("skipped")),
        ground_truth=bool(one.get("ground_truth")),
        # Label Studio notes who made or changed an annotation, except when it imports one.
        imported=one.get("updated_by", "") is None,
        created=str(one.get("created_at") or ""),
        updated=str(one.get("updated_at") or one.get("created_at") or ""),
        parent=one.get("parent_prediction"),
        lead_time=one.get("lead_time"),
    )


def _draft(one: Mapping[str, Json], where: str) -> Work:
    user = one.get("user")
    # "Anna L anna@example.com, 6": the number is what annotations call this person.
    _, comma, number = str(one.get("created_username") or "").rpartition(", ")
    known = from_digits(number) if comma else None
    by = user if known is None else known
    return Work(
        by=by,
        result=_result(one, where),
        id=one.get("id"),
        draft=True,
        updated=str(one.get("updated_at") or one.get("created_at") or ""),
        # A draft on top of a submitted annotation is an unfinished change of it.
        parent=one.get("annotation"),
    )


def _prediction(one: Mapping[str, Json], where: str) -> Work:
    return Work(
        by=str(one.get("model_version") or "predictions"),
        result=_result(one, where),
        id=one.get("id"),
        prediction=True,
        updated=str(one.get("updated_at") or one.get("created_at") or ""),
    )


def _result(one: Mapping[str, Json], where: str) -> Sequence[Region]:
    result = one.get("result") or []
    if not isinstance(result, list):
        raise InputError(f"'result' is {_kind(result)} where a list is expected", where=where)
    for region in result:
        if not isinstance(region, dict):
            raise InputError(f"a region is {_kind(region)}, not an object", where=where)
    return result


def _from_min(row: Mapping[str, Json], where: str) -> RawTask:
    """JSON_MIN: a row for each annotation, data and controls side by side."""
    result: list[Region] = []
    data: dict[str, Json] = {}
    for key, value in row.items():
        regions = _min_regions(key, value)
        if regions is not None:
            result += regions
        elif key not in MIN_FIELDS:
            data[key] = value
    name = str(row.get("id"))
    work = Work(
        by=row.get("annotator"),
        result=tuple(result),
        id=row.get("annotation_id"),
        lead_time=row.get("lead_time"),
        created=str(row.get("created_at") or ""),
        updated=str(row.get("updated_at") or row.get("created_at") or ""),
    )
    return RawTask(name, _place(where, name), data, (work,))


def _min_regions(control: str, value: Json) -> list[Region] | None:
    """The control's regions with what JSON_MIN leaves out put back; None when it is data."""
    if not isinstance(value, list) or not value:
        return None
    if not all(isinstance(one, dict) and any(k in one for k in LABEL_KEYS) for one in value):
        return None
    return [
        {"id": f"{control}-{n}", "from_name": control, "to_name": "", "value": one,
         "type": next(key for key in LABEL_KEYS if key in one)}
        for n, one in enumerate(value, start=1)
    ]  # fmt: skip


def _kind(value: Json) -> str:
    names = {dict: "an object", list: "a list", str: "a text", type(None): "null"}
    return names.get(type(value), f"the {type(value).__name__} {value!r}")
