"""Media addresses: recordings of tasks, in parts as players ask for them, and their waveforms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from goldspan.plugin.adjudicate import wording
from goldspan.plugin.adjudicate.media.waveform import LEVELS, NoWaveformError, seconds_of
from goldspan.plugin.adjudicate.recording import Refused
from goldspan.plugin.adjudicate.web.answers import refuse, reply
from goldspan.plugin.adjudicate.web.parameters import Invalid, read_number

if TYPE_CHECKING:
    from goldspan.plugin.adjudicate.media.library import Library, Recording
    from goldspan.plugin.adjudicate.media.waveform import Waveforms
    from goldspan.plugin.local.address import Address


class RecordingView(msgspec.Struct, frozen=True):
    """A recording; `url` is opened as it is, `say` is what a person should know of it."""

    name: str
    type: str
    kind: str
    bytes: int
    url: str
    peaks: bool
    seconds: float | None
    say: str


class TaskMedia(msgspec.Struct, frozen=True):
    """The recordings of a task; `say` tells why there is none."""

    n: int
    say: str
    files: tuple[RecordingView, ...]


class MediaEndpoints:
    """The addresses of a library."""

    def __init__(self, library: Library, waveforms: Waveforms, address: Address) -> None:
        self._library = library
        self._waveforms = waveforms
        self._address = address

    @property
    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route("/api/tasks/{n:int}/media", self.list),
            Route("/api/media/{n:int}/{capability}", self.file),
            Route("/api/peaks/{n:int}", self.peaks),
        ]

    def list(self, request: Request) -> Response:
        """Which recordings a task has."""
        n = request.path_params["n"]
        found = self._library[n]
        files = tuple(self._view(n, at, one) for at, one in enumerate(found.recordings))
        return reply(TaskMedia(n, found.say, files))

    def _view(self, n: int, at: int, recording: Recording) -> RecordingView:
        path = recording.path
        return RecordingView(
            name=path.name,
            type=recording.type,
            kind=recording.kind,
            bytes=path.stat().st_size if path.is_file() else 0,
            url=f"/api/media/{n}/{self._address.capability(n)}?file={at}",
            peaks=True,
            seconds=seconds_of(path),
            say=recording.say,
        )

    def file(self, request: Request) -> Response:
        """A recording, or the part of it that the Range header names."""
        n = request.path_params["n"]
        if not self._address.opens_media(n, request.path_params["capability"]):
            return refuse(Refused("no-key"))
        recording = self._recording(request)
        if recording is None:
            return _no_media()
        return FileResponse(recording.path, media_type=recording.type)

    def peaks(self, request: Request) -> Response:
        """A part of a waveform: pairs of the lowest and highest values."""
        recording = self._recording(request)
        if recording is None:
            return _no_media()
        level = int(read_number(request, "level") or LEVELS[0])
        if level not in LEVELS:
            raise Invalid(wording.BAD_NUMBER.format(name="level"))
        try:
            pairs = self._waveforms.pairs(recording, level)
        except NoWaveformError as error:
            return refuse(Refused("no-media", reason=error.message, remedy=""))
        start, end = read_number(request, "from"), read_number(request, "to")
        first = max(int((start or 0) * level // 1000), 0)
        last = len(pairs) if end is None else int(-(-end * level // 1000))
        seconds = seconds_of(recording.path)
        return Response(
            pairs[first : max(last, first)].tobytes(),
            media_type="application/octet-stream",
            headers={
                "X-Goldspan-First": str(first),
                "X-Goldspan-Pairs": str(len(pairs)),
                "X-Goldspan-Seconds": f"{len(pairs) / level if seconds is None else seconds:.3f}",
            },
        )

    def _recording(self, request: Request) -> Recording | None:
        found = self._library[request.path_params["n"]].recordings
        at = int(read_number(request, "file") or 0)
        one = found[at] if 0 <= at < len(found) else None
        return one if one is not None and one.path.is_file() else None


def _no_media() -> Response:
    return refuse(Refused("no-media", reason=wording.NO_MEDIA, remedy=wording.GIVE_MEDIA))
