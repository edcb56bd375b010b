"""Wording: the sentences for what readers and writers did or saw, each in one place.

A note carries a kind and parameters, and becomes words only here. Nothing decides by these words:
change them freely.
"""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.wording import Words

MOST_CHARACTERS = 60
"""Of a list of tasks."""


def _shortened(tasks: object) -> str:
    """A list that may be long, with its end left out."""
    said = str(tasks)
    if len(said) <= MOST_CHARACTERS:
        return said
    return f"{said[:MOST_CHARACTERS].rpartition(', ')[0]}, …"


def _layout(file: object, annotator: object, document: object, pattern: object) -> str:
    """How a file was read, and the pattern that would read all files better, if one would."""
    read = f"'{file}' is read as the task '{document}' of '{annotator}'"
    if pattern:
        return f"{read}; use --annotator-from {quote(str(pattern))}, by which tasks are shared"
    usual = str(file).startswith(f"{annotator}/")
    example = quote("{task}/{annotator}.*" if usual else "{annotator}/{task}.*")
    return f"{read}; if that is wrong, use --annotator-from with a pattern such as {example}"


WORDS: dict[str, Words] = {
    # What all readers do and see.
    "faulty_task": lambda place, fault: ": ".join(
        part for part in ("left out", place, fault) if part
    ),
    "texts_differ": "left out: its text is not the same for all annotators",
    "texts_differ_layout": lambda file, annotator, document, pattern: (
        "texts differ within a task, which may be because tasks and annotators are mixed up: "
        + _layout(file, annotator, document, pattern)
    ),
    "nothing_shared_layout": lambda file, annotator, document, pattern: (
        f"no task has several annotators: {_layout(file, annotator, document, pattern)}"
    ),
    "pattern_ambiguous": (
        "'{pattern}' can read '{file}' in several ways, and its first field takes as much as it "
        "can: the annotator is '{annotator}' and the task '{document}'; for the annotator "
        "'{other_annotator}' and the task '{other_document}', use --annotator-from "
        "'{other_pattern}'"
    ),
    "layout_recognised": (
        "files were read by the pattern '{pattern}', because files of one task then have one text "
        "(--annotator-from '{usual}' for the usual layout)"
    ),
    "line_ends_differ": "texts that differ in their line ends only were taken as equal",
    "names_stripped": "white space around annotators' names removed: {names}, tasks",
    "not_assigned": (
        "spans left out because the assignments say that their annotator did not work on the task"
    ),
    "not_listed": (
        "spans of annotators whom the assignments do not list for the task, counted all the same"
    ),
    "blank_spans": "spans of white space only dropped",
    "edges_trimmed": "spans with white space at their edges, trimmed",
    "edges_kept": "spans with white space at their edges, kept (--trim removes it)",
    "duplicates": "duplicate spans counted once",
    "touching_joined": "spans joined to a touching one of the same annotator and category",
    "duplicate_labels": (
        "labels that somebody gave a whole task twice, counted once (branches of a taxonomy may "
        "end in the same leaf)"
    ),
    "swapped": "spans with their end before their start swapped",
    "no_length": "spans without length dropped",
    "unlabelled": "spans without a category called '{category}'",
    "unlabelled_dropped": "spans without a category left out",
    "unlabelled_left_out": (
        "spans without a category left out of {spans} spans (--unlabelled NAME keeps them under "
        "that name)"
    ),
    "unused_renaming": "--rename-labels names labels that no span has: {labels}",
    "not_kept": "not kept, because spans have no place for it: {things}",
    "single_users": "categories used by one annotator only: {categories}",
    "excluded": "annotator '{annotator}' left out as requested, tasks",
    "merged_version": lambda annotator: (
        f"annotator '{annotator}' left out, because the name means a merged version "
        f"(--include-annotator {quote(annotator)} keeps it), tasks"
    ),
    "excluded_tasks": "tasks left out as requested",
    "excluded_label": "spans with the label '{label}' left out as requested",
    "unknown_task": "--exclude-task: no task is named: {names}",
    "unknown_label": "--exclude-label: no span has the label: {names}",
    "unknown_excluded": "--exclude-annotator: no annotator is named: {names}",
    "unknown_included": "--include-annotator: no annotator is named: {names}",
    "unknown_assigned": "the assignments name annotators that are in no file: {names}",
    "kinds_merged": lambda kinds, first: (
        f"tiers of several kinds are scored as one: {_shortened(kinds)} (--by layer gives a figure "
        f"for each, --layer {quote(str(first))} reads one)"
    ),
    "channels_apart": "recordings with several channels; each channel is a task: {tasks}",
    "channels_mixed": (
        "spans on the channels {channels} of a recording, which are on one timeline here"
    ),
    "channels_seen": (
        "annotators saw only some channels of a recording; Label Studio shows all, so the file "
        "says that they saw it"
    ),
    "channels_shared": "spans on several channels counted once",
    "no_marks_file": "a text without an {suffix} file",
    "folders_alike": lambda annotator, annotators, folders, first, second: (
        f"'{annotator}' is taken for {'the only' if annotators == 1 else 'an'} annotator, but "
        f"{folders} folders in it, such as '{first}' and '{second}', have tasks of the same name; "
        "if they are the annotators, use --annotator-from dir"
    ),
    "projects_mixed": (
        "annotators are read from {folders} folders, such as {first} and {second}, and nobody is "
        "in two of them; if they are projects of their own, read one at a time"
    ),
    "no_annotator_tiers": "tiers without a known annotator left out: {tiers}",
    # How positions had been counted, before they were converted.
    "other_normal_form": "the stored text is in another Unicode normal form",
    "counted_on_nfc": "positions counted on the NFC form of the text",
    "crlf_as_one": "positions counted with CRLF as one character",
    "lf_as_two": "positions counted with line feeds as two characters",
    "without_bom": "positions counted without the byte order mark",
    "with_bom": "positions counted with the byte order mark",
    "in_utf16": "positions counted in UTF-16 code units",
    "in_code_points": "positions counted in code points where UTF-16 code units are usual",
    "converted": "{counting}, converted",
    "spans_converted": "spans converted: {counting}",
    "task_converted": "{counting}, and converted",
    # What all writers do.
    "steps_as_milliseconds": "positions without a measure written as milliseconds",
    "short_spans": "spans shorter than half a millisecond left out",
    "no_gold": "tasks without gold left out",
    "open_ends": "lengths that are not known written as the last unit's end",
    "assignments_written": (
        "the table of who saw what was written to {path}; give it to --assignments when reading"
    ),
    "no_media": "{format} holds no references to media",
    "no_texts": "{format} holds no texts",
    "no_texts_or_media": "{format} holds no texts and no references to media",
    "file_name_changed": "'{given}' cannot be a file name here and was written as '{name}'",
    "scale_lost": "the order of the categories is not kept by {format}",
    "labels_lost": (
        "{format} has no place for labels of whole tasks; the layers {layers} are left out"
    ),
    "name_changed": "{format} cannot hold '{given}'; it is written '{name}'",
    # Label Studio.
    "replaced": "annotations replaced by a later one of the same annotator",
    "settled": "ground truth, read as the settled version",
    "adjudicated": lambda tasks: (
        "tasks settled by an annotation that a person marked as ground truth, which is left out of "
        f"agreement (--starred annotation counts it): {_shortened(tasks)}"
    ),
    "chosen": lambda tasks: (
        "tasks settled by an annotator's own annotation, which somebody marked as ground truth; it "
        f"counts in agreement like any other (--starred adjudication leaves it out): "
        f"{_shortened(tasks)}"
    ),
    "predictions_left_out": "predictions left out (--include-predictions reads them)",
    "unfinished_changes": "unfinished changes of submitted annotations skipped",
    "not_independent": (
        "annotations that started from goldspan's suggestions left out: not independent"
    ),
    "ground_truth": "annotations of '{annotator}' marked as ground truth, read like any other",
    "began_as_prediction": "annotations that began as a prediction, read like any other",
    "labels_joined": "regions with several labels, joined",
    "labels_separate": "regions with several labels, a unit for each (--labels join joins them)",
    "layer_unused": "nothing is marked with the control or object {names}",
    "type_without_span": "results of type '{type}' carry no span, skipped",
    "links": "texts that are links were not fetched; positions are taken as they stand",
    "same_annotator": (
        "all {files} files name the same annotator '{annotator}'; if each is one annotator's, "
        "use --annotator-from file"
    ),
    "no_range": "regions without a range skipped",
    "page_not_rebuilt": (
        "pages whose text could not be rebuilt as a browser counts it; positions are taken as "
        "they stand, without the text"
    ),
    "unknown_members": (
        "Label Studio imports annotations only of members it knows by e-mail or id; not such: "
        "{names}"
    ),
    "nothing_to_show": "tasks without media to show",
    "usual_controls": (
        "control and object are called as in Label Studio's examples; --source EXPORT takes the "
        "names of your project"
    ),
    # brat.
    "unknown_lines": "lines of an unknown kind skipped",
    "empty_files": (
        "empty .ann files counted as tasks that were seen and left without a mark (--empty "
        "unseen, if they were made for everybody beforehand)"
    ),
    "no_text_files": (
        "tasks without a .txt file: their length is not known, so chance takes the extent of the "
        "marks, and positions are not checked"
    ),
    "discontinuous": (
        "discontinuous spans, each scored as one over all fragments (--fragments split takes each "
        "fragment)"
    ),
    "fragments_lost": "discontinuous spans written as one over all fragments",
    "edges_cut": "line ends and tabs at the edges of spans cut off",
    "line_end_spans": "spans of nothing but line ends and tabs left out",
    "type_changed": (
        "brat cannot hold the category '{category}'; its type is '{type}' and its name stands in "
        "visual.conf (--category-from label reads it)"
    ),
    # CATMA.
    "no_catma_text": (
        "collections without a .txt of the right length beside them: positions are as CATMA "
        "counts them, where characters beyond U+FFFF count twice"
    ),
    # CoNLL.
    "tags_begun": "spans that began with I- or E- read as if with B-",
    "iob1": "columns of tags read as IOB1",
    "bad_rows": "rows that cannot be read passed over: {rows}",
    "documents_cut": (
        "documents cut between sentences where different annotators were asked, a task each"
    ),
    "column_skipped": (
        "column {column} skipped, because most of its cells are not tags (--layer {column} reads "
        "it), files"
    ),
    "texts_cut": "texts cut into tokens at blanks, punctuation and the edges of spans",
    "sentences_joined": "sentences joined because a span crosses their border",
    "untokenised_spans": "spans without a token left out",
    "untokenised_texts": "texts without a token, which cannot tell who saw them",
    # csv.
    "labels_in_cell": "rows with several labels, a unit for each (--labels join joins them)",
    "columns_unread": (
        "columns that vary along the file and are not read: {columns}; if one of them is the "
        "task of each row, name it with {option}"
    ),
    "assignments_unread": "{file} is not read by itself; give it to --assignments",
    "one_task": (
        "every file is read as one annotator's, and all of them as one task, '{name}'; if their "
        "names tell the task too, use --annotator-from and a pattern such as "
        "'{{task}}_{{annotator}}.csv'"
    ),
    "texts_left_out": "csv cannot hold texts or media; left out",
    "lengths_left_out": "lengths of tasks without a row left out",
    # doccano.
    "approved_only": (
        "examples without spans counted as seen, because the members' files differ, as in an "
        "export of approved documents only (--assignments overrides this)"
    ),
    "maybe_unseen": (
        "examples without spans that may never have been seen: export again with 'Export only "
        "approved documents', or use --empty seen or --empty unseen"
    ),
    "numbered_labels": (
        "examples whose labels are numbers that the project gave them (--rename-labels gives names)"
    ),
    "graphemes": (
        "texts with characters made of several (accents, joined emoji, CRLF): positions are "
        "wrong if the project counts grapheme clusters, tasks"
    ),
    # ELAN.
    "nested_tiers": (
        "tiers inside another tier, which are read as well (--layer NAME reads one): {tiers}"
    ),
    "no_time": "annotations without any time left out",
    "inferred_times": (
        "annotations whose times no human placed left out (--include-inferred keeps them)"
    ),
    "vocabulary_differs": (
        "annotations whose text is not that of the vocabulary entry they refer to"
    ),
    "several_files": "several files annotate the recording '{recording}', and each is a task",
    "several_places": (
        "recordings in several places read as one, because they have the same name: {places}; if "
        "they are not the same, tell them apart with --annotator-from and a pattern such as "
        "{{annotator}}/{{task}}.eaf"
    ),
    "absent": "'{annotator}' counts as absent: no annotation has a time that a human placed",
    "unused_file": (
        "a file without any annotation treated as an unused template (--empty seen, if it was "
        "seen and left empty)"
    ),
    "vocabularies_lost": "controlled vocabularies are not kept",
    "no_source_file": "no source file was found for some tasks, and theirs are new: {names}",
    # Glozz.
    "counting_assumed": lambda utf16: (
        "no length shows how positions were counted; assumed "
        + ("UTF-16 code units" if utf16 else "characters")
        + ", files"
    ),
    "layout_left_out": "paragraphs left out, because they are layout",
    "line_ends_as_blanks": "line ends written as blanks, because a Glozz text is one",
    "layout_renamed": "'{layout}' is layout to Glozz; such units are now '{layout}_'",
    # INCEpTION.
    "not_an_annotator": "'{name}' left out: it is INCEpTION's own, not an annotator, documents",
    "no_state": "'{annotator}' has a file, but the project has no state for it; counted as unseen",
    "work_missing": (
        "'{annotator}' worked on this document, but the work is not in the export; counted as "
        "unseen"
    ),
    # Potato.
    "parts_joined": "discontinuous spans read as one over all parts",
    "no_items": (
        "annotations of items without their text, because Potato keeps it apart: --items FILE "
        "names its data file; until then, the length is not known"
    ),
    "item_unknown": "annotations of items that the data file does not have as a text",
    "schemes_together": (
        "spans of several schemes are read together: {schemes} (--layer NAME reads one)"
    ),
    # Prodigy.
    "review_left_out": (
        "rows of '{annotator}' in the review left out, because they are a merged version "
        "(--include-annotator {annotator} keeps them)"
    ),
    "repeated_answers": "repeated answers of one annotator, the last one kept",
    "rejected": "answers that rejected the task, counted as not seen",
    "ignored": "answers that ignored the task, counted as not seen",
    "tokens_cut_again": "spans do not fit the source's tokens, so tokens were cut again",
    # RTTM.
    "rows_left_out": "rows of type {type} left out (--layer reads them)",
    "outside_regions": "turns outside the UEM regions left out",
    "cut_at_regions": "turns cut at the edges of the UEM regions",
    "field_changed": "RTTM cannot hold the {field} '{given}'; it is written '{name}'",
    # spaCy.
    "keys_unread": "span keys that were not read: {keys}",
    "off_tokens": (
        "off token boundaries, so in doc.user_data['{key}']['{off_key}'] and not in doc.spans: "
        "{spans}"
    ),
    "gold_overlaps": "gold spans overlap, so doc.ents was left unset, tasks",
    # TextGrid.
    "blank_labels": "labels with only white space read as empty",
    "unused_tiers": (
        "a file without any label treated as an unused template (--empty seen, if it was seen "
        "and left empty), tiers"
    ),
    "looks_unused": "tasks that everybody left empty look like templates; read with --empty seen",
}
"""For each `FormatFact`, by its code."""
