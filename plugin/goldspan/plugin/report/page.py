"""Page: templates filled in and written piece by piece, all or nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from goldspan.adapters.files.atomic import new_file
from goldspan.engine.disagreement import DISAGREEMENT_KINDS
from goldspan.engine.errors import brief
from goldspan.engine.facts import Fact
from goldspan.engine.planning.outlook import outlooks
from goldspan.engine.wording import QUESTIONS
from goldspan.plugin.report import wording
from goldspan.plugin.report.counts import SIDES
from goldspan.plugin.report.outlook_chart import outlook_chart
from goldspan.plugin.report.people.view import HEAD, LABEL_HEAD, view_people
from goldspan.plugin.report.reproduce import settings_in_words
from goldspan.plugin.report.surroundings import NOWHERE, Surroundings
from goldspan.plugin.report.view import MOST_ANNOTATORS, MOST_LABELS, MOST_RARE, view

if TYPE_CHECKING:
    from goldspan.engine.annotators.profile import AnnotatorProfiles
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.gold.overview import GoldOverview
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result

SCRIPTS = ("lanes.js", "script.js")
"""One module in the page, so that one hash covers it."""

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src '{script}'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
"""What a page may load and run."""


def pieces(template: str, **values: Any) -> Iterator[str]:
    """An HTML page, piece by piece: whatever the values hold is escaped."""
    yield from _environment().get_template(template).generate(**values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("goldspan.plugin.report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_brief,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Jinja escapes <, > and & in JSON for us; characters of other scripts need no escape.
    environment.policies["json.dumps_kwargs"] = {
        "ensure_ascii": False, "separators": (",", ":"), "allow_nan": False,
    }  # fmt: skip
    environment.filters |= {
        "number": wording.number, "share": wording.share, "many": wording.many, "brief": _brief,
        "whole": escape,
    }  # fmt: skip
    script = "".join(_asset(environment, name) for name in SCRIPTS)
    environment.globals |= {
        "asset": lambda name: Markup(_asset(environment, name)),  # noqa: S704 - our own files
        "script": Markup(script),  # noqa: S704 - our own files
        "policy": Markup(POLICY.format(script=_hash(script))),  # noqa: S704 - as above
        "KINDS": DISAGREEMENT_KINDS,
        "SIDES": SIDES,
        "QUESTIONS": QUESTIONS,
        "wording": wording,
        "interval": wording.interval,
        "most_labels": MOST_LABELS,
        "most_rare": MOST_RARE,
    }
    return environment


def _brief(value: Any) -> Any:
    """A value as a page shows it: a name of a megabyte, many times over, would fill it."""
    sentence = isinstance(value, (str, Fact)) and not isinstance(value, Markup)
    return brief(str(value)) if sentence else value


def write_report(
    path: Path,
    title: str,
    corpus: Corpus,
    result: Result,
    gold: Gold | GoldOverview | None = None,
    command: str = "",
    surroundings: Surroundings = NOWHERE,
    people: AnnotatorProfiles | None = None,
) -> None:
    """Write the report of a result; `command` is shown as the way to repeat it, and the report
    links to its `surroundings`. It has a part on each annotator where there are profiles.
    """
    write_pieces(path, report_pieces(title, corpus, result, gold, command, surroundings, people))


def report_pieces(
    title: str,
    corpus: Corpus,
    result: Result,
    gold: Gold | GoldOverview | None = None,
    command: str = "",
    surroundings: Surroundings = NOWHERE,
    people: AnnotatorProfiles | None = None,
    *,
    embedded: bool = False,
) -> Iterator[str]:
    """The same report, piece by piece; `embedded` in a page that has a heading of its own."""
    return pieces(
        "report.html.j2",
        report=view(title, corpus, result, gold, surroundings),
        settings=settings_in_words(result),
        command=command,
        most_annotators=MOST_ANNOTATORS,
        outlook=outlook_chart(outlooks(result)),
        people=None if people is None else view_people(people),
        people_head=HEAD,
        label_head=LABEL_HEAD,
        embedded=embedded,
    )


def report_policy() -> str:
    """The security policy of a report, as in its head."""
    return str(_environment().globals["policy"])


def write_page(path: Path, template: str, **values: Any) -> None:
    """Write a page; the file appears when it is complete."""
    write_pieces(path, pieces(template, **values))


def write_pieces(path: Path, page: Iterator[str]) -> None:
    """Write the pieces of a page in the same way."""
    with (
        new_file(path) as temporary,
        # Half a surrogate pair is not UTF-8; written as \udXXX it is still JSON, and readable.
        temporary.open("w", encoding="utf-8", errors="backslashreplace") as file,
    ):
        for piece in page:
            file.write(piece)


def _asset(environment: Environment, name: str) -> str:
    if environment.loader is None:
        return ""
    return environment.loader.get_source(environment, name)[0]


def _hash(script: str) -> str:
    """What the page's security policy lets run: this script and nothing else."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
