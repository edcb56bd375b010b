"""The Dockerfile: its commands exist, it is complete, and its health check tells up from down.

Nobody builds the image here.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from goldspan.plugin.cli import build_parser
from service_process import Service

pytestmark = pytest.mark.repository

ROOT = Path(__file__).parents[3]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
BUILD, SERVICE = DOCKERFILE.split("\nFROM ")[1:]


def instruction(name: str) -> list[str]:
    """The words of an instruction in its list form."""
    (found,) = re.findall(rf"^(?:  )?{name} (\[.*\])$", DOCKERFILE, re.MULTILINE)
    return [str(word) for word in json.loads(found)]


def health(address: str) -> int:
    """The exit code of the health check, asked about another address."""
    check = DOCKERFILE[DOCKERFILE.index("HEALTHCHECK") :]
    (found,) = re.findall(r"^  CMD (\[.*\])$", check, re.MULTILINE)
    python, option, program = json.loads(found)
    assert python == "python"
    program = program.replace("http://127.0.0.1:9090", address)
    command = [sys.executable, option, program]
    environment = os.environ | {"no_proxy": "127.0.0.1"}
    return subprocess.run(
        command, env=environment, check=False, stderr=subprocess.DEVNULL
    ).returncode


def test_the_service_starts_by_a_command_that_exists() -> None:
    assert instruction("ENTRYPOINT") == ["goldspan"]
    (command,) = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    args = build_parser().parse_args(json.loads(command))
    assert (args.port, str(args.folder)) == (9090, "/data")
    assert "EXPOSE 9090" in DOCKERFILE


def test_it_has_what_the_package_is_built_from_and_runs_as_its_own_user() -> None:
    assert {"engine", "adapters", "plugin"} <= set(re.findall(r"COPY (\w+) \1", BUILD))
    assert "README.md LICENSE" in BUILD
    user, rest = SERVICE.split("\nUSER 10001\n")
    assert "--uid 10001" in user
    assert "RUN" not in rest, "nothing is installed after the user is dropped to"


def test_the_health_check_tells_up_from_down(tmp_path: Path) -> None:
    with Service(tmp_path) as service:
        assert health(service.url) == 0
        address = service.url
    assert health(address) == 1
