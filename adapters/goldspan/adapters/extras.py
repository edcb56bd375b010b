"""Extras: the optional parts of goldspan that some formats need."""

from __future__ import annotations

import importlib
from types import ModuleType

from goldspan.engine.errors import MissingExtra


def require(module: str, *, feature: str, extra: str) -> ModuleType:
    """The optional module, or an error that names the extra to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(feature, extra) from error
