"""Every kind of the registry has a class with pages, and threads may share its sketches."""

from __future__ import annotations

import pathlib
import threading

import crivo
import numpy as np
import pytest

from test_laws import FILES

CLASSES = [getattr(crivo, name) for name in crivo.__all__ if isinstance(getattr(crivo, name), type)]
OF_OTHERS = [getattr(crivo.datasketches, name) for name in crivo.datasketches.__all__]


def test_the_classes_are_the_kinds_of_the_registry() -> None:
    by_kind = {crivo.load(path).kind: type(crivo.load(path)) for path in FILES}
    assert set(by_kind) == set(crivo.kinds()["name"])
    sketches = {kind for kind in CLASSES if issubclass(kind, crivo.Sketch)} - {crivo.Sketch}
    assert set(by_kind.values()) == sketches and len(sketches) == len(by_kind)
    for name, kind in by_kind.items():
        assert name.replace("-", "") == kind.__name__.lower()


@pytest.mark.parametrize("kind", [*CLASSES, *OF_OTHERS], ids=lambda kind: kind.__name__)
def test_every_class_has_pages(kind: type) -> None:
    assert kind.__doc__ and "threads may share" in kind.__doc__.lower(), "it says whether threads may share it"
    for name, method in vars(kind).items():
        if not name.startswith("_"):
            assert method.__doc__, name
    if issubclass(kind, crivo.Sketch) and kind not in (crivo.LshIndex, crivo.HammingIndex):
        assert not hasattr(kind, "__len__"), "an estimate is not a length"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_threads_share_a_sketch_of_any_kind(path: pathlib.Path) -> None:
    shared, alone = crivo.load(path), crivo.load(path)
    is_exact = dict(zip(crivo.kinds()["name"], crivo.kinds()["merge"]))[shared.kind] == "exact"
    batches = [np.arange(i, i + 5000) for i in range(0, 20_000, 2500)]
    refused = []

    def work(batch: np.ndarray) -> None:
        for part in np.array_split(batch, 10):
            try:
                shared.update(part)
            except (AttributeError, TypeError, ValueError, OverflowError) as error:
                refused.append(error)
            assert crivo.from_bytes(shared.to_bytes()).kind == alone.kind
            assert repr(shared) and shared.facts() is not None and shared.copy().memory_bytes() > 0

    threads = [threading.Thread(target=work, args=(batch,)) for batch in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if is_exact and not refused:
        for batch in batches:
            alone.update(batch)
        assert shared == alone
    elif hasattr(shared, "total") and hasattr(shared, "update") and not refused:
        assert shared.total() == alone.total() + sum(map(len, batches))
