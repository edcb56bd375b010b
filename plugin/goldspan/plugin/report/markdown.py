"""Markdown: a result as a comment on a pull request; whatever comes from data is escaped."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from goldspan.adapters.files.atomic import new_file
from goldspan.engine.disagreement import DISAGREEMENT_KINDS
from goldspan.plugin.report import wording
from goldspan.plugin.report.reproduce import settings_in_words
from goldspan.plugin.report.view import view

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.gold.overview import GoldOverview
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result

MOST_ROWS = 20
LONGEST = 80
"""A comment may have some 65,000 characters; so many rows of so many characters stay far below."""

SENTENCE = 600

_SPECIAL = re.compile(r"[\\`*_{}\[\]()#+!|~$-]")
# Spelt as entities: they would begin a tag, an entity, a mention or a link.
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;", "://": "&#58;//"}


def escape(value: Any, longest: int = LONGEST) -> str:
    """A value as Markdown that shows it as it is, on one line; our own sentences are left alone."""
    if isinstance(value, Markup):
        return str(value)
    text = " ".join(str(value).split())
    if len(text) > longest:
        text = f"{text[: longest - 1]}…"
    text = _SPECIAL.sub(r"\\\g<0>", text)
    for plain, entity in _ENTITIES.items():
        text = text.replace(plain, entity)
    return text


def render(template: str, **values: Any) -> str:
    """A Markdown template filled in; every value is escaped unless a filter made it."""
    # Not HTML: `finalize` takes the part that autoescape has there.
    environment = Environment(  # noqa: S701
        loader=PackageLoader("goldspan.plugin.report"),
        undefined=StrictUndefined,
        finalize=escape,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "number": lambda *given: Markup(wording.number(*given)),  # noqa: S704 - digits
        "share": lambda value: Markup(wording.share(value)).replace("<", "&lt;"),  # noqa: S704 - digits
        "many": lambda *given: Markup(wording.many(*given)),  # noqa: S704 - our own nouns
        "sentence": lambda value: Markup(escape(value, SENTENCE)),  # noqa: S704 - escaped
        "ours": Markup,
    }
    environment.globals |= {
        "interval": lambda figure: Markup(wording.interval(figure)),  # noqa: S704 - digits
        "wording": wording,
        "KINDS": DISAGREEMENT_KINDS,
        "most": MOST_ROWS,
    }
    return environment.get_template(template).render(**values)


def report_text(
    title: str, corpus: Corpus, result: Result, gold: Gold | GoldOverview | None = None
) -> str:
    """A result for a pull request."""
    return render(
        "report.md.j2",
        report=view(title, corpus, result, gold),
        settings=settings_in_words(result),
    )


def write_markdown(path: Path, text: str) -> None:
    """Write it; the file appears when it is complete."""
    with (
        new_file(path) as temporary,
        temporary.open("w", encoding="utf-8", errors="backslashreplace") as file,
    ):
        file.write(text)
