"""Texts, and positions in them as tools count them."""
