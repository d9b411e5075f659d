"""Questions from elsewhere into an eval set: read, labelled by the rules for rows, and merged.

Beside :mod:`hayami.making.build`, which composes reading with labelling, this composes labelling
with a set on disk.
"""

from hayami.importing.adding import Imported, import_questions
from hayami.importing.naming import Renamed

__all__ = ["Imported", "Renamed", "import_questions"]
