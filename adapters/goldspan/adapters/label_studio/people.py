"""People: one name for each annotator, however the export refers to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from goldspan.adapters.kit.naming import ANNOTATOR_FROM, Naming
from goldspan.engine.errors import InputError

FIELDS = ("email", "id", "name")


class People:
    """Names from `completed_by`, or from the file when each file is one annotator's.

    `source` is the option annotator_from: email (the default, where there is one), id, name, or a
    way to read file names.
    """

    def __init__(self, source: str | None) -> None:
        self.field = source if source in FIELDS else "email"
        self.naming = Naming(source) if source and source not in FIELDS else None
        self.from_file: str | None = None
        self.known: dict[str, str] = {}

    def open(self, path: Path) -> None:
        """Begin a file."""
        self.from_file = self.naming.read(path)[0] if self.naming is not None else None

    def name(self, by: Any, where: str) -> str:
        """The name for `completed_by` as it stands in the export."""
        if self.from_file is not None:
            return self.from_file
        if isinstance(by, dict):
            return self._from_object(by, where)
        if by is None or by == "":
            raise InputError(
                "an annotation does not say who made it (completed_by); if each file is one "
                "annotator's, use --annotator-from file",
                where=where,
                choices={ANNOTATOR_FROM: ()},
            )
        return self.known.get(str(by), str(by))

    def _from_object(self, person: dict[str, Any], where: str) -> str:
        full = " ".join(str(person.get(k) or "") for k in ("first_name", "last_name")).strip()
        given = {"email": person.get("email"), "id": person.get("id"), "name": full}
        for field in (self.field, *FIELDS):
            if given[field]:
                name = str(given[field])
                if person.get("id") is not None:
                    self.known[str(person["id"])] = name
                return name
        raise InputError("completed_by has no e-mail, id or name", where=where)

    @property
    def renamed(self) -> dict[str, str]:
        """The names of those who may have been met as a bare id before."""
        return {number: name for number, name in self.known.items() if number != name}
