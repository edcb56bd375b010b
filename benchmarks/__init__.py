"""`make bench`: goldspan and pygamma-agreement on the same files, one after the other.

`cells` says what is compared and what is to be reached, `continua` makes files, `process` runs a
worker (`ours`, `peer`) and `stopwatch` measures inside it, `report` shows the results.
"""
