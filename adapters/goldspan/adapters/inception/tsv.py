"""WebAnno TSV 3: sentences, tokens, and a column for each feature of each layer.

No library reads all of it: the one there is takes a single label per annotation. Positions are
UTF-16 code units; the text between sentences is not stored, blanks stand for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from goldspan.adapters.inception.sheet import Found, Sheet
from goldspan.adapters.kit.text.utf16 import Utf16
from goldspan.engine.errors import InputError

FORMAT = "#FORMAT=WebAnno TSV "
ANNOTATION_KINDS = {"#T_SP=": "span", "#T_CH=": "chain", "#T_RL=": "relation"}
SPANS = ("span", "chain")
ROW = re.compile(r"\d+-\d+(\.\d+)?")
POSITIONS = re.compile(r"(\d{1,18})-(\d{1,18})")
NONE, NULL = "_", "*"
STACK = re.compile(r"(?<!\\)(?:\\\\)*\|")
NUMBERED = re.compile(r"(.*)(?<!\\)((?:\\\\)*)\[(\d+)\]", re.DOTALL)
LINKED = re.compile(r"(.*)->(\d+-\d+)", re.DOTALL)
VALUE_ESCAPE = re.compile(r"\\(->|.)", re.DOTALL)
CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}
MOST_BLANKS = 1 << 24
"""How much text may be missing between the sentences of a file; more is a wrong position."""


@dataclass(frozen=True, slots=True)
class Column:
    """One feature column of a span, chain or relation layer, or of the targets of a slot.

    `feature` is "" for a layer without any, and for links to other annotations.
    """

    layer: str
    kind: str
    feature: str


@dataclass(slots=True)
class _Open:
    """An annotation while the rows it covers are read."""

    layer: str
    begin: int
    end: int
    line: int
    features: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rows: list[tuple[int, int]] = field(default_factory=list)

    def fragments(self, text: str, places: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
        """The parts between which the text has more than white space, if there are several."""
        parts: list[tuple[int, int]] = []
        for begin, end in sorted((places[begin], places[end]) for begin, end in self.rows):
            if parts and not text[parts[-1][1] : begin].strip():
                parts[-1] = parts[-1][0], max(end, parts[-1][1])
            else:
                parts.append((begin, end))
        return tuple(parts) if len(parts) > 1 else ()


def read_tsv(text: str, where: str) -> Sheet:
    """The sheet in a TSV file."""
    lines = text.split("\n")
    first = lines[0].rstrip("\r")
    if not first.startswith(FORMAT + "3"):
        raise InputError(
            f"'{first[:40]}' is not 'WebAnno TSV 3'; export it again", where=f"{where}:1"
        )
    columns = _columns(lines)
    document = _Document(columns, where)
    for number, line in enumerate(lines[1:], start=2):
        document.take(line.rstrip("\r"), number)
    layers: dict[str, tuple[str, ...]] = {}
    for column in columns:
        if column.kind in SPANS:
            named = (column.feature,) if column.feature else ()
            layers[column.layer] = (*layers.get(column.layer, ()), *named)
    return document.sheet(layers)


def _columns(lines: Sequence[str]) -> list[Column]:
    columns = []
    for line in lines[1:]:
        kind = ANNOTATION_KINDS.get(line[:6])
        if kind is None:
            break
        layer, *features = line[6:].rstrip("\r").split("|")
        before = ""
        for feature in features or [""]:
            # A slot is two columns, the roles and the annotations they point to.
            is_target = before.startswith("ROLE_")
            plain = not is_target and not feature.startswith(("ROLE_", "BT_"))
            columns.append(Column(layer, "target" if is_target else kind, feature if plain else ""))
            before = feature
    return columns


class _Document:
    """Text and annotations while the lines are read."""

    def __init__(self, columns: Sequence[Column], where: str) -> None:
        self.columns = columns
        self.where = where
        self.pieces: list[str] = []
        self.length = 0
        self.blanks = 0
        self.sentence: list[str] = []
        self.tokens: list[tuple[int, int, str, int]] = []
        self.open: dict[tuple[str, str], _Open] = {}

    def take(self, line: str, number: int) -> None:
        if line.startswith("#Text="):
            self.sentence.append(_unescape_text(line[6:]))
        elif not line:
            # A sentence without tokens cannot be placed.
            self.sentence = []
        elif not line.startswith("#"):
            self._row(line.split("\t"), number)

    def _row(self, cells: list[str], number: int) -> None:
        place = f"{self.where}:{number}"
        if cells[-1] == "" and len(cells) > 3:
            cells.pop()
        extra = len(cells) - 3 - len(self.columns)
        positions = POSITIONS.fullmatch(cells[1]) if len(cells) > 2 else None
        if positions is None or not ROW.fullmatch(cells[0]) or extra < 0:
            raise InputError(
                f"this is not a row of {3 + len(self.columns)} columns, sentence-token, begin-end, "
                "token and a column per feature",
                where=place,
            )
        begin, end = int(positions[1]), int(positions[2])
        if self.sentence:
            self._begin_sentence(begin, place)
        # Tokens are written as they are, with any TAB that is in them.
        self.tokens.append((begin, end, "\t".join(cells[2 : 3 + extra]), number))
        for name, stack in self._stacks(cells[3 + extra :]).items():
            for depth, (mark, features) in enumerate(stack):
                key = name, mark or f"{number}/{depth}"
                one = self.open.setdefault(key, _Open(name, begin, end, number, features))
                one.begin, one.end = min(one.begin, begin), max(one.end, end)
                one.rows.append((begin, end))

    def _begin_sentence(self, begin: int, place: str) -> None:
        text = "\n".join(self.sentence)
        self.sentence = []
        gap = begin - self.length
        if gap < 0:
            raise InputError("the sentence begins before the last one ended", where=place)
        self.blanks += gap
        if self.blanks > MOST_BLANKS:
            raise InputError(
                f"the sentence begins at {begin}, {gap} behind the last one; correct its positions",
                where=place,
            )
        padding = "\n" + " " * (gap - 1) if gap and self.pieces else " " * gap
        self.pieces.append(padding + text)
        self.length = begin + len(text) + len(Utf16.of(text).wide)

    def _stacks(
        self, cells: Sequence[str]
    ) -> Mapping[str, list[tuple[str, dict[str, tuple[str, ...]]]]]:
        """For each layer the annotations on this row: their id, and their features."""
        stacks: dict[str, list[tuple[str, dict[str, tuple[str, ...]]]]] = {}
        for column, cell in zip(self.columns, cells, strict=True):
            if cell == NONE or column.kind not in SPANS:
                continue
            stack = stacks.setdefault(column.layer, [])
            for depth, part in enumerate(_split(cell)):
                mark, value = _parse(part, column)
                if depth == len(stack):
                    stack.append((mark, {}))
                known, features = stack[depth]
                stack[depth] = known or mark, features
                if column.feature:
                    features[column.feature] = value
        return stacks

    def sheet(self, layers: Mapping[str, tuple[str, ...]]) -> Sheet:
        """Everything in code points, after each token was found where it says."""
        text = "".join(self.pieces)
        convert = Utf16.of(text).to_points
        places: dict[int, int] = {}
        for begin, end, token, number in self.tokens:
            start, stop = convert(begin), convert(end)
            if start is None or stop is None or text[start:stop] != token:
                raise InputError(
                    f"the token '{token}' is not what the text has at {begin}-{end}",
                    where=f"{self.where}:{number}",
                )
            places |= {begin: start, end: stop}
        found = tuple(
            Found(
                one.layer,
                places[one.begin],
                places[one.end],
                one.features,
                f"{self.where}:{one.line}",
                one.fragments(text, places),
            )
            for one in self.open.values()
        )
        return Sheet(text, found, layers)


def _split(cell: str) -> Iterator[str]:
    begun = 0
    for match in STACK.finditer(cell):
        yield cell[begun : match.end() - 1]
        begun = match.end()
    yield cell[begun:]


def _parse(part: str, column: Column) -> tuple[str, tuple[str, ...]]:
    """The id that ties rows together, "" for none, and the value.

    On chains the number in brackets is the chain's; what ties rows together is the link's.
    """
    mark = ""
    numbered = NUMBERED.fullmatch(part)
    if numbered is not None:
        part = numbered[1] + numbered[2]
        mark = numbered[3] if column.kind == "span" else ""
    linked = LINKED.fullmatch(part) if column.kind == "chain" else None
    if linked is not None:
        part, mark = linked[1], linked[2]
    if part in (NULL, NONE):
        return mark, ()
    return mark, (_unescape_value(part),)


def _unescape_value(value: str) -> str:
    return VALUE_ESCAPE.sub(lambda m: {"t": "\t", "n": "\n"}.get(m[1], m[1]), value)


def _unescape_text(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: CONTROLS.get(m[1], m[1]), text)
