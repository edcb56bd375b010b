"""DocBin files: the msgpack tree inside, and the packed trees inside that one."""

from __future__ import annotations

import zlib
from random import Random
from typing import Any

from srsly import msgpack_dumps, msgpack_loads

from fuzz import atoms, raw_bytes
from fuzz.trees import mutate_tree

PACKED = ("span_groups", "user_data")
"""Lists of values that are packed once more."""


def mutate_docbin(data: bytes, rng: Random) -> bytes:
    """The file with one change."""
    values = msgpack_loads(zlib.decompress(data))
    values = _inner(values, rng) if rng.random() < 0.5 else mutate_tree(values, rng, _leaf)
    return zlib.compress(msgpack_dumps(values))


def _inner(values: Any, rng: Random) -> Any:
    rows = values[rng.choice(PACKED)]
    at = rng.randrange(len(rows))
    tree = msgpack_loads(rows[at], use_list=True)
    if isinstance(tree, dict) and rng.random() < 0.7:
        # A span group is the key, packed itself; its value are the names that it has.
        tree = {_group(key, rng): names for key, names in tree.items()}
    else:
        tree = mutate_tree(tree, rng, _leaf)
    rows[at] = msgpack_dumps(tree)
    return values


def _group(packed: Any, rng: Random) -> Any:
    return msgpack_dumps(mutate_tree(msgpack_loads(packed), rng, _leaf))


def _leaf(rng: Random, old: Any) -> Any:
    if isinstance(old, bytes):
        return raw_bytes.mutate_bytes(old, rng)
    return rng.choice((atoms.number(rng), atoms.text(rng), None))
