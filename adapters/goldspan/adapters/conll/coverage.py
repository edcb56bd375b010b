"""Coverage: which annotators were asked about which sentences, where a sign in a cell says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from goldspan.adapters.conll.document import Document, Row
from goldspan.adapters.conll.tags import OUTSIDE, TAG
from goldspan.engine.errors import SettingsError

Owned = Sequence[tuple[int, str]]
"""Columns of tags, each with its annotator."""


def checked_sign(sign: str) -> str:
    """The sign, if it cannot be taken for a tag."""
    if sign in ("O", "") or TAG.fullmatch(sign) or len(sign.split()) != 1:
        raise SettingsError(
            f"--not-annotated '{sign}' is a tag, or not one word; name another sign, such as '?'"
        )
    return sign


def parts(document: Document, columns: Owned, sign: str) -> list[Document]:
    """The document, cut between sentences wherever others were asked. With one annotator in the
    file it stays whole, because the other annotators' files have to match it.
    """
    if len({owner for _, owner in columns}) < 2 or not document.sentences:
        return [document]
    grouped = groupby(document.sentences, lambda sentence: _asked(sentence, columns, sign))
    return [Document(document.id, list(sentences)) for _, sentences in grouped]


def is_unseen(cells: Sequence[str], sign: str) -> bool:
    """Whether the annotator did not see any of it; no cell at all does not show that."""
    return bool(cells) and all(cell in ("_", "", sign) for cell in cells)


def without_sign(rows: Sequence[tuple[int, str]], sign: str) -> Iterator[tuple[int, str]]:
    """Lines and tags; where an annotator was not asked, there is no span."""
    return ((line, OUTSIDE[0] if tag == sign else tag) for line, tag in rows)


def _asked(sentence: Sequence[Row], columns: Owned, sign: str) -> frozenset[str]:
    return frozenset(o for column, o in columns if any(row[column] != sign for _, row in sentence))
