"""Wording: the sentences for what the engine found, each in one place.

A `Reason` or `Fact` carries a kind and parameters, and becomes words only here. The table is part
of the engine because JSON and notebooks show the sentences too. Nothing decides by these words:
change them freely.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

Words: TypeAlias = str | Callable[..., str]
"""A template of the parameters, or a function of them where words depend on a value."""


def words(template: Words, parameters: Mapping[str, object]) -> str:
    """The sentence for these parameters; several names are separated by commas."""
    shown = {
        name: ", ".join(value) if isinstance(value, tuple) else value
        for name, value in parameters.items()
    }
    return template.format(**shown) if isinstance(template, str) else template(**shown)


def _units(label: str) -> str:
    return f"units with one of '{label}'" if label else "units"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _are(count: int) -> str:
    return f"there is {count}" if count == 1 else f"there are {count}"


REASONS: dict[str, Words] = {
    "few_tasks": lambda needed, found: (
        f"an interval over tasks needs {needed} tasks, {_are(found)}"
    ),
    "few_unitary_alignments": (
        "an interval within one task needs {needed} unitary alignments, there are {found}"
    ),
    "few_stretches": (
        "an interval within one task needs {needed} stretches of {size} unitary alignments with "
        "pairs to compare, there are {found}"
    ),
    "few_tasks_for_chance": lambda tasks, annotators: (
        "chance from the corpus needs as many tasks as annotators: here are "
        f"{_many(tasks, 'task')} and {_many(annotators, 'annotator')}; "
        "use the chance model 'shift'"
    ),
    "one_category": lambda label: (
        f"chance never disagrees: all comparable {_units(label)} have one category"
    ),
    "certain_chance": "chance would agree perfectly, so nothing can be above it",
    "few_compared_tasks": (
        "it takes {needed} tasks with a figure in both rounds, there are {found}"
    ),
    "not_requested": "it was not asked for",
    "no_annotator": "no annotator finished it",
    "no_chance_alignment": lambda label: f"no chance sample aligned {_units(label)}",
    "unanimous": "no disagreement was observed, so no interval can be estimated",
    "no_comparable_pair": lambda label: (
        f"no two aligned {_units(label)} overlap enough to compare their categories"
    ),
    "no_other_pair": "no two other annotators share a task",
    "no_unit": "nobody marked a unit",
    "one_user": "only '{annotator}' used it, so nobody could agree on it",
    "one_annotator": "only one annotator",
    "not_installed": "the coefficient '{coefficient}' is not installed here",
    "no_room": (
        "the spans fill the text or recording, so that shifting them cannot show what chance does: "
        "it is {length:g} long, and {annotators} annotators need {needed:g}; score several texts "
        "together, or, if it goes on after the last span, have the files tell its length (in csv "
        "a column 'length')"
    ),
    "out_of_time": "the time limit for the whole run was over",
    "no_expectation": "there is nothing to expect",
    "no_shared_item": (
        "no two annotators labelled the same item; an item is a whole task or a place that several "
        "marked"
    ),
    "incomplete": (
        "not every annotator labelled every item, which this coefficient needs; 'alpha' allows "
        "missing labels"
    ),
    "several_labels": (
        "somebody gave several labels to one item; compare sets of labels with 'alpha_masi', or "
        "each label with 'alpha_k'"
    ),
    "too_many_annotators": (
        "it is defined for {most} annotators, there are {found}; look at pairs of annotators, or "
        "use its form for several"
    ),
    "unknown_scheme": (
        "it counts all labels of the labelling scheme, and the files do not say which there are"
    ),
    "label_not_a_number": "the label '{label}' is not a number",
    "label_without_rank": (
        "nothing says where the label '{label}' is on the scale; give the labels in their order"
    ),
    "negative_label": "the label '{label}' is below 0, so it is not an amount",
    "overlap": "units of '{annotator}' overlap, for which this coefficient is not defined",
    "gaps": (
        "'{annotator}' left gaps between units, and segments must cover the whole text or recording"
    ),
    "nothing_shared": ("no units of two annotators overlap, so there are no labels to compare"),
    "label_not_shared": ("no unit with this label overlaps a unit of another annotator"),
    "no_boundary": "nobody set a boundary",
    "fractions": "positions must be whole numbers to count windows and boundaries",
    "no_reference": "'{annotator}', the reference, has no unit to compare with",
    "only_reference": "only the reference has a unit to compare with",
    "no_shared_task": "there is no task in which both marked a unit",
    "other_text": "its text is not the same on both sides, so positions cannot be compared",
    "other_length": (
        "it is {length:g} long on one side and {other:g} on the other, so positions cannot be "
        "compared"
    ),
    "other_measure": "positions are in {first}s on one side and in {second}s on the other",
    "whole_tasks": "labels of whole tasks have no place; α is the figure that fits them",
    "other": "{sentence}",
}
"""For each `ReasonKind`, by its code."""

VERDICTS: dict[str, Words] = {
    "better": "better",
    "worse": "worse",
    "no_clear_change": "no clear change",
    "cannot_be_told": "cannot be told",
}
"""For each `Verdict`, by its code."""

FACTS: dict[str, Words] = {
    "groups_left_out": (
        "The time limit of {seconds:g} s for the whole run ran out: figures of {groups} groups of "
        "annotators were left out"
    ),
    "less_precise": (
        "The time limit of {seconds:g} s for the whole run ran out: figures may be less precise "
        "than was asked for"
    ),
    "task_not_merged": "left out, because there is nothing to merge: {reason}",
    "tasks_not_merged": "tasks left out, because there is nothing to merge: {reason}",
    "nothing_to_merge": "nobody marked a unit, so there is nothing to merge",
    "overlaps_dropped": "spans dropped because likelier ones overlap them",
    "unsure_dropped": "spans dropped for their low confidence",
    "low_agreement": "γ may be as low as {low:.2f}, below {least}: check every suggestion",
    "two_annotators": (
        "with two annotators there is no majority, so goldspan suggests only spans that both "
        "marked with the same label"
    ),
    "few_sites": (
        "{found} sites are too few to estimate how reliable annotators are (it takes {needed}): "
        "votes of more than half decide"
    ),
    "model_pair": (
        "the model for two: spans that both marked with the same label, because with two "
        "annotators there is no majority"
    ),
    "model_votes": (
        "votes: with {found} sites (fewer than {needed}) reliabilities cannot be estimated"
    ),
    "model_team": (
        "the model for teams: reliabilities of {annotators} annotators, most of whom saw each task"
    ),
    "model_crowd": (
        "the model for crowds: skills of {annotators} annotators, of whom {each:.3g} saw each task "
        "on average"
    ),
    "model_simple": "the strategy '{strategy}', as requested",
    "few_adjudicated": (
        "only {found} spans were adjudicated; {needed} repair most, 100 are comfortable"
    ),
    "adjudicated_elsewhere": "the adjudicated task '{name}' is not in the corpus",
    "category_not_adjudicated": (
        "the category '{category}' is unknown to the adjudicated file: its suggestions count as "
        "wrong"
    ),
    "tasks_carried": lambda untouched, shared, judged: (
        f"Nobody changed anything in {untouched} of {_many(shared, 'shared task')}; the new round "
        f"is judged by the {_many(judged, 'task')} that came with it or were changed."
    ),
    "new_tasks_ignored": lambda fresh: (
        f"Only shared tasks are compared, without {_many(fresh, 'new task')}."
    ),
    "settings_differ": (
        "The rounds were measured with different settings ({name}: {before} and {after}); the "
        "change may come from that."
    ),
    "distances_differ": (
        "The rounds were measured with different distances; the change may come from that."
    ),
    "labels_gone": "Labels that are no longer used: {labels}.",
    "labels_new": "Labels that are new: {labels}.",
    "tasks_without_reference": lambda tasks: f"Not in the reference: {_many(tasks, 'task')}.",
    "tasks_without_annotators": lambda tasks: f"Only in the reference: {_many(tasks, 'task')}.",
    "tasks_once": lambda tasks: f"Done at one time only: {_many(tasks, 'task')}.",
    "annotators_once": "Annotators at one time only: {names}.",
    "other": "{sentence}",
}
"""For each `FactKind`, by its code."""

QUESTIONS = {
    "split": "One span or several?",
    "label": "Which label?",
    "miss": "Is there a span?",
    "boundary": "Where does it start and end?",
    "check": "Is the suggestion right?",
}
"""For each `Question` to a person, by its value."""
