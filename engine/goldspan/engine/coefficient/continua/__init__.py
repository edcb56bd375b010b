"""Coefficients of continua: annotators mark units where they see them, and label them."""
