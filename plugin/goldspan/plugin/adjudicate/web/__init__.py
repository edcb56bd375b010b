"""Web: the page of the adjudication, and what it asks of the desk, on the loopback address."""
