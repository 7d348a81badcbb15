"""Probabilistic data structures with error bars.

>>> import crivo
>>> users = crivo.ExaLogLog.for_error(0.01)
>>> users.update(["ada", "grace", "ada", None])
>>> print(int(users.estimate()))
2
"""

from __future__ import annotations

import glob as _glob
import os as _os
from typing import Any as _Any

from . import _crivo, datasketches
from ._crivo import *  # noqa: F403
from ._crivo import from_bytes, kinds, load, merge, save, shingles  # noqa: F401
from ._progress import progress as _progress
from .foreign import Foreign
from .foreign import read as read_foreign

__all__ = sorted(
    [name for name in dir(_crivo) if not name.startswith("_")]
    + ["Foreign", "datasketches", "group", "near_duplicates", "plan", "profile", "read_foreign"]
)


def profile(table: _Any, *, error: float = 0.02, progress: bool | None = None) -> _Any:
    """Profile a table: all columns at once, in one pass and little memory.

    Parameters
    ----------
    table : path, list of paths, or table
        A file (CSV, TSV, JSON Lines, Parquet; plain, gzip or zstd), a pattern such as ``'data/*.parquet'``, several
        files that are parts of one table, or a table that speaks Arrow: a frame of pandas or polars, a pyarrow table
        or reader, a DuckDB relation.
    error : float, optional
        Half the width of the 95 % interval of distinct values, as a share of the answer.
    progress : bool, optional
        Show how much has been read; by default in a terminal and in a notebook, if it takes a while.

    Returns
    -------
    TableProfile
        The profile. For the same values it equals, byte for byte, what ``crivo profile --save`` writes: values are
        profiled by their texts.
    """
    if not isinstance(table, (str, _os.PathLike, list, tuple)):
        with _progress(progress, _rows(table), "rows") as tell:
            return _crivo._profile(table, error, tell)
    given = [table] if isinstance(table, (str, _os.PathLike)) else list(table)
    if not given:
        raise ValueError("there is no file to profile; give at least one path")
    paths: list[str] = []
    for path in map(_os.fspath, given):
        found = sorted(_glob.glob(path)) if _glob.has_magic(path) and not _os.path.exists(path) else [path]
        if not found:
            raise FileNotFoundError(f"{path}: no file matches the pattern; check it")
        paths.extend(found)
    for path in paths:
        if not _os.path.exists(path):
            raise FileNotFoundError(f"{path}: no such file; check the name")
    with _progress(progress, sum(_os.path.getsize(path) for path in paths), "bytes") as tell:
        return _crivo._profile(paths, error, tell)


def _rows(table: _Any) -> int | None:
    """The number of rows, if it is known without reading them."""
    try:
        return len(table)
    except Exception:
        return None


# Many equal texts have more pairs than memory holds: n of them have n (n - 1) / 2.
_MOST_PAIRS = 100_000_000


def near_duplicates(
    texts: _Any,
    threshold: float = 0.8,
    *,
    recall: float = 0.99,
    words: int | None = None,
    chars: int | None = None,
    progress: bool | None = None,
) -> _Any:
    """Find all pairs of similar texts.

    Parameters
    ----------
    texts : iterable or column of str
        The texts; missing ones are in no pair.
    threshold : float, optional
        The Jaccard similarity of the sets of shingles, from which on two texts are a pair.
    recall : float, optional
        The probability that a pair of exactly this similarity is found.
    words, chars : int, optional
        The length of a shingle: 3 words by default.
    progress : bool, optional
        Show how many texts have been read; by default in a terminal and in a notebook, if it takes a while.

    Returns
    -------
    Table
        ``first``, ``second`` (the places of the texts, from 0) and ``similarity``, which is verified on the sets.

    Raises
    ------
    OverflowError
        If there are more than 100 million pairs, as when very many texts are equal.
    """
    with _progress(progress, _rows(texts), "texts") as tell:
        return _crivo._near_duplicates(texts, threshold, recall, words, chars, _MOST_PAIRS, tell)


def _column(table: _Any, name: str) -> _Any:
    """One column of a table, by its name."""
    try:
        if hasattr(table, "project"):
            # A relation of DuckDB, which takes an expression.
            quoted = name.replace('"', '""')
            return table.project(f'"{quoted}"')
        return table[name]
    except Exception as error:
        raise KeyError(f"there is no column '{name}' in the {type(table).__name__}: {error}") from None


def group(
    table: _Any, *, by: str, item: str, kind: _Any = None, error: float = 0.02, text: bool = False
) -> _Any:
    """Count the distinct items of each group.

    Parameters
    ----------
    table : table
        A frame of pandas or polars, a pyarrow table, a DuckDB relation.
    by, item : str
        The columns of the groups and of the items. Rows without a group or an item are left out.
    kind : class, optional
        A counter of distinct items; ``ExaLogLog`` by default.
    error : float, optional
        Half the width of the 95 % interval, as a share of the answer.
    text : bool, optional
        Take groups and items by their texts, as the command does: texts such as ``NA`` stand for missing values then.

    Returns
    -------
    Table
        The columns ``by`` (in the type that it has), ``sketch`` (bytes, which ``crivo.merge`` and ``crivo.from_bytes`` read), ``estimate``,
        ``lower`` and ``upper``.
    """
    made = kind or _crivo.ExaLogLog
    if not isinstance(made, type) or not hasattr(made, "for_error") or not hasattr(made, "estimate"):
        raise TypeError(f"kind must be a counter of distinct items such as crivo.ExaLogLog, but is {made!r}")
    return _crivo._group(by, _column(table, by), _column(table, item), lambda: made.for_error(error), text)


def plan(
    question: str, *, items: int | None = None, fpr: float | None = None, error: float | None = None
) -> _Any:
    """Compare the structures that answer a question, before making one.

    Parameters
    ----------
    question : {'membership', 'distinct'}
        Is an item there, or how many are different?
    items, fpr : int, float
        For membership: the number of items and the false-positive rate.
    error : float
        For distinct counts: half the width of the 95 % interval, as a share of the answer.

    Returns
    -------
    Table
        A row for each kind, with its memory.
    """
    if question == "membership":
        if items is None or fpr is None:
            raise ValueError("a plan for membership needs items and fpr; give both")
        return _crivo._plan_filters(items, fpr)
    if question == "distinct":
        if error is None:
            raise ValueError("a plan for distinct counts needs error; give it, as in error=0.01")
        return _crivo._plan_counters(error, items)
    raise ValueError(f"question is 'membership' or 'distinct', but is '{question}'; give one of these")
