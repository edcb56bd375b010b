"""Digest: a short name for values of JSON."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def digest(*said: Any) -> str:
    """A short name for values of JSON: it differs when they do."""
    text = json.dumps(said, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:24]
