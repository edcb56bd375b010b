"""The compose file is YAML, and the commands in it exist."""

from __future__ import annotations

import configparser
import re
import shlex
from pathlib import Path

import pytest

from goldspan.plugin.cli import build_parser

EXAMPLE = Path(__file__).parents[2] / "examples" / "label_studio"
COMPOSE = EXAMPLE / "docker-compose.yml"
TLS, UNIT = EXAMPLE / "docker-compose.tls.yml", EXAMPLE / "goldspan.service"


def test_the_service_starts_by_a_command_that_exists() -> None:
    yaml = pytest.importorskip("yaml")
    services = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]

    command = shlex.split(services["goldspan"]["command"])
    args = build_parser().parse_args(command[1:])

    assert command[0] == "goldspan"
    assert args.url == "http://label-studio:8080"
    assert args.browser_url == "http://localhost:8080", "a browser is outside of the containers"
    # Both are published on this machine only, and the one that listens on all has a password.
    assert args.host == "0.0.0.0"  # noqa: S104 - in its container
    assert "GOLDSPAN_PASSWORD" in services["goldspan"]["environment"]
    for service in services.values():
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])


PAGES = [COMPOSE, TLS, UNIT, EXAMPLE / "README.md"]


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_the_commands_it_tells_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    shown = re.findall(r"goldspan label-studio (?:serve|setup|sync|status) --[^\n`]*", text)

    assert shown
    for command in shown:
        build_parser().parse_args(shlex.split(command)[1:])


def test_the_image_has_what_the_package_is_built_from() -> None:
    """The container copies single folders; whatever the wheel takes must be among them."""
    text = COMPOSE.read_text(encoding="utf-8")

    assert {"engine", "adapters", "plugin"} <= set(re.findall(r"COPY (\w+) \1", text))
    assert "README.md LICENSE" in text


def test_tls_stands_in_front_of_both_services() -> None:
    yaml = pytest.importorskip("yaml")
    found = yaml.safe_load(TLS.read_text(encoding="utf-8"))["services"]
    behind = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
    proxied = re.findall(r"reverse_proxy ([\w-]+):", (EXAMPLE / "Caddyfile").read_text("utf-8"))

    assert sorted(proxied) == sorted(behind)
    assert [name for name, service in found.items() if "ports" in service] == ["caddy"]
    assert "--public-url https://${GOLDSPAN_HOST}" in found["goldspan"]["command"]
    assert "--browser-url https://${LABELS_HOST}" in found["goldspan"]["command"]


def test_the_unit_has_what_systemd_needs() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(UNIT.read_text(encoding="utf-8"))

    assert unit["Service"]["ExecStart"].startswith("/opt/goldspan/bin/goldspan label-studio serve")
    assert "--folder /var/lib/goldspan" in unit["Service"]["ExecStart"]
    assert unit["Install"]["WantedBy"] == "multi-user.target"
