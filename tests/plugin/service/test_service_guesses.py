"""Guessing a password, a secret or a key is slow, and nobody else has to wait for it."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from goldspan.plugin.service.web.access import SECRET_HEADER
from goldspan.plugin.service.web.guesses import (
    FORGET_SECONDS,
    FREE,
    LONGEST_WAIT_SECONDS,
    MOST_CALLERS,
    OVERALL,
    Guesses,
    Kind,
    TooManyGuessesError,
    network,
)
from service_parts import PASSWORD, SECRET, Clock, Parts, service
from service_process import Service

RIGHT = "the right one"
EVENT = {"action": "ANNOTATION_CREATED", "project": {"id": 7}}


class Door:
    """Something to guess at, with a clock that is turned."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.guesses = Guesses(self.clock)
        self.tried = 0

    def show(self, shown: str = "", caller: str = "10.0.0.1", kind: Kind = Kind.PASSWORD) -> bool:
        """Show this, or something wrong that was never shown before."""
        self.tried += 1
        return self.guesses.is_right(kind, caller, shown or f"wrong {self.tried}", RIGHT)

    def wait_after(self, caller: str = "10.0.0.1", kind: Kind = Kind.PASSWORD) -> float:
        """Guess wrong, and say how long the caller has to wait then."""
        assert not self.show("", caller, kind)
        try:
            self.show("", caller, kind)
        except TooManyGuessesError as error:
            return error.seconds
        return 0


@pytest.fixture
def door() -> Door:
    return Door()


def shut_out(door: Door, caller: str = "10.0.0.1", kind: Kind = Kind.PASSWORD) -> None:
    for _ in range(FREE + 1):
        door.show("", caller, kind)


def test_the_wait_doubles_up_to_a_minute(door: Door) -> None:
    for _ in range(FREE):
        assert not door.show()
    waits = []
    for _ in range(9):
        waits.append(door.wait_after())
        door.clock.now += waits[-1]
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert max(waits) == LONGEST_WAIT_SECONDS


def test_while_a_caller_waits_nothing_is_looked_at(door: Door) -> None:
    shut_out(door)
    for _ in range(1000):
        with pytest.raises(TooManyGuessesError):
            door.show(RIGHT)
    door.clock.now += 1
    assert door.show(RIGHT), "asking in vain made the wait no longer"


def test_callers_do_not_wait_for_each_other(door: Door) -> None:
    for _ in range(100):
        shut_out(door)
        door.clock.now += LONGEST_WAIT_SECONDS
        with pytest.raises(TooManyGuessesError):
            shut_out(door)
        assert door.show(RIGHT, "10.0.0.2")
        door.clock.now += FORGET_SECONDS


def test_a_caller_is_forgotten_after_a_while(door: Door) -> None:
    shut_out(door)
    door.clock.now += FORGET_SECONDS
    for _ in range(FREE):
        assert not door.show()


@pytest.mark.parametrize("kind", Kind)
def test_the_same_again_is_not_another_guess(door: Door, kind: Kind) -> None:
    """As a webhook with an outdated secret sends it, from where the good ones come."""
    for _ in range(1000):
        assert not door.show("outdated", kind=kind)
    assert door.show(RIGHT, kind=kind)


def test_kinds_are_guessed_apart(door: Door) -> None:
    shut_out(door)
    assert door.show(RIGHT, kind=Kind.KEY)
    assert door.show(RIGHT, kind=Kind.SECRET)


@pytest.mark.parametrize("kind", [Kind.KEY, Kind.SECRET])
def test_who_shares_an_address_with_a_guesser_is_let_in(door: Door, kind: Kind) -> None:
    assert door.show(RIGHT, kind=kind)
    for _ in range(3 * OVERALL):
        door.show(kind=kind)
    assert door.show(RIGHT, kind=kind)
    assert door.show(RIGHT, "10.1.1.2", kind), "and nobody else has to wait"
    assert door.show(RIGHT, "10.1.1.2")


def test_a_password_that_was_right_lets_nobody_guess_faster(door: Door) -> None:
    assert door.show(RIGHT)
    shut_out(door)
    with pytest.raises(TooManyGuessesError):
        door.show()


def test_very_many_callers_meet_a_limit(door: Door) -> None:
    assert door.show(RIGHT, "10.9.9.9")
    for number in range(OVERALL):
        assert not door.show("", f"10.0.{number // 250}.{number % 250}")
    with pytest.raises(TooManyGuessesError):
        door.show("", "10.1.1.1")
    with pytest.raises(TooManyGuessesError):
        door.show(RIGHT, "10.1.1.2")
    assert door.show(RIGHT, "10.9.9.9"), "a caller that was right before does not wait"
    door.clock.now += 1
    assert door.show(RIGHT, "10.1.1.2")


def test_one_caller_alone_does_not_reach_the_limit_of_all(door: Door) -> None:
    for _ in range(3600):
        door.clock.now += 1
        try:
            door.show()
        except TooManyGuessesError:
            continue
    assert door.show(RIGHT, "10.1.1.2")


def test_memory_is_bounded(door: Door) -> None:
    for number in range(MOST_CALLERS + 500):
        door.clock.now += 1
        door.show("", f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
        door.show(RIGHT, f"11.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(door.guesses._callers) == len(door.guesses._good) == MOST_CALLERS


def test_a_network_of_one_customer_is_one_caller() -> None:
    assert network("2001:db8:1:2::5") == network("2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert network("2001:db8:1:3::5") != network("2001:db8:1:2::5")
    assert network("::ffff:10.0.0.1") != network("::ffff:10.0.0.2")
    assert network("10.0.0.1") == "10.0.0.1"
    assert network("a-socket") == "a-socket"


# In the service


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Parts]:
    with service(tmp_path, password=PASSWORD) as made:
        yield made


def basic(password: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"me:{password}".encode()).decode()}


def guess(parts: Parts, kind: Kind, shown: str, address: str) -> httpx.Response:
    client = replace(parts.client, address=address)
    if kind is Kind.PASSWORD:
        return client.get("/", headers=basic(shown))
    if kind is Kind.KEY:
        return client.get(f"/model/{shown}/health")
    return client.post("/webhook", json=EVENT, headers={SECRET_HEADER: shown})


@pytest.mark.parametrize("kind", Kind)
def test_guesses_are_answered_with_a_wait(locked: Parts, kind: Kind) -> None:
    right = {Kind.PASSWORD: PASSWORD, Kind.KEY: locked.access.key, Kind.SECRET: SECRET}[kind]
    answers = [guess(locked, kind, f"wrong{n}", "10.0.0.1") for n in range(FREE + 50)]

    assert [one.status_code for one in answers] == [401] * (FREE + 1) + [429] * 49
    assert answers[-1].headers["retry-after"] == "1"
    assert answers[-1].text == "Too many wrong guesses; try again in 1 s."
    assert guess(locked, kind, right, "10.0.0.1").status_code == 429
    assert guess(locked, kind, right, "10.0.0.2").is_success
    locked.clock.now += 1
    assert guess(locked, kind, right, "10.0.0.1").is_success


def test_a_call_that_shows_nothing_is_no_guess(locked: Parts) -> None:
    for _ in range(FREE + 5):
        assert locked.client.get("/").status_code == 401
        assert locked.client.post("/webhook", json=EVENT).status_code == 401
        assert locked.client.get("/", headers={"Authorization": "Bearer x"}).status_code == 401
    assert locked.client.get("/", headers=basic(PASSWORD)).status_code == 200


def test_a_browser_that_was_let_in_waits_for_nobody_at_its_address(locked: Parts) -> None:
    cookie = locked.client.get("/", headers=basic(PASSWORD)).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    shown = {"Cookie": cookie.partition(";")[0]}
    for number in range(FREE + 1):
        locked.client.get("/", headers=basic(f"wrong {number}"))

    assert locked.client.get("/", headers=basic(PASSWORD)).status_code == 429
    assert locked.client.get("/", headers=basic(PASSWORD) | shown).status_code == 200
    assert locked.client.get("/", headers=shown).status_code == 401, "it opens nothing"
    forged = {"Cookie": shown["Cookie"][:-1] + "x"}
    assert locked.client.get("/", headers=basic(PASSWORD) | forged).status_code == 429


def test_a_real_service_slows_guesses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDSPAN_PASSWORD", PASSWORD)
    with Service(tmp_path / "folder") as real, httpx.Client(trust_env=False, timeout=30) as client:
        found = [
            client.get(real.url, headers=basic(f"wrong {number}")).status_code
            for number in range(100)
        ]
        assert found[:FREE] == [401] * FREE
        assert found.count(429) > 60
        assert real.end() == 0
    assert "Traceback" not in real.said
    assert len(real.said.splitlines()) < 10
