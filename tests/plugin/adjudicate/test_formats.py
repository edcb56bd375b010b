"""Each format from files to written gold: what was settled is what is read back."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from adjudicate_server import first_reading
from goldspan.adapters import read, write
from goldspan.engine.model import Continuum, Corpus, Measure, Unit
from goldspan.plugin.cli import main
from goldspan.plugin.cli.verbs import adjudicate
from goldspan.plugin.cli.writing import write_value

TEXT = "The ferry operator Blue Star Lines moved its offices to the quay before Monday ."
DRAWN = {
    "ann": {"Blue Star Lines": "ORG", "quay": "LOC", "Monday": "TIME"},
    "ben": {"Blue Star Lines": "ORG", "quay": "LOC", "Monday": "TIME"},
    "cy": {"Blue Star": "ORG", "quay": "ORG", "Monday": "TIME"},
}
TIMES = ((1000, 2000, "LAUGH"), (3000, 4000, "TALK"))
SHIFTS = {"ann": 0, "ben": 10, "cy": 700}


def texts() -> Corpus:
    units = tuple(
        Unit(name, TEXT.index(words), TEXT.index(words) + len(words), label)
        for name, found in DRAWN.items()
        for words, label in found.items()
    )
    return Corpus(tuple(Continuum(f"t{n}", units, text=TEXT) for n in range(3)))


def sounds() -> Corpus:
    units = tuple(
        Unit(name, start + by, end + by, label)
        for name, by in SHIFTS.items()
        for start, end, label in TIMES
    )
    return Corpus(
        tuple(Continuum(f"t{n}", units, length=9000, measure=Measure.MILLISECOND) for n in range(3))
    )


class Person(threading.Thread):
    """Settles everything as soon as the page is served, then ends the server."""

    def __init__(self, journal: Path) -> None:
        super().__init__(daemon=True)
        self._place = journal / ".ana.address"
        self.answers: list[tuple[str, list[Any]]] = []

    def run(self) -> None:
        while not self._place.exists():
            time.sleep(0.02)
        address: Any = msgspec.json.decode(self._place.read_bytes())
        with httpx.Client(
            base_url=f"http://127.0.0.1:{address['port']}",
            headers={"Authorization": f"Bearer {address['key']}"},
            timeout=180,
        ) as client:
            try:
                self._settle_all(client)
            finally:
                # It is served, so that the signal ends the server and not the tests.
                client.get("/api/stop")
                os.kill(os.getpid(), signal.SIGINT)

    def _settle_all(self, client: httpx.Client) -> None:
        for number in range(99):
            items = client.get("/api/queue").json()["items"]
            if not items:
                return
            site = client.get(f"/api/sites/{items[0]['id']}").json()
            event = first_reading(site, f"event-{number:04d}")
            assert client.post("/api/events", json=event).status_code == 201
            self.answers.append((site["task"], site["readings"][0]["spans"]))


FORMATS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "label-studio": ("x.json", "gold.json", {"include_predictions": True}),
    "brat": ("x", "gold", {}),
    "spacy": ("x.jsonl", "gold.jsonl", {"annotator_from": "file", "layers": ["gold"]}),
    "conll": ("x.conll", "gold.conll", {}),
    "doccano": ("x", "gold.jsonl", {"annotator_from": "file"}),
    "prodigy": ("x.jsonl", "gold.jsonl", {}),
    "csv": ("x.csv", "gold.csv", {}),
    "inception": ("x", "gold", {"annotator_from": "dir"}),
    "glozz": ("x", "gold", {}),
    "elan": ("x", "gold", {}),
    "textgrid": ("x", "gold", {"annotator_from": "tier"}),
    "rttm": ("x", "gold", {}),
}
"""The names of the input and of the output, and how the output is read again."""

TIMED = ("elan", "textgrid", "rttm")


def written_spans(name: str, path: Path, reading: dict[str, Any]) -> dict[str, set[Any]]:
    if name == "prodigy":  # what an annotator is to look at, which nobody has answered yet
        examples: list[Any] = list(map(msgspec.json.decode, path.read_bytes().splitlines()))
        return {
            one["id"]: {(s["start"], s["end"], s["label"]) for s in one["spans"]}
            for one in examples
        }
    found = read(path, format=name, include_annotators=["gold", "goldspan"], **reading)
    return {one.id: {(u.start, u.end, u.category) for u in one.units} for one in found}


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_in_and_the_same_out(tmp_path: Path, name: str) -> None:
    file, made, reading = FORMATS[name]
    given, output = tmp_path / "in" / file, tmp_path / "out" / made
    output.parent.mkdir()
    write(sounds() if name in TIMED else texts(), given, format=name)
    before = {path: path.read_bytes() for path in given.parent.rglob("*") if path.is_file()}
    person = Person(output.with_name(f"{output.name}.journal"))
    person.start()
    words = [str(given), "--from", name, "--output", str(output), "--quiet"]
    words += ["--annotator-from", "tier"] if name == "textgrid" else []

    assert main(["adjudicate", *words, "--adjudicator", "ana", "--no-browser"]) == 0

    person.join(60)
    assert len(person.answers) >= 3
    gold = written_spans(name, output, reading)
    for task, spans in person.answers:
        assert {tuple(one) for one in spans} <= gold[task]
    after = {path: path.read_bytes() for path in given.parent.rglob("*") if path.is_file()}
    assert after == before, "the input is never changed"
    assert output.with_name(f"{output.name}.origins.csv").exists()


def test_ctrl_c_while_the_output_is_written_breaks_nothing_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, output = tmp_path / "x.csv", tmp_path / "gold.csv"
    write(texts(), given, format="csv")
    Person(output.with_name("gold.csv.journal")).start()
    pressed = []

    def press_and_write(*given: Any) -> Any:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            signal.raise_signal(number)
            pressed.append(number)
        return write_value(*given)

    monkeypatch.setattr(adjudicate, "write_value", press_and_write)
    before = signal.getsignal(signal.SIGINT)
    words = [str(given), "--output", str(output), "--quiet", "--adjudicator", "ana"]

    assert main(["adjudicate", *words, "--no-browser"]) == 0
    assert len(pressed) == 3
    assert signal.getsignal(signal.SIGINT) is before
    assert written_spans("csv", output, {})["t0"] >= {
        (TEXT.index("Monday"), TEXT.index("Monday") + 6, "TIME")
    }
    assert output.with_name("gold.csv.hard-cases.md").exists(), "the last of the files"


def test_ctrl_c_before_the_address_is_announced_is_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given, output = tmp_path / "x.csv", tmp_path / "gold.csv"
    write(texts(), given, format="csv")

    def press(*_: Any) -> Any:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(adjudicate, "measure", press)

    # Programs that a shell starts in the background do not hear of Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert main(["adjudicate", str(given), "--output", str(output), "--no-browser"]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err.endswith("goldspan: interrupted\n")
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith("gold")]
