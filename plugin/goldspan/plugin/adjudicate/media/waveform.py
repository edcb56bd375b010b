"""Waveform: the loudest moments of a recording, a hundred a second, computed once.

goldspan reads WAV itself. For other recordings it needs ffmpeg on the path.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from goldspan.adapters.files.atomic import new_file
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.plugin.adjudicate.media.library import Recording

LEVELS = (100, 10, 1)
"""Pairs a second."""

FFMPEG_RATE = 8000
BLOCK_SECONDS = 60
"""So much of a recording is in memory at a time."""

Pairs = npt.NDArray[np.int8]
"""The lowest and highest value of each moment, from -128 to 127; one row a moment."""


class NoWaveformError(InputError):
    """There is none, and the sentence says why; playing is not affected."""


class Waveforms:
    """The waveforms of recordings, kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._known: dict[str, Pairs] = {}

    def pairs(self, recording: Recording, level: int) -> Pairs:
        """All pairs at a level; NoWaveformError where there are none."""
        finest = self._finest(recording.path)
        step = LEVELS[0] // level
        if step == 1 or not len(finest):
            return finest
        starts = np.arange(0, len(finest), step)
        low = np.minimum.reduceat(finest[:, 0], starts)
        high = np.maximum.reduceat(finest[:, 1], starts)
        return np.stack([low, high], axis=1)

    def _finest(self, path: Path) -> Pairs:
        seen = path.stat()
        said = f"{path}\0{seen.st_size}\0{seen.st_mtime_ns}"
        key = hashlib.sha256(said.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        with self._lock:
            if key not in self._known:
                self._known[key] = self._load(self._folder / f"{key}.i8", path)
            return self._known[key]

    def _load(self, kept: Path, path: Path) -> Pairs:
        if not kept.is_file():
            found = np.concatenate([np.zeros((0, 2), np.int8), *read_pairs(path)])
            with new_file(kept) as temporary:
                temporary.write_bytes(found.tobytes())
        return np.frombuffer(kept.read_bytes(), np.int8).reshape(-1, 2)


def seconds_of(path: Path) -> float | None:
    """The length of a WAV file; None for other recordings."""
    try:
        with wave.open(str(path), "rb") as file:
            return file.getnframes() / file.getframerate()
    except (wave.Error, EOFError, OSError, ZeroDivisionError):
        return None


def read_pairs(path: Path) -> Iterator[Pairs]:
    """The finest pairs of a recording, a block at a time."""
    if path.suffix.lower() == ".wav":
        try:
            yield from _read_wav(path)
        except (wave.Error, EOFError, ZeroDivisionError) as error:
            if shutil.which("ffmpeg") is None:
                raise NoWaveformError(
                    f"No waveform: goldspan reads WAV with PCM samples, and this file has others "
                    f"({error}); for those it needs ffmpeg. Playing works."
                ) from error
            yield from _read_with_ffmpeg(path)
    else:
        yield from _read_with_ffmpeg(path)


def _read_wav(path: Path) -> Iterator[Pairs]:
    with wave.open(str(path), "rb") as file:
        rate, width, channels = file.getframerate(), file.getsampwidth(), file.getnchannels()
        if width > 4 or rate < LEVELS[0]:
            raise wave.Error(f"{8 * width} bits at {rate} Hz")
        while data := file.readframes(rate * BLOCK_SECONDS):
            whole = len(data) - len(data) % (width * channels)
            samples = _top_bytes(data[:whole], width).reshape(-1, channels)
            if not len(samples):
                return
            yield _extremes(samples.min(axis=1), samples.max(axis=1), rate)


def _top_bytes(data: bytes, width: int) -> npt.NDArray[np.int8]:
    """The most significant byte of each sample: all that a drawing shows."""
    raw = np.frombuffer(data, np.uint8)[width - 1 :: width]
    return (raw ^ 0x80 if width == 1 else raw).view(np.int8)


def _extremes(low: npt.NDArray[np.int8], high: npt.NDArray[np.int8], rate: int) -> Pairs:
    """The pairs of a block that begins at a whole moment."""
    count = -(-len(low) * LEVELS[0] // rate)
    starts = np.arange(count) * rate // LEVELS[0]
    return np.stack([np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)], axis=1)


def _read_with_ffmpeg(path: Path) -> Iterator[Pairs]:
    program = shutil.which("ffmpeg")
    if program is None:
        suffix = path.suffix.lower().removeprefix(".")
        raise NoWaveformError(
            f"No waveform: goldspan reads WAV itself and needs ffmpeg for {suffix}. Playing works."
        )
    size = 2 * FFMPEG_RATE * BLOCK_SECONDS
    with _decoding(program, path) as stream:
        while data := stream.read(size):
            samples = _top_bytes(data[: len(data) // 2 * 2], 2)
            if len(samples):
                yield _extremes(samples, samples, FFMPEG_RATE)


@contextmanager
def _decoding(program: str, path: Path) -> Iterator[IO[bytes]]:
    """What ffmpeg makes of the sound; NoWaveformError if it cannot."""
    words = [
        program, "-nostdin", "-v", "error", "-protocol_whitelist", "file,pipe",
        "-i", f"file:{path}", "-vn", "-ac", "1", "-ar", str(FFMPEG_RATE), "-f", "s16le", "-",
    ]  # fmt: skip
    with subprocess.Popen(  # noqa: S603 - the file's name is one word
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield cast("IO[bytes]", process.stdout)
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise NoWaveformError("No waveform: ffmpeg found no sound in it. Playing may work.")
