"""Wording: the sentences of the page, each in one place. Nothing decides by them."""

from __future__ import annotations

REFUSALS: dict[str, tuple[int, str, str]] = {
    "invalid": (422, "{reason}", ""),
    "unreadable": (422, "{reason}", "Correct the file or leave it out, and drop the files again."),
    "unreadable-so": (422, "{reason}", "Give another answer, or correct the file."),
    "gone": (404, "These files are not here any more.", "Drop them again."),
    "no-alignment": (
        422,
        "The task '{task}' has no alignment, because it was not measured.",
        "The report says why.",
    ),
    "later-round": (422, "The later round: {reason}", "Correct its files, or choose others."),
    "superseded": (409, "A newer change has taken the place of this one.", ""),
    "too-many": (413, "More than {most} files were dropped.", "Drop fewer, or give their folder."),
    "too-large": (413, "The files hold more than {most} MB.", "Drop fewer, or give their path."),
    "full-disk": (507, "The disk is full.", "Delete something, or try again later."),
    "bad-name": (422, "A file has a name that cannot be stored: '{name}'.", "Rename it."),
    "bad-host": (403, "This page is at another address.", "Open {url} with its key."),
    "bad-call": (400, "The call broke off, or is not one of the page's.", "Try again."),
    "no-key": (401, "The key is missing or wrong.", "Open the address that goldspan open prints."),
    "other-origin": (403, "Another site asked for this.", "Open the page itself."),
    "not-found": (404, "There is no such address.", "Reload the page."),
    "method": (405, "This address is for another kind of call.", "Reload the page."),
    "not-json": (415, "This address takes application/json.", "Reload the page."),
    "bug": (500, "This is a bug in goldspan; the terminal says where.", "Report it, and reload."),
    "no-session": (401, "Your session has ended.", "Reload the page, and log in."),
    "wrong-password": (403, "This is not the password.", "Try again."),
    "too-many-guesses": (429, "Too many wrong passwords.", "Try again in {seconds} s."),
    "too-many-calls": (429, "Too much of yours is waiting.", "Wait for it, or cancel it."),
    "crowded": (503, "Too many people are waiting.", "Try again in some minutes."),
    "cancelled": (409, "The computation was cancelled.", "Change a setting to start again."),
    "too-long": (
        503,
        "This takes longer than a computation may take here.",
        "Leave out coefficients or annotators, or use goldspan on your own machine.",
    ),
    "memory": (413, "This takes more memory than there is for one person here.", "Give less data."),
    "ended": (503, "The computation broke off.", "Try again with less data."),
    "ending": (503, "goldspan open is ending.", "Start it again."),
}
"""The status, what happened, and what to do."""

QUESTIONS = {
    "--from": "Which format is this?",
    "--annotator-from": "Who is the annotator?",
    "--category-from": "Where are the labels?",
    "--layer": "Which layer is measured?",
    "--unlabelled": "What happens to spans without a label?",
    "--start-from": "Which column has the start of a span?",
    "--end-from": "Which column has the end of a span?",
    "--task-from": "Which column has the document?",
    "--sheet": "Which sheet is read?",
    "--empty": "'{annotator}' has no span in the task '{task}'. What does it mean there, and "
    "wherever an annotator has none?",
}
OTHER_QUESTION = "{option}: which value?"

VALUES = {
    ("--unlabelled", "drop"): "leave them out",
    ("--annotator-from", "file"): "the name of each file",
    ("--annotator-from", "dir"): "the folder of each file",
    ("--annotator-from", "tier"): "the name of each tier",
    ("--annotator-from", "participant"): "the participant of each tier",
    ("--annotator-from", "column"): "a column of tags each",
    ("--category-from", "layer"): "the name of the layer",
    ("--task-from", ""): "no column: each file is a document",
    ("--task-from", "file"): "no column: each file is a document",
    ("--empty", "seen"): "they saw the task, and found nothing to mark",
    ("--empty", "unseen"): "they never saw the task",
}
"""What a value means, where its name does not say it."""

PLACES = {
    "any": "The same on the command line",
    "beside": "The same on the command line, where these files are",
    "alone": "The same on the command line, in a folder with these files alone",
    "unpacked": "The same on the command line, with {archives} unpacked into a folder of that name",
}
"""Where the command works: the names of what was dropped are known, and not where it is."""

GIVES = "{annotators}: {names}"
SOME_NAMES = "{names} and {more} more"
PRESENCE_UNKNOWN = (
    "These files list spans, and not who saw which task. An annotator who saw a task and marked "
    "nothing disagrees with those who did; one who never saw it does not count there."
)

SUCH_AS = "such as {cells}"
MEASURABLE = "{some} of {tasks} can be measured"
