"""Reading many EAF files: seconds on one core, and peak memory.

    python -m benchmarks.adapters_elan [--files 1000]

The files are made up, 100 kB each: two annotators with a tier of gestures, a tier of words that
divide the gestures without times of their own, and a tier of codes that refer to them.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from goldspan.adapters import read

ANNOTATORS = ("ann", "ben")
GESTURES = ("prep", "stroke", "hold", "retraction")
WORDS = 3
KILOBYTES = 100
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<ANNOTATION_DOCUMENT AUTHOR="" '
    'DATE="2024-05-06T07:08:09+01:00" FORMAT="3.0" VERSION="3.0">\n'
    '    <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">\n'
    '        <MEDIA_DESCRIPTOR MEDIA_URL="file:///rec/{name}.wav" MIME_TYPE="audio/x-wav"/>\n'
    "    </HEADER>\n    <TIME_ORDER>\n"
)
TAIL = """\
    <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="main" TIME_ALIGNABLE="true"/>
    <LINGUISTIC_TYPE CONSTRAINTS="Time_Subdivision" GRAPHIC_REFERENCES="false"
        LINGUISTIC_TYPE_ID="words" TIME_ALIGNABLE="true"/>
    <LINGUISTIC_TYPE CONSTRAINTS="Symbolic_Association" GRAPHIC_REFERENCES="false"
        LINGUISTIC_TYPE_ID="codes" TIME_ALIGNABLE="false"/>
    <CONSTRAINT DESCRIPTION="" STEREOTYPE="Time_Subdivision"/>
    <CONSTRAINT DESCRIPTION="" STEREOTYPE="Symbolic_Association"/>
</ANNOTATION_DOCUMENT>
"""


class Maker:
    """One file while it is made; ids are given in order."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.slots: list[str] = []
        self.count = 0

    def slot(self, value: int | None) -> str:
        name = f"ts{len(self.slots) + 1}"
        time_value = f' TIME_VALUE="{value}"' if value is not None else ""
        self.slots.append(f'        <TIME_SLOT TIME_SLOT_ID="{name}"{time_value}/>\n')
        return name

    def annotation(self, attributes: str, value: str, kind: str = "ALIGNABLE") -> str:
        self.count += 1
        return (
            f"        <ANNOTATION>\n            <{kind}_ANNOTATION "
            f'ANNOTATION_ID="a{self.count}"\n                {attributes}>\n'
            f"                <ANNOTATION_VALUE>{value}</ANNOTATION_VALUE>\n"
            f"            </{kind}_ANNOTATION>\n        </ANNOTATION>\n"
        )

    def tiers(self, annotator: str, gestures: int) -> str:
        main, words, codes, at = "", "", "", 0
        for _ in range(gestures):
            start = at + self.rng.randint(10, 400)
            at = start + self.rng.randint(50, 900)
            edges = [
                self.slot(start), *(self.slot(None) for _ in range(WORDS - 1)), self.slot(at)
            ]  # fmt: skip
            ends = f'TIME_SLOT_REF1="{edges[0]}" TIME_SLOT_REF2="{edges[-1]}"'
            main += self.annotation(ends, self.rng.choice(GESTURES))
            codes += self.annotation(f'ANNOTATION_REF="a{self.count}"', "x", "REF")
            for first, last in pairwise(edges):
                words += self.annotation(
                    f'TIME_SLOT_REF1="{first}" TIME_SLOT_REF2="{last}"', "wört"
                )
        kinds = (("main", "", main), ("words", annotator, words), ("codes", annotator, codes))
        return "".join(
            f'    <TIER ANNOTATOR="{annotator}" LINGUISTIC_TYPE_REF="{kind}" '
            + (f'PARENT_REF="main-{parent}" ' if parent else "")
            + f'TIER_ID="{kind}-{annotator}">\n{inside}    </TIER>\n'
            for kind, parent, inside in kinds
        )


def make_file(path: Path, rng: random.Random) -> None:
    """Write one file of the size asked for."""
    maker = Maker(rng)
    tiers = "".join(maker.tiers(name, KILOBYTES * 34 // 100) for name in ANNOTATORS)
    text = HEAD.format(name=path.stem) + "".join(maker.slots) + "    </TIME_ORDER>\n" + tiers + TAIL
    path.write_text(text, encoding="utf-8")


def main() -> int:
    """Make the files, read them once, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__, prog="benchmarks.adapters_elan")
    parser.add_argument("--files", type=int, default=1000)
    args = parser.parse_args()
    rng = random.Random(0)  # noqa: S311 - the same files every time
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.files):
            make_file(Path(folder, f"rec{number:05}.eaf"), rng)
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
        before = time.process_time()
        corpus = read(folder, format="elan", include_inferred=True)
        seconds = time.process_time() - before
    units = sum(len(continuum.units) for continuum in corpus.continua)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"{args.files} files of {size / args.files / 1e3:.0f} kB, {units} units")
    print(
        f"{seconds:.2f} s of one core, {size / 1e6 / seconds:.1f} MB/s, peak memory {peak:.0f} MB"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
