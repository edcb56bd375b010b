"""Setup: what a project needs in addition to scores; reports each step, repeats none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.label_studio.config import config_template
from goldspan.engine.errors import InputError
from goldspan.plugin.label_studio.data_manager_tab import TITLE, missing_tabs, our_tabs
from goldspan.plugin.label_studio.server import Server, ServerError
from goldspan.plugin.label_studio.webhook import (
    MODEL_HOOK,
    differs,
    hook_fields,
    our_webhooks,
    surplus_webhooks,
)
from goldspan.plugin.service.private import private
from goldspan.plugin.service.web.host import is_loopback

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import Json


RECORD = "setup.json"
"""Settings that setup changed, as they were before and as they are since."""


@dataclass(frozen=True, slots=True)
class Record:
    """What setup changed in a project of the server at `url`: what each setting `was`, and is
    `now`.
    """

    url: str
    settings: dict[str, Json]


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
    tabs = server.tabs(number)
    new = missing_tabs(tabs, low)
    for tab in () if dry_run else new:
        server.add_tab(number, tab)
    how = "is there" if not new else "would be new" if dry_run else "is new"
    title = TITLE if new else our_tabs(tabs)[0]["data"].get("title")
    yield f"the tab “{title}” {how}"
    if hook is not None:
        yield _webhook(server, number, *hook, dry_run=dry_run)


def restored(url: str, project: Json, folder: Path) -> dict[str, Json]:
    """Settings to put back: those that setup changed and nobody changed since."""
    record = _record(folder, int(project["id"]))
    if record is None or not _is_same(record.url, url):
        return {}
    changes = record.settings.items()
    return {name: one["was"] for name, one in changes if project.get(name) == one["now"]}


def other_address(url: str, folder: Path, number: int) -> str | None:
    """The address of the server whose project the record is about, if it is another one."""
    record = _record(folder, number)
    return None if record is None or _is_same(record.url, url) else record.url


def has_record(folder: Path, number: int) -> bool:
    """Whether a setup with this folder changed anything."""
    return _path(folder, number).exists()


def drop_record(url: str, folder: Path, number: int) -> None:
    """Drop the record, once the settings are put back; another server's stays."""
    if other_address(url, folder, number) is None:
        _path(folder, number).unlink(missing_ok=True)


def _settings(
    server: Server, project: Json, folder: Path, annotators: int | None, *, dry_run: bool
) -> Iterator[str]:
    """Predictions must not fill in new annotations; the number of annotators as asked."""
    wanted: dict[str, Json] = {"show_collab_predictions": False}
    if annotators is not None:
        wanted["maximum_annotations"] = annotators
    changes = {name: value for name, value in wanted.items() if project.get(name) != value}
    for name in wanted:
        would = dry_run and name in changes
        if name == "maximum_annotations":
            said = f"each task {'would be' if would else 'is'} for {annotators} annotators"
        else:
            said = f"new annotations {'would' if would else 'do'} not start from predictions"
        yield said if name in changes else f"{said}, as before"
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
    """One webhook, at the address of the model: when a person connects the model as well, Label
    Studio finds that it is there and makes no second one. Messages leave out the model's key.
    """
    service = MODEL_HOOK.sub("/webhook", url)
    wanted = hook_fields(url, secret)
    hooks = server.webhooks(number)
    found, surplus = our_webhooks(hooks), surplus_webhooks(hooks)
    same = [hook for hook in hooks if hook["url"] == url]
    if len(found) == 1 and not surplus and not differs(found[0], wanted):
        return f"the webhook to {service} is there"
    if dry_run:
        return f"the webhook to {service} would be registered"
    try:
        kept = next(iter(same or found), None)
        if kept:
            server.change_webhook(kept["id"], **wanted)
        else:
            server.add_webhook(number, **wanted)
        for extra in (*found, *surplus):
            if extra is not kept:
                server.remove_webhook(extra["id"])
    except ServerError as error:
        # These are Label Studio's words; no code tells this refusal from others.
        if error.status == 403 and "reserved" in error.detail:
            raise ServerError(
                f"Label Studio does not call {service}, an address of a private network; "
                "start Label Studio with SSRF_PROTECTION_ENABLED=false, or give the service a "
                "public address with --service-url",
                status=403,
            ) from error
        raise
    return f"the webhook to {service} is registered"


def _path(folder: Path, number: int) -> Path:
    return folder / f"project-{number}" / RECORD


def _record(folder: Path, number: int) -> Record | None:
    path = _path(folder, number)
    if not path.exists():
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        settings = found["settings"].items()
        changes = {str(name): {"was": one["was"], "now": one["now"]} for name, one in settings}
        return Record(str(found["url"]), changes)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(
            "this is not a record of a setup; remove it if the project's settings are as you want",
            where=str(path),
        ) from error


def _keep(url: str, folder: Path, number: int, changes: dict[str, Json]) -> None:
    """Add to the record; what was before the first setup stays the version to go back to."""
    path = _path(folder, number)
    record = _record(folder, number) or Record(url, {})
    if not _is_same(record.url, url):
        raise InputError(
            f"this is the record of a setup under the address {record.url}; give that as --url, "
            "or another --folder for another Label Studio",
            where=str(path),
        )
    known = record.settings
    for name, change in changes.items():
        was = known[name]["was"] if name in known else change["was"]
        known[name] = {"was": was, "now": change["now"]}
    with private(folder), new_file(path) as temporary:
        text = json.dumps({"url": record.url, "settings": known}, indent=1)
        temporary.write_text(text + "\n", encoding="utf-8")


def _is_same(one: str, other: str) -> bool:
    """Whether two addresses are one server's; every server counts its projects from 1."""
    return _spelled(one) == _spelled(other)


def _spelled(url: str) -> tuple[str, str, int, str]:
    """An address in one spelling: this machine has several names."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if is_loopback(host) or host in {"0.0.0.0", "::"}:  # noqa: S104 - Label Studio calls itself so
        host = "localhost"
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return parts.scheme, host, port, parts.path
