"""The wire: what a server that is down, slow, broken or another one altogether leads to."""

from __future__ import annotations

import ast
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import jwt
import pytest

import goldspan.plugin
from goldspan.engine.errors import SettingsError
from goldspan.plugin.label_studio.connection import read_token
from goldspan.plugin.label_studio.http_client import Method
from goldspan.plugin.label_studio.responses import NoProjectError
from goldspan.plugin.label_studio.server import PAGE, Server, ServerError
from label_studio_server import free_port

TOKEN = "0123456789abcdef" * 2
PERSONAL = jwt.encode({"exp": 4e9, "token_type": "refresh"}, "k" * 32)
"""One that has to be exchanged first."""

Reply = tuple[int, object] | tuple[int, object, str]


class Scripted:
    """A real server on loopback that gives these replies in turn, the last one for ever."""

    def __init__(self, *replies: Reply, delay: float = 0.0) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[str, str, str]] = []
        self.tokens: list[str] = []
        script = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length).decode()
                script.asked.append((self.command, self.path, body))
                script.tokens.append(str(self.headers.get("Authorization")))
                time.sleep(delay)
                one = len(script.replies) == 1
                status, said, *place = script.replies[0] if one else script.replies.pop(0)
                text = said if isinstance(said, str) else json.dumps(said)
                self.send_response(status)
                if place:
                    self.send_header("Location", place[0])
                self.send_header("Content-Length", str(len(text.encode())))
                # A client that gave up is what some tests are about.
                with suppress(BrokenPipeError, ConnectionResetError):
                    self.end_headers()
                    self.wfile.write(text.encode())

            do_GET = do_POST = do_PATCH = do_DELETE = answer  # noqa: N815 - the library's names

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


Serving = Callable[..., tuple[Scripted, Server]]


@pytest.fixture
def serving() -> Iterator[Serving]:
    opened: list[tuple[Scripted, Server]] = []

    def start(
        *replies: Reply,
        delay: float = 0.0,
        timeout: float = 10.0,
        token: str = TOKEN,
        path: str = "",
        renew: Path | None = None,
    ) -> tuple[Scripted, Server]:
        scripted = Scripted(*replies, delay=delay)
        server = Server(
            scripted.url + path, token, timeout=timeout, waits=(0.0, 0.0),
            renew=partial(read_token, renew) if renew else None,
        )  # fmt: skip
        opened.append((scripted, server))
        return opened[-1]

    yield start
    for scripted, server in opened:
        server.close()
        scripted.close()


def test_a_fault_that_passes_is_waited_for(serving: Serving) -> None:
    scripted, server = serving((500, {}), (503, {}), (200, {"id": 7}))
    assert server.project(7) == {"id": 7}
    assert len(scripted.asked) == 3


def test_a_fault_that_stays_is_a_sentence(serving: Serving) -> None:
    _, server = serving((500, {"detail": "boom"}))
    with pytest.raises(ServerError, match="an internal error") as caught:
        server.project(7)
    assert caught.value.passing


def test_what_adds_is_never_sent_twice(serving: Serving) -> None:
    scripted, server = serving((500, {}), (201, {"created": 1}))
    with pytest.raises(ServerError):
        server.add_predictions(1, [{"task": 1}])
    assert [method for method, _, _ in scripted.asked] == ["POST"]


def test_a_server_that_is_not_there_is_a_sentence() -> None:
    server = Server(f"http://127.0.0.1:{free_port()}", TOKEN, waits=(0.0,))
    with pytest.raises(ServerError, match=r"cannot be reached.*is it running"):
        server.project(1)
    server.close()


def test_a_slow_server_is_a_sentence(serving: Serving) -> None:
    _, server = serving((200, {}), delay=0.5, timeout=0.1)
    with pytest.raises(ServerError, match="did not answer in time"):
        server.project(1)


def test_a_server_that_breaks_off_in_the_middle_of_an_export_is_asked_again(
    serving: Serving, tmp_path: Path
) -> None:
    scripted, server = serving((500, {}), (200, [{"id": 1}]))
    server.export(3, tmp_path / "export.json")
    assert json.loads((tmp_path / "export.json").read_text()) == [{"id": 1}]
    assert len(scripted.asked) == 2


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (401, {"detail": "Invalid token."}, "does not accept the token"),
        (
            401,
            {"detail": "legacy token authentication has been disabled"},
            "not accept legacy tokens",
        ),
        (403, {"detail": "URL resolves to a reserved network address"}, "reserved network"),
        (404, {}, r"there is no project 1 in .*, or the token's user may not see it"),
        (400, {"validation_errors": {"title": ["too short"]}}, "too short"),
        (200, "<html>hello</html>", "is not Label Studio"),
    ],
)
def test_a_refusal_is_a_sentence(serving: Serving, status: int, body: object, said: str) -> None:
    scripted, server = serving((status, body))
    with pytest.raises(ServerError, match=said) as caught:
        server.project(1)
    assert TOKEN not in str(caught.value)
    assert len(scripted.asked) == 1


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "api/ml/"), ("GET", "api/tasks/"), ("POST", "api/webhooks/")]
)
def test_a_project_that_is_asked_about_may_be_gone(
    serving: Serving, method: Method, path: str
) -> None:
    _, server = serving((404, {}))
    with pytest.raises(NoProjectError, match="there is no project 777"):
        server.call(method, path, params={"project": 777})
    with pytest.raises(ServerError, match=f"has nothing at {method} /{path}"):
        server.call(method, path)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_token_that_was_replaced_is_taken_up(
    serving: Serving, method: Method, tmp_path: Path
) -> None:
    file = tmp_path / "token.txt"
    scripted, server = serving((401, {}), (401, {}), (401, {}), (200, {"id": 7}), renew=file)
    for held in (None, "", TOKEN):
        if held is not None:
            file.write_text(held)
        with pytest.raises(ServerError, match="does not accept the token"):
            server.call(method, "api/x")
    assert len(scripted.asked) == 3, "nothing is tried with the same token again"
    scripted.replies.insert(0, (401, {}))
    file.write_text("another-token")

    assert server.call(method, "api/x") == {"id": 7}
    assert scripted.tokens == [f"Token {TOKEN}"] * 4 + ["Token another-token"]


def test_what_is_gone_already_needs_no_removing(serving: Serving) -> None:
    _, server = serving((404, {}))
    server.remove_tab(1)
    server.remove_prediction(1)


def test_data_is_read_as_it_is_stored(serving: Serving) -> None:
    """The default answer has links of Label Studio's own in place of s3://…"""
    scripted, server = serving((200, {"id": 5, "data": {"text": "s3://x"}}))
    assert server.data(5) == {"text": "s3://x"}
    assert "resolve_uri=false" in scripted.asked[0][1]


def test_a_task_that_is_gone_has_no_data(serving: Serving) -> None:
    _, server = serving((404, {}))
    assert server.data(5) is None


def test_a_redirect_is_told_and_not_followed(serving: Serving) -> None:
    """It would turn a change into a look, and the change would seem to be made."""
    scripted, server = serving((302, "", "http://127.0.0.1:1/elsewhere?token=x"))
    with pytest.raises(ServerError, match=r"redirects to http://127.0.0.1:1/elsewhere; give"):
        server.change_data(1, {})
    assert len(scripted.asked) == 1


def test_data_that_is_no_unicode_is_sent_as_it_was_read(serving: Serving) -> None:
    scripted, server = serving((200, {}))
    server.change_data(1, {"text": "half a pair: \ud83d", "number": float("nan")})
    assert json.loads(scripted.asked[0][2])["data"]["text"] == "half a pair: \ud83d"


@pytest.mark.parametrize("token", ["", "two\nlines", "with blank", "naïve"])
def test_what_is_no_token_is_refused_unquoted(token: str) -> None:
    with pytest.raises(SettingsError, match="not a valid access token") as caught:
        Server("http://localhost:8080", token)
    assert not token or token not in str(caught.value)


def test_an_address_with_a_password_is_refused_without_repeating_it() -> None:
    with pytest.raises(SettingsError) as caught:
        Server("http://ada:h1dden@studio.example", "token")
    assert "h1dden" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["", "ftp://x", "http://", "file:///etc/passwd", "http://[::1", "http://x:port"]
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="not an address of a Label Studio"):
        Server(url, TOKEN)


def test_the_token_is_not_shown() -> None:
    assert TOKEN not in repr(Server("http://localhost:8080", TOKEN))


class TestPersonalTokens:
    """The SDK exchanges them, and takes whatever answers for a Label Studio."""

    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ((200, "<html>log in</html>"), "is not Label Studio"),
            ((404, "<html>no such page</html>"), "has nothing at POST /api/token/refresh/"),
            ((301, "", "https://127.0.0.1:1/api"), "redirects to https://127.0.0.1:1/api"),
            ((401, {"detail": "Token is blacklisted"}), "does not accept the token"),
        ],
    )
    def test_a_refusal_is_a_sentence(self, serving: Serving, reply: Reply, said: str) -> None:
        scripted, server = serving(reply, token=PERSONAL)
        with pytest.raises(ServerError, match=said) as caught:
            server.project(1)
        assert PERSONAL not in str(caught.value)
        assert len(scripted.asked) == 1

    def test_a_proxy_without_its_server_is_waited_for(self, serving: Serving) -> None:
        bad = (502, "<html>Bad Gateway</html>")
        access = {"access": jwt.encode({"exp": 4e9}, "k" * 32)}
        scripted, server = serving(bad, bad, (200, access), (200, {"id": 7}), token=PERSONAL)
        assert server.project(7) == {"id": 7}
        assert len(scripted.asked) == 4

    def test_an_address_with_a_path_keeps_it(self, serving: Serving) -> None:
        access = {"access": jwt.encode({"exp": 4e9}, "k" * 32)}
        scripted, server = serving((200, access), (200, {"id": 7}), token=PERSONAL, path="/studio")
        server.project(7)
        assert [path for _, path, _ in scripted.asked] == [
            "/studio/api/token/refresh/", "/studio/api/projects/7/",
        ]  # fmt: skip


@pytest.mark.parametrize("path", ["", "/", "/projects", "/projects/12/data?tab=3"])
@pytest.mark.parametrize("place", ["http://studio.example", "https://example.com/studio"])
def test_the_address_of_a_page_is_that_of_its_server(place: str, path: str) -> None:
    assert Server(place + path, TOKEN).url == place


def private_names(source: str) -> list[str]:
    """What a module reads of others that is named as private; nothing where it uses no SDK."""
    tree = ast.parse(source)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom | ast.Import)]
    if not any("label_studio_sdk" in ast.unparse(node) for node in imports):
        return []
    names = [name for node in imports for name in _imported(node)]
    reads = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    names += [node.attr for node in reads if ast.unparse(node.value) not in ("self", "cls")]
    return [name for name in names if name.startswith("_") and not name.endswith("__")]


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
    return [part for alias in node.names for part in f"{module}.{alias.name}".split(".")]


def test_the_sdk_is_used_through_public_names_only() -> None:
    (folder,) = goldspan.plugin.__path__
    sources = {path: path.read_text(encoding="utf-8") for path in Path(folder).rglob("*.py")}
    assert any("label_studio_sdk" in source for source in sources.values())
    assert {path: found for path, text in sources.items() if (found := private_names(text))} == {}


@pytest.mark.parametrize(
    "line", ["sdk._client_wrapper", "import label_studio_sdk._legacy", "from x import _y"]
)
def test_a_private_name_would_be_found(line: str) -> None:
    assert private_names(f"from label_studio_sdk import LabelStudio\n{line}\nself._own\n")
    assert private_names("from label_studio_sdk import LabelStudio\nself._own\n") == []


def test_an_access_token_that_runs_out_on_its_way_is_exchanged(serving: Serving) -> None:
    """It lasts 300 s, and the SDK looks at the clock before the request leaves."""
    scripted, server = serving((200, {"id": 7}), (401, {}), (200, {}), (401, {}))
    server.project(7)
    server.add_tab(7, {})
    assert [method for method, _, _ in scripted.asked] == ["GET", "POST", "POST"]
    for tries in (2, 1):
        scripted.asked.clear()
        with pytest.raises(ServerError, match="does not accept the token"):
            server.project(7)
        assert len(scripted.asked) == tries


def test_a_field_is_set_in_the_chosen_tasks_and_never_in_all(serving: Serving) -> None:
    """Label Studio takes an empty choice for all tasks of the project."""
    scripted, server = serving((503, {}), (200, {}))
    server.set_field(5, [], "goldspan_gamma", 0.5)
    assert scripted.asked == []
    server.set_field(5, [3, 4], "goldspan_gamma", 0.5)
    assert len(scripted.asked) == 2, "setting a value twice is the same as once"
    method, path, body = scripted.asked[-1]
    assert (method, path) == ("POST", "/api/dm/actions/?id=add_data_field&project=5")
    assert json.loads(body) == {
        "selectedItems": {"all": False, "included": [3, 4]}, "value_name": "goldspan_gamma",
        "value_type": "Number", "value": 0.5,
    }  # fmt: skip


def test_data_is_read_by_pages_and_only_that_of_the_chosen_tasks(serving: Serving) -> None:
    tasks = [{"id": number, "data": {"text": str(number)}} for number in (1, 2, 7)]
    _, server = serving((200, {"tasks": tasks, "total": 3}))
    found = dict(server.data_of(5, [1, 2, 3]))
    assert found == {1: {"text": "1"}, 2: {"text": "2"}}
    scripted, server = serving((200, {"tasks": [], "total": 0}))
    assert dict(server.data_of(5, range(PAGE + 1))) == {}
    assert len(scripted.asked) == 2
    assert "resolve_uri=false" in scripted.asked[0][1]
