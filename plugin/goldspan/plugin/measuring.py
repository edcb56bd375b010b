"""Measuring for verbs: the shared options of how chance is estimated."""

from __future__ import annotations

import argparse


def add_chance(group: argparse._ActionsContainer) -> None:
    """Add the model of chance and its precision."""
    group.add_argument(
        "--chance", choices=("auto", "shift", "corpus", "statistical"), default="auto",
        help="the model of chance (auto: corpus if there are as many tasks as annotators)",
    )  # fmt: skip
    group.add_argument(
        "--precision", type=float, default=0.02, metavar="E",
        help="the relative error allowed in the expected disorder (0.02)",
    )  # fmt: skip
