"""An exported eval set under a name in ir_datasets.

>>> import hayami.ir_datasets
>>> dataset = hayami.ir_datasets.register("out/articles", "local/articles")  # doctest: +SKIP
>>> next(dataset.queries_iter()).text  # doctest: +SKIP
"""

from hayami.export.irds import HayamiDoc, HayamiQuery, register

__all__ = ["HayamiDoc", "HayamiQuery", "register"]
