"""Crowds: an exact best alignment of many annotators, without a solver."""
