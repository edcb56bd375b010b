"""Layers: which annotations are the spans, and which of their features is the category."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from goldspan.adapters.inception.sheet import Found, Sheet, short
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.adapters.adapter import ReadOptions

LAYER = "layer"
USUAL = "value"
NO_CATEGORY = {"identifier", "identity", "order"}
"""Features of built-in layers that point into a knowledge base, or elsewhere."""


class Layers:
    """The user's choice of layers, or the only one that is used.

    A category is the layer's feature `value`, or its only feature, or the layer's own name when it
    has none; with several layers the layer stands before it.
    """

    def __init__(self, options: ReadOptions, sheets: Sequence[tuple[str, Sheet]]) -> None:
        self.options = options
        self.features: dict[str, tuple[str, ...]] = {}
        counts: dict[str, int] = {}
        for _, sheet in sheets:
            self.features.update(sheet.layers)
            for found in sheet.found:
                counts[found.layer] = counts.get(found.layer, 0) + 1
        where = sheets[0][0] if sheets else ""
        self.chosen = self._named(where) if options.layers else self._only(counts, where)
        self.feature = {layer: self._feature(layer, where) for layer in self.chosen}

    def _named(self, where: str) -> tuple[str, ...]:
        chosen = []
        for name in self.options.layers:
            fitting = [layer for layer in self.features if name in (layer, short(layer))]
            if not fitting:
                known = _listed(sorted(short(layer) for layer in self.features))
                raise InputError(f"there is no layer '{name}' (there are {known})", where=where)
            if len(fitting) > 1:
                raise InputError(f"'{name}' can be {_listed(fitting)}; say which", where=where)
            chosen.append(fitting[0])
        return tuple(dict.fromkeys(chosen))

    def _only(self, counts: dict[str, int], where: str) -> tuple[str, ...]:
        if len(counts) > 1:
            found = ", ".join(f"'{short(layer)}' ({n})" for layer, n in sorted(counts.items()))
            raise InputError(
                f"spans are in the layers {found}; choose with --layer (repeat for more)",
                where=where,
            )
        return tuple(counts)

    def _feature(self, layer: str, where: str) -> str:
        """The feature that is the category; "" for the layer's own name."""
        features = self.features[layer]
        wanted = self.options.category_from
        if wanted == LAYER:
            return ""
        if wanted:
            if wanted not in features:
                raise InputError(
                    f"the layer '{short(layer)}' has no feature '{wanted}' (it has "
                    f"{_listed(features) or 'none'}); correct --category-from",
                    where=where,
                )
            return wanted
        plain = [name for name in features if name not in NO_CATEGORY]
        if USUAL in plain or len(plain) < 2:
            return USUAL if USUAL in plain else (plain or [""])[0]
        raise InputError(
            f"the layer '{short(layer)}' has the features {_listed(plain)}; choose one with "
            f"--category-from, or '{LAYER}' for the layer's name",
            where=where,
        )

    def spans(self, sheet: Sheet) -> Iterator[tuple[Found, str]]:
        """The annotations of the chosen layers, once for each category."""
        for found in sheet.found:
            if found.layer in self.feature:
                for category in self._categories(found):
                    yield found, category

    def _categories(self, found: Found) -> Sequence[str]:
        feature = self.feature[found.layer]
        values = found.features.get(feature, ()) if feature else (short(found.layer),)
        if len(values) > 1 and self.options.labels == "join":
            values = ("|".join(sorted(values)),)
        if len(self.chosen) > 1 and feature:
            return [f"{short(found.layer)}/{value}" for value in values] or [""]
        return values or [""]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
