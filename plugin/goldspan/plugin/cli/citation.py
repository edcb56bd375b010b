"""Citation: what to cite where goldspan's figures are published, as text and as BibTeX."""

from __future__ import annotations

from importlib.metadata import version

PAPERS = """\
γ:
  Yann Mathet, Antoine Widlöcher and Jean-Philippe Métivier (2015). The Unified and Holistic
  Method Gamma (γ) for Inter-Annotator Agreement Measure and Alignment. Computational
  Linguistics 41(3), 437-479. https://doi.org/10.1162/COLI_a_00227

γcat and γk:
  Yann Mathet (2017). The Agreement Measure γcat a Complement to γ Focused on Categorization
  of a Continuum. Computational Linguistics 43(3), 661-681.
  https://doi.org/10.1162/COLI_a_00296
"""

BIBTEX = """\
@article{mathet-etal-2015-gamma,
  author  = {Mathet, Yann and Widl{\\"o}cher, Antoine and M{\\'e}tivier, Jean-Philippe},
  title   = {The Unified and Holistic Method Gamma ($\\gamma$) for Inter-Annotator Agreement
             Measure and Alignment},
  journal = {Computational Linguistics},
  volume  = {41},
  number  = {3},
  pages   = {437--479},
  year    = {2015},
  doi     = {10.1162/COLI_a_00227}
}

@article{mathet-2017-gamma-cat,
  author  = {Mathet, Yann},
  title   = {The Agreement Measure $\\gamma_{cat}$ a Complement to $\\gamma$ Focused on
             Categorization of a Continuum},
  journal = {Computational Linguistics},
  volume  = {43},
  number  = {3},
  pages   = {661--681},
  year    = {2017},
  doi     = {10.1162/COLI_a_00296}
}
"""

OWN = """\
@software{{goldspan,
  author  = {{{{The goldspan developers}}}},
  title   = {{goldspan: inter-annotator agreement on spans}},
  version = {{{version}}}
}}
"""


def citation() -> str:
    """The papers and this version of goldspan, as text and then as BibTeX."""
    installed = version("goldspan")
    head = (
        f"Cite the papers whose measures you report, and goldspan {installed} for the numbers.\n"
        "Coefficients of `--also` have papers of their own. The documentation names them, under\n"
        "“Which measure for my data”.\n"
    )
    own = f"goldspan:\n  The goldspan developers. goldspan {installed}.\n"
    return "\n".join([head, PAPERS, own, BIBTEX, OWN.format(version=installed)])
