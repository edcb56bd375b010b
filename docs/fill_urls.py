"""Prepares README.md and pyproject.toml for the page on PyPI: addresses and `pip install goldspan`.

`python docs/fill_urls.py https://github.com/OWNER/goldspan v0.2.0`

Links in README.md lead to files beside it, which PyPI does not have, and pyproject.toml names no
address, because each fork has its own. The release workflow runs this in its checkout before it
builds, and commits nothing.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(
    r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)"
)
BEFORE = "[project.scripts]\n"
INSTALL = {
    "In a checkout of goldspan:": "From PyPI:",
    "    pip install . ": "    pip install goldspan ",
    '    pip install ".[all]" ': '    pip install "goldspan[all]" ',
}
"""How README.md says to install, and how the page at PyPI says it."""


def linked(readme: str, address: str, tag: str) -> str:
    """The text with full addresses of the files of a tag, and with goldspan from PyPI."""

    def full(found: re.Match[str]) -> str:
        kind = "raw" if found["image"] else "blob"
        target = f"{address}/{kind}/{tag}/{found['target']}{found['anchor'] or ''}"
        return f"{found['image']}[{found['text']}]({target})"

    for here, published in INSTALL.items():
        if readme.count(here) != 1:
            sys.exit(f"README.md does not say once: {here.strip()}")
        padding = " " * max(0, len(published) - len(here))
        readme = readme.replace(here + padding, published)
    return LINK.sub(full, readme)


def with_urls(project: str, address: str, tag: str) -> str:
    """pyproject.toml with the addresses of the project."""
    urls = {
        "Homepage": address,
        "Documentation": f"{address}/blob/{tag}/docs/index.md",
        "Changes": f"{address}/blob/{tag}/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }
    if "[project.urls]" in project or project.count(BEFORE) != 1:
        sys.exit("pyproject.toml already names addresses; start from a clean checkout")
    table = "".join(f'{name} = "{url}"\n' for name, url in urls.items())
    return project.replace(BEFORE, f"[project.urls]\n{table}\n{BEFORE}")


def main(address: str, tag: str) -> None:
    """Rewrite README.md and pyproject.toml."""
    for name, filled in (("pyproject.toml", with_urls), ("README.md", linked)):
        path = ROOT / name
        text = filled(path.read_text(encoding="utf-8"), address.rstrip("/"), tag)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3 or not sys.argv[1].startswith("https://"):
        sys.exit("give the address of the repository and a tag")
    main(*sys.argv[1:])
