"""Unique names: ids in a form that a format can hold, no two alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

Form = Callable[[str], str]


def unique_names(
    ids: Iterable[str],
    form: Form,
    *,
    fold: Form = str,
    joint: str = "-",
    reserved: Iterable[str] = (),
) -> dict[str, str]:
    """Each id with its name: the id itself where it has the form, else its form, with a number
    behind it when that is taken or reserved. `fold` says which names count as the same.
    """
    asked = dict.fromkeys(ids)
    forms = {one: form(one) for one in asked}
    taken = {fold(name) for name in reserved}
    names: dict[str, str] = {}
    # Those that can stay as they are choose first.
    for one in sorted(asked, key=lambda one: forms[one] != one):
        name, count = forms[one], 1
        while fold(name) in taken:
            count += 1
            name = f"{forms[one]}{joint}{count}"
        taken.add(fold(name))
        names[one] = name
    return {one: names[one] for one in asked}


def without_blanks(text: str) -> str:
    """The text as one word: what would end a word or a line in a file of columns is `_`."""
    return re.sub(r"[\s\x00-\x1f\x7f\ud800-\udfff]", "_", text) or "_"
