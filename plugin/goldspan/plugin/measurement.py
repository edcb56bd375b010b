"""Measurement: how a corpus is to be measured, and where the work runs.

The command line, `sync`, the service and the spaCy scorer all measure by a `MeasureRequest`, so
that every setting and every place of work is open to each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import SettingsError
from goldspan.engine.parallel import Compute
from goldspan.engine.settings import Settings

if TYPE_CHECKING:
    from goldspan.engine.gold.calibration import Calibration
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result

COMPILING = (
    "there is no folder to store compiled code in, so every run compiles it again, which can take "
    "a minute; set NUMBA_CACHE_DIR to a writable folder"
)


@dataclass(frozen=True, slots=True)
class ComputeRequest:
    """Where the work is to run; it changes no figure. Unlike a `Compute` with an open executor, it
    can be sent to another process.

    workers  processes on this machine; 1 is this process alone
    dask     the address of a Dask scheduler; its cluster is used instead of processes
    resume   a folder for finished work, where an interrupted run goes on
    """

    workers: int = 1
    dask: str | None = None
    resume: Path | None = None

    def __post_init__(self) -> None:
        Compute(self.workers)  # it refuses a number without a meaning

    @contextmanager
    def open(
        self,
        what: str,
        settings: Settings,
        *corpora: Corpus,
        say: Callable[[str], None] | None = None,
    ) -> Iterator[Compute]:
        """The place, until the block ends. What is measured there, by these settings and on these
        corpora, decides which finished work is taken.
        """
        with ExitStack() as stack:
            keep = None
            if self.resume is not None:
                # Few runs need one.
                from goldspan.plugin.checkpoint import fingerprint, open_checkpoint  # noqa: PLC0415

                key = fingerprint(what, settings, *corpora)
                told = say or (lambda _sentence: None)
                keep = stack.enter_context(open_checkpoint(self.resume, key, told)).keep
            executor = None
            if self.dask is not None:
                from goldspan.plugin.cluster import open_cluster  # noqa: PLC0415 - few have one

                executor = stack.enter_context(open_cluster(self.dask))
            yield Compute(self.workers if executor is None else 1, executor, keep)


@dataclass(frozen=True, slots=True)
class MeasureRequest:
    """How a corpus is to be measured.

    settings      all that decides the figures
    compute       where the work runs; not in the representation, because it changes no figure
    coefficients  to measure in addition to γ, γcat and γk, by name
    pairs         also measure pairs of annotators, and without each annotator
    """

    settings: Settings = field(default_factory=Settings)
    compute: ComputeRequest = field(default_factory=ComputeRequest, repr=False)
    coefficients: tuple[str, ...] = ()
    pairs: bool = True

    def __post_init__(self) -> None:
        if self.compute.resume is not None and self.settings.max_seconds is not None:
            raise SettingsError(
                "--resume and --max-seconds exclude each other: figures that a time limit cut "
                "short cannot be completed later; use one of them"
            )
        if self.coefficients:
            # Loads compiled code, which the usual coefficients need not wait for.
            from goldspan.engine.coefficient.registry import chosen  # noqa: PLC0415

            chosen(self.coefficients)  # an unknown name shows now, not when a corpus is measured

    def measure(
        self,
        score: Callable[..., Result],
        corpus: Corpus,
        progress: Callable[[str, int, int], None] | None = None,
        say: Callable[[str], None] | None = None,
    ) -> Result:
        """The agreement of a corpus, by the engine's `score`: whoever only makes a request loads no
        compiled code. `say` hears what a folder of finished work has.
        """
        with self.compute.open("score", self.settings, corpus, say=say) as compute:
            return score(
                corpus,
                settings=self.settings,
                compute=compute,
                coefficients=self.coefficients,
                pairs=self.pairs,
                progress=progress,
            )


@dataclass(frozen=True, slots=True)
class MeasureOptions:
    """How to measure. A platform's own options extend it.

    folder          where reports and results go, a folder for each project in it
    min_confidence  suggest only spans of this confidence or more
    calibration     of the confidences
    measuring       the settings, and where the work runs
    """

    folder: Path
    min_confidence: float = 0.0
    calibration: Calibration | None = None
    measuring: MeasureRequest = field(default_factory=MeasureRequest)
