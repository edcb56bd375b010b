"""`python -m benchmarks.gold`: merged gold against a known reference, strategy by strategy.

`cells` says what is compared, `rivals` holds strategies that are not goldspan's own, `marks`
measures, `trial` runs one cell, `page` makes the table and the chart of docs/gold.md.
"""
