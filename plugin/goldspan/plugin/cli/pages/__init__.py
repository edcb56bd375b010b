"""Pages on this machine, for verbs: where they are, and how they are opened."""
