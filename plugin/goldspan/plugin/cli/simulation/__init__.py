"""What the verbs that simulate annotators share."""
