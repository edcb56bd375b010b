"""Open: a page that reads files, measures while a person changes settings, and gives results."""
