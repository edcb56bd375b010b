"""Team: the page for several people, with a password, on a server of their own."""
