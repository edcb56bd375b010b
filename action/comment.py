"""Posts the summary on a pull request, or replaces the comment that an earlier run posted.

It needs nothing but Python. A token that may not write, as in pull requests from forks, is a
warning: the summary is in the job's own page as well.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

MOST_CHARACTERS = 60_000
"""GitHub refuses comments above 65,536."""
PAGE = 100


def body(text: str) -> str:
    """The comment: a mark by which it is found again, and as much of the summary as fits."""
    title = text.partition("\n")[0].removeprefix("## ").replace("--", "-")
    if len(text) > MOST_CHARACTERS:
        text = (
            text[:MOST_CHARACTERS].rpartition("\n")[0] + "\n\nThe rest is in the job's summary.\n"
        )
    return f"<!-- goldspan: {title} -->\n{text}"


def call(method: str, url: str, token: str, content: Mapping[str, str] | None = None) -> Any:
    """What GitHub answers."""
    request = urllib.request.Request(  # noqa: S310 - the address is GitHub's own
        url,
        data=None if content is None else json.dumps(content).encode(),
        method=method,
        headers={
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - as above
        return json.load(answer)


def comments(url: str, token: str) -> Iterator[Mapping[str, Any]]:
    """All comments of the pull request."""
    number = 1
    while True:
        found = call("GET", f"{url}?per_page={PAGE}&page={number}", token)
        yield from found
        if len(found) < PAGE:
            return
        number += 1


def post(text: str, api: str, repository: str, number: int, token: str) -> str:
    """Post or replace the comment, and say which."""
    own = body(text)
    mark = own.partition("\n")[0]
    issues = f"{api}/repos/{repository}/issues"
    for comment in comments(f"{issues}/{number}/comments", token):
        if comment["body"].partition("\n")[0].rstrip() == mark:
            call("PATCH", f"{issues}/comments/{comment['id']}", token, {"body": own})
            return "replaced"
    call("POST", f"{issues}/{number}/comments", token, {"body": own})
    return "posted"


def main() -> int:
    """Post the summary that the environment names."""
    given = os.environ
    text = Path(given["GOLDSPAN_SUMMARY"]).read_text(encoding="utf-8")
    try:
        done = post(
            text,
            given.get("GITHUB_API_URL", "https://api.github.com"),
            given["GITHUB_REPOSITORY"],
            int(given["GOLDSPAN_PULL_REQUEST"]),
            given["GITHUB_TOKEN"],
        )
    except urllib.error.HTTPError as error:
        if error.code not in (401, 403, 404):
            raise
        sys.stdout.write(
            f"::warning::goldspan could not comment (HTTP {error.code}); give the job "
            "`pull-requests: write`\n"
        )
        return 0
    sys.stdout.write(f"The comment was {done}.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
