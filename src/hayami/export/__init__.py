"""An eval set in the formats of other tools: one module a format behind one registry.

>>> from hayami.export import export_set
>>> export_set("sets/articles", "beir", "out/beir").manifest.notes  # doctest: +SKIP
()
"""

from hayami.export.bundle import Labels
from hayami.export.format import Format
from hayami.export.ids import Ids
from hayami.export.registry import FORMATS, Exported, export_set, find_format

__all__ = ["FORMATS", "Exported", "Format", "Ids", "Labels", "export_set", "find_format"]
