"""Output: the gold that decisions lead to, and what is written beside it."""
