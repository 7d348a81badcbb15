"""How work reaches the workers, and what is said if they lack the package."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pyarrow as pa
from pyspark import cloudpickle
from pyspark.sql.pandas import functions

MISSING = (
    "the workers of Spark cannot import crivo: install the package crivo-sketches on every worker, or ship it with "
    "spark.archives and spark.executorEnv.PYTHONPATH (guide, 'Beyond one machine')"
)

_arrow_udf: Any = functions.arrow_udf
_dumps: Any = cloudpickle.dumps


def _loader(work: Callable[..., Any]) -> Callable[[], Any]:
    """A function that unpickles work on the worker.

    The function is pickled by value, because it is local, and the work by reference. So a worker without the package fails inside of it,
    where the reason can be given.
    """
    payload, missing, loads = _dumps(work), MISSING, pickle.loads
    kept: list[Any] = []

    def load() -> Any:
        if not kept:
            try:
                kept.append(loads(payload))
            except ImportError as error:
                raise ImportError(f"{missing}: {error}") from None
        return kept[0]

    return load


def batches(work: Callable[[Iterable[Any]], Iterator[Any]]) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """``work`` as ``mapInArrow`` takes it."""
    load = _loader(work)

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        yield from load()(batches)

    return run


def stateful(work: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    """``work`` as ``applyInPandasWithState`` takes it."""
    load = _loader(work)

    def run(key: Any, frames: Any, state: Any) -> Iterator[Any]:
        yield from load()(key, frames, state)

    return run


def udf(work: Callable[[Any], Any], returns: str) -> Any:
    """A function of a column."""
    load = _loader(work)

    def run(values: Any) -> Any:
        return load()(values)

    # Spark learns from the types of what sort a function is.
    run.__annotations__ = {"values": pa.Array, "return": pa.Array}
    return _arrow_udf(run, returns)


def udf_of_two(work: Callable[[Any, Any], Any], returns: str) -> Any:
    """A function of two columns."""
    load = _loader(work)

    def run(first: Any, second: Any) -> Any:
        return load()(first, second)

    run.__annotations__ = {"first": pa.Array, "second": pa.Array, "return": pa.Array}
    return _arrow_udf(run, returns)


def aggregate(work: Callable[[Any], bytes | None]) -> Any:
    """An aggregate of a column, whose values are bytes."""
    load = _loader(work)

    def run(values: Any) -> Any:
        return load()(values)

    run.__annotations__ = {"values": pa.Array, "return": bytes}
    return _arrow_udf(run, "binary")
