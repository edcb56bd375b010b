"""Recordings: found where they may be, served in parts, drawn as they sound."""

from __future__ import annotations

import shutil
import wave
from pathlib import Path

import numpy as np
import pytest

from adjudication_projects import desk_at
from eaf_files import EafText
from goldspan.adapters import read
from goldspan.engine.errors import SettingsError
from goldspan.engine.model import Continuum, Corpus, Measure, Unit
from goldspan.plugin.adjudicate.media.library import (
    Found,
    Library,
    MediaRequest,
    Recording,
    find_media,
    media_request,
)
from goldspan.plugin.adjudicate.media.waveform import NoWaveformError, Waveforms, seconds_of
from goldspan.plugin.adjudicate.web.app import build_app
from goldspan.plugin.adjudicate.web.endpoints import Endpoints
from goldspan.plugin.adjudicate.web.media import MediaEndpoints
from goldspan.plugin.local.address import Address
from service_parts import Client

ADDRESS = Address("k" * 43, 8123)
HOST = {"Host": "127.0.0.1:8123"}
KEY = HOST | {"Authorization": f"Bearer {ADDRESS.key}"}


def write_wav(
    path: Path, seconds: float, rate: int = 8000, width: int = 2, channels: int = 1
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """A tone that gets louder; returns its samples, from -1 to 1."""
    at = np.arange(int(seconds * rate)) / rate
    values = np.sin(2 * np.pi * 50 * at) * at / seconds
    tops = np.round(values * 2 ** (8 * width - 1) * 0.99).astype(np.int64)
    tops += 128 if width == 1 else 0
    raw = tops.astype("<i8").view(np.uint8).reshape(-1, 8)[:, :width]
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(np.repeat(raw, channels, axis=0).tobytes())
    return values


def corpus(media: str | None, task: str = "rec") -> Corpus:
    units = (Unit("a", 0, 500, "X"), Unit("b", 0, 600, "X"))
    one = Continuum(task, units, length=2000, measure=Measure.MILLISECOND, media=media)
    return Corpus((one,))


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize(("rate", "channels"), [(8000, 1), (11025, 2), (44100, 1)])
def test_a_pair_is_the_lowest_and_the_highest_sample(
    tmp_path: Path, rate: int, channels: int, width: int
) -> None:
    path = tmp_path / "tone.wav"
    values = write_wav(path, 2.345, rate, width, channels)
    waveforms = Waveforms(tmp_path / "peaks")
    for level in (100, 10, 1):
        pairs = waveforms.pairs(Recording(path), level)
        edges = [at * rate // level for at in range(-(-len(values) * level // rate))]
        assert len(pairs) == len(edges)
        for at, start in enumerate(edges[:-1]):
            part = values[start : edges[at + 1]] * 127
            assert pairs[at, 0] == pytest.approx(part.min(), abs=2)
            assert pairs[at, 1] == pytest.approx(part.max(), abs=2)
    assert seconds_of(path) == pytest.approx(2.345, abs=1e-3)


def test_a_waveform_is_kept_until_the_recording_changes(tmp_path: Path) -> None:
    path = tmp_path / "tone.wav"
    write_wav(path, 1)
    first = Waveforms(tmp_path / "peaks").pairs(Recording(path), 100)
    (kept,) = (tmp_path / "peaks").iterdir()
    kept.write_bytes(b"\x01\x02")
    assert Waveforms(tmp_path / "peaks").pairs(Recording(path), 100).tolist() == [[1, 2]]
    write_wav(path, 2)
    assert len(Waveforms(tmp_path / "peaks").pairs(Recording(path), 100)) == 2 * len(first)


def test_other_recordings_need_ffmpeg_and_a_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "song.mp3").write_bytes(b"ID3")
    (tmp_path / "odd.wav").write_bytes(b"RIFF....WAVE")
    waveforms = Waveforms(tmp_path / "peaks")
    with pytest.raises(NoWaveformError, match=r"needs ffmpeg for mp3. Playing works."):
        waveforms.pairs(Recording(tmp_path / "song.mp3"), 100)
    with pytest.raises(NoWaveformError, match="PCM samples"):
        waveforms.pairs(Recording(tmp_path / "odd.wav"), 100)


@pytest.mark.parametrize(
    "named",
    [
        "rec.wav", "./rec.wav", "sub/../rec.wav", "file:///home/somebody/else/rec.wav",
        "C:\\Users\\ana\\rec.wav", "https://example.org/audio/rec.wav?x=1",
        "/data/upload/3/0a1b2c3d-rec.wav", "/data/local-files/?d=audio/rec.wav",
    ],
)  # fmt: skip
def test_a_recording_is_found_beside_the_input_by_its_name(tmp_path: Path, named: str) -> None:
    write_wav(tmp_path / "rec.wav", 0.1)
    (found,) = find_media(corpus(named), [tmp_path / "x.csv"], MediaRequest()).tasks
    assert [one.path.name for one in found.recordings] == ["rec.wav"]


@pytest.mark.parametrize(
    "named",
    [
        "../secret.wav", "sub/../../secret.wav", "link.wav", "notes.txt", "folder.wav", "",
        "..", "\x00.wav", "rec.wav\x00",
    ],
)  # fmt: skip
def test_nothing_outside_of_the_folders_is_found(tmp_path: Path, named: str) -> None:
    home = tmp_path / "home"
    (home / "sub").mkdir(parents=True)
    (home / "folder.wav").mkdir()
    write_wav(tmp_path / "secret.wav", 0.1)
    (home / "link.wav").symlink_to(tmp_path / "secret.wav")
    (home / "notes.txt").write_text("secret")
    (found,) = find_media(corpus(named or None), [home / "x.csv"], MediaRequest()).tasks
    assert found.recordings == ()
    assert bool(found.say) == bool(named)


def test_elan_names_recordings_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "sound").mkdir()
    write_wav(tmp_path / "sound" / "a.wav", 0.1)
    (tmp_path / "sound" / "a.mp4").write_bytes(b"")
    text = EafText(media="file:///D:/gone/a.mp4")
    text.tier("x", [(0, 500, "laugh")], ANNOTATOR="x")
    text.tier("y", [(0, 600, "laugh")], ANNOTATOR="y")
    one = '<MEDIA_DESCRIPTOR MEDIA_URL="file:///D:/gone/a.mp4" MIME_TYPE="audio/x-wav"/>'
    two = "".join(
        f'<MEDIA_DESCRIPTOR MEDIA_URL="file:///D:/gone/{name}" MIME_TYPE="audio/x-wav" '
        f'RELATIVE_MEDIA_URL="./sound/{name}"/>'
        for name in ("a.mp4", "a.wav")
    )
    assert one in str(text)
    path = tmp_path / "a.eaf"
    path.write_text(str(text).replace(one, two), encoding="utf-8")
    library = find_media(read(path), [path], MediaRequest())
    assert [one.path.name for one in library[0].recordings] == ["a.mp4", "a.wav"]


def test_media_gives_folders_and_files(tmp_path: Path) -> None:
    write_wav(tmp_path / "rec.wav", 0.1)
    for words in ([str(tmp_path)], [f"rec={tmp_path / 'rec.wav'}"]):
        library = find_media(corpus(None), [Path("elsewhere/x.csv")], media_request(words))
        assert [one.path.name for one in library[0].recordings] == ["rec.wav"]
    for bad in ("nowhere", "rec=nothing.wav", f"rec={__file__}"):
        with pytest.raises(SettingsError, match="--media"):
            media_request([bad])
    with pytest.raises(SettingsError, match="no task has this name"):
        find_media(corpus(None), [], media_request([f"x={tmp_path / 'rec.wav'}"]))


@pytest.fixture
def client(tmp_path: Path) -> Client:
    write_wav(tmp_path / "rec.wav", 2)
    (tmp_path / "old.avi").write_bytes(b"RIFF")
    library = Library(
        (Found((Recording(tmp_path / "rec.wav"), Recording(tmp_path / "old.avi"))), Found())
    )
    media = MediaEndpoints(library, Waveforms(tmp_path / "peaks"), ADDRESS)
    desk = desk_at(tmp_path / "journal")
    desk.close()
    return Client(build_app(Endpoints(desk, library), ADDRESS, print, media.routes))


def test_players_get_parts_and_nobody_else_anything(client: Client, tmp_path: Path) -> None:
    listed = client.get("/api/tasks/0/media", headers=KEY).json()
    sound, film = listed["files"]
    whole = (tmp_path / "rec.wav").read_bytes()
    assert (sound["type"], sound["bytes"], sound["seconds"]) == ("audio/wav", len(whole), 2.0)
    assert "Browsers do not play .avi" in film["say"]
    assert client.get("/api/project", headers=KEY).json()["tasks"][0]["media"] == "rec.wav"
    got = client.get(sound["url"], headers=HOST)
    assert (got.status_code, got.content) == (200, whole)
    part = client.get(sound["url"], headers=HOST | {"Range": "bytes=100-199"})
    assert (part.status_code, part.content) == (206, whole[100:200])
    assert part.headers["content-range"] == f"bytes 100-199/{len(whole)}"
    assert client.get(sound["url"], headers=HOST | {"Range": "bytes=99999999-"}).status_code == 416
    other = sound["url"].replace("/0/", "/1/")
    for url, status in (
        (other, 401), ("/api/media/0/wrong?file=0", 401), ("/api/media/0/é", 401),
        (f"/api/media/1/{ADDRESS.capability(1)}", 404), (sound["url"][:-1] + "7", 404),
        (f"/api/media/0/{ADDRESS.capability(0)}/../../x", 404), ("/api/peaks/0", 401),
    ):  # fmt: skip
        assert client.get(url, headers=HOST).status_code == status, url
    foreign = HOST | {"Sec-Fetch-Site": "cross-site"}
    assert client.get(sound["url"], headers=foreign).status_code == 403
    assert client.get("/api/tasks/1/media", headers=KEY).json()["files"] == []
    assert client.get("/api/tasks/99/media", headers=KEY).json()["files"] == []


def test_a_window_of_the_waveform(client: Client, tmp_path: Path) -> None:
    whole = Waveforms(tmp_path / "peaks").pairs(Recording(tmp_path / "rec.wav"), 100)
    part = client.get("/api/peaks/0?level=100&from=255&to=1000", headers=KEY)
    assert part.content == whole[25:100].tobytes()
    assert part.headers["x-goldspan-first"] == "25"
    assert part.headers["x-goldspan-pairs"] == "200"
    assert part.headers["x-goldspan-seconds"] == "2.000"
    assert len(client.get("/api/peaks/0?level=1", headers=KEY).content) == 4
    assert client.get("/api/peaks/0?level=7", headers=KEY).status_code == 422
    assert client.get("/api/peaks/0?from=5000&to=9", headers=KEY).content == b""
    assert client.get("/api/peaks/1", headers=KEY).status_code == 404
    if shutil.which("ffmpeg") is None:
        answer = client.get("/api/peaks/0?file=1", headers=KEY)
        assert (answer.status_code, answer.json()["error"]) == (404, "no-media")
    (tmp_path / "rec.wav").unlink()
    assert client.get("/api/peaks/0", headers=KEY).status_code == 404
