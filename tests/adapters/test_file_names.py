"""Names: safe, different, and the same where they can be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from goldspan.adapters.files.file_names import FileNames
from goldspan.adapters.files.unique_names import unique_names, without_blanks

IDS = st.lists(st.text(alphabet="aA b/.\\\0_-é2\ud800", max_size=6), max_size=8, unique=True)


@given(IDS, st.booleans())
def test_file_names_are_safe_and_different(ids: list[str], folders: bool) -> None:
    names = FileNames(ids, folders=folders)
    given_out = [names[one] for one in ids]
    assert len({name.casefold() for name in given_out}) == len(ids)
    for name in given_out:
        parts = name.split("/")
        assert folders or len(parts) == 1
        assert all(part.strip(". ") and not part.startswith(".") for part in parts)
        assert not any(bad in name for bad in ("\0", "\\", "\ud800"))
    assert len(names.notes) == sum(names[one] != one for one in ids)


@given(IDS)
def test_names_that_can_stay_do(ids: list[str]) -> None:
    names = unique_names(ids, without_blanks)
    assert len(set(names.values())) == len(ids)
    assert all(names[one] == one for one in ids if without_blanks(one) == one)


def test_reserved_and_long_names() -> None:
    names = FileNames(["x", "É" * 300], reserved=["X"])
    assert names["x"] == "x-2"
    assert names["É" * 300] == "É" * 100


def test_what_readers_pass_over_is_no_name() -> None:
    names = FileNames(["__MACOSX", ".hidden"])
    assert (names["__MACOSX"], names[".hidden"]) == ("___MACOSX", "_hidden")
