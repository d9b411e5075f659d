"""Croissant: what a folder of Parquet files holds, for catalogues and loaders of data sets.

Source: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

CONTEXT: Final[dict[str, object]] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context of Croissant 1.0, word for word as its specification asks for."""
_PARQUET: Final = "application/x-parquet"


@dataclass(frozen=True, slots=True)
class Table:
    """A Parquet file as a catalogue sees it."""

    name: str
    path: str
    """Its path in the folder."""
    sha256: str
    meaning: str
    columns: Mapping[str, str]
    """The type of schema.org of each column, such as ``sc:Text``."""


def describe(
    name: str, description: str, licence: str, languages: Iterable[str], tables: Iterable[Table]
) -> dict[str, object]:
    """The document ``croissant.json``; its lists are in the order of the tables."""
    files: list[object] = []
    record_sets: list[object] = []
    for table in tables:
        files.append(
            {
                "@type": "cr:FileObject",
                "@id": f"{table.name}.parquet",
                "name": f"{table.name}.parquet",
                "description": table.meaning,
                "contentUrl": table.path,
                "encodingFormat": _PARQUET,
                "sha256": table.sha256,
            }
        )
        record_sets.append(
            {
                "@type": "cr:RecordSet",
                "@id": table.name,
                "name": table.name,
                "description": table.meaning,
                "field": [_field(table.name, *column) for column in table.columns.items()],
            }
        )
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": description,
        "license": licence,
        "inLanguage": list(languages),
        "distribution": files,
        "recordSet": record_sets,
    }


def _field(table: str, column: str, kind: str) -> dict[str, object]:
    return {
        "@type": "cr:Field",
        "@id": f"{table}/{column}",
        "name": f"{table}/{column}",
        "dataType": kind,
        "source": {"fileObject": {"@id": f"{table}.parquet"}, "extract": {"column": column}},
    }
