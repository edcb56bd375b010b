"""Find phrases that read as translated, and suggest plain ones: `make lint` runs this.

It reads the pages, and the docstrings, comments, messages and templates of the three parts. Plain
technical English needs none of these phrases: reword a finding, do not excuse it.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("*.md", "docs/*.md", "examples/*/README.md")
GENERATED = ROOT / "docs" / "commands.md"
PARTS = ("engine", "adapters", "plugin")
SUFFIXES = (".py", ".j2", ".html", ".js")

VERB = r"(is|are|was|were|has|have|had|would|does|do|may|can|must)\b"

PATTERNS = {
    r"\banew\b": "write: again",
    r"\bbesides\b": "write: also, in addition, or except",
    r"\bdear(er|est)\b": "write: higher or highest cost",
    r"(?<!cannot be )\btold\b|\b(tell|tells|telling) of\b": "write: says, shows or distinguishes",
    r"\b(has|have|had) (a|no) say\b": "write: decides, votes or matters",
    r"\b(look|looks|looked|looking) after\b": "write: monitors or manages",
    r"\b(go|goes|going|went) by\b": "write: is called, or uses",
    r"\blies?\b": "write: is",
    r"\bwhat (it|he|she|they|the \w+) (is|are|was|were) at\b": "write: what it is doing",
    r"\bhow-manieth\b": "write: the number of, or which",
    r"(^|[.;] )(?-i:Who|Whoever) [^?]*?[.,:;]|; who\b|\b(for|to|from) who\b": "name the person: "
    "the annotator who …",
    r"(?<!\bthere )\b(is|are|was|were) no "
    r"(?!(longer|more|less|fewer|matter)\b|\w+er than\b)[\w'-]+": "write: is not a …",
    rf"[,:;] for (it|they|he|she|we|you|there|nobody|nothing) (?!(and|or|in|of|on|with|to)\b)\w+"
    rf"|[,:;] for (this|that|these|those|many|most) {VERB}"
    rf"|, for (the|a|an)( (?!who\b|which\b|that\b)[\w'-]+){{1,3}} {VERB}": "write: because",
    r"[,;] and (so )?said\b|\b(which|that) is said\b": "write: and a note says so",
}
"""A phrase, and the advice. A blank in a phrase is any white space."""

RULES = [
    (re.compile(phrase.replace(" ", r"\s"), re.MULTILINE | re.IGNORECASE), advice)
    for phrase, advice in PATTERNS.items()
]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A phrase at a line, and what to write instead."""

    line: int
    phrase: str
    advice: str


def check(text: str, line: int = 1) -> Iterator[Finding]:
    """The findings in a text that begins at a line."""
    for rule, advice in RULES:
        for match in rule.finditer(re.sub(r"[ \t]+", " ", text)):
            number = line + match.string.count("\n", 0, match.start())
            yield Finding(number, " ".join(match[0].split()), advice)


def page_prose(text: str) -> str:
    """A page of Markdown without its code; every line keeps its number."""

    def blank(match: re.Match[str]) -> str:
        return "`" + "\n" * match[0].count("\n")

    return re.sub(r"^```.*?^```|`[^`]*`|^    .*?$", blank, text, flags=re.DOTALL | re.MULTILINE)


def code_prose(text: str) -> Iterator[tuple[int, str]]:
    """The strings and comments of a module, and their lines; {} stands for a value in a string."""
    parts: set[ast.AST] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.JoinedStr):
            parts.update(node.values)
            values = [v.value if isinstance(v, ast.Constant) else "{}" for v in node.values]
            yield node.lineno, "".join(map(str, values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts:
            yield node.lineno, node.value
    yield from _comments(text)


def _comments(text: str) -> Iterator[tuple[int, str]]:
    """Comments on lines that follow each other are one text."""
    begin, lines = 0, list[str]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != begin + len(lines):
                yield begin, "\n".join(lines)
                begin, lines = token.start[0], []
            lines.append(token.string.lstrip("#: "))
    yield begin, "\n".join(lines)


def findings(path: Path) -> list[Finding]:
    """What to reword in a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return sorted({f for line, prose in code_prose(text) for f in check(prose, line)})
    return sorted(set(check(page_prose(text) if path.suffix == ".md" else text)))


def files() -> Iterator[Path]:
    """Everything that people read: pages, modules and templates."""
    for pattern in PAGES:
        yield from (path for path in sorted(ROOT.glob(pattern)) if path != GENERATED)
    for part in PARTS:
        for path in sorted((ROOT / part).rglob("*")):
            if path.suffix in SUFFIXES:
                yield path


def main() -> int:
    """Print every finding; 1 if there is one."""
    lines = [
        f'{path.relative_to(ROOT)}:{found.line}: "{found.phrase}": {found.advice}\n'
        for path in files()
        for found in findings(path)
    ]
    sys.stdout.writelines(lines)
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
