"""Adjudication: what a person decides, in which order, and when it is enough."""
