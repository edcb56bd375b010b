"""The command line: `goldspan VERB …`; an error is one sentence and exit code 2."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, cast

from goldspan.engine.errors import LONGEST, GoldspanError, InputError
from goldspan.plugin.cli import verbs
from goldspan.plugin.cli.verbs import VERBS
from goldspan.plugin.terminal import OUTPUT, visible_output

if TYPE_CHECKING:
    from goldspan.plugin.cli.command import Command

DONE, GATE, BAD, BROKEN = 0, 1, 2, 70
"""Done, a gate was not met, bad usage or input, and a bug in goldspan (EX_SOFTWARE)."""

DEBUG = "GOLDSPAN_DEBUG"
"""The environment variable that shows where goldspan itself failed."""

INTERRUPTED, UNHEARD = 130, 141
"""What a shell says of a program that the user, or the reader of its output, has ended."""


class Parser(argparse.ArgumentParser):
    """Argparse with one sentence on bad usage instead of the whole usage text."""

    def error(self, message: str) -> NoReturn:
        """Print the sentence and where to look; exit with 2."""
        self.exit(BAD, f"goldspan: {' '.join(message.split())} (see {self.prog} --help)\n")


class ShowVersion(argparse.Action):
    """Print the version; it is looked up only then, because that takes a while."""

    def __call__(self, parser: argparse.ArgumentParser, *_others: object) -> NoReturn:
        from importlib.metadata import version  # noqa: PLC0415 - slow to import

        print(f"goldspan {version('goldspan')}")  # noqa: T201 - this is what it is for
        parser.exit()


class ShowCitation(argparse.Action):
    """Print what to cite."""

    def __call__(self, parser: argparse.ArgumentParser, *_others: object) -> NoReturn:
        from goldspan.plugin.cli.citation import citation  # noqa: PLC0415 - slow to import

        print(citation(), end="")  # noqa: T201 - this is what it is for
        parser.exit()


def build_parser(asked: str | None = None) -> Parser:
    """The parser of all verbs; with the verb that is asked for, the options of that one alone."""
    parser = Parser(
        prog="goldspan",
        description="Inter-annotator agreement on spans (γ, γcat, γk) and merged gold.",
        epilog="Try: goldspan formats",
    )
    parser.add_argument(
        "--version", action=ShowVersion, nargs=0, help="show program's version number and exit"
    )
    parser.add_argument(
        "--cite",
        action=ShowCitation,
        nargs=0,
        help="show what to cite, as text and BibTeX, and exit",
    )
    subparsers = parser.add_subparsers(
        dest="verb", metavar="VERB", required=True, parser_class=Parser
    )
    # The demo runs other verbs, which it must not import.
    parser.set_defaults(main=main)
    for verb, summary in VERBS.items():
        if asked in (None, verb):
            module = importlib.import_module(f"{verbs.__name__}.{verb.replace('-', '_')}")
            module.add(subparsers)
        else:
            subparsers.add_parser(verb, help=summary)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run a verb: 0 done, 1 a gate was not met, 2 bad usage or input, 70 a bug in goldspan.

    Without arguments it is the whole of this process, and its words are those of the process.
    """
    if argv is None:
        return _main(sys.argv[1:])
    with _same_signals():
        return _main(argv)


@contextmanager
def _same_signals() -> Iterator[None]:
    """Signals do what they did before, whatever the verb made them do."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is not handler:
                signal.signal(number, handler)


def _main(words: Sequence[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show γ or a name shows an escape instead of a traceback.
            stream.reconfigure(errors="backslashreplace")
    with visible_output():
        try:
            asked = next((word for word in words if not word.startswith("-")), "")
            args = build_parser(asked if asked in VERBS else "").parse_args(words)
        except SystemExit as stop:
            return cast("int", stop.code)
        except KeyboardInterrupt:
            return _say("interrupted", INTERRUPTED)
        return _run(args, words)


def _run(args: argparse.Namespace, words: Sequence[str]) -> int:
    """Run the verb; whatever goes wrong is a sentence and a code."""
    command = cast("Command[object]", args.command)
    try:
        code = command(args)
        sys.stdout.flush()
    except GoldspanError as error:
        return _say(f"{error}{_command_to_copy(error, words)}")
    except (BrokenPipeError, SystemExit):
        # The reader of our output is gone. rich makes an exit of it, with the code that we keep
        # for gates.
        _give_up_output()
        return UNHEARD
    except OSError as error:
        if error.filename == OUTPUT:
            _give_up_output()
        return _say(f"{error.filename or 'the file'}: {error.strerror or error}")
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - whatever it is, a user sees a sentence
        if os.environ.get(DEBUG):
            import traceback  # noqa: PLC0415 - slow to import

            traceback.print_exc()
        return _say(
            f"goldspan itself failed ({type(error).__name__}: {error}); this is a bug in "
            f"goldspan, please report it with what {DEBUG}=1 shows",
            BROKEN,
        )
    return code


def _command_to_copy(error: GoldspanError, words: Sequence[str]) -> str:
    """The command that was given, with the options that the error says are missing; none where a
    name in the files makes it too long to be read.
    """
    remedy = error.remedy if isinstance(error, InputError) else ()
    missing = [
        word
        for option, value in zip(remedy[::2], remedy[1::2], strict=True)
        if option not in words
        for word in (option, value)
    ]
    if not missing:
        return ""
    import shlex  # noqa: PLC0415 - for this only

    command = shlex.join(["goldspan", *words, *missing])
    return f". To copy: {command}" if len(command) <= LONGEST else ""


def _give_up_output() -> None:
    # The interpreter flushes once more when it ends, and would fail once more.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(sentence: str, code: int = BAD) -> int:
    line = " ".join(sentence.split())
    print(f"goldspan: {line}", file=sys.stderr)  # noqa: T201 - this is what it is for
    return code
