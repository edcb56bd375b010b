"""Answers: what Label Studio's answers, and their absence, mean to a person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from goldspan.plugin.platform import MissingProjectError, PlatformError

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import Json


BUSY = frozenset({429, 500, 502, 503, 504})
PROJECT = re.compile(r"/api/projects/(\d+)/(export|model-versions/)?$")


class ServerError(PlatformError):
    """Label Studio cannot be reached, or refuses; the sentence says what to do about it."""


class NoProjectError(ServerError, MissingProjectError):
    """There is no such project any more, or none that the token's user may see."""


@contextmanager
def in_words(url: str) -> Iterator[None]:
    """What httpx and the SDK raise, as sentences."""
    import httpx  # noqa: PLC0415 - comes with the SDK
    from label_studio_sdk.core.api_error import ApiError  # noqa: PLC0415 - an extra

    try:
        yield
    except httpx.TimeoutException as error:
        raise ServerError(
            f"Label Studio at {url} did not answer in time; try again, or look at its log",
            passing=True,
        ) from error
    except httpx.ConnectError as error:
        raise ServerError(
            f"Label Studio at {url} cannot be reached ({_short(error)}); is it running, and is "
            "the address right?",
            passing=True,
        ) from error
    except (httpx.RequestError, httpx.InvalidURL) as error:
        # Its words are left out: they may quote what was sent, the token among it.
        raise ServerError(
            f"Label Studio at {url} cannot be reached ({type(error).__name__}); is it running, and "
            "is the address right?",
            passing=True,
        ) from error
    except ApiError as error:
        # The SDK's own: the token could not be exchanged, or has expired.
        status = error.status_code
        if status in BUSY:
            raise ServerError(_busy(url, status), status=status, passing=True) from error
        raise ServerError(_refused(url), status=status) from error


def require_success(answer: Any, what: str, url: str) -> None:
    status = answer.status_code
    if answer.is_success:
        return
    if answer.has_redirect_location:
        # To follow would turn a change into a look, and take the token to another place.
        place = answer.headers["location"].partition("?")[0]
        raise ServerError(f"{url} redirects to {place}; give that address", status=status)
    if status == 401:
        raise ServerError(_refused(url, _detail(answer)), status=status)
    if status == 403:
        raise ServerError(
            f"Label Studio at {url} does not allow {what}",
            status=status,
            detail=_detail(answer) or "forbidden",
        )
    if status == 404 and (number := _project(answer.request.url)):
        raise NoProjectError(
            f"there is no project {number} in Label Studio at {url}, or the token's user may not "
            "see it",
            status=status,
        )
    if status == 404:
        raise ServerError(f"Label Studio at {url} has nothing at {what}", status=status)
    if status in BUSY:
        raise ServerError(_busy(url, status), status=status, passing=True)
    raise ServerError(
        f"Label Studio at {url} refused {what} with {status}",
        status=status,
        detail=_detail(answer) or "no reason",
    )


def _project(address: Any) -> str:
    """The number of the project that a request was about as a whole; "" if it was not."""
    found = PROJECT.search(address.path)
    return found[1] if found else str(address.params.get("project", ""))


def _busy(url: str, status: int | None) -> str:
    return f"Label Studio at {url} has an internal error ({status}); look at its log, try again"


def _refused(url: str, detail: str = "") -> str:
    if "legacy" in detail.lower():
        return (
            f"Label Studio at {url} does not accept legacy tokens; use a personal access token "
            "(Account & Settings > Personal Access Token)"
        )
    return (
        f"Label Studio at {url} does not accept the token; it may have expired or been revoked: "
        "make a new one under Account & Settings > Personal Access Token"
    )


def _detail(answer: Any) -> str:
    """The reason in an error's body; never more than a line of it."""
    try:
        body = answer.json()
    except ValueError:
        return ""
    if isinstance(body, dict):
        told = body.get("detail") or body.get("validation_errors") or body.get("error") or ""
        return " ".join(str(told).split())[:200]
    return " ".join(str(body).split())[:200]


def read_json(answer: Any, url: str) -> Json:
    if not answer.content:
        return None
    try:
        return answer.json()
    except ValueError as error:
        raise ServerError(
            f"what answers at {url} is not Label Studio: its answer is not JSON; check the address"
        ) from error


def _short(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0] or type(error).__name__
