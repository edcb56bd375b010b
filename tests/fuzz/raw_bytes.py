"""Bytes: what happens to any file on a bad disk."""

from __future__ import annotations

from random import Random


def mutate_bytes(data: bytes, rng: Random) -> bytes:
    """The file cut, with bits turned, or with a stretch dropped, repeated or put elsewhere."""
    if not data:
        return rng.randbytes(rng.randrange(40))
    kind = rng.randrange(6)
    at = rng.randrange(len(data))
    end = min(len(data), at + rng.choice((1, 2, 8, 64, 1000)))
    if kind == 0:
        return data[:at]
    if kind == 1:
        turned = bytearray(data)
        for _ in range(rng.choice((1, 1, 3, 20))):
            turned[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        return bytes(turned)
    if kind == 2:
        return data[:at] + data[end:]
    if kind == 3:
        return data[:end] + data[at:end] * rng.choice((1, 5)) + data[end:]
    if kind == 4:
        return data[:at] + rng.randbytes(end - at) + data[end:]
    other = rng.randrange(len(data))
    return data[:other] + data[at:end] + data[other:]
