"""An eval set in the formats of other tools: one module a format behind one registry.

>>> from hayami.export import export_set
>>> export_set("sets/articles", "beir", "out/beir").manifest.notes  # doctest: +SKIP
()
"""

from hayami.export.bundle import Labels
from hayami.export.exporter import Exporter
from hayami.export.ids import Ids
from hayami.export.registry import EXPORTERS, Exported, export_set, find_exporter

__all__ = ["EXPORTERS", "Exported", "Exporter", "Ids", "Labels", "export_set", "find_exporter"]
