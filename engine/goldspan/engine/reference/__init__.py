"""A reference: annotators measured against it, and the same annotator measured twice."""
