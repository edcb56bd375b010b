"""Setup: what a project needs besides its scores, each step told, nothing done twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from goldspan.adapters.atomic import new_file
from goldspan.adapters.label_studio.config import config_template
from goldspan.engine.errors import InputError
from goldspan.plugin.label_studio.hook import differs, hook_fields, our_webhooks
from goldspan.plugin.label_studio.server import Server, ServerError
from goldspan.plugin.label_studio.tab import TITLE, missing_tabs

Json = Any

RECORD = "setup.json"
"""Settings that setup changed, as they were before and as they are since."""


def setup(
    server: Server,
    number: int,
    *,
    folder: Path,
    hook: tuple[str, str] | None,
    annotators: int | None = None,
    low: float | None = None,
    layers: tuple[str, ...] = (),
    dry_run: bool = False,
) -> Iterator[str]:
    """Make the project ready; yields a sentence for each step. `hook` is the webhook's address
    and secret, None for a project that is synced by hand.
    """
    project = server.project(number)
    config_template(str(project["label_config"]), layers)
    yield from _settings(server, project, folder, annotators, dry_run=dry_run)
    new = missing_tabs(server.tabs(number), low)
    for tab in () if dry_run else new:
        server.add_tab(number, tab)
    yield f"the tab “{TITLE}” is {'new' if new else 'there'}"
    if hook is not None:
        yield _webhook(server, number, *hook, dry_run=dry_run)


def restored(url: str, project: Json, folder: Path) -> dict[str, Json]:
    """Settings to put back: those that setup changed and nobody changed since."""
    record = _record(url, folder, int(project["id"]))
    return {
        name: change["was"] for name, change in record.items() if project.get(name) == change["now"]
    }


def forget(folder: Path, number: int) -> None:
    """Drop the record, once the settings are put back."""
    (folder / f"project-{number}" / RECORD).unlink(missing_ok=True)


def _settings(
    server: Server, project: Json, folder: Path, annotators: int | None, *, dry_run: bool
) -> Iterator[str]:
    """Predictions must not fill in new annotations; the number of annotators as asked."""
    wanted: dict[str, Json] = {"show_collab_predictions": False}
    if annotators is not None:
        wanted["maximum_annotations"] = annotators
    changes = {name: value for name, value in wanted.items() if project.get(name) != value}
    reasons = {
        "show_collab_predictions": "new annotations do not start from predictions",
        "maximum_annotations": f"each task is for {annotators} annotators",
    }
    for name in wanted:
        yield reasons[name] + ("" if name in changes else ", as before")
    if changes and not dry_run:
        _keep(server.url, folder, int(project["id"]), {
            name: {"was": project.get(name), "now": value} for name, value in changes.items()
        })  # fmt: skip
        server.change_project(int(project["id"]), **changes)
    if int(project.get("maximum_annotations") or 1) < 2 and annotators is None:
        yield (
            "each task is for one annotator, so there will be nothing to compare; "
            "--annotators 3 changes that"
        )


def _webhook(server: Server, number: int, url: str, secret: str, *, dry_run: bool) -> str:
    wanted = hook_fields(url, secret)
    found = our_webhooks(server.webhooks(number))
    if len(found) == 1 and not differs(found[0], wanted):
        return f"the webhook to {url} is there"
    if dry_run:
        return f"the webhook to {url} would be registered"
    try:
        if found:
            server.change_webhook(found[0]["id"], **wanted)
            for extra in found[1:]:
                server.remove_webhook(extra["id"])
        else:
            server.add_webhook(number, **wanted)
    except ServerError as error:
        if error.status == 403 and "reserved" in str(error):
            raise ServerError(
                f"Label Studio does not call {url}, for it is an address of an inner network; "
                "start Label Studio with SSRF_PROTECTION_ENABLED=false, or give the service a "
                "public address with --service-url",
                status=403,
            ) from error
        raise
    return f"the webhook to {url} is registered"


def _record(url: str, folder: Path, number: int) -> dict[str, Json]:
    """What setup changed in this server's project; another server has projects of this number."""
    path = folder / f"project-{number}" / RECORD
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["url"] != url:
            return {}
        settings = found["settings"].items()
        return {str(name): {"was": one["was"], "now": one["now"]} for name, one in settings}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            "this is no record of a setup; remove it if the project's settings are as you want",
            where=str(path),
        ) from error


def _keep(url: str, folder: Path, number: int, changes: dict[str, Json]) -> None:
    """Add to the record; what was before the first setup stays the version to go back to."""
    path = folder / f"project-{number}" / RECORD
    path.parent.mkdir(parents=True, exist_ok=True)
    known = _record(url, folder, number)
    for name, change in changes.items():
        was = known[name]["was"] if name in known else change["was"]
        known[name] = {"was": was, "now": change["now"]}
    with new_file(path) as temporary:
        record = {"url": url, "settings": known}
        temporary.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
