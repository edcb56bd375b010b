"""Routing: giving tasks on which people differ to one more annotator, and taking that back."""
