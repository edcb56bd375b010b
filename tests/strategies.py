"""Hypothesis strategies for texts and corpora, in one place."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit

PIECES = (
    "word", " ", "\t", "\n", "\r\n", "é", "e\u0301", "n\u0303", "ñ", "🙂", "👩‍👩‍👧‍👦", "שלום",
    "مرحبا",
    "\u202eabc\u202c", "<b>", "&amp;", '"', "'", "\\n", ",", ";", "|", "_", "𝔘", "\u2028", "\ufeff",
)  # fmt: skip
"""What goes wrong in real files: wide and combining characters, both directions, line ends."""


def texts(min_pieces: int = 1, max_pieces: int = 12) -> st.SearchStrategy[str]:
    """Texts made of the pieces that break readers."""
    return st.lists(st.sampled_from(PIECES), min_size=min_pieces, max_size=max_pieces).map("".join)


def names() -> st.SearchStrategy[str]:
    """Names of annotators, tasks and categories that every format should hold.

    None begins with a dot: folders of files give such a name another form, for it hides a file.
    """
    return st.text(
        alphabet="abcXYZ0189_-.é🙂ש", min_size=1, max_size=8
    ).filter(lambda name: name.strip(".") != "" and not name.startswith(("-", ".")))  # fmt: skip


def labels() -> st.SearchStrategy[str]:
    """Categories as people write them: with blanks, commas and quotes."""
    return names() | st.sampled_from(["PER", "has name(a, b)", 'say "yes"', "a;b", "Ä|ö", "A\tB"])


@st.composite
def continua(
    draw: st.DrawFn,
    task: str = "t",
    annotators: tuple[str, ...] = ("ann1", "ann2", "ann3"),
    *,
    measure: Measure = Measure.CHARACTER,
    with_text: bool = True,
    categories: st.SearchStrategy[str] | None = None,
    presences: tuple[Presence, ...] = (Presence.DONE, Presence.SKIPPED, Presence.UNSEEN),
    media: str | None = None,
    length: int = 60,
    unmeasured: bool = False,
    max_units: int = 6,
) -> Continuum:
    """One task; those who took part have units or are empty, the others have none. `unmeasured`
    tasks may be without a length.
    """
    text = draw(texts()) if with_text else None
    size = len(text) if text is not None else length
    labelled = categories if categories is not None else labels()
    states = {name: draw(st.sampled_from(presences)) for name in annotators}
    units: set[Unit] = set()
    for name, state in states.items():
        if state is Presence.DONE:
            for _ in range(draw(st.integers(0, max_units))):
                start = draw(st.integers(0, size - 1))
                end = draw(st.integers(start + 1, size))
                units.add(Unit(name, start, end, draw(labelled)))
    known = None if with_text or (unmeasured and draw(st.booleans())) else size
    return Continuum(task, tuple(units), states, known, measure, text, media)


@st.composite
def with_layers(
    draw: st.DrawFn,
    corpus: Corpus,
    *,
    layers: tuple[str, ...] = ("sentiment", "topic"),
    categories: st.SearchStrategy[str] | None = None,
) -> Corpus:
    """The corpus with labels of whole tasks: those who took part gave none, one or several."""
    chosen = categories if categories is not None else labels()
    made = {}
    for layer in draw(st.lists(st.sampled_from(layers), min_size=1, unique=True)):
        given = tuple(
            one.labelled(
                (name, label, "")
                for name in one.annotators
                for label in draw(st.sets(chosen, max_size=2))
            )
            for one in corpus
        )
        made[layer] = Corpus(given)
    return replace(corpus, layers=made)


@st.composite
def corpora(draw: st.DrawFn, *, max_tasks: int = 4, **settings: object) -> Corpus:
    """Several tasks of the same annotators; settings as for `continua`."""
    tasks = draw(st.lists(names(), min_size=1, max_size=max_tasks, unique=True))
    return Corpus(tuple(draw(continua(task, **settings)) for task in tasks))  # type: ignore[arg-type]
