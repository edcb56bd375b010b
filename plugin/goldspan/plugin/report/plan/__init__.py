"""Plan: the plan of a study, as tables and as a page."""
