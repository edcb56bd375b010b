"""Figures: coefficients with their intervals."""
