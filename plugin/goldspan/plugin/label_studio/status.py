"""The checkup: what is connected, what is wrong, and what to do about it, in words."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import ReadOptions
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.label_studio.config import config_template
from goldspan.adapters.label_studio.provenance import is_our_version
from goldspan.engine.errors import InputError
from goldspan.plugin.label_studio.data_manager_tab import our_tabs
from goldspan.plugin.label_studio.snapshot import Snapshot, faults, pull
from goldspan.plugin.label_studio.webhook import (
    MODEL_HOOK,
    is_inner,
    is_our_model,
    our_webhooks,
    surplus_webhooks,
)
from goldspan.plugin.report.wording import many
from goldspan.plugin.service.web.access import SECRET_HEADER

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import Json
    from goldspan.engine.model import Corpus
    from goldspan.plugin.label_studio.server import Server


ANSWER_SECONDS = 3.0
"""Seconds that a service has to answer."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `todo` says what to do where something is wrong."""

    said: str
    todo: str = ""

    @property
    def good(self) -> bool:
        return not self.todo


def examine(server: Server, number: int, layers: tuple[str, ...] = ()) -> Iterator[Finding]:
    """Everything about a project that agreement depends on. Nothing is written."""
    yield _user(server)
    with tempfile.TemporaryDirectory() as scratch:
        snapshot = pull(server, number, Path(scratch))
        title = snapshot.project.get("title")
        yield Finding(f"project {number}, “{title}”: {many(len(snapshot.task_ids), 'task')}")
        corpus = None
        try:
            template = config_template(str(snapshot.project["label_config"]), layers)
            corpus = snapshot.corpus(ReadOptions(layers=layers))
        except InputError as error:
            yield Finding("the annotations cannot be read as spans or labels", todo=str(error))
        else:
            if template.from_name:
                yield Finding(f"spans are marked on “{template.to_name}”, which is {template.kind}")
            for name in template.layers:
                yield Finding(f"whole tasks are labelled with “{name}”")
            yield from _annotators(snapshot, corpus)
            yield from _independence(corpus, snapshot.promoted)
            yield from _faults(corpus)
    models = server.models(number)
    yield from _prefilling(snapshot.project, models)
    yield from _written(snapshot, corpus)
    yield from _webhooks(server, number)
    yield from _models(models)


def _user(server: Server) -> Finding:
    user, version = server.whoami(), server.version()
    name = user.get("email") or user.get("username") or f"user {user.get('id')}"
    return Finding(f"Label Studio {version} at {server.url} answers, as {name}".replace("  ", " "))


def _annotators(snapshot: Snapshot, corpus: Corpus) -> Iterator[Finding]:
    wanted = int(snapshot.project.get("maximum_annotations") or 1)
    counts = [len(continuum.annotators) for continuum in corpus.continua]
    at_work = {name for continuum in corpus.continua for name in continuum.annotators}
    names = [name for name in corpus.annotators if name in at_work]
    shared = sum(1 for count in counts if count > 1)
    full = sum(1 for count in counts if count >= max(wanted, 2))
    if wanted < 2:
        # What people did on their own can be compared all the same.
        yield Finding(
            "the project gives each task to one annotator",
            todo=""
            if shared
            else "let it give each to several: "
            "`goldspan label-studio setup --annotators 3`; the pages have no such setting",
        )
    if shared:
        yield Finding(
            f"{shared} of {many(len(snapshot.task_ids), 'task')} have two annotators or more, "
            f"{full} have all {max(wanted, 2)}: {', '.join(names)}"
        )
    else:
        yield Finding(
            "no task has two annotators yet",
            todo="let a second person annotate the same tasks; one is too few to compare",
        )


def _independence(corpus: Corpus, promoted: int) -> Iterator[Finding]:
    """Annotations that began with a suggestion. Somebody who makes annotations of suggestions in
    the Data Manager does so to have gold, so nothing is wrong with these.
    """
    count = sum(note.count for note in corpus.notes if note.fact.kind is FormatFact.NOT_INDEPENDENT)
    promoted = min(promoted, count)
    if promoted:
        yield Finding(
            f"“Create Annotations From Predictions” made {many(promoted, 'annotation')} of "
            "goldspan's suggestions; agreement leaves them out"
        )
    if count > promoted:
        yield Finding(
            f"{many(count - promoted, 'annotation')} by people who saw a suggestion of goldspan's "
            "first; agreement leaves them out",
            todo="annotate these tasks again if they should count; write suggestions only after "
            "a round",
        )
    if not count:
        yield Finding("no annotation began with a suggestion of goldspan's")


def _faults(corpus: Corpus) -> Iterator[Finding]:
    for fault in faults(corpus):
        yield Finding(
            f"task {fault.task} is {fault.message}",
            todo="put back what was annotated, or correct or delete the annotations",
        )


def _prefilling(project: Json, models: Sequence[Json]) -> Iterator[Finding]:
    """Whether people see an answer before they give theirs. With a connected model chosen, Label
    Studio asks the model about the task that it gives to a person, and takes no other prediction;
    goldspan's answers nothing then.
    """
    chosen = [one for one in models if one.get("title") == project.get("model_version")]
    if not project.get("show_collab_predictions"):
        yield Finding("new annotations start empty")
    elif chosen and is_our_model(chosen[0]):
        yield Finding(
            f"new annotations start empty: the model “{chosen[0]['title']}” is goldspan, which "
            "suggests nothing while a person annotates"
        )
    elif project.get("model_version"):
        whose = "goldspan's" if is_our_version(project["model_version"]) else "a model's"
        yield Finding(
            f"new annotations start from {whose} predictions, so people see an answer before "
            "they give theirs",
            todo="switch off “Use predictions to prelabel tasks” (Settings > Annotation), or "
            "run `goldspan label-studio setup`",
        )
    else:
        yield Finding("new annotations start empty, as long as no model version is chosen")


def _written(snapshot: Snapshot, corpus: Corpus | None) -> Iterator[Finding]:
    suggested, columns = len(snapshot.suggestions), len(snapshot.columns)
    said = f"{many(suggested, 'task')} with suggested gold, {columns} with agreement"
    outdated = corpus is not None and all(len(one.annotators) < 2 for one in corpus.continua)
    if (suggested or columns) and outdated:
        yield Finding(
            f"{said}, of annotations that are there no longer",
            todo="let people annotate again, or run `goldspan label-studio sync --undo`",
        )
    elif suggested or columns:
        yield Finding(said)
    else:
        yield Finding("goldspan has written nothing into the project yet")
    for tab in our_tabs(snapshot.tabs)[:1]:
        yield Finding(f"the tab “{tab['data'].get('title')}” is there")


def _webhooks(server: Server, number: int) -> Iterator[Finding]:
    hooks = server.webhooks(number)
    found = our_webhooks(hooks)
    if surplus_webhooks(hooks):
        yield Finding(
            "two webhooks notify goldspan of the same changes; one would do",
            todo="run `goldspan label-studio setup` with the --folder and --service-url of the "
            "service: it removes the one that Label Studio made for the model",
        )
    if not found:
        yield Finding(
            "no webhook notifies goldspan of changes; sync by hand, or run the service and "
            "`goldspan label-studio setup`"
        )
    for hook in found:
        yield _webhook(hook)


def _webhook(hook: Json) -> Finding:
    called = str(hook["url"])
    # The model's key stays out of what people paste into mails.
    url = MODEL_HOOK.sub("/webhook", called)
    if not hook.get("is_active"):
        return Finding(
            f"the webhook to {url} is switched off",
            todo="switch it on under Settings > Webhooks, or run `goldspan label-studio setup`",
        )
    answer = _answer(called, str(hook["headers"][SECRET_HEADER]))
    if answer is None:
        return Finding(
            f"a webhook notifies {url} of changes, but no service answers there",
            todo="start `goldspan label-studio serve`; events that were lost meanwhile are found",
        )
    if answer == 401:
        return Finding(
            f"a webhook notifies {url} of changes, but the service does not accept its secret",
            todo="run `goldspan label-studio setup` with the --folder that the service was started "
            "with: it contains the secret",
        )
    if answer != 200:
        return Finding(
            f"a webhook notifies {url} of changes, but it is not goldspan ({answer})",
            todo="run `goldspan label-studio setup` with the address of the service as "
            "--service-url",
        )
    inner = "" if not is_inner(url) else (
        "; this is an inner address, which Label Studio calls only if it was started with "
        "SSRF_PROTECTION_ENABLED=false"
    )  # fmt: skip
    return Finding(f"a webhook notifies {url} of changes, and the service answers{inner}")


def _answer(url: str, secret: str) -> int | None:
    """The status that a webhook's call would get, None if nothing answers: an event that says
    nothing is sent, as Label Studio would send it.
    """
    import httpx  # noqa: PLC0415 - comes with the SDK

    try:
        answer = httpx.post(
            url, json={"action": "PING"}, headers={SECRET_HEADER: secret}, timeout=ANSWER_SECONDS
        )
    except (httpx.RequestError, httpx.InvalidURL):
        return None
    return answer.status_code


def _models(models: Sequence[Json]) -> Iterator[Finding]:
    for model in models:
        state = str(model.get("readable_state") or model.get("state") or "").lower()
        said = f"the model “{model.get('title') or model.get('url')}” is {state or 'connected'}"
        if "error" in state or "disconnected" in state:
            yield Finding(
                said,
                todo="look whether the service runs and whether Label Studio may call its address "
                "(ML_BLOCK_LOCAL_IP=false for one on the same machine)",
            )
        else:
            yield Finding(said)
