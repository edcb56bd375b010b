"""Writes api.md beside this script: every public name, as its docstring describes it.

`make docs` runs it; a test compares.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("api.md")
MODULES = (
    "goldspan.engine",
    "goldspan.engine.coefficient",
    "goldspan.adapters",
    "goldspan.adapters.kit",
)
HEAD = """\
# Python

Every public name. `goldspan.adapters` reads and writes files, `goldspan.engine` measures agreement
and merges annotations.

```python
from goldspan.adapters import read
from goldspan.engine import Settings, merge, score

corpus = read("examples/newsroom/spans.csv", assignments="examples/newsroom/spans.assignments.csv")
for continuum in corpus:
    print(continuum.id, len(continuum.units))

result = score(corpus, settings=Settings(seed=1, precision=0.1), pairs=False)
print(result.gamma.value, result.gamma.low, result.gamma.high)
print(result.tables()["labels"][0]["gamma_k"])

gold = merge(corpus, result)
print(gold.n_spans)
```

A notebook shows a corpus, a result or gold as a table, and a task of a result as a drawing of its
alignment ([example](notebook.md)). `result.tables()` gives plain rows, from
which `pandas.DataFrame(result.tables()["tasks"])` or `polars.DataFrame(result.tables()["tasks"])`
makes a frame; goldspan itself needs neither library.

<!-- Written by `make docs` from the docstrings. -->
"""


def public() -> Iterator[tuple[str, str, Any]]:
    """Module, name and value of everything public, in the order of the page."""
    for module in MODULES:
        for name in sorted(getattr(import_module(module), "__all__", ())):
            yield module, name, getattr(import_module(module), name)


def description(module: str, name: str) -> str:
    """What the docstring says; that of an alias is the string after its definition."""
    value = getattr(import_module(module), name)
    if inspect.isclass(value) or inspect.isroutine(value):
        return inspect.cleandoc(value.__doc__ or "")
    home = getattr(import_module(module), "_HOME", {}).get(name)
    if home:
        return description(home if home.startswith("goldspan.") else f"{module}.{home}", name)
    body = ast.parse(inspect.getsource(import_module(module))).body
    for statement, following in pairwise(body):
        if name in _defined(statement) and isinstance(following, ast.Expr):
            return str(ast.literal_eval(following.value))
    for statement in body:
        if isinstance(statement, ast.ImportFrom) and name in [one.name for one in statement.names]:
            return description(str(statement.module), name)
    return ""


def _defined(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.AnnAssign):
        return [ast.unparse(statement.target)]
    if isinstance(statement, ast.Assign):
        return [ast.unparse(target) for target in statement.targets]
    return []


def render() -> str:
    """The page."""
    lines = [HEAD]
    seen: dict[int, str] = {}
    section = ""
    for module, name, value in public():
        if module != section:
            section = module
            lines += [f"## {module}", "", *_text(inspect.getdoc(import_module(module)) or ""), ""]
        first = seen.setdefault(id(value), f"{module}.{name}")
        if first != f"{module}.{name}":
            lines += [f"### {name}", "", f"The same as `{first}`.", ""]
            continue
        lines += [f"### {name}", "", *_signature(name, value)]
        lines += [*_text(description(module, name)), "", *_members(value)]
    return "\n".join(lines).rstrip() + "\n"


def _signature(name: str, value: Any) -> list[str]:
    if inspect.isclass(value) and issubclass(value, Enum):
        return (
            [] if not len(value) else [f"One of {', '.join(f'`{one.name}`' for one in value)}.", ""]
        )
    if inspect.isclass(value) and (
        inspect.isabstract(value) or getattr(value, "_is_protocol", False)
    ):
        return []
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        return []
    return [f"    {line}" for line in _call(name, value)] + [""]


def _call(name: str, value: Any) -> list[str]:
    """The call, on one line or with an argument on each."""
    words = []
    starred = False
    signature = inspect.signature(value)
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            words.append("*")
            starred = True
        words.append(_parameter(parameter))
    given = signature.return_annotation
    back = "" if inspect.isclass(value) or given is signature.empty else f" -> {given}"
    line = f"{name}({', '.join(words)}){back}"
    if len(line) <= 90:
        return [line]
    return [f"{name}(", *(f"    {word}," for word in words), f"){back}"]


def _parameter(parameter: inspect.Parameter) -> str:
    stars: dict[object, str] = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
    word: str = stars.get(parameter.kind, "") + parameter.name
    if parameter.annotation is not parameter.empty:
        annotation = parameter.annotation
        word += f": {getattr(annotation, '__forward_arg__', annotation)}"
    if parameter.default is parameter.empty:
        return word
    default = parameter.default
    if isinstance(default, Enum):
        return f"{word} = {type(default).__name__}.{default.name}"
    return f"{word} = {'…' if '<' in repr(default) else repr(default)}"


def _members(owner: Any) -> list[str]:
    """Properties and methods that say what they are for."""
    if not inspect.isclass(owner):
        return []
    found: dict[str, str] = {}
    for kind in owner.__mro__:
        if not kind.__module__.startswith("goldspan."):
            continue
        for name, value in vars(kind).items():
            member = getattr(value, "__func__", value)
            if inspect.isclass(member):
                continue
            says = inspect.getdoc(member) if callable(member) or _is_property(member) else None
            if not name.startswith("_") and says and name not in found:
                call = "" if _is_property(member) else "()"
                found[name] = f"- `{name}{call}`: {' '.join(says.split(chr(10) * 2)[0].split())}"
    return [*(found[name] for name in sorted(found)), ""] if found else []


def _is_property(member: object) -> bool:
    return isinstance(member, property) or type(member).__name__ == "cached_property"


def _text(docstring: str) -> list[str]:
    """Paragraphs as they are; what is set out in columns stays so."""
    lines: list[str] = []
    for paragraph in docstring.split("\n\n"):
        columns = [line for line in paragraph.splitlines() if re.search(r"\S {2,}\S", line)]
        if len(columns) > 1:
            lines += ["```text", *paragraph.splitlines(), "```"]
        else:
            lines += paragraph.splitlines()
        lines.append("")
    return lines[:-1]


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
