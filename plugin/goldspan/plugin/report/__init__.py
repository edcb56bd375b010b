"""Reports: one result as a page to look at, as Markdown, and as tables."""
