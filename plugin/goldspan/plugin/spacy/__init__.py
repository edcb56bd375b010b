"""goldspan inside spaCy: a command, a scorer and a corpus reader, found through entry points.

Without spaCy this package cannot be imported, and says which extra to install; nothing else in
goldspan imports it.
"""

from goldspan.adapters.extras import require

require("spacy", feature="goldspan inside spaCy", extra="spacy")
