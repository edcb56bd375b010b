"""The command: `python -m spacy goldspan VERB …` is `goldspan VERB …`."""

from __future__ import annotations

import typer
from spacy.cli import app  # type: ignore[attr-defined]  # it does not say that it exports it

# Nothing after the name is spaCy's: not even --help.
ALL_OURS = {
    "allow_extra_args": True,
    "allow_interspersed_args": False,
    "ignore_unknown_options": True,
}


@app.command("goldspan", add_help_option=False, context_settings=ALL_OURS)
def goldspan(context: typer.Context) -> None:
    """Inter-annotator agreement on spans (γ, γcat, γk) and merged gold."""
    # spaCy loads this module for each of its commands; the verbs are loaded for this one only.
    from goldspan.plugin.cli import main  # noqa: PLC0415

    raise typer.Exit(main(context.args))
