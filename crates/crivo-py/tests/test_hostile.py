"""Input that lies, fails or never ends: it raises an exception and leaves the sketch usable."""

from __future__ import annotations

import pathlib
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator

import crivo
import numpy as np
import polars as pl
import pyarrow as pa
import pytest


def counter() -> crivo.KMinValues:
    return crivo.KMinValues.for_error(0.05)


class Liar:
    """An object that promises Arrow and has none."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (None, (TypeError, ValueError)),
        (5, (TypeError, ValueError)),
        (b"capsule", (TypeError, ValueError)),
        (pa.array([1]).__arrow_c_array__()[0], (TypeError, ValueError)),
        (RuntimeError("no stream"), RuntimeError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
    ids=repr,
)
def test_a_stream_that_lies_raises(answer: object, error: type[BaseException]) -> None:
    for call in (counter().update, crivo.profile, crivo.near_duplicates, crivo.merge):
        with pytest.raises(error):
            call(Liar(answer))  # type: ignore[arg-type]


def test_a_stream_is_read_once() -> None:
    capsule = pa.chunked_array([[1, 2]]).__arrow_c_stream__()
    made = counter()
    made.update(Liar(capsule))
    before = made.to_bytes()
    with pytest.raises((TypeError, ValueError)):
        made.update(Liar(capsule))
    assert made.to_bytes() == before


def batches(after: BaseException) -> Iterator[pa.RecordBatch]:
    yield pa.record_batch({"x": [1, 2]})
    raise after


def test_a_stream_that_fails_in_the_middle_raises() -> None:
    schema = pa.schema({"x": pa.int64()})
    made = counter()
    with pytest.raises(ValueError, match="the disk is gone"):
        made.update(pa.RecordBatchReader.from_batches(schema, batches(OSError("the disk is gone"))))
    # What came before the failure is inside, and the sketch goes on.
    made.update([3])
    assert made.estimate().value == 3
    with pytest.raises(ValueError, match="the disk is gone"):
        crivo.profile(pa.RecordBatchReader.from_batches(schema, batches(OSError("the disk is gone"))))


def test_iterators_that_fail_or_use_the_sketch() -> None:
    made = counter()

    def items(error: BaseException | None) -> Iterator[object]:
        yield "a"
        made.add("b")
        made.update(["c"])
        if error:
            raise error

    made.update(items(None))
    assert made.estimate().value == 3
    for error in (ZeroDivisionError(), KeyboardInterrupt(), StopAsyncIteration()):
        with pytest.raises(type(error)):
            made.update(items(error))
    with pytest.raises(UnicodeEncodeError):
        made.add("\ud800")


def test_views_of_any_shape_in_memory(tmp_path: pathlib.Path) -> None:
    table = np.arange(60).reshape(20, 3)
    path = tmp_path / "numbers"
    table.tofile(path)
    frozen = table.copy()
    frozen.flags.writeable = False
    mapped = np.memmap(path, dtype=table.dtype, mode="r", shape=table.shape)
    for whole in (table, np.asfortranarray(table), frozen, mapped, table.astype(">i8"), table.astype("<i2")):
        for view in (whole[:, 1], whole[::-2, 0], whole[5], whole.T[2], whole[3:3, 0]):
            same = counter()
            same.update(view.tolist())
            made = counter()
            made.update(view)
            assert made == same


def test_an_array_of_many_rows_in_little_memory() -> None:
    made = counter()
    made.update(np.broadcast_to(np.int64(5), 3 * 10**7))
    made.update(np.broadcast_to(np.str_("five"), 10**6))
    assert made.estimate().value == 2


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros(3, dtype="i4,f8"),
        np.zeros(3, dtype="V8"),
        np.zeros(3, dtype=np.complex64),
        np.zeros(3, dtype=np.longdouble),
        np.zeros(3, dtype="M8[fs]"),
        np.array(5),
        pa.array([{"a": 1, "b": 2}]),
        pa.table({}),
        memoryview(b"abc").cast("B", (1, 3)),
        object(),
        int,
    ],
    ids=str,
)
def test_wrong_types_are_refused(wrong: object) -> None:
    made = counter()
    with pytest.raises(TypeError):
        made.update(wrong)  # type: ignore[arg-type]
    assert made == counter()


@pytest.mark.parametrize("weights", [[float("nan")], [float("inf")], [-1.0], [2.0**60], [0.5], [1, 2], [], ["1"], 1, [None]])
def test_wrong_weights_are_refused(weights: object) -> None:
    for made in (crivo.CountMin.for_error(0.01), crivo.MisraGries.for_error(0.01), crivo.Kll.for_error(0.01), crivo.ReqSketch.for_error(0.05)):
        with pytest.raises((TypeError, ValueError)):
            made.update([1], weights=weights)  # type: ignore[arg-type]
        assert made.total() == 0


def test_absurd_sizes_are_refused() -> None:
    makers: list[Callable[[], object]] = [
        lambda: crivo.BloomFilter.with_fpr(2**63, 1e-9),
        lambda: crivo.ExaLogLog.for_error(1e-300),
        lambda: crivo.CountMin.for_error(1e-300),
        lambda: crivo.Kll.for_k(2**63),
        lambda: crivo.ReqSketch.for_k(2**63),
        lambda: crivo.MisraGries.for_error(0.0),
        lambda: crivo.OnePermutation.for_slots(0),
        lambda: crivo.Reservoir(0),
        lambda: crivo.LogQuantiles(float("nan")),
        lambda: crivo.near_duplicates(["a"], threshold=2.0),
        lambda: crivo.shingles("a b c", words=0),
        lambda: crivo.shingles("a b c", words=1, chars=2),
    ]
    for make in makers:
        with pytest.raises((ValueError, OverflowError)):
            make()


def test_what_cannot_be_merged_or_profiled_is_named() -> None:
    one = counter()
    for wrong, found in ((one, "KMinValues"), (one.to_bytes(), "bytes"), (5, "int"), ([one, 5], "int"), (["a"], "str")):
        with pytest.raises(TypeError, match=f"but found {found}"):
            crivo.merge(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no file"):
        crivo.profile([])
    for wrong in ({"a": [1]}, None, pl.LazyFrame({"a": [1]})):
        with pytest.raises(TypeError, match="expected a table"), warnings.catch_warnings():
            warnings.simplefilter("error")
            crivo.profile(wrong)  # type: ignore[arg-type]


ENDLESS = {
    "update": "crivo.ExaLogLog.for_error(0.01).update(itertools.count())",
    "array": "crivo.Kll.for_error(0.01).update(numpy.broadcast_to(numpy.int64(5), 10**12))",
    "near_duplicates": "crivo.near_duplicates(itertools.repeat('a b c d e f'))",
    "profile": "crivo.profile(pyarrow.RecordBatchReader.from_batches(batch.schema, itertools.repeat(batch)))",
    "group": "crivo.group({'by': itertools.repeat('a'), 'item': itertools.count()}, by='by', item='item')",
}


@pytest.mark.parametrize("call", list(ENDLESS.values()), ids=list(ENDLESS))
def test_an_interrupt_ends_a_call_that_never_ends(call: str) -> None:
    program = (
        "import crivo, itertools, numpy, pyarrow\n"
        "batch = pyarrow.record_batch({'x': list(range(100_000))})\n"
        "print('ready', flush=True)\n" + call
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None and child.stdout.readline() == b"ready\n"
    try:
        child.communicate(timeout=0.3)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert b"KeyboardInterrupt" in said
