"""A Label Studio to click through, with three annotators, two rounds, and goldspan beside it.

`make demo-label-studio` installs Label Studio and runs this. Everything happens on this machine,
in one folder: what a second start finds there it goes on with. The reports are those of the
newsroom; amira and bruno follow the guidelines, dario is trained after the first round.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import httpx

from label_studio_server import EMAIL, PASSWORD, LabelStudioServer, free_port, installed

if TYPE_CHECKING:
    from label_studio_api import LabelStudioApi, Person

ANNOTATORS = ("amira", "bruno", "dario")
ROUNDS = (
    ("round1.json", ("ferry", "orchard", "library", "weather", "harbour")),
    ("round2.json", ("strike", "bees", "chess", "bridge", "cinema")),
)
"""The reports that all three annotated, some in each round."""

COLOURS = {
    "PER": "#d55e00",
    "ORG": "#0072b2",
    "LOC": "#009e73",
    "DATE": "#cc79a7",
    "QUOTE": "#e69f00",
}
LABELS = "".join(
    f'<Label value="{label}" background="{colour}"/>' for label, colour in COLOURS.items()
)
CONFIG = f"""<View>
  <Labels name="label" toName="text">{LABELS}</Labels>
  <Text name="text" value="$text"/>
</View>"""

PATIENCE = 180.0

FAREWELL = """
Label Studio   {studio}/projects/{project}/data
  user         {email}, or {people}
  password     {password}
Dashboard      {service}/

What to look at:
- the tab “Low agreement” has the tasks to talk about, the worst one first
- a task opened there has the suggested spans in the tab “goldspan”, with their confidence
- the dashboard has both rounds, the report, and how agreement grew after dario was trained
- change an annotation, and columns and suggestions follow within seconds

The files are in {folder}."""


def main() -> int:
    """Set up what is missing, run both, and end both when interrupted."""
    args = _arguments()
    if installed() is None:
        _stop("Label Studio is not installed; `make label-studio` does that")
    # Both by name: what a shell starts in the background is deaf to Ctrl-C otherwise.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    folder: Path = args.folder
    project = _project_in(folder)
    studio = LabelStudioServer(folder / "label-studio", port=_port(args.port))
    try:
        _say(f"starting Label Studio on {studio.url}")
        with studio, _service(studio, folder, _port(args.service_port)) as service:
            if project is None:
                project = _two_rounds(studio.api, folder, service)
            else:
                _connect(studio.url, folder, service, project)
            people = ", ".join(f"{name}@example.com" for name in ANNOTATORS)
            _say(FAREWELL.format(
                studio=studio.url, project=project, service=service, folder=folder, people=people,
                email=EMAIL, password=PASSWORD,
            ))  # fmt: skip
            if not args.once:
                _say("Ctrl-C ends both; the next start goes on where you left off.")
                signal.pause()
    except KeyboardInterrupt:
        _say("both are stopped")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "folder", nargs="?", type=Path, default=Path("demo-label-studio"), metavar="DIR",
        help="where both keep their data (demo-label-studio)",
    )  # fmt: skip
    parser.add_argument("--port", type=int, default=8080, help="of Label Studio, if free (8080)")
    parser.add_argument("--service-port", type=int, default=9090, help="of goldspan (9090)")
    parser.add_argument("--once", action="store_true", help="stop as soon as both are up")
    return parser.parse_args()


def _two_rounds(api: LabelStudioApi, folder: Path, service: str) -> int:
    """The number of a project in which three people have annotated two rounds."""
    _say("creating a project and three annotators")
    project = api.project(
        CONFIG, "Newsroom", maximum_annotations=len(ANNOTATORS), color="#e69f00",
        expert_instruction="Mark people, organisations, places, dates and what people say.",
        show_instruction=True,
    )  # fmt: skip
    people = [api.member(f"{name}@example.com", PASSWORD) for name in ANNOTATORS]
    _connect(api.url, folder, service, project)
    for number, (name, reports) in enumerate(ROUNDS, start=1):
        _say(f"round {number}: three annotators, {len(reports)} reports")
        work = _reports(name, reports)
        tasks = api.import_tasks(project, [{"data": report["data"]} for report in work])
        _wait_for(service, f"round {number}: ")
        _annotate(api, people, tasks, work)
        _wait_for(service, f"round {number} is complete")
    _state(folder).write_text(json.dumps({"project": project}) + "\n", encoding="utf-8")
    return project


def _annotate(
    api: LabelStudioApi, people: Sequence[Person], tasks: Sequence[int], reports: Sequence[Any]
) -> None:
    """Each person logs in and annotates every report; the service hears of it by itself."""
    for person in people:
        name = person.email.partition("@")[0]
        own = api.login(person)
        for task, report in zip(tasks, reports, strict=True):
            work = next(a for a in report["annotations"] if a["completed_by"]["email"] == name)
            own.annotate(task, person, work["result"])


def _reports(name: str, wanted: Sequence[str]) -> list[Any]:
    found = json.loads(files("goldspan.plugin").joinpath("demo", name).read_text(encoding="utf-8"))
    by_name = {task["meta"]["goldspan"]["task"]: task for task in found}
    return [by_name[report] for report in wanted]


# goldspan


@contextmanager
def _service(studio: LabelStudioServer, folder: Path, port: int) -> Iterator[str]:
    """Run `goldspan label-studio serve`; its address."""
    token = folder / "token.txt"
    if not token.exists():
        token.touch(mode=0o600)
        token.write_text(studio.api.token + "\n", encoding="utf-8")
    address = f"http://127.0.0.1:{port}"
    command = _goldspan("serve", studio.url, folder, "--port", str(port), "--debounce", "2")
    with (folder / "service.log").open("ab") as log:
        process = subprocess.Popen(  # noqa: S603 - our own command
            command, stdout=log, stderr=log, start_new_session=True
        )
    try:
        _wait_for(address, "goldspan")
        yield address
    finally:
        process.terminate()
        process.wait()


def _connect(studio: str, folder: Path, service: str, project: int) -> None:
    more = ("--project", str(project), "--service-url", service, "--annotators", "3")
    subprocess.run(  # noqa: S603 - our own command
        _goldspan("setup", studio, folder, *more), check=True
    )


def _goldspan(verb: str, studio: str, folder: Path, *more: str) -> list[str]:
    where = ("--url", studio, "--token-file", str(folder / "token.txt"))
    words = ["label-studio", verb, *where, "--folder", str(folder / "goldspan"), *more]
    _say(f"$ goldspan {shlex.join(words)}")
    return [sys.executable, "-m", "goldspan.plugin", *words]


def _wait_for(service: str, words: str) -> None:
    """Until the dashboard says so."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(httpx.TransportError):
            if words in httpx.get(service, trust_env=False).text:
                return
        time.sleep(0.2)
    _stop(f"{service} does not say “{words}”; the log of the service may tell why")


# The folder, ports, words


def _state(folder: Path) -> Path:
    return folder / "demo.json"


def _project_in(folder: Path) -> int | None:
    """The project that an earlier start made; None for a new folder, or one that was not finished
    and is emptied.
    """
    if not _state(folder).exists():
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            _stop(f"{folder} is there and is no demo; name another folder")
        found = None
    else:
        found = json.loads(_state(folder).read_text(encoding="utf-8"))["project"]
    if found is None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _state(folder).write_text(json.dumps({"project": None}) + "\n", encoding="utf-8")
    return found if found is None else int(found)


def _port(wanted: int) -> int:
    """The wanted port, or a free one if somebody listens there."""
    with socket.socket() as probe:
        taken = wanted == 0 or probe.connect_ex(("127.0.0.1", wanted)) == 0
    return free_port() if taken else wanted


def _say(words: str) -> None:
    print(words, flush=True)  # noqa: T201 - for people


def _stop(sentence: str) -> NoReturn:
    sys.exit(f"demo: {sentence}")


if __name__ == "__main__":
    sys.exit(main())
