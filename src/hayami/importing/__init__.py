"""Questions from elsewhere into an eval set: read, labelled by the rules for table rows, and merged with what is there.

Beside :mod:`hayami.making.build`, which composes reading with labelling, this composes labelling
with a set on disk.
"""

from hayami.importing.adding import Imported, Renamed, import_questions

__all__ = ["Imported", "Renamed", "import_questions"]
