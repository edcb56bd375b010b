"""JSON and JSON Lines: the tree behind the text, and what only a text can do."""

from __future__ import annotations

import json
from random import Random

from fuzz import lines
from fuzz.trees import mutate_tree

DEEP = (200, 5_000, 100_000)
LONG_NUMBERS = ("1" * 5000, "-" + "9" * 400, "1e999999", "1.0" + "0" * 3000 + "1", "-0")


def mutate_json(data: bytes, rng: Random) -> bytes:
    """The file with one change."""
    text = data.decode("utf-8", "surrogatepass")
    try:
        values, whole = [json.loads(text)], True
    except ValueError:
        values, whole = [json.loads(line) for line in text.split("\n") if line.strip()], False
    if not values or rng.random() < 0.1:
        return lines.mutate_lines(data, rng)
    at = rng.randrange(len(values))
    values[at] = mutate_tree(values[at], rng)
    indent = rng.choice((None, 1)) if whole else None
    written = [
        json.dumps(value, ensure_ascii=rng.random() < 0.7, indent=indent) for value in values
    ]
    if rng.random() < 0.08:
        written[at] = _only_text(written[at], rng)
    return "\n".join(written).encode("utf-8", "surrogatepass")


def _only_text(text: str, rng: Random) -> str:
    """Nesting without end, numbers that no float holds, keys that stand twice, odd spellings."""
    colons = [at for at, char in enumerate(text) if char == ":"]
    if not colons:
        return text
    at = rng.choice(colons) + 1
    kind = rng.randrange(4)
    if kind == 0:
        depth = rng.choice(DEEP)
        return f'{text[:at]} {"[" * depth}{"]" * depth}, "x": {text[at:]}'
    if kind == 1:
        return f'{text[:at]} {rng.choice(LONG_NUMBERS)}, "x": {text[at:]}'
    if kind == 2:
        start = text.rfind('"', 0, max(text.rfind('"', 0, at), 0))
        key = text[max(start, 0) : at]
        return f"{text[:at]} 1, {key} {text[at:]}"
    return (
        f"{text[:at]} {rng.choice(('NaN', '-Infinity', 'nul', '01', '+1', chr(39)))}, {text[at:]}"
    )
