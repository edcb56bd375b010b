"""`goldspan label-studio sync` on a project from memory: where the work runs changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from dask_cluster import dask_cluster
from goldspan.plugin.cli import main
from goldspan.plugin.label_studio.connection import ConnectionRequest
from label_studio_export import annotation, region, task
from label_studio_recorded import Recorded

TEXT = "Anna met Bob in Rome and wrote to Cleo"
BOB, LATE_BOB = region(9, 12, "PER", text="Bob"), region(9, 12, "LOC", text="Bob")
ANNA, ROME = region(0, 4, "PER", text="Anna"), region(16, 20, "LOC", text="Rome")


def project() -> Recorded:
    """Three people on six tasks; the third one errs."""
    people = ((ANNA, BOB, ROME), (ANNA, BOB), (ANNA, LATE_BOB, ROME))
    return Recorded([
        task(n, {"text": TEXT}, *(annotation(k, *spans) for k, spans in enumerate(people, start=1)))
        for n in range(1, 7)
    ])  # fmt: skip


def test_any_place_of_work_gives_the_same_figures_and_gold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ConnectionRequest, "connect", lambda _: project())

    def synced(name: str, *options: str) -> tuple[str, str, str]:
        folder = tmp_path / name
        words = ["--project", "5", "--folder", str(folder), "--dry-run", "--json", "-",
                 "--precision", "0.2"]  # fmt: skip
        assert main(["label-studio", "sync", *words, *options]) == 0
        said = capsys.readouterr()
        # The page has the suggested spans.
        page = (folder / "project-5" / "report.html").read_text(encoding="utf-8")
        return said.out, said.err.replace(str(folder), ""), page

    alone = synced("alone")
    assert "would write: 6 suggestions added" in alone[1]
    assert synced("workers", "--workers", "2") == alone
    with dask_cluster() as address:
        assert synced("dask", "--dask", address) == alone
