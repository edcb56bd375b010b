"""Every error goldspan raises on purpose.

    GoldspanError            the base: catch this one
    ├── InputError           the data cannot be what it claims: what was found, where, what to do
    ├── SettingsError        an option or argument has no meaning here
    ├── MissingExtra         a part that is not installed was asked for
    └── SolverError          a solver gave no usable answer

The command line prints the message and exits with 2. Any other error is a fault of goldspan's own:
it has a sentence too, and exit code 70.
"""

from __future__ import annotations

LONGEST = 1000
"""Characters of a sentence that somebody should read."""


def brief(sentence: str) -> str:
    """The sentence without its middle where it quotes something that is too long to be read."""
    if len(sentence) <= LONGEST:
        return sentence
    # Its beginning says where, and its end what to do.
    return f"{sentence[: LONGEST // 2]} … {sentence[-LONGEST // 3 :]}"


class GoldspanError(Exception):
    """Base of all errors; the message is a sentence for the person who can mend the cause."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(brief(sentence))


class InputError(GoldspanError):
    """Data that cannot be used.

    `where` names the place as exactly as it is known: a file and line, or a task and region.
    """

    def __init__(self, message: str, *, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where

    def at(self, where: str) -> InputError:
        """The same error, said of a place that only the caller knows."""
        return InputError(self.message, where=f"{where}, {self.where}" if self.where else where)

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions cross process borders by their arguments, and `where` is a keyword.
        return _input_error, (self.message, self.where)


class SettingsError(GoldspanError):
    """A setting out of its range, or two that exclude each other."""


class MissingExtra(GoldspanError):  # noqa: N818 - it names what is missing
    """A feature needs an optional part of goldspan that is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(
            f'{feature} needs a part that is not installed: pip install "goldspan[{extra}]"'
        )
        self.feature = feature
        self.extra = extra

    def __reduce__(self) -> tuple[object, ...]:
        return MissingExtra, (self.feature, self.extra)


class SolverError(GoldspanError):
    """A solver stopped without an answer that could be proved."""


def _input_error(message: str, where: str) -> InputError:
    return InputError(message, where=where)
