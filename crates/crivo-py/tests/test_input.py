"""What update takes: iterables, numpy, Arrow, pandas; and what it refuses."""

from __future__ import annotations

import array
import datetime
import decimal
import uuid

import crivo
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest


def sketch(*batches: object, **options: bool) -> crivo.Sketch:
    made = crivo.KMinValues.for_error(0.05)
    for batch in batches:
        made.update(batch, **options)
    return made


INTS = [5, 7, 7, -1, 2**40, 0]


@pytest.mark.parametrize(
    "same",
    [
        tuple(INTS),
        iter(INTS),
        (value for value in INTS),
        np.array(INTS),
        np.array(INTS, dtype=">i8"),
        np.array(INTS)[::-1],
        np.repeat(np.array(INTS), 3)[::3],
        array.array("q", INTS),
        pa.array(INTS),
        pa.chunked_array([INTS[:2], INTS[2:]]),
        pa.table({"only": INTS}),
        pa.array(INTS + [None]),
        pa.array(INTS).dictionary_encode(),
        pl.Series(INTS),
        pl.DataFrame({"only": INTS}),
        pd.Series(INTS),
        pd.Series(INTS, dtype="Int64"),
        pd.Index(INTS),
    ],
    ids=lambda value: type(value).__module__ + "." + type(value).__name__,
)
def test_the_same_integers_however_they_come(same: object) -> None:
    assert sketch(same) == sketch(INTS)


def test_read_only_arrays_and_all_widths() -> None:
    values = np.array([1, 2, 3, 100], dtype=np.int64)
    values.flags.writeable = False
    for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64):
        assert sketch(values.astype(dtype)) == sketch(values) == sketch(pa.array(values.astype(dtype)))
    for dtype in (np.float16, np.float32, np.float64):
        assert sketch(values.astype(dtype)) == sketch([1.0, 2.0, 3.0, 100.0])
    assert sketch(np.array([2**64 - 1], dtype=np.uint64)) == sketch([2**64 - 1])
    assert sketch(np.array([True, False])) == sketch([True, False]) != sketch([1, 0])


TEXTS = ["ação", "b", "", "ccc" * 100, "b"]


@pytest.mark.parametrize(
    "same",
    [
        np.array(TEXTS),
        np.array(TEXTS, dtype=object),
        np.array(TEXTS, dtype=np.dtypes.StringDType()),
        pa.array(TEXTS),
        pa.array(TEXTS, pa.large_string()),
        pa.array(TEXTS, pa.string_view()),
        pa.array(TEXTS).dictionary_encode(),
        pa.array([text.encode() for text in TEXTS]),
        pl.Series(TEXTS),
        pl.Series(TEXTS, dtype=pl.Categorical),
        pd.Series(TEXTS),
        pd.Series(TEXTS, dtype=object),
        pd.Series(TEXTS, dtype="category"),
        [text.encode() for text in TEXTS],
        [bytearray(text.encode()) for text in TEXTS],
        [None, *TEXTS, None],
        pd.Series([*TEXTS, None, np.nan], dtype=object),
    ],
    ids=lambda value: type(value).__module__ + "." + type(value).__name__,
)
def test_the_same_texts_however_they_come(same: object) -> None:
    assert sketch(same) == sketch(TEXTS)


def test_numpy_bytes_of_a_fixed_width() -> None:
    assert sketch(np.array([b"ab", b"c"])) == sketch([b"ab", b"c"]) == sketch(["ab", "c"])


def test_times() -> None:
    noon = datetime.datetime(2024, 5, 1, 12, 0, 0, 250_000)
    arrays = [
        np.array([noon], dtype="datetime64[us]"),
        np.array([noon], dtype="datetime64[ns]"),
        pa.array([noon]),
        pd.Series([noon]),
        pl.Series([noon]),
    ]
    for values in arrays:
        assert sketch(values) == sketch([noon]), values
    assert sketch(np.array(["NaT"], dtype="datetime64[ns]")) == sketch([])
    day = datetime.date(2024, 5, 1)
    assert sketch([day]) == sketch(pa.array([day])) == sketch(np.array([day], dtype="datetime64[D]"))
    span = datetime.timedelta(days=1, seconds=3)
    assert sketch([span]) == sketch(np.array([span], dtype="timedelta64[us]")) == sketch(pa.array([span]))
    name = uuid.UUID(int=5)
    assert sketch([name]) == sketch([name.bytes])


def test_missing_values_are_not_items() -> None:
    empty = sketch([])
    for nothing in ([None], pd.Series([None]), pa.nulls(3), pd.Series([pd.NA], dtype="Int64"), [pd.NaT]):
        assert sketch(nothing) == empty
    assert sketch(pd.Series([1.5, np.nan])) == sketch([1.5])
    with pytest.raises(TypeError, match="not an item"):
        empty.add(None)
    seen = crivo.BloomFilter.with_fpr(10, 0.01)
    assert None not in seen
    assert list(seen.contains(["a", None])) == [False, False]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("text", "one item"),
        (b"bytes", "one item"),
        ({"a": 1}, "dict"),
        (5, "iterable"),
        ([object()], "not an item"),
        ([1 + 2j], "not an item"),
        (np.zeros((2, 2)), "one dimension"),
        (np.array([1 + 2j]), "no items"),
        (pa.table({"a": [1], "b": [2]}), "one column"),
        (pa.array([[1, 2]]), "no items"),
        (pl.LazyFrame({"a": [1]}), "lazy"),
        ([decimal.Decimal("1.5")], "not an item|text=True"),
    ],
    ids=str,
)
def test_what_is_no_batch_of_items_is_refused(wrong: object, told: str) -> None:
    made = sketch(["before"])
    before = made.to_bytes()
    with pytest.raises(TypeError, match=told):
        made.update(wrong)
    assert made.to_bytes() == before


def test_integers_beyond_64_bits_overflow() -> None:
    with pytest.raises(OverflowError, match="64 bits"):
        sketch([2**64])
    with pytest.raises(OverflowError):
        crivo.ExaLogLog.for_error(0.01).add(-(2**63) - 1)


def test_numpy_scalars() -> None:
    seen = crivo.BloomFilter.with_fpr(100, 0.001)
    seen.update([5, 2.5, True, "x"])
    for item in (np.int8(5), np.uint64(5), np.float32(2.5), np.bool_(True), np.str_("x")):
        assert item in seen
    assert np.float64(5) not in seen


def test_weights() -> None:
    pages = crivo.CountMin.for_error(0.001)
    pages.update(["a", None, "b"], weights=[3, 9, 4])
    assert pages.total() == 7 and pages.frequency("a").value == 3
    for weights in ([1], [1, 2, 3, 4], [1, 2, -1], [1, 2, 0.5], [1, None, 2], ["a", "b", "c"]):
        with pytest.raises((TypeError, ValueError)):
            pages.update(["a", "c", "b"], weights=weights)
