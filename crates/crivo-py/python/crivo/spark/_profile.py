"""Profiles of DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql import types as T

import crivo

from . import _ship
from ._aggregate import MEMORY, _arrow_type, keys_of, merged
from ._partial import Profiled

# The columns of the table of a ``crivo.Drift``.
_CHANGE = [("column", "string"), ("measure", "string"), ("value", "string"), ("old", "double"), ("new", "double"), ("effect", "double")]


def profile(df: Any, by: str | Sequence[str] = (), *, error: float = 0.02, memory: int = MEMORY) -> Any:
    """Profile a DataFrame: all columns at once, in one scan.

    Parameters
    ----------
    df : DataFrame
        The rows. Values are profiled by their texts, as the command does.
    by : str or list of str, optional
        The columns of groups, which each get a profile of the other columns.
    error : float, optional
        Half the width of the 95 % interval of distinct values, as a share of the answer.
    memory : int, optional
        The bytes that the profiles of a task may take, if there are groups.

    Returns
    -------
    TableProfile or DataFrame
        The profile; it has the page and the bytes of the command's. With ``by`` a DataFrame with a row for each group: the columns ``by``, and
        ``profile``, the bytes of a profile, which ``crivo.from_bytes`` reads.
    """
    keys = keys_of(df, by)
    names = tuple(name for name in df.columns if name not in keys)
    if not names:
        raise ValueError("there is no column to profile; leave one out of by, or select columns")
    for name in names:
        try:
            crivo.profile(pa.table({name: pa.nulls(1, _arrow_type(df, name))}), progress=False)
        except (TypeError, ValueError) as reason:
            kind = df.schema[name].dataType.simpleString()
            raise TypeError(f"column '{name}' of type {kind} cannot be profiled; drop it or select a part: {reason}") from None
    found = merged(df, {"profile": Profiled(names, error)}, keys, (), memory)
    return found if keys else crivo.from_bytes(bytes(found.first()["profile"]))


@dataclass(frozen=True)
class _Compared:
    """The significant changes of each group."""

    keys: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            keys = list(batch.schema)[: self.keys]
            schema = pa.schema([*keys, *((name, pa.string() if kind == "string" else pa.float64()) for name, kind in _CHANGE)])
            for at in range(batch.num_rows):
                *key, newer, older = (batch.column(column)[at].as_py() for column in range(self.keys + 2))
                changes = crivo.from_bytes(newer).compare(crivo.from_bytes(older)).table().to_rows()
                rows = [(*key, *(it[name] for name, _ in _CHANGE)) for it in changes if it["significant"]]
                columns = [pa.array([row[place] for row in rows], field.type) for place, field in enumerate(schema)]
                yield pa.RecordBatch.from_arrays(columns, schema=schema)


def compare(newer: Any, older: Any, by: str | Sequence[str]) -> Any:
    """What has changed in each group, beyond the error bars of both profiles.

    Parameters
    ----------
    newer, older : DataFrame
        Grouped profiles, which ``profile(df, by=...)`` made.
    by : str or list of str
        The columns of the groups. A group of only one of the two has no rows in the result.

    Returns
    -------
    DataFrame
        A row for each change beyond both error bars: the columns ``by``, ``column``, ``measure``, ``value``, ``old``, ``new`` and ``effect``.
    """
    keys = keys_of(newer, by)
    if not keys:
        raise ValueError("without groups, compare two profiles by newer.compare(older)")
    matches = F.lit(True)
    for name in keys:
        matches &= newer[_plain(name)].eqNullSafe(older[_plain(name)])
    columns = [newer[_plain(name)] for name in keys]
    both = newer.join(older, matches).select(*columns, newer["profile"], older["profile"].alias("older"))
    schema = T.StructType([newer.schema[name] for name in keys])
    for column, kind in _CHANGE:
        schema.add(column, kind)
    return both.mapInArrow(_ship.batches(_Compared(len(keys))), schema)


def _plain(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
