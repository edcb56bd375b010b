"""Agreement: how far adjudicators agree on the sites that several of them settled."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from goldspan.plugin.adjudicate.views import AgreementView

if TYPE_CHECKING:
    from goldspan.plugin.adjudicate.docket import Docket


def agreement(docket: Docket) -> AgreementView | None:
    """The share of equal first answers; None as long as no site has two."""
    shared: Counter[tuple[str, str]] = Counter()
    equal: Counter[tuple[str, str]] = Counter()
    for site in docket.ledger.sites:
        first = docket.mark(site).first if site in docket.sites else {}
        for pair in combinations(sorted(first), 2):
            shared[pair] += 1
            equal[pair] += first[pair[0]].spans == first[pair[1]].spans
    total = sum(shared.values())
    if not total:
        return None
    return AgreementView(
        shared=total,
        equal=sum(equal.values()),
        share=sum(equal.values()) / total,
        pairs=tuple((*pair, shared[pair], equal[pair]) for pair in sorted(shared)),
    )
