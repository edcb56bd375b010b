"""`goldspan open --host` over HTTP: who may come in, whose files are whose, and what is refused."""

from __future__ import annotations

import io
import json
import socket
import tempfile
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from goldspan.plugin.cli import main
from goldspan.plugin.open.data import Limits
from goldspan.plugin.open.refusal import Refused
from goldspan.plugin.open.team.people import People
from open_server import PASSWORD, Person, TeamServer

ROWS = b"""task,annotator,category,start,end
d1,ann,X,1,5
d1,ben,X,1,6
d1,ann,Y,8,12
d1,ben,Z,8,12
d2,ann,X,3,9
d2,ben,Y,3,9
"""
VISITORS = 200
"""Each of them calls at the same moment."""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("secret-place") / "shared.csv"
    path.write_bytes(ROWS)
    return path


@pytest.fixture(scope="module")
def server(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeamServer]:
    folder = tmp_path_factory.mktemp("team")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        with TeamServer(folder, "--max-megabytes", "1", "--share", shared) as running:
            yield running


def read(person: Person, data: str) -> httpx.Response:
    return person.post("/api/read", state={"data": data})


def test_without_a_session_there_is_the_login_and_nothing_else(server: TeamServer) -> None:
    assert httpx.get(f"{server.url}/").headers["location"] == "/login"
    page = httpx.get(f"{server.url}/login")
    assert 'type="password"' in page.text
    assert "form-action 'self'" in page.headers["content-security-policy"]
    for path in ("/api/start", "/api/team", "/api/data/given", "/api/media/report/x"):
        answer = httpx.get(server.url + path, cookies={"goldspan-session": "guess"})
        assert (answer.status_code, answer.json()["error"]) == (401, "no-session")
    bearer = {"Authorization": f"Bearer {PASSWORD}"}
    assert httpx.post(f"{server.url}/api/read", json={}, headers=bearer).status_code == 401


def guess(server: TeamServer, password: str) -> httpx.Response:
    return httpx.post(f"{server.url}/login", data={"password": password})


def test_a_wrong_password_opens_nothing_and_guessing_is_slowed(tmp_path: Path) -> None:
    with TeamServer(tmp_path) as server:
        known = server.person()
        first = guess(server, "guess")
        assert first.status_code == 403
        assert "This is not the password." in first.text
        assert "set-cookie" not in first.headers
        guesses = (guess(server, f"guess {n}") for n in range(10_000))
        slowed = next(one for one in guesses if int(one.headers.get("retry-after", 0)) >= 8)
        assert slowed.status_code == 429
        assert guess(server, PASSWORD).status_code == 429, "it is not looked at"
        right = {"password": PASSWORD}
        again = known.client.post("/login", data=right)
        assert again.status_code == 303, "a browser that has shown the password does not wait"
        assert PASSWORD not in server.errors
        assert server.errors.count("refused a wrong password") < 5, "the log is throttled"


def test_another_site_can_use_no_session(server: TeamServer) -> None:
    person = server.person()
    for headers in (
        {"Origin": "https://other.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "null"},
    ):
        for path in ("/api/team/delete", "/login"):
            answer = person.client.post(path, json={}, headers=headers)
            assert (answer.status_code, answer.json()["error"]) == (403, "other-origin")
    assert person.client.get("/api/team", headers={"Host": "a b"}).status_code == 400
    text = person.client.post(
        "/api/team/delete", content="{}", headers={"Content-Type": "text/plain"}
    )
    assert text.status_code == 415
    login = httpx.post(f"{server.url}/login", data={"password": PASSWORD})
    session = next(one for one in login.headers.get_list("set-cookie") if "session" in one)
    assert "HttpOnly" in session
    assert "SameSite=strict" in session
    assert "Secure" not in session
    name = server.url.removeprefix("http://")
    behind = httpx.post(
        f"{server.url}/login", data={"password": PASSWORD}, headers={"Origin": f"https://{name}"}
    )
    assert "Secure" in behind.headers["set-cookie"], "a proxy adds TLS"


def test_files_are_apart_by_person_and_deleted_on_demand(server: TeamServer) -> None:
    one, other = server.person(), server.person()
    data = one.send("rows.csv", ROWS)
    assert read(one, data).json()["units"] == 6
    assert read(other, data).json()["error"] == "gone"
    assert other.client.delete(f"/api/data/{data}").json()["error"] == "gone"
    other.send("mine.csv", ROWS)
    (stored,) = one.status()["sets"]
    assert (stored["names"], stored["files"], stored["bytes"]) == (["rows.csv"], 1, len(ROWS))
    made = one.post("/api/measure", state={"data": data}, stage="full").json()
    report = f"/api/media/report/{made['report']}"
    assert one.client.get(report).status_code == 200
    assert other.client.get(report).json()["error"] == "gone"

    assert one.post("/api/team/delete").status_code == 200
    assert one.status()["sets"] == []
    assert len(other.status()["sets"]) == 1
    for answer in (read(one, data), one.client.get(report)):
        assert answer.json()["error"] == "gone"
    assert other.post("/api/team/leave").status_code == 200
    assert other.client.get("/api/team").status_code == 401


def test_a_comparison_of_rounds_opens_again_after_its_process_forgot_it(
    server: TeamServer,
) -> None:
    one, other = server.person(), server.person()
    first, second = one.send("first.csv", ROWS), one.send("second.csv", ROWS.replace(b"Z", b"Y"))
    made = one.post("/api/rounds", state={"data": first}, later=second, tab="t").json()
    (step,) = made["comparison"]["steps"]
    assert (step["from"], step["to"], step["n_shared_tasks"]) == ("first", "second", 2)
    address = f"/api/media/rounds/{made['report']}"
    page = one.client.get(address)
    assert "first → second" in page.text
    assert other.client.get(address).json()["error"] == "gone"
    more = one.send("more.csv", ROWS)
    assert read(one, more).json()["units"] == 6
    assert one.client.delete(f"/api/data/{more}").status_code == 200  # the process forgets all
    assert one.client.get(address).text == page.text
    assert other.post("/api/rounds", state={"data": first}, later=second).json()["error"] == "gone"


def test_a_unit_is_explained_to_the_person_whose_it_is(server: TeamServer) -> None:
    one, other = server.person(), server.person()
    call: dict[str, Any] = {"state": {"data": one.send("rows.csv", ROWS)}, "task": "d1"}
    drawn = one.post("/api/task", **call).json()
    why = one.post("/api/unit", **call, link=0).json()
    assert why["total"] == drawn["disorder"]
    assert why["alternative"]["disorder"] >= why["total"]
    assert [unit["annotator"] for unit in why["units"]] == ["ann", "ben"]
    for path, more in (("/api/task", {}), ("/api/unit", {"link": 0})):
        assert other.post(path, **call, **more).json()["error"] == "gone"


def test_no_answer_says_where_files_are(server: TeamServer, shared: Path) -> None:
    person = server.person()
    places = (tempfile.gettempdir(), str(shared.parent), str(Path.cwd()))
    bad = person.send("noise.bin", bytes(range(256)) * 20)
    for data in ("given", person.send("rows.csv", ROWS), bad):
        state: dict[str, Any] = {"data": data}
        said = [read(person, data).text, person.client.get(f"/api/data/{data}").text]
        made = person.post("/api/measure", state=state, stage="full")
        said.append(made.text)
        if made.status_code == 200:
            said.append(person.client.get(f"/api/media/report/{made.json()['report']}").text)
            said += [
                person.post("/api/download", state=state, what=what).text
                for what in ("json", "html", "markdown", "gold")
            ]
        said.append(person.post("/api/download", state=state, what="gold", format="brat").text)
        assert not [text for text in said for place in places if place in text]
    assert "shared.csv" in person.post("/api/measure", state={"data": "given"}, stage="full").text


def test_the_figures_are_those_of_the_command_that_is_shown(
    server: TeamServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = server.person()
    state = {"data": person.send("rows.csv", ROWS), "alpha": 1.7}
    made = person.post("/api/measure", state=state, stage="full").json()
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_bytes(ROWS)
    words = made["command"].split()
    assert main([*words[1:], "--json", "own.json", "--quiet"]) == 0
    own = json.loads(Path("own.json").read_text(encoding="utf-8"))
    assert made["figures"][0]["value"] == own["corpus"]["gamma"]["value"]


def endless(pieces: int) -> Iterator[bytes]:
    for _ in range(pieces):
        yield bytes(2**16)


def test_a_gigabyte_is_refused_before_it_arrives(server: TeamServer) -> None:
    person = server.person()
    data = person.post("/api/data").json()["data"]
    place = urlsplit(server.url)
    with socket.create_connection((place.hostname or "", place.port or 0), 60) as line:
        cookie = f"goldspan-session={person.client.cookies['goldspan-session']}"
        line.sendall(
            f"PUT /api/data/{data}?name=huge.json HTTP/1.1\r\nHost: {place.netloc}\r\n"
            f"Cookie: {cookie}\r\nContent-Length: {2**30}\r\n\r\n".encode()
        )
        assert b" 413 " in line.recv(2**16).partition(b"\r\n")[0]
    data = person.post("/api/data").json()["data"]
    sent = iter(endless(2**14))
    try:
        answer = person.client.put(f"/api/data/{data}", params={"name": "huge.json"}, content=sent)
        assert answer.json()["error"] == "too-large"
    except httpx.TransportError:
        pass  # it hung up while we were sending
    assert sum(1 for _ in sent) > 2**13, "the rest was never asked for"
    assert person.status()["sets"] == [], "nothing of it is stored"
    assert read(server.person(), "given").status_code == 200


def packed(members: dict[str, bytes]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return archive.getvalue()


def link(name: str, target: str) -> bytes:
    """An archive with a symbolic link."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        info = zipfile.ZipInfo(name)
        info.external_attr = 0o120777 << 16
        file.writestr(info, target)
    return archive.getvalue()


def understated(content: bytes) -> bytes:
    """An archive whose member is larger than its two heads say."""
    made = packed({"rows.csv": content})
    assert made.count(len(content).to_bytes(4, "little")) == 2
    return made.replace(len(content).to_bytes(4, "little"), (9).to_bytes(4, "little"))


ZEROS = bytes(50_000_000)
HOSTILE_ZIPS = {
    "one bomb": (packed({"a.json": ZEROS}), "would expand"),
    "many small bombs": (packed({f"{n}.json": bytes(10**6) for n in range(20)}), "holds too much"),
    "too many files": (packed({f"{n}.csv": b"" for n in range(5001)}), "holds too much"),
    "out of the folder": (packed({"../../out.csv": ROWS}), "outside the archive"),
    "an absolute name": (packed({"/root/out.csv": ROWS}), "outside the archive"),
    "a Windows path": (packed({"..\\..\\out.csv": ROWS}), "outside the archive"),
    "a very deep path": (packed({f"{'a/' * 500}rows.csv": ROWS}), "cannot be stored"),
    "a long name": (packed({f"{'a' * 300}.csv": ROWS}), "cannot be stored"),
    "a file as a folder": (packed({"a": ROWS, "a/b.csv": ROWS}), "cannot be unpacked"),
    "more than it says": (understated(ROWS * 10), ""),
    "a bomb in an archive": (packed({"in.zip": packed({"a.json": ZEROS})}), ""),
    "an archive in an archive": (packed({"a.zip": packed({"b.zip": packed({"c.csv": ROWS})})}), ""),
    "a link": (link("rows.json", "/etc/passwd"), ""),
    "cut off": (packed({"rows.csv": ROWS * 100})[:-40], "not a zip file"),
}


@pytest.mark.parametrize(("content", "says"), HOSTILE_ZIPS.values(), ids=HOSTILE_ZIPS.keys())
def test_a_hostile_archive_is_a_sentence_and_nothing_of_it_stays(
    server: TeamServer, content: bytes, says: str
) -> None:
    person = server.person()
    data = person.send("sent.zip", content)
    answer = read(person, data)
    assert (answer.status_code, answer.json()["error"]) == (422, "unreadable"), answer.text
    said = answer.json()["say"]
    assert says in said
    assert tempfile.gettempdir() not in said
    assert "root:" not in answer.text
    assert read(person, "given").status_code == 200, "the process goes on"
    folder = next(server.folder.rglob(data))
    held = [path for path in folder.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in held) < 2 * 2**20
    assert not [path for path in folder.rglob("*") if path.is_symlink()]


def test_two_hundred_visitors_are_served_or_refused_and_the_server_stays(
    server: TeamServer,
) -> None:
    limits = httpx.Limits(max_connections=VISITORS)
    with httpx.Client(base_url=server.url, timeout=300, limits=limits) as client:
        people = []
        for _ in range(VISITORS):
            client.post("/login", data={"password": PASSWORD})
            people.append({"Cookie": f"goldspan-session={client.cookies['goldspan-session']}"})
            client.cookies.clear()
        assert len({one["Cookie"] for one in people}) == VISITORS
        state = {"state": {"data": "given"}}

        def visit(headers: dict[str, str]) -> str:
            answer = client.post("/api/read", json=state, headers=headers)
            said = answer.json()
            assert answer.status_code in (200, 429, 503), answer.text
            return "read" if "units" in said else str(said["error"])

        with ThreadPoolExecutor(VISITORS) as threads:
            ends = list(threads.map(visit, people))
        assert set(ends) <= {"read", "crowded", "too-many-calls"}
        assert ends.count("read") > 0
        assert visit(people[0]) == "read"


def test_a_computation_that_takes_too_long_is_ended_and_said_so(tmp_path: Path) -> None:
    lines = [b"task,annotator,category,start,end"]
    for task in range(60):
        for who in (b"a", b"b", b"c", b"d"):
            lines += [b"t%d,%s,X,%d,%d" % (task, who, 7 * n, 7 * n + 5) for n in range(60)]
    with TeamServer(tmp_path, "--max-seconds", "0.3", "--workers", "1") as server:
        person = server.person()
        data = person.send("rows.csv", b"\n".join(lines) + b"\n")
        state = {"data": data, "precision": 0.001}
        answer = person.post("/api/measure", state=state, stage="full")
        assert (answer.status_code, answer.json()["error"]) == (503, "too-long")
        assert person.status()["position"] == 0
        assert server.end() == 0


def test_what_was_stored_is_deleted_after_the_time_and_a_session_ends(tmp_path: Path) -> None:
    now = 1000.0
    people = People(tmp_path, lambda _scratch: None, Limits(sets=2), 3600.0, lambda: now)
    shown = people.add()
    person = people.find(shown)
    assert person is not None
    data = person.shelf.add()
    data.added = now
    now += 3000.0
    assert not people.sweep()
    assert people.find(shown) is person
    now += 700.0
    assert people.sweep()
    with pytest.raises(Refused):
        person.shelf[data.id]
    assert people.find(shown) is person, "it was used since"
    now += 3600.0
    assert people.sweep()
    assert people.find(shown) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--host", "0.0.0.0"], "password"),  # noqa: S104 - it is refused
        (["--host", "127.0.0.1"], "a page for a team takes a password"),
        (["--keep-hours", "2"], "--host"),
        (["--host", "127.0.0.1", "--keep-hours", "0"], "--keep-hours must be more than 0"),
        (["--host", "127.0.0.1", "--port", "70000"], "from 0 to 65535"),
        (["--host", "127.0.0.1", "rows.csv"], "--share"),
        (["--host", "256.0.0.1", "--password-file", "password"], "cannot listen"),
    ],
)
def test_a_page_for_a_team_that_would_be_open_to_all_is_refused(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GOLDSPAN_PASSWORD", raising=False)
    Path("rows.csv").write_bytes(ROWS)
    Path("password").write_text(PASSWORD, encoding="utf-8")
    assert main(["open", *words]) == 2
    assert says in capsys.readouterr().err
