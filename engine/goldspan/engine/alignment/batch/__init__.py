"""Many small continua at once: one set of columns, and one call of a kernel for all of them."""
