"""Adjudicate: a person settles the places in dispute; nothing that was decided is ever lost."""
