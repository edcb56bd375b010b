"""What the conformance set is made of: data, sources and printed numbers.

`make_conformance.py` computes the values. "2015" is Mathet, Widlöcher & Métivier, "2017" is Mathet,
"AP" is Artstein & Poesio 2008.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Row = tuple[str, float, float, str]
"""Annotator, start, end and category."""

OWN = "made for this set"


@dataclass(frozen=True, slots=True)
class ContinuumCase:
    """A continuum for γ. `empty` are annotators without a unit."""

    id: str
    source: str
    shows: str
    rows: tuple[Row, ...]
    alpha: float = 1
    distances: Mapping[str, float] | None = None
    empty: tuple[str, ...] = ()
    small: bool = True


@dataclass(frozen=True, slots=True)
class Worked:
    """A coefficient; `printed` is what the source says, with its digits."""

    coefficient: str
    printed: str | None = None
    label: str | None = None
    remark: str | None = None


@dataclass(frozen=True, slots=True)
class ItemsCase:
    """Coders' labels of items."""

    id: str
    source: str
    shows: str
    coders: Sequence[Sequence[str]]
    worked: tuple[Worked, ...]
    scale: str = ""
    distances: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class SpansCase:
    """Units for coefficients other than γ."""

    id: str
    source: str
    shows: str
    rows: tuple[Row, ...]
    length: float
    worked: tuple[Worked, ...]


POSITIONAL = [
    ("identical", (4, 14), (4, 14), "0"),
    ("shorter", (20, 30), (20, 25), "0.111"),
    ("overlapping", (20, 25), (14, 24), "0.218"),
    ("touching", (4, 14), (14, 24), "1"),
    ("apart", (4, 14), (20, 25), "3.22"),
    ("far-apart", (4, 14), (40, 44), "22.22"),
]
"""2015, Figure 10, with the numbers that it prints."""


def rows(annotator: str, *spans: tuple[float, float, str]) -> tuple[Row, ...]:
    """The units of one annotator."""
    return tuple((annotator, start, end, category) for start, end, category in spans)


def pieces(count: int) -> tuple[Row, ...]:
    """One unit against as many that cover it."""
    width = 24 // count
    return (
        *rows("a", (0, 24, "x")),
        *rows("b", *((k * width, (k + 1) * width, "x") for k in range(count))),
    )


KRIPPENDORFF_2011 = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
FIGURE_3 = (
    *rows("1", (0, 9, "A"), (20, 24, "B")),
    *rows("2", (0, 9, "B"), (21, 25, "B")),
    *rows("3", (1, 11, "A"), (23, 27, "C")),
)
AGREED = (*rows("a", (0, 10, "x")), *rows("b", (0, 10, "x")))


def unit_intervals(coders: Sequence[str]) -> tuple[Row, ...]:
    """Items as units of length 1."""
    return tuple(
        ("ABCD"[number], item, item + 1, label)
        for number, row in enumerate(coders)
        for item, label in enumerate(row)
        if label != "."
    )


CONTINUA = (
    ContinuumCase(
        "identical", OWN, "Annotators who mark the same have disorder 0, also where units overlap.",
        (*rows("a", (0, 5, "x"), (3, 9, "y"), (20, 30, "x")),
         *rows("b", (0, 5, "x"), (3, 9, "y"), (20, 30, "x"))),
    ),
    ContinuumCase(
        "orphan-long", "2015, Figure 17", "A unit that nobody else marked costs 1.",
        (*AGREED, ("a", 20, 30, "x")),
    ),
    ContinuumCase(
        "orphan-short", "2015, Figure 17", "It costs 1 whatever its length.",
        (*AGREED, ("a", 20, 21, "x")),
    ),
    ContinuumCase(
        "orphans-two", "2015, Figure 17", "Two of them cost twice as much.",
        (*AGREED, ("a", 20, 21, "x"), ("a", 25, 26, "x")),
    ),
    *(
        ContinuumCase(
            f"split-{count}", "2015, Figure 18", "More pieces cost more.", pieces(count)
        )
        for count in (1, 2, 3, 4, 6)
    ),
    ContinuumCase(
        "split-beside-agreement", "2015, Figure 19",
        "A split is seen beside agreement. The paper prints about 1.5 as the sum of the costs; its "
        "equation 3 gives 10/9.",
        (*rows("a", (0, 20, "x")), *rows("b", (0, 10, "x"), (10, 20, "x"))),
    ),
    ContinuumCase(
        "scale-small", "2015, Figure 20", "The same as scale-large: scale does not count.",
        (*rows("a", (0, 7, "x")), *rows("b", (3, 10, "x"))),
    ),
    ContinuumCase(
        "scale-large", "2015, Figure 20", "The same as scale-small.",
        (*rows("a", (0, 21, "x")), *rows("b", (9, 30, "x"))),
    ),
    ContinuumCase(
        "embedded", "2015, Figure 22", "Units that embed each other align to their twins.",
        (*rows("a", (0, 30, "x"), (10, 20, "x")), *rows("b", (0, 30, "x"), (10, 20, "x"))),
    ),
    ContinuumCase(
        "label-table", "2015, Table 3", "Distances between categories weigh disagreements.",
        (*rows("a", (0, 10, "1"), (20, 30, "1")), *rows("b", (0, 10, "2"), (21, 31, "3"))),
        distances={"12": 0.5, "13": 1.0, "23": 1.0},
    ),
    ContinuumCase(
        "weights", "2017, Figure 3, rebuilt from its Table 3 and Figure 6",
        "Near places weigh more than far ones in γcat.", FIGURE_3,
    ),
    ContinuumCase(
        "weights-alpha-3", "2017, Figure 3, rebuilt from its Table 3 and Figure 6",
        "α weighs places in the disorder. It does not change the weights of γcat.", FIGURE_3,
        alpha=3,
    ),
    ContinuumCase(
        "not-overlapping", OWN,
        "Units that do not overlap are aligned where that costs less than two orphans.",
        (*rows("a", (0, 10, "x")), *rows("b", (11, 21, "x"))),
    ),
    ContinuumCase(
        "label-or-place", OWN, "The nearer unit has another label; place and label are weighed.",
        (*rows("a", (0, 10, "x")), *rows("b", (0, 9, "y"), (4, 14, "x"))),
    ),
    ContinuumCase(
        "two-labels-one-place", OWN, "Two units of one annotator in the same place.",
        (*rows("a", (0, 10, "x"), (0, 10, "y")), *rows("b", (0, 10, "y"))),
    ),
    ContinuumCase(
        "tie-pair-or-alone", OWN,
        "A pair costs as much as two orphans: two alignments are best, and γcat sees both alike.",
        (*AGREED, ("a", 20, 30, "x"), ("b", 30, 40, "y")),
    ),
    ContinuumCase(
        "tie-which-one", OWN,
        "Two units are equally near: two alignments are best, with another γk each.",
        (*rows("a", (0, 10, "x")), *rows("b", (0, 8, "y"), (2, 10, "z"))),
    ),
    ContinuumCase(
        "nearest-first-fails", OWN,
        "Whoever aligns the cheapest pair first ends with a higher disorder.",
        (*rows("a", (0, 10, "x"), (8, 18, "x")), *rows("b", (6, 16, "x"), (16, 26, "x"))),
    ),
    ContinuumCase(
        "empty-annotator", OWN, "An annotator who marked nothing counts in every pair.",
        (*rows("a", (0, 10, "x"), (20, 30, "y")), *rows("b", (0, 10, "x"))), empty=("c",),
    ),
    ContinuumCase(
        "mean-not-rounded", OWN,
        "The mean number of units is 5/3, which must not be rounded to a whole number.",
        (*rows("a", (0, 10, "x"), (20, 30, "y")), *rows("b", (0, 11, "x"), (20, 31, "x")),
         *rows("c", (2, 10, "x"))),
    ),
    ContinuumCase(
        "three-confused", OWN, "Three annotators: near places, two confusions, one orphan.",
        (*rows("a", (0, 10, "x"), (20, 32, "y"), (50, 60, "z")),
         *rows("b", (1, 10, "x"), (21, 30, "x")),
         *rows("c", (0, 12, "z"), (20, 31, "y"))),
    ),
    ContinuumCase(
        "four-annotators", OWN, "Four annotators, of whom two split a unit.",
        (*rows("a", (0, 20, "x")), *rows("b", (0, 19, "x")),
         *rows("c", (0, 10, "x"), (10, 20, "x")), *rows("d", (0, 9, "x"), (10, 20, "y"))),
    ),
    ContinuumCase(
        "ordered-labels", OWN, "Three categories in an order: neighbours are at 1/2.",
        (*rows("a", (0, 10, "1"), (20, 30, "2")), *rows("b", (0, 10, "3"), (20, 30, "3")),
         *rows("c", (1, 10, "2"), (20, 29, "2"))),
        distances={"12": 0.5, "13": 1.0, "23": 0.5},
    ),
    ContinuumCase(
        "fractions", OWN, "Positions in seconds.",
        (*rows("a", (0.25, 1.75, "x"), (2.5, 3.125, "y")),
         *rows("b", (0.5, 1.75, "x"), (2.375, 3.25, "x"))),
    ),
    ContinuumCase(
        "far-from-zero", OWN,
        "The same as three-confused, moved by 100,000,000: single precision is not enough.",
        (*rows("a", (1e8, 1e8 + 10, "x"), (1e8 + 20, 1e8 + 32, "y"), (1e8 + 50, 1e8 + 60, "z")),
         *rows("b", (1e8 + 1, 1e8 + 10, "x"), (1e8 + 21, 1e8 + 30, "x")),
         *rows("c", (1e8, 1e8 + 12, "z"), (1e8 + 20, 1e8 + 31, "y"))),
    ),
    ContinuumCase(
        "krippendorff-2011-alpha-3", "2017, §4.3, with the data of Krippendorff 2011, p. 9",
        "Items as units of length 1. With α = 3 they align with themselves; the observed γcat is "
        "0.2, as in the paper.",
        unit_intervals(KRIPPENDORFF_2011), alpha=3, small=False,
    ),
    ContinuumCase(
        "krippendorff-2011", "2017, §4.3, with the data of Krippendorff 2011, p. 9",
        "With α = 1 the best alignment joins the lone item 12 to item 11.",
        unit_intervals(KRIPPENDORFF_2011), small=False,
    ),
)  # fmt: skip


def crossed(table: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """The rows of two coders from a contingency table."""
    each = [pair for pair, count in table.items() for _ in range(count)]
    return [pair[0] for pair in each], [pair[1] for pair in each]


def spread(items: Sequence[Sequence[int]]) -> list[list[str]]:
    """The rows of coders from how many put an item into each category."""
    columns = [
        [str(category) for category, count in enumerate(item, start=1) for _ in range(count)]
        for item in items
    ]
    return [list(row) for row in zip(*columns, strict=True)]


TABLE_6 = crossed({"SS": 46, "SI": 6, "II": 32, "CI": 6, "CC": 10})
ZWICK = (
    ("uniform", {"SS": 20, "SC": 5, "II": 10, "IA": 15, "AI": 15, "AA": 10, "CS": 5, "CC": 20},
     ("0.467", "0.467", "0.467"), None),
    ("equal", {"SS": 20, "SI": 10, "SA": 10, "IS": 10, "II": 10, "AS": 10, "AA": 10, "CC": 20},
     ("0.467", "0.444", "0.444"), None),
    ("unequal", {"SS": 20, "SI": 5, "SA": 5, "SC": 10, "II": 10, "IA": 5, "IC": 5, "AI": 5,
                 "AA": 10, "AC": 5, "CC": 20},
     ("0.467", "0.460", "0.474"), "exactly 0.34 / 0.74 = 0.4595"),
)  # fmt: skip
FLEISS = (
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
)  # fmt: skip


def zwick() -> Iterator[ItemsCase]:
    """AP, Table 4: marginals make the difference."""
    for name, table, printed, remark in ZWICK:
        s, pi, kappa = printed
        yield ItemsCase(
            f"zwick-1988-{name}", "AP, Table 4, after Zwick 1988", f"{name} marginals",
            crossed(table), (Worked("s", s), Worked("pi", pi, remark=remark),
                             Worked("kappa", kappa)), scale="SIAC",
        )  # fmt: skip


ITEMS = (
    ItemsCase(
        "artstein-poesio-2008-table-1", "AP, Table 1", "Three ways to expect agreement.",
        crossed({"SS": 20, "SI": 20, "IS": 10, "II": 50}),
        (Worked("observed_agreement", "0.7"), Worked("s", "0.4"), Worked("pi", "0.341"),
         Worked("kappa", "0.348")), scale="SI",
    ),
    *zwick(),
    ItemsCase(
        "artstein-poesio-2008-table-6", "AP, Table 6", "Two coders, three categories.", TABLE_6,
        (Worked("observed_agreement", "0.88"), Worked("pi", "0.7995"), Worked("kappa", "0.8013"),
         Worked("alpha")), scale="SIC",
    ),
    ItemsCase(
        "artstein-poesio-2008-table-6-weighted", "AP, §2.6.3 and 2.7", "Weighted disagreement.",
        TABLE_6,
        (Worked("alpha_weighted", "0.8156"), Worked("alpha_kappa", "0.8163"),
         Worked("weighted_kappa"), Worked("alpha_b")),
        scale="SIC", distances={"SI": 1.0, "SC": 0.5, "IC": 0.5},
    ),
    ItemsCase(
        "fleiss-1971", "Fleiss 1971, a part of its table",
        "14 raters, of whom nobody knows who judged what.", spread(FLEISS),
        (Worked("multi_pi", "0.210"), Worked("multi_pi_k", "0.201", "1"),
         Worked("multi_pi_k", "0.080", "2"), Worked("multi_pi_k", "0.172", "3"),
         Worked("multi_pi_k", "0.030", "4"), Worked("multi_pi_k", "0.508", "5")),
    ),
    ItemsCase(
        "krippendorff-2011-items", "Krippendorff 2011, p. 9", "Missing values, four scales.",
        KRIPPENDORFF_2011,
        (Worked("alpha", "0.743"), Worked("alpha_ordinal", "0.815"),
         Worked("alpha_interval", "0.849"), Worked("alpha_ratio", "0.797")),
    ),
    ItemsCase(
        "krippendorff-1995-a", "Krippendorff 1995, p. 57, as dkpro-statistics has it",
        "Atoms of a continuum as items.", ("001111111100001111110000", "000011110000000110000000"),
        (Worked("kappa"), Worked("pi"), Worked("alpha")),
    ),
)  # fmt: skip

FIGURE_14 = (
    *rows("1", (2, 17, "1"), (22, 37, "1"), (58, 68, "2"), (70, 75, "4")),
    *rows("2", (2, 17, "1"), (32, 45, "3"), (58, 63, "1"), (70, 75, "4")),
)
OBSERVERS = (
    *rows("1", (75, 145, "c"), (220, 250, "c"), (30, 90, "k"), (150, 200, "k")),
    *rows("2", (70, 150, "c"), (205, 225, "c"), (250, 270, "c"), (30, 90, "k"), (150, 200, "k")),
)
FIGURE_5 = (
    *rows("ref", (0, 10, "A"), (20, 30, "A"), (40, 50, "A"), (60, 70, "A"), (80, 90, "A")),
    *rows("sys", (0, 10, "A"), (20, 30, "B"), (40, 48, "A"), (60, 68, "B"), (100, 110, "A")),
)


def masses(annotator: str, *lengths: int) -> tuple[Row, ...]:
    """Segments that cover a continuum, from their lengths."""
    ends = [sum(lengths[: k + 1]) for k in range(len(lengths))]
    return tuple(
        (annotator, end - length, end, "x") for end, length in zip(ends, lengths, strict=True)
    )


SPANS = (
    SpansCase(
        "mathet-2015-figure-14", "2015, Figure 14; category 4 is 5 long, the gap before it 2",
        "uα as Krippendorff 2013 defines it, and the family of 2016.", FIGURE_14, 76,
        (Worked("u_alpha_2013", "0.405"),
         Worked("cu_alpha_interval", remark='1 - 0.8333 / 3.25; "1 - 0.833/3.145" is printed, '
                "where 3.145 is another number by mistake"),
         Worked("u_alpha"), Worked("bar_u_alpha"), Worked("cu_alpha"),
         *(Worked("k_alpha", label=label) for label in "1234")),
    ),
    SpansCase(
        "mathet-2017-figure-3", "2017, Figure 3, rebuilt from its Table 3 and Figure 6",
        "cuα sees only what intersects.", FIGURE_3, 30,
        (Worked("cu_alpha", "0.08"),
         Worked("k_alpha", label="B", remark="printed as -0.149; the formula gives -0.049")),
    ),
    SpansCase(
        "krippendorff-2011-units", "2017, §4.3", "Items as units of length 1.",
        unit_intervals(KRIPPENDORFF_2011), 12, (Worked("cu_alpha", "0.715"),),
    ),
    SpansCase(
        "krippendorff-2004", "Krippendorff 2004, p. 254, as dkpro-statistics has it",
        "αU for each category and for all.", OBSERVERS, 300,
        (Worked("alpha_u_k", "0.7286", "c"), Worked("alpha_u_k", "1", "k"),
         Worked("alpha_u", remark="printed as 0.8591, ± 0.0005")),
    ),
    SpansCase(
        "mathet-2015-figure-5", "2015, Figure 5", "One right, wrong type, wrong place, both wrong, "
        "one missed, one inserted.", FIGURE_5, 120,
        (Worked("f1"), Worked("f1_blind"), Worked("f1_overlap_blind")),
    ),
    *(
        SpansCase(
            f"kappa-d-{length}", OWN, "κd rises with the blanks around the same units.",
            (("a", 0, 4, "x"), ("b", 2, 6, "x")), length, (Worked("kappa_d"),),
        )
        for length in (10, 20, 100)
    ),
    SpansCase(
        "fournier-missing", "Fournier & Inkpen 2012 and Fournier 2013, as segeval gives them",
        "A missing boundary.", (*masses("a", 2, 3, 6), *masses("b", 5, 6)), 11,
        (Worked("segmentation_similarity"), Worked("boundary_similarity")),
    ),
    SpansCase(
        "fournier-near", "Fournier & Inkpen 2012 and Fournier 2013, as segeval gives them",
        "A boundary one place beside.", (*masses("a", 2, 3, 6), *masses("b", 2, 2, 7)), 11,
        (Worked("segmentation_similarity"), Worked("boundary_similarity")),
    ),
)  # fmt: skip
