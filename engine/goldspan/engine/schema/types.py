"""Types: the JSON of a result. `docs/result.schema.json` is generated from them.

Schema 1 is stable: names, their order and their meanings stay, and further names may be added. A
name with a default came after 0.1, so a result of 0.1 does not have it. Readers ignore names that
they do not know.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from goldspan.engine.schema.figure import (
    Also,
    Cost,
    Count,
    FigureJson,
    Labels,
    Level,
    Parameters,
    Position,
    ReasonCode,
    Share,
    words,
)


class PartJson(Struct, frozen=True, kw_only=True):
    """One kind of disagreement."""

    count: Annotated[Count, words("How many there are.")]
    disorder: Annotated[Cost, words("What they add to the disorder.")]
    share: Annotated[Share, words("Which share of the whole disorder that is.")]


class DisagreementsJson(Struct, frozen=True, kw_only=True):
    """What the disorder consists of."""

    missed: PartJson
    boundary: PartJson
    label: PartJson
    split: PartJson


class DistancesJson(Struct, frozen=True, kw_only=True):
    """The distances of the categories that were used."""

    categories: Annotated[list[str], words("The categories, in the order of the rows.")]
    rows: Annotated[
        list[list[Share]], words("A row for each category: its distances from all of them.")
    ]


class SettingsJson(Struct, frozen=True, kw_only=True):
    """How agreement was measured. The options of reading are in the command."""

    seed: Annotated[Count, words("The random seed.")]
    chance: Annotated[str, words("The models of chance that were used.")]
    precision: Annotated[float, words("The relative error allowed in the expected disorder.")]
    level: Level
    alpha: Annotated[float, words("The weight of positions.")]
    beta: Annotated[float, words("The weight of categories.")]
    distances: Annotated[str, words("The distances between categories, by name.")]
    forbid: Annotated[bool, words("Whether units at categorial distance 1 are never aligned.")]
    interval: Annotated[
        str, words("How intervals over tasks were computed.", enum=["log-t", "bootstrap"])
    ]
    position: Annotated[str, words("The positional dissimilarity.", enum=["ratio", "iou"])] = (
        "ratio"
    )
    exponent: Annotated[
        float | None, words("The exponent of the positional dissimilarity; null is none.")
    ] = 2.0
    solver: Annotated[str, words("What solved the integer programs.")]
    seconds: Annotated[float | None, words("The time limit of each alignment; null is none.")]
    max_seconds: Annotated[
        float | None, words("The time limit of the whole run; null is none.")
    ] = None
    spacing: Annotated[
        float, words("How far apart two shifts are at the least, in mean lengths of a unit.")
    ] = 1.0
    floor_mean: Annotated[
        bool, words("Whether the mean number of units per annotator is rounded down.")
    ] = False
    alpha_weights: Annotated[
        bool, words("Whether the pairs of γcat and γk weigh 1 - α·d_pos instead of 1 - d_pos.")
    ] = False
    average: Annotated[
        str,
        words(
            "What the expected disorder is: a ratio of sums over the chance samples, or the mean "
            "of the samples' own disorders.",
            enum=["sums", "samples"],
        ),
    ] = "sums"
    chance_asked: Annotated[
        str,
        words(
            "The model of chance that was asked for.",
            enum=["auto", "shift", "corpus", "statistical", "normal"],
        ),
    ]
    distance_matrix: Annotated[
        DistancesJson | None,
        words("The distances of the categories that were used; null where all are 1."),
    ] = None


class CorpusJson(Struct, frozen=True, kw_only=True):
    """All tasks together."""

    gamma: FigureJson
    gamma_cat: FigureJson
    gamma_k: Annotated[Labels, words("By label.")]
    also: Also = field(default_factory=dict)
    median_gamma: Annotated[float | None, words("The middle of the tasks' own γ.")]
    n_tasks: Annotated[Count, words("How many tasks were measured.")]
    n_units: Annotated[Count, words("How many units their annotators marked.")]
    n_annotators: Annotated[Count, words("How many annotators they have together.")]
    expected_disorder: Annotated[float | None, words("The disorder expected by chance.")]
    n_samples: Annotated[int, Meta(ge=0, description="Chance samples drawn.")]
    optimal: Annotated[bool, words("Whether every alignment is proved to be the best one.")]
    observed_gap: Annotated[
        float,
        words(
            "The part by which the observed disorder may be too high, because alignments are not "
            "proved.",
            minimum=0, maximum=1,
        ),
    ] = 0.0  # fmt: skip
    expected_gap: Annotated[
        float,
        words(
            "The part by which the expected disorder may be too high, because alignments are not "
            "proved.",
            minimum=0, maximum=1,
        ),
    ] = 0.0  # fmt: skip
    n_unitary_alignments: Annotated[
        int, Meta(ge=0, description="Unitary alignments in the best alignments.")
    ] = 0


class UnitJson(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Start, end (not included), category."""

    start: Position
    end: Position
    category: str


class UnitaryJson(Struct, frozen=True, kw_only=True):
    """A unitary alignment: one unit an annotator at most."""

    units: Annotated[dict[str, UnitJson], Meta(min_length=1, description="By annotator.")]
    disorder: Annotated[float, words("The sum of the next three.", minimum=0)]
    positional: Annotated[Cost, words("What differing positions add to its disorder.")]
    categorial: Annotated[Cost, words("What differing categories add.")]
    missing: Annotated[Cost, words("What missed units add.")]


class TaskJson(Struct, frozen=True, kw_only=True):
    """One task."""

    id: Annotated[str, words("The name of the task.")]
    annotators: Annotated[list[str], Meta(min_length=2, description="The annotators who saw it.")]
    n_units: Annotated[Count, words("How many units they marked.")]
    text_sha256: Annotated[
        str | None, words("Of the task's text, in UTF-8; null where there is none.")
    ] = None
    gamma: FigureJson
    gamma_cat: FigureJson
    gamma_k: Labels
    also: Also = field(default_factory=dict)
    observed_disorder: Annotated[Cost, words("The disorder of the best alignment.")]
    lower_bound: Annotated[float, words("No alignment has less disorder.")]
    optimal: Annotated[bool, words("Whether the alignment is proved to be the best one.")]
    n_unitary_alignments: Annotated[
        int, Meta(ge=0, description="Unitary alignments in the best alignment.")
    ] = 0
    expected_disorder: Annotated[float | None, words("The disorder expected by chance.")]
    n_samples: Annotated[Count, words("How many chance samples it was estimated from.")]
    chance: Annotated[
        str, Meta(extra_json_schema={"enum": ["shift", "corpus", "statistical", "normal"]})
    ]
    disagreements: DisagreementsJson
    alignment: list[UnitaryJson]


class PairJson(Struct, frozen=True, kw_only=True):
    """Two annotators alone, on the tasks they share."""

    annotators: Annotated[list[str], Meta(min_length=2, max_length=2, description="The two names.")]
    n_tasks: Annotated[Count, words("How many tasks both saw.")]
    n_units: Annotated[Count, words("How many units they marked there.")]
    gamma: FigureJson
    gamma_cat: FigureJson
    also: Also = field(default_factory=dict)
    disagreements: DisagreementsJson


class AnnotatorJson(Struct, frozen=True, kw_only=True):
    """One annotator, and the agreement of the others."""

    name: Annotated[str, words("Their name.")]
    n_tasks: Annotated[Count, words("How many tasks they saw.")]
    n_units: Annotated[Count, words("How many units they marked.")]
    gamma_without: FigureJson
    also_without: Also = field(default_factory=dict)


class ExcludedJson(Struct, frozen=True, kw_only=True):
    """A task that was left out."""

    task: Annotated[str, words("The name of the task.")]
    reason: Annotated[str, words("Why it was left out, for people.")]
    reason_code: ReasonCode = None
    reason_parameters: Parameters = None


class NoteJson(Struct, frozen=True, kw_only=True):
    """What was done or seen, by the reader or while measuring."""

    message: Annotated[str, words("For people.")]
    task: Annotated[str, words("The task that it is about; empty if it is about none.")]
    count: Annotated[Count, words("How many cases there were.")]
    code: Annotated[
        str | None, words("What is said, for programs: it stays the same when the words change.")
    ] = None
    parameters: Parameters = None


class BindingJson(Struct, frozen=True, kw_only=True):
    """What the sums of a coefficient are by, in their order."""

    coders: Annotated[tuple[str, ...], words("Annotators.")] = ()
    values: Annotated[
        tuple[tuple[str, ...], ...], words("Judgements: one label each, or a set of labels.")
    ] = ()
    distances: Annotated[
        tuple[tuple[float, ...], ...] | None, words("Between the values, or between all labels.")
    ] = None
    size: Annotated[int, Meta(ge=0, description="The number of values, if not listed.")] = 0


class CoefficientJson(Struct, frozen=True, kw_only=True):
    """What people call a coefficient, what it looks at, what its n counts, and what it misses."""

    symbol: Annotated[str, words("How reports write it.")]
    about: Annotated[str, words("What it measures, in a few words.")]
    counts: Annotated[str, words("What `n` of its figures counts.")]
    blind: Annotated[str, words("What it cannot see, in a sentence.")] = ""
    binding: Annotated[
        BindingJson | None, words("For coefficients whose sums are by annotators or by labels.")
    ] = None


class LayerJson(Struct, frozen=True, kw_only=True):
    """The agreement on labels of whole tasks, of one layer."""

    fits: Annotated[str, words("The name of the coefficient that fits these labels.")]
    alpha: Annotated[FigureJson, words("The figure of that coefficient.")]
    observed_agreement: Annotated[FigureJson, words("Pairs of annotators who agree.")]
    labels: Annotated[Labels, words("α of each label against all others.")]
    also: Also = field(default_factory=dict)
    annotators: Annotated[list[str], words("The annotators who labelled tasks in this layer.")]
    n_tasks: Annotated[int, Meta(ge=0, description="Tasks that two annotators or more labelled.")]
    n_labels: Annotated[Count, words("How many labels they gave.")]
    agreement: Annotated[dict[str, Share], words("Pairs of annotators who agree, by task.")]


class AgainstAnnotatorJson(Struct, frozen=True, kw_only=True):
    """One annotator and the reference, on the tasks that both did."""

    name: Annotated[str, words("Their name.")]
    n_tasks: Annotated[Count, words("How many tasks they and the reference have.")]
    n_units: Annotated[int, Meta(ge=0, description="The annotator's units.")]
    n_reference_units: Annotated[Count, words("How many units the reference has there.")]
    gamma: FigureJson
    gamma_cat: FigureJson
    gamma_k: Labels
    also: Also


class AgainstJson(Struct, frozen=True, kw_only=True):
    """Annotators against a reference, which is not one of the annotators of the result."""

    kind: Annotated[
        str,
        words(
            "`stability`: the same annotator twice; there is no reference.",
            enum=["reference", "stability"],
        ),
    ]
    reference: Annotated[str, words("The reference's name; empty for stability.")]
    n_tasks: Annotated[int, Meta(ge=0, description="Tasks that were compared.")]
    annotators: list[AgainstAnnotatorJson]
    coefficients: dict[str, CoefficientJson]
    excluded: Annotated[list[ExcludedJson], words("Tasks whose two sides cannot be compared.")]
    notes: Annotated[list[NoteJson], words("How many tasks only one side has, and the like.")]


class ResultJson(Struct, frozen=True, kw_only=True):
    """A result. Schema 1 is stable: names and meanings stay, further names may be added."""

    schema: Annotated[Literal[1], words("The version of this form.")]
    goldspan: Annotated[str, words("The version that wrote it.")]
    settings: SettingsJson
    corpus: CorpusJson
    coefficients: Annotated[
        dict[str, CoefficientJson], words("The coefficients of the result, by name.")
    ] = field(default_factory=dict)
    tasks: list[TaskJson]
    pairs: list[PairJson]
    annotators: list[AnnotatorJson]
    disagreements: DisagreementsJson
    disagreements_by_label: dict[str, DisagreementsJson]
    excluded: list[ExcludedJson]
    notes: list[NoteJson]
    layers: dict[str, LayerJson] = field(default_factory=dict)
    against: Annotated[
        AgainstJson | UnsetType, words("Only where a reference, or a second time, was given.")
    ] = UNSET
    command: Annotated[
        str | UnsetType,
        words("The command that measures the same again; only where one was given."),
    ] = UNSET
