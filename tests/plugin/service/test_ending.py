"""Signals from the announcement of an address until everything is tidied up."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
import uvicorn

from goldspan.plugin.service.web.ending import SIGNALS, Ending, EndsOnSignal

SLOW_TIDYING = """
import sys
import uvicorn
from goldspan.plugin.service.web.ending import Ending, EndsOnSignal
class Server(EndsOnSignal):
    def end(self):
        print("asked", flush=True)
with Ending() as ending:
    print("not yet", flush=True)
    sys.stdin.readline()
    ending.catch(Server(uvicorn.Config("no:app")))
    print("announced", flush=True)
    for _ in range(3):
        sys.stdin.readline()
    print("tidied up", ending.asked, flush=True)
print("over", flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_asks_as_often_as_it_comes_and_breaks_nothing_off(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_TIDYING],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "not yet\n"
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "announced\n"
        for _ in range(3):
            process.send_signal(number)
            assert process.stdout.readline() == "asked\n"
            process.stdin.write("\n")
            process.stdin.flush()
        assert process.stdout.readline() == "tidied up True\n"
        assert process.stdout.readline() == "over\n"
        process.send_signal(number)
        process.stdin.write("\n")
        process.stdin.flush()
    assert process.returncode == 0


def test_before_and_after_it_signals_are_what_they_were() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    with Ending() as ending:
        assert [signal.getsignal(number) for number in SIGNALS] == before
        server = EndsOnSignal(uvicorn.Config("no:app"))
        ending.catch(server)
        caught = [signal.getsignal(number) for number in SIGNALS]
        with server.capture_signals():
            assert [signal.getsignal(number) for number in SIGNALS] == caught
        assert before[0] not in [signal.getsignal(number) for number in SIGNALS]
        assert not ending.asked
    assert [signal.getsignal(number) for number in SIGNALS] == before
