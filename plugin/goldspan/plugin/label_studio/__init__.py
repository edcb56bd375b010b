"""Label Studio: agreement and suggested gold, written back into the project."""
