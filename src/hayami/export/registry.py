"""The formats by name, and the one function that exports."""

from __future__ import annotations

import difflib
import importlib.metadata
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hayami.errors import OutputError
from hayami.evalset.folder import load
from hayami.evalset.jsonl import record_line
from hayami.export import (
    autorag,
    beir,
    flat,
    hf,
    irds,
    llama_index,
    promptfoo,
    queries_json,
    ragas,
    ranx,
    trec,
)
from hayami.export.bundle import Bundle, Labels, read_bundle
from hayami.export.destination import ExportFolder, ExportManifest, count_grades
from hayami.export.exporter import Exporter
from hayami.export.ids import Ids
from hayami.extras import need

_MODULES: Final = (
    *(trec, beir, hf, flat, irds, ranx),
    *(llama_index, ragas, autorag, promptfoo, queries_json),
)
EXPORTERS: Final[dict[str, Exporter]] = {
    module.EXPORTER.name: module.EXPORTER for module in _MODULES
}
"""Every format by its name."""
SPLIT: Final = "test"
"""The name of the split if none is asked for."""
_SPLIT: Final = re.compile("[A-Za-z0-9_]{1,64}")
"""What both a file name and a split of ``datasets`` can be."""
IDS: Final = "ids.jsonl"
_LICENCE: Final = re.compile("[A-Za-z0-9][A-Za-z0-9.+-]{0,63}")


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote."""

    folder: Path
    manifest: ExportManifest


def find_exporter(name: str) -> Exporter:
    """The format of that name.

    Raises:
        OutputError: there is none; the hint names those there are, or the one that was meant.
    """
    if name in EXPORTERS:
        return EXPORTERS[name]
    near = difflib.get_close_matches(name.lower().replace("_", "-"), EXPORTERS, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"Known formats: {', '.join(EXPORTERS)}."
    raise OutputError(f"no format is called {name!r}", hint=hint)


def refusal(chosen: Exporter, labels: Labels | None, split: str | None, licence: str = "") -> str:
    """Why a format cannot be written as asked, or an empty text."""
    beside = Labels.STRICT
    if (labels or chosen.default_labels) is Labels.STRICT:
        beside = Labels.GRADED
    checks = (
        (
            labels is Labels.GRADED and not chosen.graded,
            f"{chosen.name} has no grades: choose --labels strict or article",
        ),
        (
            split is not None and not chosen.splits,
            f"{chosen.name} has no splits that have a name",
        ),
        (
            split is not None and not _SPLIT.fullmatch(split),
            f"{split!r} is no name for a split: letters, digits and _ only",
        ),
        (
            split == beside,
            f"{split} is where the labels beside go: choose another name for the split",
        ),
        (
            licence and not chosen.licensed,
            f"{chosen.name} has no place for a licence",
        ),
        (
            licence and not _LICENCE.fullmatch(licence),
            f"{licence!r} is no identifier of a licence, such as cc-by-4.0",
        ),
    )
    return next((sentence for refused, sentence in checks if refused), "")


def export_set(  # noqa: PLR0913 - half of them are choices with a default
    source: Path | str,
    format_name: str,
    out: Path | str,
    *,
    labels: Labels | None = None,
    ids: Ids = Ids.KEEP,
    split: str | None = None,
    licence: str = "",
) -> Exported:
    """What was written of an eval set in the format of another tool: all of it or nothing.

    Args:
        source: folder of the eval set.
        format_name: one of EXPORTERS.
        out: folder of the export; an earlier export in the same format is replaced, nothing else
            is.
        labels: which sections count; what the format's tools compute rightly unless given.
        ids: kept, or spelt in ``A-Z a-z 0-9 _ -`` with a table ``ids.jsonl``.
        split: name of the split, where the format has splits; ``test`` unless given.
        licence: of the articles, as an SPDX identifier, where the format has a place for it.

    Raises:
        OutputError: the format cannot express what is asked or what the set holds, or ``out``
            cannot be written.
        EvalSetError: there is no set, or its files do not agree with each other.
        ExtraError: a package is missing.
    """
    chosen = find_exporter(format_name)
    if reason := refusal(chosen, labels, split, licence):
        raise OutputError(reason, hint="'hayami export --list' shows what each format holds.")
    if chosen.extra is not None:
        need(chosen.extra)
    source_set = load(source)
    with ExportFolder(Path(out), chosen.name) as folder:
        wanted = labels or chosen.default_labels
        bundle = read_bundle(
            source_set,
            wanted,
            split or SPLIT,
            ids=ids,
            plain=chosen.plain_ids,
            licence=licence,
        )
        notes = tuple(chosen.write(bundle, folder))
        if ids is Ids.SAFE:
            folder.write_lines(IDS, map(record_line, bundle.renamed))
        manifest = _describe(chosen, bundle, ids, notes, folder.hashes)
        folder.commit(manifest)
    return Exported(folder.out, manifest)


def _describe(
    chosen: Exporter,
    bundle: Bundle,
    ids: Ids,
    notes: tuple[str, ...],
    hashes: Callable[[], dict[str, str]],
) -> ExportManifest:
    return ExportManifest(
        export=chosen.name,
        hayami=importlib.metadata.version("hayami"),
        labels=bundle.labels,
        ids=ids,
        split=bundle.split if chosen.splits else None,
        set_sha256=bundle.evalset.sha256,
        source=dict(sorted(bundle.evalset.manifest.files.items())),
        queries=len(bundle.queries),
        sections=len(bundle.names),
        judgements=count_grades(bundle.judged),
        notes=notes,
        files=hashes(),
    )
