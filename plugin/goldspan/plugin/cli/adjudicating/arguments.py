"""Arguments of `goldspan adjudicate` itself: how to settle, the page, and the project."""

from __future__ import annotations

import argparse
import getpass
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.pages.page import PageRequest
from goldspan.plugin.label_studio.connection import TOKENS, URL, ConnectionRequest

if TYPE_CHECKING:
    from goldspan.plugin.adjudicate.media.library import MediaRequest
    from goldspan.plugin.adjudicate.settings import DeskSettings

FOLDER = Path("goldspan-label-studio")


@dataclass(frozen=True, slots=True)
class Project:
    """A project of Label Studio, whose ground truth is written."""

    connection: ConnectionRequest
    number: int

    @property
    def usual_output(self) -> str:
        """What the gold is called where no output is named."""
        return f"adjudicated-{self.number}.csv"


def add_settling(parser: argparse.ArgumentParser) -> None:
    """Add how decisions are made and used."""
    group = parser.add_argument_group("adjudicating")
    group.add_argument(
        "--adjudicator", metavar="NAME",
        help="who decides; everybody has a journal of their own (your user name)",
    )  # fmt: skip
    group.add_argument(
        "--blind", action="store_true", help="hide annotators' names: the page gets A1, A2, …"
    )
    group.add_argument(
        "--lead", metavar="NAME", default="",
        help="the adjudicator whose answer holds where two differ",
    )  # fmt: skip
    group.add_argument(
        "--media", action="append", default=[], metavar="DIR|TASK=FILE",
        help="where recordings are, if not beside the input: a folder, or the file of a task "
        "(repeat for more)",
    )  # fmt: skip
    group.add_argument(
        "--new-labels", action="store_true", help="allow labels that no annotator used"
    )
    group.add_argument(
        "--show-suggestions", action="store_true",
        help="show suggestions also at places that are drawn at random, where they are hidden "
        "until the first answer",
    )  # fmt: skip
    group.add_argument(
        "--threshold", type=float, default=0.01, metavar="X",
        help="the share of wrong spans at which the page says that you can stop (0.01)",
    )  # fmt: skip
    group.add_argument(
        "--effect", choices=("count", "length"), default="count",
        help="what an error costs: 1, or its length (count)",
    )  # fmt: skip
    group.add_argument(
        "--label-weight", action="append", default=[], metavar="LABEL=X",
        help="what an error with this label costs (repeat for more; 1)",
    )  # fmt: skip
    group.add_argument(
        "--rebase", action="store_true",
        help="use a journal for the same texts under other task names",
    )  # fmt: skip
    group.add_argument(
        "--only-settled", action="store_true", help="write nothing that is only suggested"
    )
    group.add_argument(
        "--force", action="store_true",
        help="replace an output that exists and was not written from this journal",
    )  # fmt: skip


def add_page(parser: argparse.ArgumentParser) -> None:
    """Add where the page is."""
    group = parser.add_argument_group("page")
    group.add_argument(
        "--port", type=int, metavar="N",
        help="the port on this machine (the one of the last time, or a free one)",
    )  # fmt: skip
    group.add_argument(
        "--no-browser", action="store_true", help="print the address, and open no browser"
    )


def add_project(parser: argparse.ArgumentParser) -> None:
    """Add the project of Label Studio that is adjudicated instead of files."""
    group = parser.add_argument_group("Label Studio")
    group.add_argument(
        "--project", type=int, metavar="N",
        help="adjudicate this project instead of files, and write finished tasks back as ground "
        "truth; `goldspan label-studio sync --undo` removes it",
    )  # fmt: skip
    group.add_argument(
        "--url", default=os.environ.get(URL), metavar="URL",
        help=f"the address of Label Studio (or the environment variable {URL})",
    )  # fmt: skip
    group.add_argument(
        "--token-file", type=Path, metavar="FILE",
        help=f"a file with the access token (or the environment variable {' or '.join(TOKENS)})",
    )  # fmt: skip
    group.add_argument(
        "--folder", type=Path, default=FOLDER, metavar="DIR",
        help=f"where the gold and the journals of a project go without --output ({FOLDER})",
    )  # fmt: skip


def page_request(args: argparse.Namespace) -> PageRequest:
    """What the arguments of `add_page` say."""
    return PageRequest(args.port, not args.no_browser)


def project_of(args: argparse.Namespace) -> Project | None:
    """The project that the arguments of `add_project` name; None for files."""
    if args.project is None:
        return None
    return Project(ConnectionRequest(args.url, args.token_file), args.project)


def desk_settings(args: argparse.Namespace) -> DeskSettings:
    """What the arguments of `add_settling` say."""
    from goldspan.plugin.adjudicate.settings import DeskSettings  # noqa: PLC0415 - loads the engine

    return DeskSettings(
        adjudicator=args.adjudicator or _user(),
        seed=args.seed,
        blind=args.blind,
        show_suggestions=args.show_suggestions,
        new_labels=args.new_labels,
        by_length=args.effect == "length",
        label_weights=dict(_weight(one) for one in args.label_weight),
        threshold=args.threshold,
        lead=args.lead,
        rebase=args.rebase,
    )


def media_of(args: argparse.Namespace) -> MediaRequest:
    """Where they say that recordings are."""
    from goldspan.plugin.adjudicate.media.library import media_request  # noqa: PLC0415 - as above

    return media_request(args.media)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError) as error:
        raise SettingsError("this system has no user name; give --adjudicator NAME") from error


def _weight(said: str) -> tuple[str, float]:
    label, _, value = said.rpartition("=")
    try:
        return label, float(value)
    except ValueError as error:
        raise SettingsError(
            f"--label-weight '{said}' is not a label and a number; give one such as ORG=2"
        ) from error


def usual_output(project: Project | None, given: Path | None, folder: Path) -> Path:
    """Where the gold goes: where the user says, or for a project into the folder."""
    if given is not None:
        return given
    if project is None:
        raise SettingsError("--output is missing; name the file or folder for the gold")
    return folder / project.usual_output
