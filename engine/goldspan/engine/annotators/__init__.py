"""Annotators as people: what each one does well, what habits they have, and who needs training."""
