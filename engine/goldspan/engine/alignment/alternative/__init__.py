"""Alternatives: what the best alignment would be if one of its parts were not allowed."""
