"""Files of every kind: read with limits, written as a whole or not at all."""
