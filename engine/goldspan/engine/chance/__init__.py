"""What chance alone would give."""
