"""Trees: nested lists and objects, changed in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, TypeAlias

from fuzz import atoms

Place: TypeAlias = tuple[Any, Any]
"""A list or dict, and the index or key of a value in it."""

Leaf: TypeAlias = Callable[[Random, Any], Any]
"""Another value for a leaf that is neither list nor dict."""


def mutate_tree(root: Any, rng: Random, leaf: Leaf | None = None) -> Any:
    """A copy of the tree with one change; `leaf` may know more about leaves."""
    box = [deepcopy(root)]
    places = list(_walk(box))
    holder, key = rng.choice(places)
    rng.choice(CHANGES)(holder, key, places, rng, leaf)
    return box[0] if box else None


def _walk(holder: Any) -> Iterator[Place]:
    keys = list(holder) if isinstance(holder, dict) else range(len(holder))
    for key in keys:
        yield holder, key
        if isinstance(holder[key], (dict, list)):
            yield from _walk(holder[key])


def _delete(holder: Any, key: Any, *_: object) -> None:
    del holder[key]


def _replace(holder: Any, key: Any, places: list[Place], rng: Random, leaf: Leaf | None) -> None:
    old = holder[key]
    if leaf is not None and not isinstance(old, (dict, list)) and rng.random() < 0.7:
        holder[key] = leaf(rng, old)
    else:
        holder[key] = atoms.value(rng)


def _nudge(holder: Any, key: Any, places: list[Place], rng: Random, leaf: Leaf | None) -> None:
    """The same kind of value, a little off."""
    old = holder[key]
    if isinstance(old, (int, float)) and not isinstance(old, bool):
        holder[key] = rng.choice((old + 1, old - 1, -old, old * 10, old / 2, old + 0.5, str(old)))
    elif isinstance(old, str):
        at = rng.randrange(len(old) + 1)
        holder[key] = rng.choice((old[:at] + atoms.text(rng) + old[at:], old[:at], old * 2))
    elif isinstance(old, list):
        rng.shuffle(old)
    else:
        _replace(holder, key, places, rng, leaf)


def _repeat(holder: Any, key: Any, places: list[Place], rng: Random, leaf: Leaf | None) -> None:
    if isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), deepcopy(holder[key]))
    else:
        holder[atoms.text(rng)] = deepcopy(holder[key])


def _rename(holder: Any, key: Any, places: list[Place], rng: Random, leaf: Leaf | None) -> None:
    if isinstance(holder, dict):
        others = [name for at, name in places if isinstance(at, dict)]
        holder[rng.choice((rng.choice(others), atoms.text(rng)))] = holder.pop(key)
    else:
        _replace(holder, key, places, rng, leaf)


def _move(holder: Any, key: Any, places: list[Place], rng: Random, leaf: Leaf | None) -> None:
    """A copy of another part of the tree."""
    other, name = rng.choice(places)
    holder[key] = deepcopy(other[name])


def _wrap(holder: Any, key: Any, places: list[Place], rng: Random, leaf: Leaf | None) -> None:
    value = holder[key]
    for _ in range(rng.choice((1, 2, 50))):
        value = [value] if rng.random() < 0.5 else {"a": value}
    holder[key] = value


CHANGES = (_delete, _delete, _replace, _replace, _nudge, _nudge, _repeat, _rename, _move, _wrap)
