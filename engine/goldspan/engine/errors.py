"""Every error goldspan raises on purpose.

    GoldspanError            the base: catch this one
    ├── InputError           the data cannot be what it claims: what was found, where, what to do
    ├── SettingsError        an option or argument has no meaning here
    ├── MissingExtra         a part that is not installed was asked for
    ├── SolverError          a solver gave no usable answer
    └── WorkerError          the processes or machines that work was sent to are gone

The command line prints the message and exits with 2. Any other error is a fault of goldspan's own:
it has a sentence too, and exit code 70. `TaskFailure` is one that says in which task it showed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

LONGEST = 1000
"""Characters of a sentence that somebody should read."""


def brief(sentence: str) -> str:
    """The sentence without its middle where it quotes something that is too long to be read."""
    if len(sentence) <= LONGEST:
        return sentence
    # Its beginning says where, and its end what to do.
    return f"{sentence[: LONGEST // 2]} … {sentence[-LONGEST // 3 :]}"


class GoldspanError(Exception):
    """Base of all errors; the message is a sentence for the person who can fix the cause."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(brief(sentence))


class InputError(GoldspanError):
    """Data that cannot be used.

    `where` names the place as exactly as it is known: a file and line, or a task and region.
    `remedy` are options of the command line that would help, with their values. `choices` are all
    values that an option can have here, by option: none where the data does not say which, and
    the empty value where the option may be left out.
    """

    def __init__(
        self,
        message: str,
        *,
        where: str = "",
        remedy: tuple[str, ...] = (),
        choices: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where
        self.remedy = remedy
        self.choices = dict(choices)

    def at(self, where: str) -> InputError:
        """The same error, said of a place that only the caller knows."""
        place = f"{where}, {self.where}" if self.where else where
        return _input_error(self.message, place, self.remedy, self.choices)

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions cross process borders by their arguments, and `where` is a keyword.
        return _input_error, (self.message, self.where, self.remedy, self.choices)


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


class WorkerError(GoldspanError):
    """The workers are gone, and those that took their place; `what` they worked on may be why."""

    def __init__(self, what: str, cause: str) -> None:
        super().__init__(
            f"the workers were lost while they worked on {what} ({cause.rstrip('. ')}); the usual "
            "cause is too little memory: use fewer workers, or give each more memory"
        )
        self.what = what
        self.cause = cause

    def __reduce__(self) -> tuple[object, ...]:
        return WorkerError, (self.what, self.cause)


class TaskFailure(RuntimeError):  # noqa: N818 - it is not raised on purpose
    """A fault of goldspan's own, and the task in which it showed."""


def failure_in(task: str, error: Exception) -> Exception:
    """The error, said of a task; it can travel between processes, whatever the cause is."""
    if isinstance(error, InputError):
        return error.at(f"task '{task}'")
    if isinstance(error, SolverError):
        return SolverError(f"task '{task}': {error}")
    if isinstance(error, GoldspanError):
        return error
    if isinstance(error, MemoryError):
        return InputError("there is too little memory to measure it", where=f"task '{task}'")
    return TaskFailure(f"task '{task}': {type(error).__name__}: {error}")


def _input_error(
    message: str, where: str, remedy: tuple[str, ...], choices: Mapping[str, tuple[str, ...]]
) -> InputError:
    return InputError(message, where=where, remedy=remedy, choices=choices)
