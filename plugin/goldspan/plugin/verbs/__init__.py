"""The verbs of the command line, a module each, with `add(subparsers)` and `run(args)`."""
