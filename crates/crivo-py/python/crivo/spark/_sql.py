"""Sketches in SQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import crivo

from . import _ship
from ._partial import kind_of, whole

ANSWER = "struct<value: double, lower: double, upper: double>"
_ANSWER = pa.struct([(part, pa.float64()) for part in ("value", "lower", "upper")])


def _read(data: bytes) -> Any:
    """A sketch of Crivo or of another library."""
    try:
        return crivo.from_bytes(data)
    except ValueError as ours:
        try:
            return crivo.read_foreign(data)
        except ValueError as theirs:
            raise ValueError(f"this is not a sketch: {ours}; nor is it one of another library: {theirs}") from None


class _Sketches:
    """The sketches of a column; equal neighbours are read once."""

    def __init__(self, function: str, *methods: str) -> None:
        self._function = function
        self._methods = methods
        self._last: tuple[bytes | None, Any] = (None, None)

    def read(self, data: bytes | None) -> Any:
        """A sketch that has one of the methods; ``None`` for a missing one."""
        if data != self._last[0]:
            try:
                sketch = None if data is None else _read(data)
            except ValueError as error:
                raise ValueError(f"{self._function}: {error}") from None
            if sketch is not None and not any(hasattr(sketch, method) for method in self._methods):
                raise TypeError(f"{self._function} does not answer for a {kind_of(sketch)}: it has no {self._methods[0]}")
            self._last = (data, sketch)
        return self._last[1]


def _merge(sketches: pa.Array) -> bytes | None:
    sketches = sketches.drop_null()
    if not len(sketches):
        return None
    try:
        if isinstance(_read(sketches[0].as_py()), crivo.Foreign):
            return bytes(whole(sketches.to_pylist(), crivo.read_foreign))
        return bytes(crivo.merge(sketches))
    except ValueError as error:
        raise ValueError(f"crivo_merge: {error}") from None


def _answers(found: list[Any]) -> pa.Array:
    rows = [
        None if it is None else {"value": float(it.value), "lower": float(it.lower), "upper": float(it.upper)}
        for it in found
    ]
    return pa.array(rows, _ANSWER)


def _estimate(sketches: pa.Array) -> pa.Array:
    read = _Sketches("crivo_estimate", "estimate").read
    asked = map(read, sketches.to_pylist())
    return _answers([None if sketch is None else sketch.estimate() for sketch in asked])


def _by_sketch(
    read: Callable[[bytes | None], Any], sketches: pa.Array, values: pa.Array, ask: Callable[[Any, pa.Array], list[Any]]
) -> list[Any]:
    """Asks each sketch for all values next to it at once; the answer for a missing sketch or value is missing."""
    found: list[Any] = []
    runs = pc.run_end_encode(sketches)
    start = 0
    for data, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True):
        sketch, part = read(data), values.slice(start, end - start)
        answers = [None] * len(part) if sketch is None else ask(sketch, part)
        known = part.is_valid().to_pylist()
        found += [answer if is_known else None for answer, is_known in zip(answers, known, strict=True)]
        start = end
    return found


def _contains(sketches: pa.Array, values: pa.Array) -> pa.Array:
    read = _Sketches("crivo_contains", "contains").read
    return pa.array(_by_sketch(read, sketches, values, lambda sketch, part: list(sketch.contains(part))), pa.bool_())


def _frequency(sketches: pa.Array, values: pa.Array) -> pa.Array:
    read = _Sketches("crivo_frequency", "frequency").read

    def ask(sketch: Any, part: pa.Array) -> list[Any]:
        return [None if value is None else sketch.frequency(value) for value in part.to_pylist()]

    return _answers(_by_sketch(read, sketches, values, ask))


def _quantile(sketches: pa.Array, ranks: pa.Array) -> pa.Array:
    read = _Sketches("crivo_quantile", "quantile").read

    def ask(sketch: Any, part: pa.Array) -> list[Any]:
        if not sketch.total():
            return [None] * len(part)
        return [None if rank is None else sketch.quantile(float(rank)) for rank in part.to_pylist()]

    return _answers(_by_sketch(read, sketches, ranks, ask))


def _similarity(first: pa.Array, second: pa.Array) -> pa.Array:
    one, other = (_Sketches("crivo_similarity", "jaccard").read for _ in range(2))
    pairs = zip(map(one, first.to_pylist()), map(other, second.to_pylist()), strict=True)
    return _answers([None if None in (a, b) else a.jaccard(b) for a, b in pairs])


def register(spark: Any) -> None:
    """Register the SQL functions of Crivo in a session.

    ``crivo_merge(sketch)`` is an aggregate: the sketch of all streams. The others answer for a sketch and have a missing answer for a missing
    argument: ``crivo_estimate(sketch)``, ``crivo_frequency(sketch, x)``, ``crivo_quantile(sketch, rank)`` and
    ``crivo_similarity(sketch, sketch)`` return a struct of ``value``, ``lower`` and ``upper``; ``crivo_contains(sketch, x)`` a boolean. A sketch
    may also be one of another library, such as those of Spark's own aggregates.

    Parameters
    ----------
    spark : SparkSession
        The session.
    """
    spark.udf.register("crivo_merge", _ship.aggregate(_merge))
    spark.udf.register("crivo_estimate", _ship.udf(_estimate, ANSWER))
    spark.udf.register("crivo_contains", _ship.udf_of_two(_contains, "boolean"))
    for name, work in (("frequency", _frequency), ("quantile", _quantile), ("similarity", _similarity)):
        spark.udf.register(f"crivo_{name}", _ship.udf_of_two(work, ANSWER))
