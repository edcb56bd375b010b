"""Facts of formats: what readers and writers did or saw that a person should know.

`wording` has the words for each. A reader of another package writes its own sentence:
`draft.note("a sentence")`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from goldspan.adapters.wording import WORDS
from goldspan.engine.facts import Kind

if TYPE_CHECKING:
    from goldspan.engine.facts import Note
    from goldspan.engine.wording import Words


class FormatFact(Kind):
    """What a reader or writer did or saw."""

    # What all readers do and see.
    FAULTY_TASK = "faulty_task", "place", "fault"
    TEXTS_DIFFER = "texts_differ"
    TEXTS_DIFFER_LAYOUT = "texts_differ_layout", "file", "annotator", "document", "pattern"
    NOTHING_SHARED_LAYOUT = "nothing_shared_layout", "file", "annotator", "document", "pattern"
    PATTERN_AMBIGUOUS = (
        "pattern_ambiguous", "pattern", "file", "annotator", "document", "other_annotator",
        "other_document", "other_pattern",
    )  # fmt: skip
    LAYOUT_RECOGNISED = "layout_recognised", "pattern", "usual"
    LINE_ENDS_DIFFER = "line_ends_differ"
    NAMES_STRIPPED = "names_stripped", "names"
    NOT_ASSIGNED = "not_assigned"
    NOT_LISTED = "not_listed"
    BLANK_SPANS = "blank_spans"
    EDGES_TRIMMED = "edges_trimmed"
    EDGES_KEPT = "edges_kept"
    DUPLICATES = "duplicates"
    TOUCHING_JOINED = "touching_joined"
    DUPLICATE_LABELS = "duplicate_labels"
    SWAPPED = "swapped"
    NO_LENGTH = "no_length"
    UNLABELLED = "unlabelled", "category"
    UNLABELLED_DROPPED = "unlabelled_dropped"
    UNLABELLED_LEFT_OUT = "unlabelled_left_out", "spans"
    UNUSED_RENAMING = "unused_renaming", "labels"
    NOT_KEPT = "not_kept", "things"
    SINGLE_USERS = "single_users", "categories"
    EXCLUDED = "excluded", "annotator"
    MERGED_VERSION = "merged_version", "annotator"
    EXCLUDED_TASKS = "excluded_tasks"
    EXCLUDED_LABEL = "excluded_label", "label"
    UNKNOWN_EXCLUDED = "unknown_excluded", "names"
    UNKNOWN_TASK = "unknown_task", "names"
    UNKNOWN_LABEL = "unknown_label", "names"
    UNKNOWN_INCLUDED = "unknown_included", "names"
    UNKNOWN_ASSIGNED = "unknown_assigned", "names"
    KINDS_MERGED = "kinds_merged", "kinds", "first"
    CHANNELS_APART = "channels_apart", "tasks"
    CHANNELS_MIXED = "channels_mixed", "channels"
    CHANNELS_SEEN = "channels_seen"
    CHANNELS_SHARED = "channels_shared"
    NO_MARKS_FILE = "no_marks_file", "suffix"
    FOLDERS_ALIKE = "folders_alike", "annotator", "annotators", "folders", "first", "second"
    PROJECTS_MIXED = "projects_mixed", "folders", "first", "second"
    NO_ANNOTATOR_TIERS = "no_annotator_tiers", "tiers"
    # How positions had been counted, before they were converted.
    OTHER_NORMAL_FORM = "other_normal_form"
    COUNTED_ON_NFC = "counted_on_nfc"
    CRLF_AS_ONE = "crlf_as_one"
    LF_AS_TWO = "lf_as_two"
    WITHOUT_BOM = "without_bom"
    WITH_BOM = "with_bom"
    IN_UTF16 = "in_utf16"
    IN_CODE_POINTS = "in_code_points"
    CONVERTED = "converted", "counting"
    SPANS_CONVERTED = "spans_converted", "counting"
    TASK_CONVERTED = "task_converted", "counting"
    # What all writers do.
    STEPS_AS_MILLISECONDS = "steps_as_milliseconds"
    SHORT_SPANS = "short_spans"
    NO_GOLD = "no_gold"
    OPEN_ENDS = "open_ends"
    ASSIGNMENTS_WRITTEN = "assignments_written", "path"
    NO_MEDIA = "no_media", "format"
    NO_TEXTS = "no_texts", "format"
    NO_TEXTS_OR_MEDIA = "no_texts_or_media", "format"
    FILE_NAME_CHANGED = "file_name_changed", "given", "name"
    SCALE_LOST = "scale_lost", "format"
    LABELS_LOST = "labels_lost", "format", "layers"
    FRAGMENTS_LOST = "fragments_lost"
    NAME_CHANGED = "name_changed", "format", "given", "name"
    # Label Studio.
    REPLACED = "replaced"
    SETTLED = "settled"
    ADJUDICATED = "adjudicated", "tasks"
    CHOSEN = "chosen", "tasks"
    PREDICTIONS_LEFT_OUT = "predictions_left_out"
    UNFINISHED_CHANGES = "unfinished_changes"
    NOT_INDEPENDENT = "not_independent"
    GROUND_TRUTH = "ground_truth", "annotator"
    BEGAN_AS_PREDICTION = "began_as_prediction"
    LABELS_JOINED = "labels_joined"
    LABELS_SEPARATE = "labels_separate"
    LAYER_UNUSED = "layer_unused", "names"
    TYPE_WITHOUT_SPAN = "type_without_span", "type"
    LINKS = "links"
    SAME_ANNOTATOR = "same_annotator", "files", "annotator"
    NO_RANGE = "no_range"
    PAGE_NOT_REBUILT = "page_not_rebuilt"
    UNKNOWN_MEMBERS = "unknown_members", "names"
    NOTHING_TO_SHOW = "nothing_to_show"
    USUAL_CONTROLS = "usual_controls"
    # brat.
    UNKNOWN_LINES = "unknown_lines"
    EMPTY_FILES = "empty_files"
    NO_TEXT_FILES = "no_text_files"
    DISCONTINUOUS = "discontinuous"
    EDGES_CUT = "edges_cut"
    LINE_END_SPANS = "line_end_spans"
    TYPE_CHANGED = "type_changed", "category", "type"
    # CATMA.
    NO_CATMA_TEXT = "no_catma_text"
    # CoNLL.
    TAGS_BEGUN = "tags_begun"
    IOB1 = "iob1"
    BAD_ROWS = "bad_rows", "rows"
    DOCUMENTS_CUT = "documents_cut"
    COLUMN_SKIPPED = "column_skipped", "column"
    TEXTS_CUT = "texts_cut"
    SENTENCES_JOINED = "sentences_joined"
    UNTOKENISED_SPANS = "untokenised_spans"
    UNTOKENISED_TEXTS = "untokenised_texts"
    # csv.
    LABELS_IN_CELL = "labels_in_cell"
    COLUMNS_UNREAD = "columns_unread", "columns", "option"
    ASSIGNMENTS_UNREAD = "assignments_unread", "file"
    ONE_TASK = "one_task", "name"
    TEXTS_LEFT_OUT = "texts_left_out"
    LENGTHS_LEFT_OUT = "lengths_left_out"
    # doccano.
    APPROVED_ONLY = "approved_only"
    MAYBE_UNSEEN = "maybe_unseen"
    NUMBERED_LABELS = "numbered_labels"
    GRAPHEMES = "graphemes"
    # ELAN.
    NESTED_TIERS = "nested_tiers", "tiers"
    NO_TIME = "no_time"
    INFERRED_TIMES = "inferred_times"
    VOCABULARY_DIFFERS = "vocabulary_differs"
    SEVERAL_FILES = "several_files", "recording"
    SEVERAL_PLACES = "several_places", "places"
    ABSENT = "absent", "annotator"
    UNUSED_FILE = "unused_file"
    VOCABULARIES_LOST = "vocabularies_lost"
    NO_SOURCE_FILE = "no_source_file", "names"
    # Glozz.
    COUNTING_ASSUMED = "counting_assumed", "utf16"
    LAYOUT_LEFT_OUT = "layout_left_out"
    LINE_ENDS_AS_BLANKS = "line_ends_as_blanks"
    LAYOUT_RENAMED = "layout_renamed", "layout"
    # INCEpTION.
    NOT_AN_ANNOTATOR = "not_an_annotator", "name"
    NO_STATE = "no_state", "annotator"
    WORK_MISSING = "work_missing", "annotator"
    # Potato.
    PARTS_JOINED = "parts_joined"
    NO_ITEMS = "no_items"
    ITEM_UNKNOWN = "item_unknown"
    SCHEMES_TOGETHER = "schemes_together", "schemes"
    # Prodigy.
    REVIEW_LEFT_OUT = "review_left_out", "annotator"
    REPEATED_ANSWERS = "repeated_answers"
    REJECTED = "rejected"
    IGNORED = "ignored"
    TOKENS_CUT_AGAIN = "tokens_cut_again"
    # RTTM.
    ROWS_LEFT_OUT = "rows_left_out", "type"
    OUTSIDE_REGIONS = "outside_regions"
    CUT_AT_REGIONS = "cut_at_regions"
    FIELD_CHANGED = "field_changed", "field", "given", "name"
    # spaCy.
    KEYS_UNREAD = "keys_unread", "keys"
    OFF_TOKENS = "off_tokens", "key", "off_key", "spans"
    GOLD_OVERLAPS = "gold_overlaps"
    # TextGrid.
    BLANK_LABELS = "blank_labels"
    UNUSED_TIERS = "unused_tiers"
    LOOKS_UNUSED = "looks_unused"

    @classmethod
    def table(cls) -> Mapping[str, Words]:
        return WORDS


LEFT_OUT = frozenset((FormatFact.FAULTY_TASK, FormatFact.TEXTS_DIFFER))
"""Why the task of a note does not count."""


def merged_kinds(notes: Iterable[Note]) -> tuple[str, ...]:
    """The kinds of tiers that a corpus has together, by its notes; none if there is only one."""
    for note in notes:
        if note.fact.kind is FormatFact.KINDS_MERGED:
            kinds = dict(note.fact.parameters)["kinds"]
            return tuple(map(str, kinds)) if isinstance(kinds, tuple) else ()
    return ()


def settled_tasks(notes: Iterable[Note]) -> frozenset[str]:
    """The tasks that a person settled, by the notes of the corpus that was read."""
    return _tasks_in(notes, FormatFact.ADJUDICATED, FormatFact.CHOSEN)


def chosen_tasks(notes: Iterable[Note]) -> frozenset[str]:
    """Those of them where the settled version is the work of one of the annotators."""
    return _tasks_in(notes, FormatFact.CHOSEN)


def _tasks_in(notes: Iterable[Note], *kinds: FormatFact) -> frozenset[str]:
    found: set[str] = set()
    for note in notes:
        if note.fact.kind in kinds:
            tasks = dict(note.fact.parameters)["tasks"]
            found.update(tasks if isinstance(tasks, tuple) else ())
    return frozenset(map(str, found))
