"""Corpora with known errors (the Corpus Shuffling Tool)."""
