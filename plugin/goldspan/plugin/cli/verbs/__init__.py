"""The verbs of the command line, a module each, with `add`, `parse` and `run`.

`VERBS` lists them with what `goldspan --help` says of each, so that a command loads its own module
and no other.
"""

VERBS = {
    "adjudicate": "settle the disagreements in the browser: from annotations to gold",
    "annotators": "what each annotator does well, their habits, and who should train what",
    "compare": "compare rounds: did agreement get better?",
    "conformance": "exact examples to check an implementation of γ with",
    "convert": "from one format to another",
    "curves": "how coefficients respond to errors: the papers' experiments, or your own",
    "demo": "a complete round on bundled data",
    "formats": "the formats that can be read and written",
    "gold": "merge the annotations into suggested gold",
    "label-studio": "work with a Label Studio project: sync, serve, setup, status",
    "open": "read, measure and change settings in the browser, without a command line",
    "plan": "how many tasks and annotators a study needs, from a pilot round",
    "score": "measure agreement: γ, γcat, γk",
    "shuffle": "annotators who err by a known measure, from a reference",
}
