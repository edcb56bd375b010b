"""Journal: what adjudicators did, on the disk and in order."""
