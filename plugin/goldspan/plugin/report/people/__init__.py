"""The part of a report about annotators as people: on a terminal, as tables and on a page."""
