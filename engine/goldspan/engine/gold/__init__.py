"""One gold version from several annotations."""
