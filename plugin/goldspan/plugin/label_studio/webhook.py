"""The hook: the webhook by which a project tells the service that something happened."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from goldspan.adapters.kit.roundtrip import KEY
from goldspan.plugin.label_studio.events import ACTIONS, TRAINING
from goldspan.plugin.service.web.access import SECRET_HEADER

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import Json


MODEL_HOOK = re.compile(r"/model/[0-9a-f]{32}/webhook$")
"""Where the model's address has a key of ours."""


REFUSED_ADDRESS = "Runtime error: URL resolves to a reserved network address (block: 127.0.0.0/8)"
"""What Label Studio's page says when it refuses to call its own machine."""


def is_inner(url: str) -> bool:
    """Whether Label Studio's protection against inner addresses concerns this one."""
    host = urlsplit(url).hostname or ""
    try:
        return not ip_address(host).is_global
    except ValueError:
        return host == "localhost" or "." not in host


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


def surplus_webhooks(webhooks: Sequence[Json]) -> list[Json]:
    """Those that Label Studio made for our model, beside one that carries our secret."""
    ours = our_webhooks(webhooks)
    if not ours:
        return []
    made = [hook for hook in webhooks if MODEL_HOOK.search(str(hook.get("url") or ""))]
    return [*(hook for hook in made if hook not in ours), *ours[1:]]


def is_our_model(model: Json) -> bool:
    """Whether a connected model is goldspan: by the key in its address, or by its version."""
    version = str(model.get("model_version") or "")
    return version.startswith(f"{KEY} ") or bool(
        MODEL_HOOK.search(f"{str(model.get('url') or '').rstrip('/')}/webhook")
    )


def left_behind(webhooks: Sequence[Json], models: Sequence[Json]) -> list[Json]:
    """Those that Label Studio made when our model was connected, and kept when it was removed;
    without those that carry our secret.
    """
    connected = {str(model.get("url") or "").rstrip("/") for model in models}
    return [
        hook
        for hook in webhooks
        if MODEL_HOOK.search(str(hook.get("url") or ""))
        and SECRET_HEADER not in (hook.get("headers") or {})
        and str(hook["url"]).removesuffix("/webhook") not in connected
    ]


def differs(hook: Json, wanted: Json) -> bool:
    """Whether a webhook has to be changed to be as wanted."""
    return any(
        sorted(hook.get(key) or ()) != value if key == "actions" else hook.get(key) != value
        for key, value in wanted.items()
    )
