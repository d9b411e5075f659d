"""ir_datasets: documents, queries and qrels, and :func:`register`, which gives them a name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from hayami.errors import OutputError
from hayami.evalset.folder import hash_file
from hayami.evalset.records import GRADE_MEANINGS, Grade, Query, Section
from hayami.export.bundle import Bundle, Labels
from hayami.export.destination import MANIFEST, ExportFolder, ExportManifest, read_manifest
from hayami.export.exporter import Exporter
from hayami.export.trec import ADVICE, QRELS, STRICT, write_qrels
from hayami.export.writing import as_json
from hayami.extras import IR_DATASETS, need

if TYPE_CHECKING:
    from ir_datasets.datasets.base import Dataset

NAME: Final = "ir-datasets"
DOCS: Final = "docs.jsonl"
QUERIES: Final = "queries.jsonl"


class HayamiDoc(NamedTuple):
    """A section as ir_datasets gives it."""

    doc_id: str
    title: str
    heading: str
    text: str
    article: str
    ordinal: int
    anchor: str
    path: str

    def default_text(self) -> str:
        """Title, heading and text, as one text to index."""
        return " ".join(part for part in (self.title, self.heading, self.text) if part)


class HayamiQuery(NamedTuple):
    """A query as ir_datasets gives it; the fields after the text say where its label comes from."""

    query_id: str
    text: str
    answer: str
    match: str
    flags: list[str]
    article: str
    topic: str
    source: str
    targets: list[dict[str, object]]
    origins: list[dict[str, object]]
    verdicts: list[dict[str, object]]
    category: str
    difficulty: str
    expected_keywords: list[str]

    def default_text(self) -> str:
        """The question."""
        return self.text


def _document(section: Section) -> dict[str, object]:
    names = set(HayamiDoc._fields)
    return {"doc_id": section.id, **section.model_dump(mode="json", include=names)}


def _question(query: Query) -> dict[str, object]:
    names = set(HayamiQuery._fields)
    return {
        "query_id": query.qid,
        "text": query.query,
        **query.model_dump(mode="json", include=names),
    }


def write(bundle: Bundle, folder: ExportFolder) -> tuple[str, ...]:
    """Writes documents, queries, and qrels with and without grade 1."""
    folder.write_lines(DOCS, (as_json(_document(section)) for section in bundle.sections()))
    folder.write_lines(QUERIES, (as_json(_question(query)) for query in bundle.queries))
    write_qrels(bundle, folder)
    return ()


def register(path: Path | str, name: str) -> Dataset:
    """The export in ``path`` as a dataset of ir_datasets.

    In this process ``ir_datasets.load`` knows it under ``name``.
    ``name/strict`` has the qrels of grade 2 alone, if the export has them beside the others. What
    ir_datasets builds to look documents up goes into its own folder (``IR_DATASETS_HOME``), apart
    for each content. The same folder may be registered again under its name, to see a newer export.

    Raises:
        OutputError: ``path`` is no ``ir-datasets`` export, a file of it is not the one that was
            exported, or the name is taken.
        ExtraError: ir_datasets is not installed.
    """
    need(IR_DATASETS)
    import ir_datasets

    folder = Path(path).resolve()
    manifest = read_manifest(folder)
    if manifest is None or manifest.export != NAME:
        what = f"not an {NAME} export: no {MANIFEST} that says so"
        raise OutputError(
            what, where=str(path), hint=f"Run 'hayami export {NAME} SET --out {path}' first."
        )
    parts = {"": QRELS, "/strict": STRICT} if STRICT in manifest.files else {"": QRELS}
    for file in (DOCS, QUERIES, *parts.values()):
        _refuse_another(folder / file, manifest.files.get(file))
    for suffix, qrels in parts.items():
        known = ir_datasets.registry._registered  # noqa: SLF001 - there is no public way to ask, or to register again
        if name + suffix in known and not _is_of(known[name + suffix], folder):
            raise OutputError(
                f"the name {name + suffix!r} is taken in ir_datasets", hint="Choose another name."
            )
        known.pop(name + suffix, None)
        ir_datasets.registry.register(name + suffix, _dataset(folder, manifest, qrels))
    dataset: Dataset = ir_datasets.load(name)
    return dataset


def _refuse_another(path: Path, sha256: str | None) -> None:
    """Raises OutputError unless a file is the one that was exported.

    ir_datasets finds by its hash what it once built of it, and unpickles what it finds.
    """
    if path.is_symlink() or not path.is_file() or hash_file(path) != sha256:
        raise OutputError(
            "is not the file that was exported: its sha256 differs from the manifest's",
            where=str(path),
            hint="Export the set again.",
        )


def _is_of(dataset: Dataset, folder: Path) -> bool:
    """Whether a registered dataset is an export in this folder."""
    return (
        dataset.docs_cls() is HayamiDoc
        and dataset.docs_handler().docs_path(force=False) == folder / DOCS
    )


def _dataset(folder: Path, manifest: ExportManifest, qrels: str) -> Dataset:
    from ir_datasets.datasets.base import Dataset
    from ir_datasets.formats import JsonlDocs, JsonlQueries, TrecQrels
    from ir_datasets.util import LocalDownload, home_path

    store = home_path() / "hayami" / f"{manifest.files[DOCS]}.pklz4"
    store.parent.mkdir(parents=True, exist_ok=True)
    meanings = {int(grade): GRADE_MEANINGS[grade] for grade in (Grade.TARGET, Grade.SAME_ARTICLE)}
    if manifest.labels is Labels.ARTICLE and qrels == QRELS:
        meanings = {1: "a section of the article that holds the answer"}
    docs, queries = (LocalDownload(str(folder / file), mkdir=False) for file in (DOCS, QUERIES))
    return Dataset(
        JsonlDocs(docs, doc_cls=HayamiDoc, docstore_path=str(store), count_hint=manifest.sections),
        JsonlQueries(queries, query_cls=HayamiQuery),
        TrecQrels(LocalDownload(str(folder / qrels), mkdir=False), meanings),
    )


EXPORTER: Final = Exporter(
    name=NAME,
    writes="docs.jsonl, queries.jsonl, qrels.txt, qrels.strict.txt",
    loader="ir_datasets, through hayami.ir_datasets.register",
    example=(
        "import hayami.ir_datasets\n"
        'dataset = hayami.ir_datasets.register("{out}", "local/articles")'
    ),
    advice=ADVICE.format(level="otherwise (rel=2)", strict="the dataset NAME/strict"),
    write=write,
    graded=True,
    plain_ids=True,
)
