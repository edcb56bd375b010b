"""Forms: the project that a form of the dashboard names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from goldspan.engine.errors import InputError
from goldspan.plugin.service.web.access import Access, same
from goldspan.plugin.service.web.endpoints import require_person
from goldspan.plugin.service.web.events import project_number
from goldspan.plugin.service.web.request_body import read_form

if TYPE_CHECKING:
    from starlette.requests import Request


async def asked_project(access: Access, request: Request) -> int:
    """The project that a form of ours names."""
    return (await asked_form(access, request))[0]


async def asked_form(access: Access, request: Request) -> tuple[int, dict[str, str]]:
    """The project that a form of ours names, and all its fields; a form of another site does not
    know the token.
    """
    require_person(access, request)
    fields = await read_form(request)
    if not same(fields.get("form_token", ""), access.form_token):
        raise HTTPException(403, "This form is out of date; go back, reload, try again.")
    asked = fields.get("project", "")
    try:
        return project_number(asked if asked.isdigit() else None), fields
    except InputError as error:
        raise HTTPException(400, "Give the number of a project.") from error
