"""Settings for every test: no time limits on a shared machine, and a quick profile for wheels."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("thorough", deadline=None, print_blob=True)
settings.register_profile("quick", deadline=None, print_blob=True, max_examples=10)
settings.load_profile("thorough")
