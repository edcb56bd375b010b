"""Adjudicating for the verb: its own options, and where the annotations come from."""
