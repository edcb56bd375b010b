"""Gold for verbs: how annotations become one version, and what a person settled before."""
