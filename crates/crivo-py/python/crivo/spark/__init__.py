"""Crivo on Spark: sketches of DataFrames, sketches in SQL, profiles, joins and near-duplicates.

It needs PySpark 4.1 or later with pyarrow, and the package on the workers.
"""

from __future__ import annotations

try:
    from pyspark import __version__ as _version
except ImportError as error:
    raise ImportError(f"crivo.spark needs PySpark 4.1 or later; pip install 'pyspark[sql]': {error}") from None
if tuple(map(int, _version.split(".")[:2])) < (4, 1):
    raise ImportError(f"crivo.spark needs PySpark 4.1 or later, but found {_version}; upgrade it")

from ._aggregate import aggregate
from ._join import filter_join, join_size
from ._near import near_duplicates
from ._profile import compare, profile
from ._sql import register
from ._stream import windows

__all__ = ["aggregate", "compare", "filter_join", "join_size", "near_duplicates", "profile", "register", "windows"]
