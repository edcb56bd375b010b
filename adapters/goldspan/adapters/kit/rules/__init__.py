"""Rules that the draft applies to every format: presence, unlabelled spans, folders."""
