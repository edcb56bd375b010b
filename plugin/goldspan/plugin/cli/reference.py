"""References for verbs: the options that name one, their request, and both sides read."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters import registry
from goldspan.adapters.adapter import read_with
from goldspan.adapters.facts import FormatFact
from goldspan.engine.errors import InputError, SettingsError
from goldspan.plugin.cli.gold.adjudication import is_journal
from goldspan.plugin.cli.outputs import touches
from goldspan.plugin.cli.reading import Reading, read_corpus, resolve

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus
    from goldspan.engine.reference.against import Against
    from goldspan.engine.result import Result
    from goldspan.plugin.cli.messages import Messages
    from goldspan.plugin.measurement import MeasureRequest

LEAST_SECONDS = 0.001
"""What is left for the comparison when the time limit of the whole run is over."""

ADJUDICATED = "adjudicated"
"""What the version of a journal is called."""

JOURNAL_PRECISION = 0.1
"""As for gold: γ only says whether everything has to be looked at."""


@dataclass(frozen=True, slots=True)
class AgainstRequest:
    """The reference that annotators are compared with.

    target     an annotator of the data, or a file or folder; empty if `annotator` says it all
    annotator  the annotator who is the reference: of the file, or of the data if there is no target
    format     of the file; None if it is to be detected
    same       compare each annotator with the same annotator in the file
    """

    target: str = ""
    annotator: str = ""
    format: str | None = None
    same: bool = False

    def __post_init__(self) -> None:
        if self.same and not self.target:
            raise SettingsError("--same-annotators needs --against FILE, with the other time")
        if self.same and self.annotator:
            raise SettingsError(
                "--same-annotators compares each annotator with themselves; leave out "
                "--against-annotator"
            )
        if self.format and not self.target:
            raise SettingsError("--against-from needs --against FILE")

    @property
    def path(self) -> Path | None:
        """The file or folder, if the target is one."""
        path = Path(self.target)
        return path if self.target and path.exists() else None

    @property
    def words(self) -> list[str]:
        """The options that say it again, a file by its name."""
        target = self.path.name if self.path else self.target
        given = {
            "--against": target,
            "--against-annotator": self.annotator,
            "--against-from": self.format,
        }
        words = [word for option, value in given.items() if value for word in (option, value)]
        return words + ["--same-annotators"] * self.same


def add_against(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a reference."""
    group = parser.add_argument_group("reference")
    group.add_argument(
        "--against", metavar="NAME|FILE", default="",
        help="compare each annotator with a reference: an annotator of the data, who is then left "
        "out of the agreement, or a file or folder with the same tasks, or the journal of "
        "`goldspan adjudicate`, of which the finished tasks count",
    )  # fmt: skip
    group.add_argument(
        "--against-annotator", metavar="NAME", default="",
        help="the annotator of that file who is the reference, if it has several; without "
        "--against an annotator of the data",
    )  # fmt: skip
    group.add_argument(
        "--against-from", metavar="FORMAT", help="the format of that file; detected if not given"
    )
    group.add_argument(
        "--same-annotators", action="store_true",
        help="stability: the file has the work of the same annotators at another time, and each is "
        "compared with themselves",
    )  # fmt: skip


def against_request(args: argparse.Namespace) -> AgainstRequest | None:
    """What the arguments of `add_against` say; None if there is no reference."""
    request = AgainstRequest(
        args.against, args.against_annotator, args.against_from, args.same_annotators
    )
    return request if request.target or request.annotator else None


@dataclass(frozen=True, slots=True)
class Sides:
    """What is scored, and what it is compared with: an annotator of `whole`, or another corpus."""

    scored: Corpus
    whole: Corpus
    reference: str | Corpus
    request: AgainstRequest

    def measure(
        self,
        request: MeasureRequest,
        progress: Callable[[str, int, int], None] | None,
        say: Callable[[str], None] | None = None,
    ) -> Result:
        """The agreement of those who are scored, and each of them against the reference."""
        # These load compiled code.
        from goldspan.engine.scoring import is_scorable, score, unscored  # noqa: PLC0415

        began = time.monotonic()
        if is_scorable(self.scored):
            result = request.measure(score, self.scored, progress, say)
        else:
            # A model and a reference, say: there is nobody else to agree with.
            result = unscored(self.scored, request.settings, request.coefficients)
        limit = request.settings.max_seconds
        if limit is not None:
            left = max(limit - (time.monotonic() - began), LEAST_SECONDS)
            request = replace(request, settings=replace(request.settings, max_seconds=left))
        return replace(result, against=self._compare(request, progress))

    def _compare(
        self, request: MeasureRequest, progress: Callable[[str, int, int], None] | None
    ) -> Against:
        from goldspan.engine.reference.comparing import against, stability  # noqa: PLC0415

        reference = () if isinstance(self.reference, str) else (self.reference,)
        name = self.request.annotator if reference else self.reference
        what = f"against {self.request.same} {name}"
        with request.compute.open(what, request.settings, self.whole, *reference) as compute:
            if self.request.same and not isinstance(self.reference, str):
                return stability(
                    self.whole, self.reference,
                    settings=request.settings, compute=compute, progress=progress,
                )  # fmt: skip
            inside = isinstance(self.reference, str)
            return against(
                self.whole, self.reference, annotator="" if inside else self.request.annotator,
                settings=request.settings, compute=compute, progress=progress,
            )  # fmt: skip


def read_sides(request: AgainstRequest, reading: Reading, messages: Messages) -> Sides:
    """Read the data, and the reference where it is a file."""
    path = request.path
    if path is None:
        return _read_inside(request, reading, messages)
    for one in reading.request.paths:
        if touches(path, one):
            raise SettingsError(
                f"--against {path} is part of what is scored, {one}; name a file of its own, or an "
                "annotator of the data (--against-annotator NAME)"
            )
    corpus = read_corpus(reading, messages)
    is_plain = not (request.annotator or request.format or request.same)
    if is_plain and _is_annotator(request.target, corpus):
        raise SettingsError(
            f"--against {request.target}: this is a file and also an annotator; write --against "
            f"./{request.target} for the file, or --against-annotator {request.target} for the "
            "annotator"
        )
    if is_journal(path):
        return Sides(corpus, corpus, read_journal(path, corpus), request)
    return Sides(corpus, corpus, _read_reference(request, path, reading, messages), request)


def read_journal(path: Path, corpus: Corpus) -> Corpus:
    """The tasks that adjudicators finished, as one version."""
    # These load the engine.
    from goldspan.engine.gold.merging import merge  # noqa: PLC0415
    from goldspan.engine.scoring import score  # noqa: PLC0415
    from goldspan.plugin.adjudicate.docket import Docket  # noqa: PLC0415
    from goldspan.plugin.adjudicate.journal.opening import read_journals  # noqa: PLC0415
    from goldspan.plugin.adjudicate.output.derivation import settled_version  # noqa: PLC0415

    gold = merge(corpus, score(corpus, precision=JOURNAL_PRECISION, pairs=False))
    journals = read_journals(path, gold.corpus)
    found = settled_version(Docket(gold, journals.ledger, new_labels=True), ADJUDICATED)
    if not found.continua:
        raise InputError(
            "no task is finished yet: each has places that wait for a decision", where=str(path)
        )
    return found


def _read_inside(request: AgainstRequest, reading: Reading, messages: Messages) -> Sides:
    """The reference is an annotator of the data, also one whose name means a merged version."""
    name = request.annotator if not request.target else request.target
    if request.target and (request.annotator or request.same or request.format):
        raise SettingsError(f"--against: there is no file or folder {request.target}")
    options = replace(
        reading.options, include_annotators=(*reading.options.include_annotators, name)
    )
    adapter = registry.get(reading.format)
    corpus = read_with(adapter, list(reading.request.paths), options)
    if name not in corpus.annotators:
        what = "no file and no annotator" if request.target else "no annotator"
        known = ", ".join(f"'{one}'" for one in corpus.annotators)
        raise SettingsError(f"--against: there is {what} '{name}'; annotators are {known}")
    messages.say_notes(corpus.notes)
    others = [one for one in corpus.annotators if one != name]
    if not others:
        raise SettingsError(
            f"--against: '{name}' is the only annotator, so there is nobody to compare with the "
            "reference"
        )
    scored = replace(corpus, continua=tuple(one.only(others) for one in corpus))
    return Sides(scored, corpus, name, request)


def _is_annotator(name: str, corpus: Corpus) -> bool:
    """Whether the data has an annotator of this name, or a merged version that was left out."""
    left_out = (
        dict(note.fact.parameters).get("annotator")
        for note in corpus.notes
        if note.fact.kind is FormatFact.MERGED_VERSION
    )
    return name in corpus.annotators or name in left_out


def _read_reference(
    request: AgainstRequest, path: Path, reading: Reading, messages: Messages
) -> Corpus:
    """The other file. Options that only one format understands hold for it if it has the same
    format. Merged versions count, unless each annotator is compared with themselves.
    """
    from goldspan.adapters.kit.annotator_filter import PSEUDO_ANNOTATORS  # noqa: PLC0415 - the kit

    options = replace(reading.request.options, assignments=None)
    if not request.same:
        options = replace(
            options, exclude_annotators=(), include_annotators=tuple(sorted(PSEUDO_ANNOTATORS))
        )
    asked = replace(reading.request, paths=(path,), format=request.format, options=options)
    found = resolve(asked, messages)
    if found.format != reading.format:
        plain = replace(found.options, annotator_from=None, category_from=None, layers=(), own={})
        found = replace(found, options=plain)
    corpus = read_with(registry.get(found.format), [path], found.options)
    notes = [n for n in corpus.notes if n.fact.kind is not FormatFact.UNKNOWN_INCLUDED]
    messages.say_notes(notes)
    return replace(corpus, notes=tuple(notes))
