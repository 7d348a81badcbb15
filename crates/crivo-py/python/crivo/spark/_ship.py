"""How work reaches the workers, and what is said if they lack the package."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pyspark import cloudpickle

MISSING = (
    "the workers of Spark cannot import crivo: install the package crivo-sketches on every worker, or ship it with "
    "spark.archives and spark.executorEnv.PYTHONPATH (guide, 'Beyond one machine')"
)


def _loader(payload: bytes) -> Callable[[], Any]:
    """A function that unpickles on the worker.

    The function is pickled by value, because it is local, and what it unpickles by reference. So a worker without the package fails inside
    of it, where the reason can be given.
    """
    missing, loads = MISSING, pickle.loads
    kept: list[Any] = []

    def load() -> Any:
        if not kept:
            try:
                kept.append(loads(payload))
            except ImportError as error:
                raise ImportError(f"{missing}: {error}") from None
        return kept[0]

    return load


def _pickled(work: object) -> bytes:
    data: bytes = cloudpickle.dumps(work)  # type: ignore[no-untyped-call]
    return data


def batches(work: Callable[[Iterable[Any]], Iterator[Any]]) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """``work`` as ``mapInArrow`` takes it."""
    load = _loader(_pickled(work))

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        yield from load()(batches)

    return run


def column(work: Callable[..., Any]) -> Callable[..., Any]:
    """``work`` on Arrow arrays, as ``arrow_udf`` takes it."""
    load = _loader(_pickled(work))

    def run(*arrays: Any) -> Any:
        return load()(*arrays)

    return run
