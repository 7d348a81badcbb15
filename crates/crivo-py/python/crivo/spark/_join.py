"""Joins with a filter, and the size of a join before it runs."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

import crivo

from . import _ship
from ._aggregate import _arrow_type, aggregate, column_of, quoted


def filter_join(df: Any, filter: Any, column: str, *, text: bool | None = None) -> Any:
    """The rows whose value is in a filter: a semi-join without a shuffle.

    Parameters
    ----------
    df : DataFrame
        The rows.
    filter : Sketch
        A filter, such as a ``crivo.BloomFilter``. Each task gets a copy of it.
    column : str
        The column that is looked up. A missing value is in no filter.
    text : bool, optional
        Look up the texts of values; by default, as the filter was made.

    Returns
    -------
    DataFrame
        All rows whose value was inserted, and of the others a share of the false-positive rate, ``filter.fpr()``.
    """
    if not hasattr(filter, "contains"):
        raise TypeError(f"expected a filter such as crivo.BloomFilter, but found {filter!r}")
    name = column_of(df, column)
    try:
        filter.contains(pa.nulls(1, _arrow_type(df, name)), text=text)
    except (TypeError, ValueError) as error:
        kind = df.schema[name].dataType.simpleString()
        raise TypeError(f"column '{name}' of type {kind} cannot be looked up in the filter: {error}") from None
    return df.filter(_ship.udf(_Contains(filter, text), "boolean")(quoted(name)))


class _Contains:
    def __init__(self, filter: Any, text: bool | None) -> None:
        self._filter = filter
        self._text = text

    def __call__(self, values: pa.Array) -> pa.Array:
        return pa.array(self._filter.contains(values, text=self._text), pa.bool_())


def join_size(left: Any, right: Any, on: str | tuple[str, str], *, error: float = 0.01, text: bool = False) -> Any:
    """Estimate the rows of an inner join before it runs, in one scan of each side.

    Parameters
    ----------
    left, right : DataFrame
        Both sides.
    on : str or pair of str
        The column of the keys, or that of each side. Missing values join nothing.
    error : float, optional
        The error, as a share of the product of the lengths of both vectors of frequencies. A side takes about 240 divided by the square of it
        bytes.
    text : bool, optional
        Compare the texts of values, if the types differ.

    Returns
    -------
    Estimate
        The number of rows, with its interval.
    """
    names = (on, on) if isinstance(on, str) else tuple(on)
    if len(names) != 2:
        raise ValueError(f"on is a column, or one of each side, but found {on!r}")
    sides = []
    for df, name in zip((left, right), names, strict=True):
        wanted = {"keys": (name, crivo.CountSketch.for_error(error))}
        sides.append(crivo.from_bytes(bytes(aggregate(df, wanted, text=text).first()["keys"])))
    return sides[0].inner_product(sides[1])
