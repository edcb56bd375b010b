"""inception: XMI, TSV and projects, who is finished, layers and features, the round trip."""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from cassis import Cas, TypeSystem, load_cas_from_xmi, load_typesystem
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldspan.adapters import detect, read, write
from goldspan.adapters.inception.reader import Reader
from goldspan.adapters.inception.tsv import read_tsv
from goldspan.adapters.options import ReadOptions
from goldspan.engine.errors import InputError, MissingExtra, SettingsError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from strategies import corpora

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
TEXT = "Ada met 🙂 Grace Hopper in Paris."
ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
TOKEN = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"  # noqa: S105
META = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"
DEPENDENCY = "de.tudarmstadt.ukp.dkpro.core.api.syntax.type.dependency.Dependency"

Spans = tuple[tuple[Any, ...], ...]


def types() -> TypeSystem:
    made = TypeSystem()
    for name, features in {
        ENTITY: {"identifier": "String", "value": "String"},
        TOKEN: {},
        META: {"documentTitle": "String"},
        "webanno.custom.Event": {"kind": "String", "tense": "String", "many": "StringArray"},
        "webanno.custom.Bare": {},
    }.items():
        kind = made.create_type(name, supertypeName="uima.tcas.Annotation")
        for feature, range_ in features.items():
            made.create_feature(kind, feature, f"uima.cas.{range_}")
    relation = made.create_type(DEPENDENCY, supertypeName="uima.tcas.Annotation")
    for end in ("Governor", "Dependent"):
        made.create_feature(relation, end, TOKEN)
    return made


def xmi(*spans: tuple[Any, ...], text: str = TEXT) -> bytes:
    """A CAS with what INCEpTION always has in it; spans are start, end, value or a layer's all."""
    system = types()
    cas = Cas(typesystem=system)
    cas.sofa_string = text
    cas.sofa_mime = "text"
    cas.add(system.get_type(META)(begin=0, end=0, documentTitle="x"))
    token = system.get_type(TOKEN)(begin=0, end=3)
    cas.add(token)
    cas.add(system.get_type(DEPENDENCY)(begin=0, end=3, Governor=token, Dependent=token))
    for start, end, value, *layer in spans:
        name = layer[0] if layer else ENTITY
        features = value if isinstance(value, dict) else {"value": value}
        cas.add(system.get_type(name)(begin=start, end=end, **features))
    return str(cas.to_xmi()).encode()


def packed(user: str, *spans: tuple[Any, ...], text: str = TEXT) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("TypeSystem.xml", types().to_xml())
        archive.writestr(f"{user}.xmi", xmi(*spans, text=text))
    return data.getvalue()


def project(states: Mapping[tuple[str, str], str]) -> str:
    rows = [{"name": doc, "user": user, "state": state} for (doc, user), state in states.items()]
    return json.dumps({"name": "p", "source_documents": [], "annotation_documents": rows})


def pack(path: Path, files: Mapping[str, bytes | str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def unpack(path: Path, files: Mapping[str, bytes | str]) -> Path:
    for name, data in files.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def spans(corpus: Corpus, task: str) -> list[tuple[object, ...]]:
    return [(u.annotator, u.start, u.end, u.category) for u in corpus[task].units]


def messages(corpus: Corpus) -> str:
    return "\n".join(note.message for note in corpus.notes)


PROJECT = {
    "exportedproject123.json": project(
        {
            ("news.txt", "ada"): "FINISHED",
            ("news.txt", "bob"): "FINISHED",
            ("news.txt", "cyd"): "IN_PROGRESS",
            ("news.txt", "dan"): "NEW",
            ("news.txt", "eve"): "IGNORE",
            ("two.txt", "ada"): "NEW",
        }
    ),
    "source/news.txt": TEXT,
    "annotation_ser/news.txt/ada.ser": b"\xac\xed",
    "annotation/news.txt/INITIAL_CAS.zip": packed("INITIAL_CAS"),
    "annotation/news.txt/ada.zip": packed("ada", (10, 22, "PER")),
    "annotation/news.txt/bob.zip": packed("bob"),
    "annotation/news.txt/cyd.zip": packed("cyd", (0, 3, "PER")),
    "annotation/two.txt/INITIAL_CAS.zip": packed("INITIAL_CAS", text="Two."),
    "curation/news.txt/CURATION_USER.zip": packed("CURATION_USER", (0, 3, "PER")),
}


class TestProject:
    def test_members_may_begin_with_a_dot_and_slash(self, tmp_path: Path) -> None:
        plain = read(pack(tmp_path / "plain.zip", PROJECT))
        inner = io.BytesIO()
        with (
            zipfile.ZipFile(io.BytesIO(PROJECT["annotation/news.txt/ada.zip"])) as packed_ada,
            zipfile.ZipFile(inner, "w") as repacked,
        ):
            for name in packed_ada.namelist():
                repacked.writestr(f"./{name}", packed_ada.read(name))
        files = PROJECT | {"annotation/news.txt/ada.zip": inner.getvalue()}
        dotted = pack(tmp_path / "dotted.zip", {f"./{name}": data for name, data in files.items()})
        assert read(dotted) == plain

    @pytest.mark.parametrize("form", ["zip", "folder"])
    def test_only_the_finished_count(self, tmp_path: Path, form: str) -> None:
        path = tmp_path / ("p.zip" if form == "zip" else "p")
        (pack if form == "zip" else unpack)(path, PROJECT)
        assert detect(path) == "inception"
        corpus = read(path)
        assert corpus["news.txt"].presence == {
            "ada": Presence.DONE,
            "bob": Presence.EMPTY,
            "cyd": Presence.PARTIAL,
            "dan": Presence.UNSEEN,
            "eve": Presence.SKIPPED,
        }
        assert corpus["news.txt"].annotators == ("ada", "bob")
        assert spans(corpus, "news.txt")[0] == ("ada", 10, 22, "PER")
        assert corpus["two.txt"].presence == {"ada": Presence.UNSEEN}
        assert corpus["two.txt"].text == "Two."
        assert "'INITIAL_CAS' left out" in messages(corpus)

    def test_the_option_takes_unfinished_work(self, tmp_path: Path) -> None:
        path = pack(tmp_path / "p.zip", PROJECT)
        corpus = read(path, include_partial=True)
        assert corpus["news.txt"].annotators == ("ada", "bob", "cyd")

    def test_curation_and_initial_cas_are_no_annotators(self, tmp_path: Path) -> None:
        files = {
            "TypeSystem.xml": types().to_xml(),
            **{f"d/{name}.xmi": xmi((0, 3, "PER")) for name in ("ada", "CURATION_USER")},
        }
        path = unpack(tmp_path / "out", files)
        corpus = read(path)
        assert corpus["d"].annotators == ("ada",)
        assert "'CURATION_USER' left out: it is INCEpTION's own" in messages(corpus)
        both = read(path, include_annotators=("CURATION_USER",))
        assert both["d"].annotators == ("CURATION_USER", "ada")

    def test_old_versions_name_the_user_inside(self, tmp_path: Path) -> None:
        files = {
            "exportedproject1.json": project({("d", "ada"): "FINISHED"}),
            "annotation/d/webanno77export.zip": packed("ada", (0, 3, "PER")),
        }
        assert read(pack(tmp_path / "p.zip", files))["d"].annotators == ("ada",)

    def test_work_that_is_not_in_the_export(self, tmp_path: Path) -> None:
        files = {
            "exportedproject1.json": project({("d", "ada"): "FINISHED", ("d", "x"): "FINISHED"}),
            "annotation/d/ada.zip": packed("ada", (0, 3, "PER")),
        }
        corpus = read(pack(tmp_path / "p.zip", files))
        assert corpus["d"].presence == {"ada": Presence.DONE, "x": Presence.UNSEEN}
        assert "'x' worked on this document, but the work is not in the export" in messages(corpus)

    @pytest.mark.parametrize(
        ("files", "message"),
        [
            ({"exportedproject1.json": "{"}, r"exportedproject1\.json:1: this is not JSON"),
            ({"exportedproject1.json": "9" * 5000}, r"exportedproject1\.json:1: a number has more"),
            ({"exportedproject1.json": "[]"}, r"exportedproject1\.json: this is not an exported"),
            (
                {"exportedproject1.json": project({}), "annotation_ser/d/ada.ser": b"x"},
                r"not its annotations .* choose 'UIMA CAS XMI'",
            ),
            (
                {
                    "exportedproject1.json": project({("d", "ada"): "DONE"}),
                    "annotation/d/ada.zip": packed("ada"),
                },
                r"the document 'd' of 'ada' has the state 'DONE'",
            ),
            *(
                (
                    {
                        "exportedproject1.json": json.dumps({"annotation_documents": rows}),
                        "annotation/d/ada.zip": packed("ada"),
                    },
                    message,
                )
                for rows, message in (
                    (None, "there are no 'annotation_documents', which say who is done"),
                    ({}, r"'annotation_documents' is \{\}, not a list"),
                    (["x"], 'annotation_documents 1: this is "x", not an object'),
                    ([{"name": None, "user": "ada", "state": "NEW"}], "'name' is missing"),
                    ([{"name": "d", "user": "", "state": "NEW"}], "'name' or 'user' is empty"),
                    ([{"name": "d", "user": "ada", "state": []}], r"'state' is \[\], not a text"),
                )
            ),
            ({"annotation/d/ada.zip": b"no zip"}, r"ada\.zip: this is not a zip file"),
            ({"d/ada.xmi": xmi()}, r"ada\.xmi: there is no TypeSystem\.xml beside it"),
            ({"readme.txt": "x"}, r"there is no \.xmi or \.tsv file in it"),
        ],
    )
    def test_bad_projects(
        self, tmp_path: Path, files: Mapping[str, bytes | str], message: str
    ) -> None:
        path = pack(tmp_path / "p.zip", files)
        with pytest.raises(InputError, match=message):
            read(path, format="inception")

    def test_a_file_without_a_state_is_not_seen(self, tmp_path: Path) -> None:
        files = {
            "exportedproject1.json": project({("d", "ada"): "FINISHED"}),
            "annotation/d/ada.zip": packed("ada", (0, 3, "PER")),
            "annotation/d/bob.zip": packed("bob", (0, 3, "PER")),
        }
        corpus = read(pack(tmp_path / "p.zip", files))
        assert corpus["d"].presence == {"ada": Presence.DONE, "bob": Presence.UNSEEN}
        assert "'bob' has a file, but the project has no state for it" in messages(corpus)

    def test_zips_that_reach_out_or_explode(self, tmp_path: Path) -> None:
        path = pack(tmp_path / "p.zip", {"../d/ada.xmi": xmi()})
        with pytest.raises(InputError, match=r"points outside the archive; refused"):
            read(path, format="inception")
        bomb = io.BytesIO()
        with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("ada.xmi", bytes(1 << 24))
        path = pack(tmp_path / "p.zip", {"annotation/d/ada.zip": bomb.getvalue()})
        with pytest.raises(InputError, match=r"ada\.zip/ada\.xmi: it would expand .* refused"):
            read(path, format="inception")


class TestXmi:
    def files(self, **users: Spans) -> Mapping[str, bytes | str]:
        made: dict[str, bytes | str] = {"TypeSystem.xml": types().to_xml()}
        return made | {f"news/{user}.xmi": xmi(*found) for user, found in users.items()}

    def test_a_type_system_with_a_feature_of_no_type(self, tmp_path: Path) -> None:
        files = dict(self.files(ada=((10, 22, "PER"),)))
        system = str(files["TypeSystem.xml"])
        files["TypeSystem.xml"] = re.sub(r"<rangeTypeName>.*?</rangeTypeName>", "", system)
        path = unpack(tmp_path / "out", files)
        with pytest.raises(InputError, match=r"the TypeSystem\.xml of .* dkpro-cassis cannot read"):
            read(path)

    def test_loose_files_prove_only_what_they_hold(self, tmp_path: Path) -> None:
        path = unpack(tmp_path / "out", self.files(ada=((10, 22, "PER"),), bob=()))
        assert detect(path) == "inception"
        assert read(path)["news"].presence == {"ada": Presence.DONE, "bob": Presence.UNKNOWN}
        assert read(path, empty="seen")["news"].annotators == ("ada", "bob")
        (unit,) = read(path)["news"].units
        assert (unit.start, unit.end, unit.category) == (10, 22, "PER")
        assert unit.source.startswith(f"{path}/news/ada.xmi, xmi:id ")

    def test_one_file_and_a_folder_per_annotator(self, tmp_path: Path) -> None:
        path = unpack(tmp_path / "news", {"TypeSystem.xml": types().to_xml(), "ada.xmi": xmi()})
        assert detect(path / "ada.xmi") == "inception"
        assert read(path / "ada.xmi", empty="seen")["news"].annotators == ("ada",)
        files = {f"{name}/doc.xmi": xmi((0, 3, "X")) for name in ("ada", "bob")}
        path = unpack(tmp_path / "out", {"TypeSystem.xml": types().to_xml(), **files})
        assert read(path, annotator_from="dir")["doc"].annotators == ("ada", "bob")

    def test_positions_in_the_file_are_utf16(self, tmp_path: Path) -> None:
        data = xmi((10, 22, "PER"))
        assert b'begin="11" end="23"' in data
        path = unpack(tmp_path / "out", self.files(ada=((10, 22, "PER"),)))
        assert read(path)["news"].text == TEXT
        assert TEXT[10:22] == "Grace Hopper"

    def test_a_span_without_a_value(self, tmp_path: Path) -> None:
        path = unpack(tmp_path / "out", self.files(ada=((0, 3, None),)))
        with pytest.raises(InputError, match=r"ada\.xmi, xmi:id \d+: .* has no category"):
            read(path)
        assert spans(read(path, unlabelled="<none>"), "news") == [("ada", 0, 3, "<none>")]

    def test_several_layers_must_be_chosen(self, tmp_path: Path) -> None:
        event = "webanno.custom.Event"
        found = (
            (0, 3, "PER"),
            (4, 7, {"kind": "meet", "tense": "past"}, event),
            (8, 9, {}, "webanno.custom.Bare"),
        )
        path = unpack(tmp_path / "out", self.files(ada=found))
        with pytest.raises(
            InputError,
            match=r"'NamedEntity' \(1\), 'Bare' \(1\), 'Event' \(1\); choose with --layer",
        ):
            read(path)
        assert spans(read(path, layers=("NamedEntity",)), "news") == [("ada", 0, 3, "PER")]
        assert spans(read(path, layers=("webanno.custom.Bare",)), "news") == [("ada", 8, 9, "Bare")]
        with pytest.raises(InputError, match=r"the features 'kind', 'tense', 'many'; choose one"):
            read(path, layers=("Event",))
        chosen = read(path, layers=("Event",), category_from="tense")
        assert spans(chosen, "news") == [("ada", 4, 7, "past")]
        named = read(path, layers=("Event", "NamedEntity"), category_from="layer")
        assert spans(named, "news") == [("ada", 0, 3, "NamedEntity"), ("ada", 4, 7, "Event")]
        both = read(path, layers=("NamedEntity", "Bare"))
        assert spans(both, "news") == [("ada", 0, 3, "NamedEntity/PER"), ("ada", 8, 9, "Bare")]
        with pytest.raises(
            InputError, match=r"'Event' has no feature 'x' \(it has 'kind', 'tense'"
        ):
            read(path, layers=("Event",), category_from="x")
        with pytest.raises(InputError, match=r"no layer 'Nope' \(there are 'Bare', 'Event'"):
            read(path, layers=("Nope",))

    def test_all_questions_are_asked_after_the_first_file(self, tmp_path: Path) -> None:
        found = (
            (0, 3, "PER"),
            (4, 7, {"kind": "meet"}, "webanno.custom.Event"),
            (8, 9, {"kind": "meet"}, "webanno.custom.Event"),
        )
        path = unpack(tmp_path / "out", self.files(ada=found, bob=found))
        broken = path / "news" / "bob.xmi"
        # Whoever reads on fails here.
        broken.write_bytes(broken.read_bytes()[:-20])
        with pytest.raises(
            InputError,
            match=r"'NamedEntity' \(1\), 'Event' \(2\); choose with --layer .* --category-from "
            r"\('Event' has the features 'kind', 'tense', 'many'\), "
            r"such as: --layer Event --category-from kind$",
        ):
            read(path)
        with pytest.raises(InputError, match="no layer 'Nope'"):
            read(path, layers=("Nope",))
        with pytest.raises(InputError, match="bob"):
            read(path, layers=("NamedEntity",))

    def test_annotators_share_one_copy_of_a_text(self, tmp_path: Path) -> None:
        reader = Reader(ReadOptions())
        files = self.files(ada=((0, 3, "PER"),), bob=((0, 3, "LOC"),))
        reader.read(unpack(tmp_path / "out", files))
        one, other = (work.text for work in reader.works)
        assert one is other

    def test_a_layer_that_is_none_is_read_when_named(self, tmp_path: Path) -> None:
        path = unpack(tmp_path / "out", self.files(ada=()))
        assert spans(read(path, layers=("Token",)), "news") == [("ada", 0, 3, "Token")]

    def test_several_values_of_one_feature(self, tmp_path: Path) -> None:
        system = types()
        array = system.get_type("uima.cas.StringArray")(elements=["b", "a"])
        cas = Cas(typesystem=system)
        cas.sofa_string = TEXT
        cas.add(system.get_type("webanno.custom.Event")(begin=0, end=3, many=array))
        files = {"TypeSystem.xml": system.to_xml(), "news/ada.xmi": cas.to_xmi()}
        path = unpack(tmp_path / "out", files)
        split = read(path, category_from="many")
        assert spans(split, "news") == [("ada", 0, 3, "a"), ("ada", 0, 3, "b")]
        joined = read(path, category_from="many", labels="join")
        assert spans(joined, "news") == [("ada", 0, 3, "a|b")]

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"<x", r"ada\.xmi:1: this is not well-formed XML"),
            (b"<x/>", r"ada\.xmi: dkpro-cassis cannot read this"),
            (xmi().replace(b":Token ", b":Tokin "), r"dkpro-cassis cannot read this"),
            (
                b'<!DOCTYPE x [<!ENTITY a "b">]>' + xmi().partition(b"?>")[2],
                r"ada\.xmi: the file declares a document type",
            ),
        ],
    )
    def test_broken_files(self, tmp_path: Path, data: bytes, message: str) -> None:
        path = unpack(tmp_path / "out", {**self.files(), "news/ada.xmi": data})
        with pytest.raises(InputError, match=message):
            read(path, format="inception")

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            (b'end="23"', b'end="999"', r"xmi:id \d+: the span \[10, 999\) is outside \[0, 32\)"),
            (b'begin="11"', b'begin="-4"', r"xmi:id \d+: the span \[-4, 22\) is outside"),
            (b'begin="11"', b'begin="9"', r"xmi:id \d+: 'begin' is 9, in the middle of a char"),
            (b'begin="11"', b'begin="x"', r"dkpro-cassis cannot read this \(ValueError"),
            (
                b'begin="11"',
                b'begin="30"',
                r"xmi:id \d+: the span \[29, 22\) ends before it starts",
            ),
            (b'begin="11"', b'begin="0"', ""),
        ],
    )
    def test_positions_that_cannot_be(
        self, tmp_path: Path, old: bytes, new: bytes, message: str
    ) -> None:
        data = xmi((10, 22, "PER")).replace(old, new)
        path = unpack(tmp_path / "out", {**self.files(), "news/ada.xmi": data})
        if message:
            with pytest.raises(InputError, match=message):
                read(path)
        else:
            assert spans(read(path), "news") == [("ada", 0, 22, "PER")]

    def test_no_length_is_dropped_and_said(self, tmp_path: Path) -> None:
        path = unpack(tmp_path / "out", self.files(ada=((0, 3, "X"), (3, 3, "X"), (0, 3, "X"))))
        corpus = read(path)
        assert spans(corpus, "news") == [("ada", 0, 3, "X")]
        assert "spans without length dropped" in messages(corpus)
        assert "duplicate spans counted once" in messages(corpus)

    def test_one_annotator_twice_on_a_document(self, tmp_path: Path) -> None:
        files = {**self.files(ada=((0, 3, "X"),)), "more/news/ada.xmi": xmi((0, 3, "X"))}
        path = unpack(tmp_path / "out", files)
        with pytest.raises(InputError, match=r"'ada' has the document 'news' twice; keep one"):
            read(path)

    def test_xml_1_1(self, tmp_path: Path) -> None:
        data = xmi((10, 22, "PER")).replace(b"version='1.0'", b"version='1.1'")
        path = unpack(tmp_path / "out", {**self.files(), "news/ada.xmi": data})
        assert spans(read(path), "news") == [("ada", 10, 22, "PER")]

    def test_a_type_system_with_a_document_type(self, tmp_path: Path) -> None:
        system = b'<!DOCTYPE x SYSTEM "http://example.org/x">' + types().to_xml().encode()[38:]
        path = unpack(tmp_path / "out", {"TypeSystem.xml": system, "news/ada.xmi": xmi()})
        with pytest.raises(
            InputError, match=r"TypeSystem\.xml of .*: the file declares a document"
        ):
            read(path, format="inception")

    def test_without_cassis_the_extra_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = unpack(tmp_path / "out", self.files(ada=()))
        monkeypatch.setitem(sys.modules, "cassis", None)
        with pytest.raises(MissingExtra, match=r'pip install "goldspan\[inception\]"'):
            read(path)
        with pytest.raises(MissingExtra, match=r'pip install "goldspan\[inception\]"'):
            write(Corpus(()), tmp_path / "new", "inception")

    def test_texts_that_differ_are_left_out_and_said(self, tmp_path: Path) -> None:
        files = {**self.files(ada=((0, 3, "X"),)), "news/bob.xmi": xmi(text="Another text.")}
        corpus = read(unpack(tmp_path / "out", files))
        assert corpus.continua == ()
        assert "its text is not the same" in messages(corpus)


TSV = """#FORMAT=WebAnno TSV 3.3
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value


#Text=Ms. Haag 🙂 plays Elianti .
1-1\t0-3\tMs.\t*[1]|*[2]\tPER[1]|TITLE[2]\t
1-2\t4-8\tHaag\t*[1]\tPER[1]\t
1-3\t9-11\t🙂\t*\tLOC\\_NAME\t
1-4\t12-17\tplays\t_\t_\t
1-4.1\t12-16\tplay\t*\tSTEM\t
1-5\t18-25\tElianti\t*\t*\t
1-6\t26-27\t.\t_\t_\t

#Sentence.id=s2
#Text=Two\\tmore
#Text=lines\\\\ here
2-1\t30-33\tTwo\t_\t_\t
2-2\t34-38\tmore\t*[3]\ta\\|b\\[c\\]\\->d[3]\t
2-3\t39-45\tlines\\\t*[3]\ta\\|b\\[c\\]\\->d[3]\t
2-4\t46-50\there\t_\t_\t
"""


class TestTsv:
    def save(self, folder: Path, content: str = TSV, name: str = "ada.tsv") -> Path:
        path = folder / "news" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="")
        return path

    def test_stacks_ids_escapes_sub_tokens_and_utf16(self, tmp_path: Path) -> None:
        path = self.save(tmp_path)
        assert detect(path) == "inception"
        corpus = read(path, unlabelled="<none>")
        text = "Ms. Haag 🙂 plays Elianti .\n  Two\tmore\nlines\\ here"
        assert corpus["news"].text == text
        assert [(text[int(u.start) : int(u.end)], u.category) for u in corpus["news"].units] == [
            ("Ms.", "TITLE"),
            ("Ms. Haag", "PER"),
            ("🙂", "LOC_NAME"),
            ("play", "STEM"),
            ("Elianti", "<none>"),
            ("more\nlines\\", "a|b[c]->d"),
        ]
        assert [u.source for u in corpus["news"].units][3] == f"{path}:10"

    def test_it_needs_no_library(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "cassis", None)
        monkeypatch.setitem(sys.modules, "lxml.etree", None)
        assert read(self.save(tmp_path), unlabelled="<none>")["news"].units

    def test_in_a_zip(self, tmp_path: Path) -> None:
        path = pack(tmp_path / "out.zip", {"d/ada.tsv": TSV, "d/bob.tsv": TSV})
        assert detect(path) == "inception"
        assert read(path, unlabelled="<none>")["d"].annotators == ("ada", "bob")

    def test_slots_chains_relations_and_layers_without_features(self, tmp_path: Path) -> None:
        content = (
            "#FORMAT=WebAnno TSV 3.2\r\n"
            "#T_SP=custom.Frame|FE|ROLE_custom.Frame:Roles_custom.Link|custom.Lu\r\n"
            "#T_SP=custom.Lu|luvalue\r\n"
            "#T_SP=custom.SemArg|\r\n"
            "#T_CH=custom.CorefLink|referenceType|referenceRelation\r\n"
            "#T_RL=custom.Dep|DependencyType|BT_custom.Lu\r\n"
            "\r\n\r\n"
            "#Text= Bob auctioned the clock\r\n"
            "1-1\t1-4\tBob\t_\t_\t_\tbob\t*\tpr[1]\tcoref->1-1\tSUBJ\t1-2[0_4]\t\r\n"
            "1-2\t5-14\tauctioned\tdeal\tseller;goods\t1-1;1-3[4]\t_\t_\t_\t_\t_\t_\t\r\n"
            "1-3\t15-18\tthe\t_\t_\t_\tclock[4]\t*[5]\tit[1]\t*->1-2\t_\t_\t\r\n"
            "1-4\t19-24\tclock\t_\t_\t_\tclock[4]\t*[5]\tit[1]\t*->1-2\t_\t_\t\r\n"
        )
        path = self.save(tmp_path, content.replace("#Text= Bob", "#Text=Bob"))
        text = " Bob auctioned the clock"

        def of(layer: str, **options: Any) -> list[tuple[str, str]]:
            units = read(path, layers=(layer,), **options)["news"].units
            return [(text[int(u.start) : int(u.end)], u.category) for u in units]

        assert read(path, layers=("Lu",))["news"].text == text
        assert of("Frame") == [("auctioned", "deal")]
        assert of("Lu") == [("Bob", "bob"), ("the clock", "clock")]
        assert of("SemArg") == [("Bob", "SemArg"), ("the clock", "SemArg")]
        chain = of("CorefLink", category_from="referenceType")
        assert chain == [("Bob", "pr"), ("the clock", "it")]
        with pytest.raises(InputError, match=r"no layer 'Dep' "):
            of("Dep")

    @pytest.mark.parametrize(
        ("line", "new", "message"),
        [
            (0, "#FORMAT=WebAnno TSV 2.0", r":1: '#FORMAT=WebAnno TSV 2\.0' is not"),
            (6, "1-2\t4\tHaag\t_\t_\t", r":7: this is not a row of 5 columns"),
            (6, f"1-2\t4-{'9' * 5000}\tHaag\t_\t_\t", r":7: this is not a row of 5 columns"),
            (6, "1-2\t4-8\tHaag\t_", r":7: this is not a row of 5 columns"),
            (6, "one\t4-8\tHaag\t_\t_\t", r":7: this is not a row of 5 columns"),
            (6, "1-2\t4-8\tHaug\t_\t_\t", r":7: the token 'Haug' is not what the text has at 4-8"),
            (6, "1-2\t10-11\tHaag\t_\t_\t", r":7: the token 'Haag' is not what"),
            (16, "2-1\t20-23\tTwo\t_\t_\t", r":17: the sentence begins before the last one ended"),
            (16, "2-1\t99999999-100000002\tTwo\t_\t_\t", r":17: the sentence begins at 99999999, "),
        ],
    )
    def test_bad_rows_name_file_and_line(
        self, tmp_path: Path, line: int, new: str, message: str
    ) -> None:
        lines = TSV.split("\n")
        lines[line] = new
        path = self.save(tmp_path, "\n".join(lines))
        with pytest.raises(InputError, match=rf"^{path}{message}"):
            read(path, format="inception", unlabelled="<none>")

    def test_null_values_are_an_error_with_a_way_out(self, tmp_path: Path) -> None:
        path = self.save(tmp_path)
        with pytest.raises(InputError, match=rf"^{path}:11: .* has no category; --unlabelled"):
            read(path)

    def test_no_length_is_dropped_and_said(self, tmp_path: Path) -> None:
        content = (
            "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|value\n\n\n#Text=One two\n"
            "1-1\t0-3\tOne\tX\t\n1-1.1\t3-3\t\tY\t\n1-2\t4-7\ttwo\tX\t\n"
        )
        corpus = read(self.save(tmp_path, "\ufeff" + content))
        assert spans(corpus, "news") == [("ada", 0, 3, "X"), ("ada", 4, 7, "X")]
        assert "spans without length dropped" in messages(corpus)

    def test_sentences_without_a_gap_and_without_tokens(self, tmp_path: Path) -> None:
        content = (
            "#FORMAT=WebAnno TSV 3.3\n\n\n#Text=One.\n1-1\t0-4\tOne.\t\n\n"
            "#Text=lost\n\n#Text=Two.\n2-1\t4-8\tTwo.\t\n"
        )
        corpus = read(self.save(tmp_path, content), empty="seen")
        assert corpus["news"].text == "One.Two."


TOKENS = (
    "word",
    "🙂",
    "é",
    "e\u0301",
    "שלום",
    "a_b",
    "x|y",
    "[z]",
    "->",
    "*",
    "\\n",
    "𝔘",
    "#",
    "_",
)
VALUES = (
    "PER",
    "a|b",
    "x[1]",
    "LOC_NAME",
    "a->b",
    "c;d",
    "t\tb",
    "n\nl",
    "*",
    "_",
    "\\",
    "|\\",
    "]",
)


def escaped(value: str) -> str:
    for char, code in (
        ("\\", "\\\\"), ("[", "\\["), ("]", "\\]"), ("|", "\\|"), ("_", "\\_"), ("->", "\\->"),
        (";", "\\;"), ("\t", "\\t"), ("\n", "\\n"), ("*", "\\*"),
    ):  # fmt: skip
        value = value.replace(char, code)
    return value


@given(st.data())
def test_tsv_of_any_text_and_any_stack(data: st.DataObject) -> None:
    """Against a writer of our own that follows the format's documentation."""
    sentences = data.draw(
        st.lists(st.lists(st.sampled_from(TOKENS), min_size=1, max_size=5), min_size=1, max_size=3)
    )
    text, rows, heads = "", [], []
    for number, tokens in enumerate(sentences, start=1):
        text += "\n" if text else ""
        heads.append("#Text=" + " ".join(tokens).replace("\\", "\\\\"))
        for place, token in enumerate(tokens, start=1):
            text += " " if place > 1 else ""
            rows.append((number, place, len(text), token))
            text += token
    spans = data.draw(
        st.lists(
            st.tuples(
                st.integers(0, len(rows) - 1),
                st.integers(1, 4),
                st.none() | st.sampled_from(VALUES),
            ),
            max_size=5,
        )
    )
    units = [(first, min(first + size, len(rows)) - 1, value) for first, size, value in spans]
    lines = ["#FORMAT=WebAnno TSV 3.3", "#T_SP=custom.Layer|value", "", ""]
    for index, (number, place, start, token) in enumerate(rows):
        if place == 1:
            lines += ["", heads[number - 1]] if number > 1 else [heads[0]]
        cells = [
            f"{'*' if value is None else escaped(value)}[{mark}]"
            for mark, (first, last, value) in enumerate(units, start=1)
            if first <= index <= last
        ]
        begin, end = (len(text[:n].encode("utf-16-le")) // 2 for n in (start, start + len(token)))
        lines.append(f"{number}-{place}\t{begin}-{end}\t{token}\t{'|'.join(cells) or '_'}\t")
    sheet = read_tsv("\n".join(lines) + "\n", "x.tsv")
    assert sheet.text == text
    expected = [
        (rows[first][2], rows[last][2] + len(rows[last][3]), () if value is None else (value,))
        for first, last, value in units
    ]
    assert sorted((f.start, f.end, f.features["value"]) for f in sheet.found) == sorted(expected)


CORPORA = st.builds(
    lambda corpus, scale: Corpus(corpus.continua, tuple(scale)),
    corpora(presences=tuple(Presence), annotators=("INITIAL_CAS2", "a/b 🙂", "ש")),
    st.lists(st.sampled_from(["PER", "LOC", "Ä|ö"]), unique=True),
)


@pytest.mark.parametrize("name", ["out", "out.zip"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(CORPORA)
def test_round_trip(tmp_path: Path, name: str, corpus: Corpus) -> None:
    write(corpus, tmp_path / name, "inception", replace=True)
    back = read(tmp_path / name, format="inception")
    assert {c.id: c for c in back.continua} == {c.id: c for c in corpus.continua}
    assert back.scale == corpus.scale


@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_partial_work_media_and_ten_thousand_spans(tmp_path: Path, name: str) -> None:
    text = "word 🙂 e\u0301\r\n\tשלום " * 2_000
    units = tuple(Unit(f"a{i % 3}", i, i + 1 + i % 9, f"c{i % 5}") for i in range(10_000))
    states = {"a2": Presence.PARTIAL, "a3": Presence.EMPTY, "a4": Presence.UNKNOWN}
    corpus = Corpus((Continuum("t", units, states, text=text, media="x.wav"),), scale=("c0",))
    write(corpus, tmp_path / name, "inception")
    back = read(tmp_path / name)
    assert (back.continua, back.scale) == (corpus.continua, corpus.scale)


class TestGold:
    def gold(self) -> Gold:
        units = (Unit("a", 10, 22, "PER"), Unit("b", 10, 22, "PER"))
        corpus = Corpus((Continuum("d.txt", units, text=TEXT),))
        return Gold(corpus, {"d.txt": (GoldSpan(10, 22, "PER", 0.75, units, seen=2),)}, "majority")

    def test_documents_to_import(self, tmp_path: Path) -> None:
        write(self.gold(), tmp_path / "gold", "inception")
        system = load_typesystem((tmp_path / "gold" / "TypeSystem.xml").read_bytes().decode())
        data = (tmp_path / "gold" / "d.txt.xmi").read_bytes()
        cas = load_cas_from_xmi(io.BytesIO(data), typesystem=system)
        (span,) = cas.select(ENTITY)
        assert (span.get_covered_text(), span.value) == ("Grace Hopper", "PER")
        assert (span.confidence, span.votes, span.seen) == (0.75, "a b", 2)

    def test_zip_is_the_same_each_time(self, tmp_path: Path) -> None:
        for name in ("one.zip", "two.zip"):
            write(self.gold(), tmp_path / name, "inception")
        assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


@pytest.mark.parametrize(
    ("continuum", "message"),
    [
        (Continuum("t", (Unit("a", 0, 5, "X"),), measure=Measure.STEP), r"'t': there is no text"),
        (Continuum("t", (Unit("a", 0, 1, "X"),), text="a\x01b"), r"'t': XML cannot hold .*U\+0001"),
        (Continuum("t", (Unit("a", 0, 1, "X\x02"),), text="ab"), r"'t': XML cannot hold .*U\+0002"),
    ],
)
def test_what_cannot_be_written(tmp_path: Path, continuum: Continuum, message: str) -> None:
    for name in ("out", "out.zip"):
        with pytest.raises(InputError, match=message):
            write(Corpus((continuum,)), tmp_path / name, "inception")
    assert list(tmp_path.iterdir()) == []


def test_one_file_is_not_enough(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"name a folder or a \.zip"):
        write(Corpus(()), tmp_path / "out.xmi", "inception")


@pytest.mark.skipif(not DATA.exists(), reason="the real files in ../shared/data are not here")
def test_german_covid_2022_has_no_cas_that_can_be_read() -> None:
    assert detect(DATA / "inception_german_covid") == "inception"
    with pytest.raises(InputError, match=r"not its annotations .* choose 'UIMA CAS XMI'"):
        read(DATA / "inception_german_covid")
