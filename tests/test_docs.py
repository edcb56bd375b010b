"""The documentation is true: commands are documented, shown commands run, links lead somewhere."""

from __future__ import annotations

import argparse
import os
import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldspan.plugin.cli import build_parser

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*/README.md")])
EACH_PAGE = pytest.mark.parametrize("page", PAGES, ids=[str(p.relative_to(ROOT)) for p in PAGES])
COMMANDS = runpy.run_path(str(ROOT / "docs" / "make_commands.py"))
API = runpy.run_path(str(ROOT / "docs" / "make_api.py"))
SCHEMA = runpy.run_path(str(ROOT / "docs" / "make_schema.py"))
COEFFICIENTS = runpy.run_path(str(ROOT / "docs" / "make_coefficients.py"))
VERBS: list[tuple[str, argparse.ArgumentParser]] = list(COMMANDS["verbs"](build_parser()))
EACH_VERB = pytest.mark.parametrize(("verb", "parser"), VERBS, ids=[name for name, _ in VERBS])


def test_the_page_of_commands_is_current() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")

    assert page == COMMANDS["render"](), "run `make docs`"


def test_the_page_of_public_names_is_current() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")

    assert page == API["render"](), "run `make docs`"


def test_the_table_of_coefficients_is_current() -> None:
    page = (ROOT / "docs" / "coefficients.md").read_text(encoding="utf-8")

    assert page == COEFFICIENTS["page"](), "run `make docs`"


def test_every_coefficient_has_its_source_once() -> None:
    page = (ROOT / "docs" / "coefficients.md").read_text(encoding="utf-8")
    table = page.partition("\n## Sources\n")[2].partition("\n## ")[0]
    named = [
        key for row in table.splitlines() for key in re.findall(r"`(\w+)`", row.split(" | ")[0])
    ]

    assert sorted(named) == sorted(one.key for one in COEFFICIENTS["coefficients"]())


def test_the_page_of_json_is_current() -> None:
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")

    assert page == SCHEMA["page"](), "run `make docs`"


@EACH_VERB
def test_every_verb_and_option_says_what_it_is_for(
    verb: str, parser: argparse.ArgumentParser
) -> None:
    assert parser.description
    assert parser.epilog
    assert f"{verb} " in parser.epilog, "the help ends with an example"
    assert [a.dest for a in COMMANDS["options"](parser) if not a.help] == []


@EACH_VERB
def test_every_verb_and_option_is_documented(verb: str, parser: argparse.ArgumentParser) -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in ROOT.glob("docs/**/*.md"))

    assert verb in text
    for action in COMMANDS["options"](parser):
        for option in action.option_strings:
            assert re.search(rf"`{option}\b", text), f"{verb} {option} is documented nowhere"


def shown(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Each `$ goldspan …` line in a console block, and the lines shown under it."""
    for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *output = part.rstrip().splitlines()
            if command.startswith("goldspan "):
                yield command, output


SHOWN = [(page, command, output) for page in PAGES for command, output in shown(page)]


@pytest.mark.parametrize(
    ("command", "output"),
    [(command, output) for _, command, output in SHOWN],
    ids=[f"{page.name}: {command}" for page, command, _ in SHOWN],
)
def test_shown_commands_give_what_is_shown(command: str, output: list[str], tmp_path: Path) -> None:
    """A line `…` stands for any lines."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    said = subprocess.run(
        [sys.executable, "-m", "goldspan.plugin", *shlex.split(command)[1:]],
        cwd=tmp_path,
        env=os.environ | {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=True,
    ).stdout

    wanted = "".join(".*" if line == "…" else f"{re.escape(line.rstrip())}\n" for line in output)
    real = "".join(f"{line.rstrip()}\n" for line in said.splitlines())
    if output:
        assert re.fullmatch(wanted, real, re.DOTALL), real


SCRIPTS = [
    (page, script)
    for page in PAGES
    for script in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
]


@pytest.mark.parametrize(
    "script", [script for _, script in SCRIPTS], ids=[page.name for page, _ in SCRIPTS]
)
def test_shown_scripts_run(script: str, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")

    subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=tmp_path, check=True)


def typed(page: Path) -> list[str]:
    """The lines in the blocks of a page, fenced or indented; a line that goes on is one."""
    text = page.read_text(encoding="utf-8")
    fenced = re.findall(r"^ *```[^\n]*\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    plain = re.sub(r"^ *```.*?^ *```|<div.*?</div>", "", text, flags=re.DOTALL | re.MULTILINE)
    indented = re.findall(r"^ {4,}(\S.*)$", plain, re.MULTILINE)
    lines = "\n".join([*fenced, *indented]).replace("\\\n", " ").splitlines()
    return [line.strip().removeprefix("$ ") for line in lines]


@EACH_PAGE
def test_commands_to_type_exist(page: Path) -> None:
    """Whatever files they name: the verb and its options are known, and nothing is missing."""
    for line in typed(page):
        command = re.sub(r"^(sudo |[A-Z_]+=\S+ )+", "", line)
        if command.startswith("goldspan ") and "…" not in command:
            words = shlex.split(re.split(r" [|>&;]", command)[0], comments=True)
            build_parser().parse_args(words[1:])


@pytest.mark.repository
@EACH_PAGE
def test_modules_and_targets_on_a_page_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for module in re.findall(r"python3? -m (benchmarks[\w.]*\w)", text):
        file = ROOT.joinpath(*module.split("."))
        assert file.with_suffix(".py").is_file() or (file / "__main__.py").is_file(), module
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    blocks = "\n".join(typed(page))
    for target in re.findall(r"`make ([a-z-]+)", text) + re.findall(
        r"^make ([a-z-]+)", blocks, re.MULTILINE
    ):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_readme_shows_a_command() -> None:
    assert any(page.name == "README.md" for page, _, _ in SHOWN)


@pytest.mark.repository
def test_every_page_is_in_the_navigation_of_the_site_once() -> None:
    staging = runpy.run_path(str(ROOT / "docs" / "stage_pages.py"))
    pages = [staging["place"](page).as_posix() for page in staging["pages"]()]
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = re.findall(r"^ +- .+: (\S+\.md)$", config.partition("\nnav:\n")[2], re.MULTILINE)

    assert sorted(listed) == sorted(pages), "list each page once, under nav in mkdocs.yml"


@EACH_PAGE
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text)

    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []
