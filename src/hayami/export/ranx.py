"""ranx: qrels as one JSON object of grades by query id and section id."""

from __future__ import annotations

from typing import Final

from hayami.export.bundle import Bundle, Labels
from hayami.export.destination import ExportFolder
from hayami.export.exporter import Exporter
from hayami.export.provenance import PROVENANCE, provenance_lines
from hayami.export.trec import ADVICE
from hayami.export.writing import as_json


def write(bundle: Bundle, folder: ExportFolder) -> tuple[str, ...]:
    """Writes the qrels asked for, those of grade 2 alone, and the provenance."""
    folder.write_lines("qrels.json", [as_json(bundle.judged, indent=1)])
    if bundle.labels is not Labels.STRICT:
        folder.write_lines("qrels.strict.json", [as_json(bundle.strict, indent=1)])
    folder.write_lines(PROVENANCE, provenance_lines(bundle))
    return ()


EXPORTER: Final = Exporter(
    name="ranx",
    writes="qrels.json, qrels.strict.json (ranx reads no texts)",
    loader="ranx.Qrels.from_file",
    example=(
        "from ranx import Qrels\n"
        'qrels = Qrels.from_file("{out}/qrels.json")  # with mrr-l2, recall@10-l2'
    ),
    advice=ADVICE.format(level="otherwise (mrr-l2)", strict="qrels.strict.json"),
    write=write,
    graded=True,
)
