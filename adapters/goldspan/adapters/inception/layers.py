"""Layers: which annotations are the spans, and which of their features is the category."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from goldspan.adapters.inception.sheet import Found, Sheet, short
from goldspan.adapters.kit.rules.unlabelled import DROP, MOST_SHARE
from goldspan.adapters.kit.tiers import chosen
from goldspan.adapters.options import FRAGMENTS
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.adapters.adapter import ReadOptions

LAYER = "layer"
USUAL = "value"
NO_CATEGORY = {"identifier", "identity", "order"}
"""Features of built-in layers that point into a knowledge base, or elsewhere."""

Categorised: TypeAlias = tuple[tuple[tuple[int, int], ...], str, str]
"""The parts of a span, one if it has no gaps, its category and its source."""


class Layers:
    """The user's choice of layers, or the only one that is used, as sheet after sheet comes by.

    A category is the layer's feature `value`, or its only feature, or the layer's own name when it
    has none; with several layers the layer stands before it.
    """

    def __init__(self, options: ReadOptions) -> None:
        self.options = options
        self.features: dict[str, tuple[str, ...]] = {}
        self._chosen: dict[str, str] = {}
        self._found: set[str] = set()
        self.gaps = 0
        self._where = ""

    def spans(self, sheet: Sheet, where: str) -> list[Categorised]:
        """The annotations of the chosen layers, once for each category; an error, at the first
        sheet that shows it, if the user has to choose.
        """
        self._where = self._where or where
        self.features.update(sheet.layers)
        chosen = self._named(sheet) if self.options.layers else self._only(sheet)
        feature = {layer: self._feature(layer, where, sheet) for layer in chosen}
        return [
            (parts, category, found.source)
            for found in sheet.found
            if found.layer in feature
            for parts in self._spans(found)
            for category in self._categories(found, feature[found.layer])
        ]

    def _spans(self, found: Found) -> Sequence[tuple[tuple[int, int], ...]]:
        """One span with its parts, or one for each part, as the options say."""
        parts = found.fragments or ((found.start, found.end),)
        self.gaps += len(parts) > 1
        return [(part,) for part in parts] if FRAGMENTS.of(self.options) == "split" else [parts]

    def check(self) -> None:
        """Refuse a name of a layer that no sheet has."""
        for name in self.options.layers if self._where else ():
            if name not in self._chosen and name not in self._found:
                known = _listed(sorted(short(layer) for layer in self.features))
                raise InputError(
                    f"there is no layer '{name}' (there are {known})", where=self._where
                )

    def _named(self, sheet: Sheet) -> tuple[str, ...]:
        """The layers of the user's choice that this sheet may have spans in."""
        for name in self.options.layers:
            fitting = [layer for layer in self.features if chosen((name,), (layer, short(layer)))]
            if "*" in name:
                self._found.update((name,) * bool(fitting))
                self._chosen.update((layer, layer) for layer in fitting)
                continue
            if len(fitting) > 1:
                raise InputError(
                    f"'{name}' can be {_listed(fitting)}; say which", where=self._where
                )
            self._chosen.update((name, layer) for layer in fitting)
        if sheet.all_layers:
            self.check()
        return tuple(dict.fromkeys(self._chosen.values()))

    def _only(self, sheet: Sheet) -> tuple[str, ...]:
        """The one layer with spans."""
        counts: dict[str, int] = {}
        for found in sheet.found:
            counts[found.layer] = counts.get(found.layer, 0) + 1
        used = {**self._chosen, **dict.fromkeys(counts, "")}
        if len(used) > 1:
            raise self._question({layer: counts.get(layer, 0) for layer in used}, sheet)
        self._chosen = used
        return tuple(used)

    def _question(self, counts: Mapping[str, int], sheet: Sheet) -> InputError:
        """All that the user has to choose, with options to copy."""
        layers = ", ".join(
            f"'{short(layer)}' ({n})" if n else f"'{short(layer)}'"
            for layer, n in sorted(counts.items())
        )
        said = f"spans are in the layers {layers}; choose with --layer (repeat for more)"
        most = max(counts, key=lambda layer: counts[layer])
        words = ["--layer", short(most)]
        unclear = [one for one in counts if len(_plain(self.features[one])) > 1]
        unclear = [one for one in unclear if USUAL not in self.features[one]]
        if unclear and not self.options.category_from:
            of = "; ".join(
                f"'{short(one)}' has the features {_listed(_plain(self.features[one]))}"
                for one in unclear
            )
            said += f", and the feature that is the category with --category-from ({of})"
            if most in unclear:
                words += ["--category-from", _plain(self.features[most])[0]]
        more, added = self._unlabelled(sheet, most, dict(zip(words[::2], words[1::2], strict=True)))
        words += added
        features = [name for one in counts for name in _plain(self.features[one])]
        return InputError(
            f"{said}{more}, such as: {' '.join(words)}",
            where=self._where,
            remedy=tuple(words),
            choices={
                "--layer": tuple(short(layer) for layer in sorted(counts)),
                "--category-from": (*dict.fromkeys(features), LAYER),
            },
        )

    def _unlabelled(
        self, sheet: Sheet, layer: str, words: Mapping[str, str]
    ) -> tuple[str, list[str]]:
        """What else to say, and the option, where many spans of a layer have no category."""
        plain = _plain(self.features[layer])
        usual = USUAL if USUAL in plain else (plain or [""])[0]
        feature = words.get("--category-from") or self.options.category_from or usual
        spans = [found for found in sheet.found if found.layer == layer]
        without = sum(not found.features.get(feature) for found in spans)
        if feature in ("", LAYER) or self.options.unlabelled or without <= MOST_SHARE * len(spans):
            return "", []
        said = f", and what to do with spans without '{feature}' ({without} of {len(spans)} here) "
        return f"{said}with --unlabelled", ["--unlabelled", DROP]

    def _feature(self, layer: str, where: str, sheet: Sheet) -> str:
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
        plain = _plain(features)
        if USUAL in plain or len(plain) < 2:
            return USUAL if USUAL in plain else (plain or [""])[0]
        words = ["--category-from", plain[0]]
        more, added = self._unlabelled(sheet, layer, {words[0]: words[1]})
        raise InputError(
            f"the layer '{short(layer)}' has the features {_listed(plain)}; choose one with "
            f"--category-from, or '{LAYER}' for the layer's name{more}",
            where=where,
            remedy=(*words, *added),
            choices={"--category-from": (*plain, LAYER)},
        )

    def _categories(self, found: Found, feature: str) -> Sequence[str]:
        values = found.features.get(feature, ()) if feature else (short(found.layer),)
        if len(values) > 1 and self.options.labels == "join":
            values = ("|".join(sorted(values)),)
        asked = self.options.layers
        several = len({self._chosen.get(name, name) for name in asked}) > 1
        if feature and (several or any("*" in name for name in asked)):
            return [f"{short(found.layer)}/{value}" for value in values] or [""]
        return values or [""]


def _plain(features: Sequence[str]) -> list[str]:
    """Those that can be a category."""
    return [name for name in features if name not in NO_CATEGORY]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
