"""Quantiles of the normal distribution and of Student's t.

The normal one is the rational approximation of the Cephes library (S. L. Moshier), which
`scipy.special.ndtri` uses too: the results are the same doubles. It stands here because loading
SciPy takes longer than measuring a small file. Student's t is SciPy's own, and loaded when needed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

_MIDDLE = (
    (-5.99633501014107895267e1, 9.80010754185999661536e1, -5.66762857469070293439e1,
     1.39312609387279679503e1, -1.23916583867381258016e0),
    (1.95448858338141759834e0, 4.67627912898881538453e0, 8.63602421390890590575e1,
     -2.25462687854119370527e2, 2.00260212380060660359e2, -8.20372256168333339912e1,
     1.59056225126211695515e1, -1.18331621121330003142e0),
)  # fmt: skip
_TAIL = (
    (4.05544892305962419923e0, 3.15251094599893866154e1, 5.71628192246421288162e1,
     4.40805073893200834700e1, 1.46849561928858024014e1, 2.18663306850790267539e0,
     -1.40256079171354495875e-1, -3.50424626827848203418e-2, -8.57456785154685413611e-4),
    (1.57799883256466749731e1, 4.53907635128879210584e1, 4.13172038254672030440e1,
     1.50425385692907503408e1, 2.50464946208309415979e0, -1.42182922854787788574e-1,
     -3.80806407691578277194e-2, -9.33259480895457427372e-4),
)  # fmt: skip
_FAR_TAIL = (
    (3.23774891776946035970e0, 6.91522889068984211695e0, 3.93881025292474443415e0,
     1.33303460815807542389e0, 2.01485389549179081538e-1, 1.23716634817820021358e-2,
     3.01581553508235416007e-4, 2.65806974686737550832e-6, 6.23974539184983293730e-9),
    (6.02427039364742014255e0, 3.67983563856160859403e0, 1.37702099489081330271e0,
     2.16236993594496635890e-1, 1.34204006088543189037e-2, 3.28014464682127739104e-4,
     2.89247864745380683936e-6, 6.79019408009981274425e-9),
)  # fmt: skip
"""Numerators and denominators; the first coefficient of a denominator is 1 and left out."""

_EDGE = 0.13533528323661269189
"""exp(-2): below this probability, and above one minus it, are the tails."""

_ROOT_OF_TAU = 2.50662827463100050242


def normal_quantile(p: float) -> float:
    """The value that a standard normal variable stays below with probability p, 0 < p < 1."""
    below = p > 1 - _EDGE
    y = 1 - p if below else p
    if y > _EDGE:
        y -= 0.5
        square = y * y
        return (y + y * _ratio(_MIDDLE, square)) * _ROOT_OF_TAU
    x = math.sqrt(-2 * math.log(y))
    far = 1 / x
    reach = (x - math.log(x) / x) - _ratio(_TAIL if x < 8 else _FAR_TAIL, far)
    return reach if below else -reach


def student_quantile(p: float, freedom: float) -> float:
    """The same for Student's t with so many degrees of freedom."""
    from scipy.special import stdtrit  # noqa: PLC0415 - slow to import

    return float(stdtrit(freedom, p))


def _ratio(polynomials: tuple[Sequence[float], Sequence[float]], x: float) -> float:
    """X times the one polynomial, divided by the other."""
    above = 0.0
    for coefficient in polynomials[0]:
        above = above * x + coefficient
    under = 1.0
    for coefficient in polynomials[1]:
        under = under * x + coefficient
    return x * above / under
