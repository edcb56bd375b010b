"""What the texts of the papers say of their curves, and why those here differ, if that is known.

Only what the texts state; the printed figures were not read off.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.simulation.experiment import Key


@dataclass(frozen=True, slots=True)
class Said:
    """What a paper says of a curve at a magnitude: a value, or a range if there are two."""

    key: Key
    magnitude: float
    low: float
    high: float | None = None
    experiment: str = ""

    @property
    def words(self) -> str:
        return f"{self.low:g}" if self.high is None else f"{self.low:g} to {self.high:g}"

    def differs(self, value: float) -> float:
        """By how much a value is above or below what is said."""
        high = self.low if self.high is None else self.high
        return max(value - high, 0.0) + min(value - self.low, 0.0)


def _said(measure: str, magnitude: float, low: float, high: float | None = None, label: str = "",
          experiment: str = "") -> Said:  # fmt: skip
    return Said((measure, label), magnitude, low, high, experiment)


SAID: dict[str, tuple[Said, ...]] = {
    "2015:24a": (_said("gamma", 0.95, 0, 0.1),),
    "2015:24b": (_said("window_diff", 1, 0.4), _said("ghd", 1, 0.4), _said("gamma", 1, 0)),
    "2015:25": (_said("gamma", 1, 0), _said("cu_alpha", 1, 0), _said("ser", 1, 0.6, 1),
                _said("u_alpha_2013", 0.6, -1, 0)),
    "2015:26a": (_said("gamma", 1, 0.1), _said("ser", 0.05, 0.5), _said("ser", 1, -1, 0),
                 _said("u_alpha_2013", 0.8, -1, 0)),
    "2015:26b": (_said("gamma", 1, 0), _said("u_alpha_2013", 0.8, -1, 0)),
    "2015:27": (_said("gamma", 1, 0.2), _said("ser", 0.5, 0, 1), _said("ser", 0.7, -1, 0),
                _said("u_alpha_2013", 1, 1),
                _said("cu_alpha", 1, 1), _said("kappa_d", 1, 1)),
    "2015:28a": (_said("ser", 1, -1, 0),),
    "2015:28b": (_said("gamma", 0.95, 0.025), _said("ser", 0.4, -1, 0), _said("cu_alpha", 0.6, 1),
                 _said("u_alpha_2013", 0.4, -1, 0)),
    "2017:11": (_said("gamma_cat", 0.55, 1), _said("gamma_cat", 0.8, 0.9, 1),
                _said("cu_alpha", 0.8, 0.5), _said("gamma", 1, 0)),
    "2017:12": (_said("gamma", 1, 0.35), _said("gamma_cat", 1, 0), _said("cu_alpha", 1, 0)),
    "2017:14": (_said("cu_alpha", 1, 0.54, experiment="2017:14 long"),
                _said("gamma_cat", 1, 0.27, experiment="2017:14 long"),
                _said("gamma_cat", 1, 0.27)),
    "2017:15": (_said("gamma_k", 1, 1, label="D"), _said("gamma_k", 1, 0.1, label="A"),
                _said("gamma_k", 1, 0.1, label="B"), _said("gamma_k", 1, 0.1, label="C")),
}  # fmt: skip
"""Numbers, and on which side of 0 a curve is."""

SHAPES: dict[str, dict[str, bool]] = {
    "2015:26a": {"gamma": True, "ser": False, "u_alpha_2013": False, "kappa_d": False},
    "2015:26b": {"gamma": True, "u_alpha_2013": False, "cu_alpha": False, "kappa_d": False},
    "2015:28a": {"ser": False},
    "2015:28b": {"gamma": True, "u_alpha_2013": False, "kappa_d": False},
}
"""Which curves decrease all the way, and which do not, as far as the texts say so."""

WORDS = {
    "2015:24a": (
        "WD and GHD are close to each other and almost linear up to .6, then reach an "
        "asymptote, because chance is not taken into account; γ uses the whole range."
    ),
    "2015:24b": "WD and GHD end at about .4, γ goes from 1 to 0.",
    "2015:25": (
        "γ is almost the same as cuα, and both reach 0. uα is below 0 from .5 on. κd does not "
        "reach 0 because of the gaps. SER stays above .6."
    ),
    "2015:26a": (
        "γ is the only measure that always decreases, and ends at .1. SER drops to .5 at once, "
        "then below 0. uα is negative from .6 to .9."
    ),
    "2015:26b": (
        "γ always decreases and reaches 0. uα is below 0 from .6 on. κd has a similar shape to "
        "that of γ."
    ),
    "2015:27": (
        "γ goes from 1 to .2, almost linearly; SER is below 0 above .6. uα, cuα and κd stay at 1."
    ),
    "2015:28a": "All respond well, cuα late; the end of SER rises, below 0.",
    "2015:28b": (
        "γ always decreases, to .025. uα is at 0 or below from .3 on, SER below 0 from .4 on. κd "
        "is not always decreasing. cuα stays at 1, and has no value above .7. (At magnitude 1 "
        "nothing is left, so the curves here end at .95.)"
    ),
    "2015:29": "The curves of Fig. 26 to 28 again, a panel for each measure.",
    "2015:30": "γ behaves as it does without overlaps, and cuα in a similar way.",
    "2017:11": (
        "γcat stays at 1 up to .55 and is above .9 at .8. cuα falls almost linearly, to .5 at "
        ".8. γ goes from 1 to 0."
    ),
    "2017:12": "γcat and cuα are about the same, from 1 to 0. γ goes from 1 to .35.",
    "2017:13": (
        "γcat is as in Fig. 12. cuα is lower by up to .06 between .1 and .6. γ is lower than γcat."
    ),
    "2017:14": (
        "The two curves of γcat coincide. cuα ends at .54 if D is long, twice as high as γcat "
        "(.27)."
    ),
    "2017:15": "γk of D stays at 1, the others end at about .1.",
}
"""What the papers say."""

WHY = {
    "2015:24a": (
        "WD rises again above .4 here: annotators who left out nearly every boundary agree that "
        "there is none. WD and GHD are means over pairs of annotators; the paper does not say "
        "what its means are over."
    ),
    "2015:25": (
        "The paper says itself that uα depends on the gaps. If the units touch, uα does go below "
        "0, but at .7 and not at .5."
    ),
    "2015:26a": (
        "uα: the units of `dense` have the same lengths in all categories. If each category has "
        "a length of its own (`mixed`), uα is at 0 from .6 on. SER and κd hardly rise here."
    ),
    "2015:26b": "uα: as in Fig. 26a; with `mixed` it is clearly below 0.",
    "2015:27": (
        "SER is below 0 from .3 on, and γ falls faster at small magnitudes: the paper's tool "
        "probably cuts less there."
    ),
    "2015:28a": (
        "SER counts two units that overlap as half a match, and on `dense` an added unit nearly "
        "always overlaps another. On a reference with large gaps (`sparse`) SER ends below 0."
    ),
    "2015:28b": (
        "uα: as in Fig. 26a; with `mixed` it is below 0 from .3 on. SER: if each annotator leaves "
        "out each unit with probability m, then two share 1-m of the units that each of them has, "
        "and 1 - SER is about 1-2m: .2 at .4, and 0 at .5. So the paper's .4 does not follow "
        "from the law that it states, for this mean over pairs."
    ),
    "2017:11": (
        "No shift that we tried gives all of what the paper says. With a small one γcat and cuα "
        "are as stated but γ ends high; with a large one γ ends lower, but γcat is below .9 at "
        ".8. What the paper did differently is not known."
    ),
    "2017:14": (
        "The curves of γcat do not coincide here: chance rarely aligns units of length 5 with "
        "units of length 20, so the expected disagreement differs."
    ),
}
"""Why the curves here differ."""
