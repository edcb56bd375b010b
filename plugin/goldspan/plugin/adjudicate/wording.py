"""Wording: the sentences of the adjudication, each in one place. Nothing decides by them."""

from __future__ import annotations

REFUSALS: dict[str, tuple[str, str]] = {
    "changed": ("{by} changed this a moment ago.", "Look again."),
    "settled-since": ("{by} settled this since.", "Reopen the site instead."),
    "no-such-task": ("There is no task {n}.", "Reload the page."),
    "no-such-event": ("There is nothing to undo.", "Reopen the site instead."),
    "no-such-site": ("This site is not here any more.", "Reload the page."),
    "note-too-long": ("The note is longer than {most} bytes.", "Shorten it."),
    "other-writer": ("{reason}", "Stop the other one, or work under another name."),
    "disk": ("It could not be saved: {reason}.", "Make room on the disk, then try again."),
    "invalid": ("{reason}", "Correct it, and try again."),
    "bad-host": ("This page is at another address.", "Open {url} with its key."),
    "bad-call": ("The call broke off, or is not one of the page's.", "Try again."),
    "no-key": (
        "The key is missing or wrong.",
        "Open the whole address that goldspan adjudicate prints.",
    ),
    "other-origin": ("Another site asked for this.", "Open the page itself."),
    "not-found": ("There is no such address.", "Reload the page."),
    "no-media": ("{reason}", "{remedy}"),
    "method": ("This address is for another kind of call.", "Reload the page."),
    "too-large": ("The call is too large.", "Accept fewer at a time."),
    "not-json": ("This address takes application/json.", "Reload the page."),
    "bug": ("This is a bug in goldspan; the terminal says where.", "Report it, and reload."),
    "ending": ("goldspan adjudicate is ending.", "Start it again, and this page goes on."),
}
"""What happened, and what to do."""

EMPTY_SPAN = "The span {start}–{end} has no length."
OUTSIDE = "The span {start}–{end} is outside the task, which ends at {length}."
UNKNOWN_LABEL = "No annotator uses the label '{label}'; --new-labels allows new ones."
NO_LABEL = "A span has no label."
NO_SPANS = "A decision needs its list of spans; an empty list means that nothing belongs here."
BAD_EVENT = "This is not an event: {reason}."
BAD_ID = "An event needs an id of 8 to 64 letters, digits, '-' or '_'."
TASK_NEEDED = "A new span needs the name of its task."
BLIND = "Names are hidden, so the queue cannot be filtered by annotator."
BAD_NAME = "A name has at most {most} characters, none of them invisible."
BAD_QUERY = "The queue cannot be asked like this: {reason}."
BAD_NUMBER = "'{name}' is not a number."
NO_MEDIA = "There is no such recording."
GIVE_MEDIA = "Give its folder with --media DIR."
NO_OUTPUT = "There is no output to write."
NO_GROUP = "There is no such group any more."
ALSO_ANNOTATOR = (
    "You annotated this data yourself. Your own annotations are marked, and do not calibrate."
)
FORGOTTEN = "{count} decisions are kept for tasks that are gone or have another text."
SETTLED_BEFORE = "Settled in the input already, so nothing is asked there: {tasks}."
REOPENED = "{count} settled places are open again because annotations changed there."

EARLY = "Too early to tell: {done} of {needed} decisions."
LEFT = "~{expected} errors left ({low}–{high}) in {spans} spans."
MORE = "{more} more decisions bring it below {percent} %."
MANY = "All of the open places are worth deciding."
AGREED = "Nothing is open. Look through {more} agreed places to bring it below {percent} %."
CONFIRM = "Nearly done: {confirm} random places confirm that fewer than {most} spans are wrong."
ENOUGH = "You can stop: at most {most} wrong, with 95 % confidence."
NOTHING = "Nothing to decide."


def number(value: float) -> str:
    """A count for people."""
    return f"{round(value):,}"


def sentence(words: str) -> str:
    """What an engine's note says, as a sentence."""
    first = words[:1].upper() if words[:1].isascii() else words[:1]
    return f"{first}{words[1:]}" if words.endswith(".") else f"{first}{words[1:]}."
