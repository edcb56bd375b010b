"""The wire: requests to a Label Studio, tried again where that is safe, and errors as sentences.

label-studio-sdk brings the ways to log in: legacy tokens, and personal access tokens, which have
to be exchanged for access tokens of five minutes. Requests go through its client as they are, for
its typed answers drop fields that we hand back, and lack some of the calls.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit

from goldspan.adapters.files.atomic import naming
from goldspan.engine.errors import MissingExtra, SettingsError
from goldspan.plugin.label_studio.responses import (
    ServerError,
    in_words,
    read_json,
    require_success,
)

if TYPE_CHECKING:
    from typing_extensions import Self

    from goldspan.adapters.files.json_stream import Json

Method: TypeAlias = Literal["GET", "POST", "PATCH", "DELETE"]
Answer = TypeVar("Answer")

WAITS = (0.5, 1.0, 2.0, 4.0)
"""Seconds between the tries of a request that may be repeated."""

JSON = {"Content-Type": "application/json"}

LONG = 600.0
"""Seconds to wait for the beginning of a large answer: Label Studio puts it together first."""

EXCHANGE = "/api/token/refresh/"

PAGE = re.compile(r"/projects(/.*)?$")
"""What the address of a page has more than that of the server."""

TOKEN = re.compile(r"[\x21-\x7e]+")
"""What a token is made of."""


class Wire:
    """Requests to one address in one user's name.

    Requests that only read, and those that come to the same when made twice, are tried again
    while the server is down or busy; the others are made once. When the token is refused, `renew`
    is asked whether there is another by now.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        renew: Callable[[], str] | None = None,
        timeout: float = 60.0,
        waits: Sequence[float] = WAITS,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = checked_address(url)
        self._token = _checked_token(token)
        self._renew = renew
        self._timeout = timeout
        self._waits = tuple(waits)
        self._sleep = sleep
        self._client: Any = None
        self._http: Any = None
        self._accepted = False

    def __enter__(self) -> Self:
        """The connections stay open until the block ends."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close them."""
        self.close()

    def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        if self._client is not None:
            self._client.close()
            self._client = self._http = None

    def __repr__(self) -> str:
        # The token stays out of logs and tracebacks.
        return f"{type(self).__name__}({self.url!r})"

    def call(
        self,
        method: Method,
        path: str,
        *,
        json: Json = None,
        params: Mapping[str, Json] | None = None,
        timeout: float | None = None,
        repeatable: bool = False,
    ) -> Json:
        """The answer's JSON; a ServerError for everything that is not a success. A POST is made
        once, unless it is `repeatable`.
        """
        # Not left to the client, which has no bytes for half a surrogate pair.
        body = None if json is None else dumps(json).encode()
        limits: Json = {"max_retries": 0, "timeout_in_seconds": timeout or self._timeout}

        def attempt() -> Json:
            with in_words(self.url):
                answer = self._requests().request(
                    path, method=method, params=dict(params or {}), request_options=limits,
                    content=body, headers=JSON if body else {},
                )  # fmt: skip
                require_success(answer, f"{method} /{path}", self.url)
            return read_json(answer, self.url)

        if method == "POST" and not repeatable:
            return self._as_user(attempt)
        return self._patiently(lambda: self._as_user(attempt))

    def save(self, path: str, params: Mapping[str, Json], target: Path) -> None:
        """A large answer goes to a file piece by piece, never as a whole into memory."""

        def attempt() -> None:
            with (
                in_words(self.url),
                self._requests().stream(
                    path,
                    method="GET",
                    params=dict(params),
                    request_options={"timeout_in_seconds": max(LONG, self._timeout)},
                ) as answer,
                naming(target),
                target.open("wb") as file,
            ):
                if not answer.is_success:
                    answer.read()
                require_success(answer, f"GET /{path}", self.url)
                for piece in answer.iter_bytes():
                    file.write(piece)

        self._patiently(lambda: self._as_user(attempt))

    def remove(self, path: str) -> None:
        """Delete; it is not an error if it is already gone."""
        try:
            self.call("DELETE", path)
        except ServerError as error:
            if error.status != 404:
                raise

    def _patiently(self, attempt: Callable[[], Answer]) -> Answer:
        for wait in self._waits:
            try:
                return attempt()
            except ServerError as error:
                if not error.passing:
                    raise
            self._sleep(wait)
        return attempt()

    def _as_user(self, attempt: Callable[[], Answer]) -> Answer:
        """Attempt it again with a new token where there is one; what was refused did nothing."""
        try:
            answer = attempt()
        except ServerError as error:
            if error.status != 401 or not (self._renewed() or self._exchanged()):
                raise
            answer = attempt()
        self._accepted = True
        return answer

    def _exchanged(self) -> bool:
        """Whether another access token may help. The SDK exchanges an access token after it has run
        out; one that runs out on its way to the server is refused.
        """
        accepted, self._accepted = self._accepted, False
        if accepted:
            self.close()
        return accepted

    def _renewed(self) -> bool:
        if self._renew is None:
            return False
        try:
            token = _checked_token(self._renew())
        except SettingsError:
            # The file may be about to be written.
            return False
        if token == self._token:
            return False
        self._token = token
        self.close()
        return True

    def _requests(self) -> Any:
        """The SDK's own way to make a request, which knows the token."""
        if self._http is None:
            try:
                import httpx  # noqa: PLC0415 - comes with the SDK
                from label_studio_sdk.core.client_wrapper import (  # noqa: PLC0415 - slow, an extra
                    SyncClientWrapper,
                )
            except ImportError as error:
                raise MissingExtra("talking to Label Studio", "label-studio") from error
            self._client = httpx.Client(
                timeout=self._timeout,
                follow_redirects=False,
                event_hooks={"response": [self._check_exchange]},
            )
            # Without a slash at its end the exchange of tokens would leave out the address's path.
            base = f"{self.url}/"
            with in_words(self.url):
                self._http = SyncClientWrapper(
                    base_url=base, api_key=self._token, httpx_client=self._client
                ).httpx_client
        return self._http

    def _check_exchange(self, answer: Any) -> None:
        """The SDK takes whatever answers the exchange of a token for JSON, a proxy's page too."""
        if answer.request.url.path.endswith(EXCHANGE):
            answer.read()
            require_success(answer, f"POST {EXCHANGE}", self.url)
            read_json(answer, self.url)


def _checked_token(token: str) -> str:
    if not TOKEN.fullmatch(token.strip()):
        raise SettingsError(
            "this is not a valid access token: it contains spaces, line breaks or letters that no "
            "token has; give a file that contains only the token"
        )
    return token.strip()


def checked_address(url: str, whose: str = "Label Studio") -> str:
    """The address of the server, from that of one of its pages too, without a slash at its end; a
    SettingsError when it is none, or tells more.
    """
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise SettingsError(
            f"'{url}' is not an address of a {whose}; give one such as http://localhost:8080"
        )
    if "@" in parts.netloc:
        # The address stands in messages and on the dashboard.
        raise SettingsError(f"the address of {whose} holds a user or a password; leave them out")
    path = PAGE.sub("", parts.path).rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"
