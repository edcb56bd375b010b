"""Coefficients of predefined items: annotators label the same things, and only labels can differ.

The formulas and their names are those of Artstein & Poesio 2008.
"""
