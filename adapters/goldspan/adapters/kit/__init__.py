"""What a reader or writer of a format is made of."""
