"""The hook: the webhook by which a project tells the service that something happened."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from goldspan.plugin.label_studio.events import ACTIONS, TRAINING
from goldspan.plugin.service.web.access import SECRET_HEADER

Json = Any

MODEL_HOOK = re.compile(r"/model/[0-9a-f]{32}/webhook$")
"""Where the model's address has a key of ours."""


def hook_fields(url: str, secret: str) -> Json:
    """A webhook as Label Studio takes it. The payload names the project, so it is asked for."""
    return {
        "url": url,
        "headers": {SECRET_HEADER: secret},
        "send_payload": True,
        "send_for_all_actions": False,
        "actions": sorted(ACTIONS - {TRAINING}),
        "is_active": True,
    }


def our_webhooks(webhooks: Sequence[Json]) -> list[Json]:
    """Those that carry our secret."""
    return [hook for hook in webhooks if SECRET_HEADER in (hook.get("headers") or {})]


def left_behind(webhooks: Sequence[Json], models: Sequence[Json]) -> list[Json]:
    """Those that Label Studio made when our model was connected, and kept when it was removed."""
    connected = {str(model.get("url") or "").rstrip("/") for model in models}
    return [
        hook
        for hook in webhooks
        if MODEL_HOOK.search(str(hook.get("url") or ""))
        and str(hook["url"]).removesuffix("/webhook") not in connected
    ]


def differs(hook: Json, wanted: Json) -> bool:
    """Whether a webhook has to be changed to be as wanted."""
    return any(
        sorted(hook.get(key) or ()) != value if key == "actions" else hook.get(key) != value
        for key, value in wanted.items()
    )
