"""XMI: a UIMA CAS and its type system, read with dkpro-cassis."""

from __future__ import annotations

import io
import warnings
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from goldspan.adapters.extras import require
from goldspan.adapters.files.xml_file import parse_xml
from goldspan.adapters.inception.sheet import Found, Sheet
from goldspan.adapters.kit.text.utf16 import Utf16
from goldspan.engine.errors import InputError

XMI = "http://www.omg.org/XMI"
ANNOTATION = "uima.tcas.Annotation"
NO_LAYERS = (
    "uima.tcas.",
    "de.tudarmstadt.ukp.clarin.webanno.api.type.",
    "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.",
    "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.",
    "org.dkpro.core.api.pdf.type.",
    "org.dkpro.core.api.xml.type.",
)
"""Packages of types that hold the document's form, not what annotators marked."""

PLAIN = {
    f"uima.cas.{name}"
    for name in ("String", "StringArray", "Boolean", "Integer", "Long", "Float", "Double")
}
OWN = {"begin", "end", "sofa"}


class Types(NamedTuple):
    """A type system, and its span layers with the ranges of their features."""

    system: Any
    layers: Mapping[str, Mapping[str, str]]


class TypeSystems:
    """Type systems by their bytes: the many files of a project mostly have the same one.

    Types that are not layers count as layers if they are `wanted`.
    """

    def __init__(self, wanted: Collection[str] = ()) -> None:
        self._wanted = wanted
        self._known: dict[bytes, Types] = {}

    def load(self, data: bytes, where: str) -> Types:
        """The type system in a file."""
        if data not in self._known:
            cassis = require("cassis", feature="reading XMI", extra="inception")
            parse_xml(data, where=where, extra="inception")
            system = _guarded(cassis.load_typesystem, where, io.BytesIO(data))
            layers = _guarded(lambda: dict(_layers(system, self._wanted)), where)
            self._known[data] = Types(system, layers)
        return self._known[data]


def read_xmi(data: bytes, types: Types, where: str) -> Sheet:
    """The sheet in an XMI file."""
    cassis = require("cassis", feature="reading XMI", extra="inception")
    # Refuses document types before cassis sees the file, which then may be as large as it likes.
    tree = parse_xml(data, where=where, extra="inception")
    cas = _guarded(
        cassis.load_cas_from_xmi, where, io.BytesIO(data), typesystem=types.system, trusted=True
    )
    text = cas.sofa_string
    if text is None:
        raise InputError("the CAS has no text", where=where)
    _check_positions(tree, Utf16.of(text), where)
    found = tuple(
        _found(one, types.layers[one.type.name], where)
        for one in cas.select(ANNOTATION)
        if one.type.name in types.layers
    )
    features = {name: tuple(own) for name, own in types.layers.items()}
    return Sheet(text, found, features, all_layers=True)


def _guarded(load: Any, where: str, *args: Any, **settings: Any) -> Any:
    try:
        with warnings.catch_warnings():
            # It warns of positions that it cannot convert; they are checked here, with a place.
            warnings.simplefilter("ignore", UserWarning)
            return load(*args, **settings)
    except Exception as error:
        # XML that is not a CAS, or has other types, fails inside cassis in many ways.
        raise InputError(
            f"dkpro-cassis cannot read this ({type(error).__name__}: {error}); export it again as "
            "UIMA CAS XMI, with its TypeSystem.xml",
            where=where,
        ) from error


def _check_positions(tree: Any, utf16: Utf16, where: str) -> None:
    """Refuse positions in the middle of a character, which cassis would take as they are."""
    for element in tree.iter() if utf16.wide else ():
        for name in ("begin", "end"):
            position = element.get(name)
            if position is None:
                continue
            try:
                on_boundary = utf16.to_points(int(position)) is not None
            except ValueError as error:
                said = f"'{name}' is '{position}', which is not a position in the text"
                raise InputError(said, where=_element(element, where)) from error
            if not on_boundary:
                said = f"'{name}' is {position}, in the middle of a character"
                raise InputError(said, where=_element(element, where))


def _element(element: Any, where: str) -> str:
    return f"{where}, xmi:id {element.get(f'{{{XMI}}}id')}"


def _layers(types: Any, wanted: Collection[str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Span layers with their plain features; relations join two annotations and are none."""
    for kind in types.get_types(built_in=True):
        if not types.is_instance_of(kind.name, ANNOTATION):
            continue
        named = kind.name in wanted or kind.name.rpartition(".")[2] in wanted
        if kind.name.startswith(NO_LAYERS) and not named:
            continue
        ranges = {f.name: f.rangeType.name for f in kind.all_features if f.name not in OWN}
        if {"Governor", "Dependent"} <= ranges.keys() or {"source", "target"} <= ranges.keys():
            continue
        yield kind.name, {name: kind for name, kind in ranges.items() if kind in PLAIN}


def _found(one: Any, features: Mapping[str, str], where: str) -> Found:
    place = f"{where}, xmi:id {one.xmiID}"
    if one.begin is None or one.end is None:
        raise InputError("the annotation has no begin or no end", where=place)
    values = {name: _values(getattr(one, name, None)) for name in features}
    return Found(one.type.name, int(one.begin), int(one.end), values, place)


def _values(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, bool):
        return (str(value).lower(),)
    elements = getattr(value, "elements", None)
    if isinstance(elements, list):
        return tuple(str(one) for one in elements if one is not None)
    return (str(value),)
