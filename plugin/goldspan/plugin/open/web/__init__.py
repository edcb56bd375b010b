"""Web: the page, and what it asks, on the loopback address."""
