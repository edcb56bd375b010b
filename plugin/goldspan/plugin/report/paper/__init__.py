"""Papers: a result as people publish it."""
