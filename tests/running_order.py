"""The files that run first, because they take longest: what comes last runs alone in the end.

Those with a real Label Studio mostly wait for it, and simulations compute, so they take turns here.
The order changes nothing but the time. `pytest --durations=0` says what tests take.
"""

from __future__ import annotations

LONGEST = (
    "tests/e2e/test_label_studio_service.py",
    "tests/engine/test_null.py",
    "tests/e2e/test_label_studio_sync.py",
    "tests/e2e/test_label_studio_team.py",
)
