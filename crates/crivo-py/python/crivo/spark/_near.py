"""Near-duplicates of a distributed collection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F
from pyspark.sql import types as T

from crivo import _crivo

from . import _ship
from ._aggregate import column_of, quoted


@dataclass(frozen=True)
class _Signed:
    """The keys of the bands of each text."""

    threshold: float
    recall: float
    words: int | None
    chars: int | None

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            table = _crivo._band_keys(batch.column("text"), self.threshold, self.recall, self.words, self.chars)
            found = pa.table(table)
            columns = [
                batch.column("id"),
                found["fingerprint"].combine_chunks().cast(pa.binary()),
                found["size"].combine_chunks(),
                found["bands"].combine_chunks(),
            ]
            made = pa.RecordBatch.from_arrays(columns, names=["id", "fingerprint", "size", "bands"])
            # A text that is missing, or too short for a shingle, is in no pair.
            yield made.filter(pc.fill_null(pc.greater(made.column("size"), 0), False))


@dataclass(frozen=True)
class _Verified:
    """The pairs whose sets of shingles are as similar as wanted."""

    threshold: float
    words: int | None
    chars: int | None

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            texts = (batch.column("text_first"), batch.column("text_second"))
            found = pa.table(_crivo._similarities(*texts, self.words, self.chars))["similarity"].combine_chunks()
            columns = [batch.column("first"), batch.column("second"), found]
            made = pa.RecordBatch.from_arrays(columns, names=["first", "second", "similarity"])
            yield made.filter(pc.greater_equal(found, self.threshold))


def near_duplicates(
    df: Any,
    column: str,
    threshold: float = 0.8,
    *,
    id: str,
    recall: float = 0.99,
    words: int | None = None,
    chars: int | None = None,
    groups: bool = False,
) -> Any:
    """Find all pairs of similar texts.

    The shuffle brings texts together that agree in a band of their signatures, and the sets of these pairs are compared exactly.

    Parameters
    ----------
    df : DataFrame
        The texts; missing ones are in no pair.
    column : str
        The column of the texts.
    threshold : float, optional
        The Jaccard similarity of the sets of shingles, from which on two texts are a pair.
    id : str
        A column that identifies each row.
    recall : float, optional
        The probability that a pair of exactly this similarity is found.
    words, chars : int, optional
        The length of a shingle: 3 words by default.
    groups : bool, optional
        Return groups instead of pairs: texts that a chain of pairs connects.

    Returns
    -------
    DataFrame
        ``first``, ``second`` (ids, the smaller one first) and ``similarity``, which is verified on the sets; or, with ``groups``, ``id`` and
        ``group``, the smallest id of the group. The signatures stay in Spark's cache until ``spark.catalog.clearCache()``.
    """
    texts = df.select(quoted(column_of(df, id)).alias("id"), quoted(column_of(df, column)).alias("text"))
    if not isinstance(texts.schema["text"].dataType, T.StringType):
        raise TypeError(f"column '{column}' is of type {df.schema[column].dataType.simpleString()}; expected texts")
    key = texts.schema["id"]
    # The parameters are judged here, not in a task.
    _crivo._band_keys([], threshold, recall, words, chars)
    fields = [T.StructField("fingerprint", T.BinaryType()), T.StructField("size", T.LongType())]
    fields += [T.StructField("bands", T.ArrayType(T.LongType()))]
    signed = texts.mapInArrow(_ship.batches(_Signed(threshold, recall, words, chars)), T.StructType([key, *fields]))
    signed = signed.persist()
    # Texts with equal sets are one class, of which the smallest id is compared with the others.
    classes = signed.groupBy("fingerprint").agg(
        F.min("id").alias("first"), F.any_value("size").alias("size"), F.any_value("bands").alias("bands")
    )
    members = signed.select("id", "fingerprint").join(classes.select("fingerprint", "first"), "fingerprint")
    banded = classes.select("first", "size", F.explode("bands").alias("band"))
    other = banded.select(F.col("first").alias("second"), F.col("size").alias("other_size"), "band")
    # The similarity of two sets is at most the share of their sizes.
    is_possible = F.least("size", "other_size") >= F.greatest("size", "other_size") * (threshold - 1e-9)
    candidates = banded.join(other, "band").filter((F.col("first") < F.col("second")) & is_possible)
    candidates = candidates.select("first", "second").distinct()
    for side in ("first", "second"):
        sided = texts.select(F.col("id").alias(side), F.col("text").alias(f"text_{side}"))
        candidates = candidates.join(sided, side)
    result = T.StructType(
        [T.StructField("first", key.dataType), T.StructField("second", key.dataType), T.StructField("similarity", T.DoubleType())]
    )
    pairs = candidates.mapInArrow(_ship.batches(_Verified(threshold, words, chars)), result)
    if groups:
        return _groups(pairs, members)
    return _of_members(pairs, members)


def _of_members(pairs: Any, members: Any) -> Any:
    """The pairs of all texts from those of the first of each class."""
    one = members.select(F.col("first"), F.col("id").alias("one"))
    other = members.select(F.col("first").alias("second"), F.col("id").alias("other"))
    across = pairs.join(one, "first").join(other, "second").select("one", "other", "similarity")
    twins = members.select("first", F.col("id").alias("other"))
    within = one.join(twins, "first").filter(F.col("one") < F.col("other"))
    within = within.select("one", "other", F.lit(1.0).alias("similarity"))
    ends = (F.least("one", "other").alias("first"), F.greatest("one", "other").alias("second"))
    return across.unionByName(within).select(*ends, "similarity")


def _groups(pairs: Any, members: Any) -> Any:
    """The connected components, by the smallest id."""
    edges = pairs.select("first", "second")
    edges = edges.unionByName(members.select("first", F.col("id").alias("second"))).filter("first < second")
    edges, before = _cut(edges.distinct()), None
    while True:
        # Each text and its neighbours point to the smallest of them.
        both = edges.unionByName(edges.select(F.col("second").alias("first"), F.col("first").alias("second")))
        least = both.groupBy("first").agg(F.min("second").alias("least"))
        least = least.select(F.col("first").alias("node"), F.least("first", "least").alias("least"))
        pointed = both.join(least, F.col("first") == F.col("node"))
        step = pointed.select(F.col("least").alias("first"), "second")
        step = step.unionByName(least.select(F.col("least").alias("first"), F.col("node").alias("second")))
        step = _cut(step.filter("first < second").distinct())
        # Equal sums of hashes are equal edges, unless hashes collide.
        now = step.agg(F.count("*"), F.sum(F.xxhash64("first", "second").cast("decimal(38, 0)"))).first()
        if now == before:
            break
        edges, before = step, now
    groups = step.groupBy(F.col("second").alias("id")).agg(F.min("first").alias("group"))
    firsts = groups.select("group").distinct().select(F.col("group").alias("id"), "group")
    return groups.unionByName(firsts)


def _cut(df: Any) -> Any:
    """The rows without the plan that made them, which would double in each round."""
    is_reliable = df.sparkSession.sparkContext.getCheckpointDir() is not None
    return df.checkpoint() if is_reliable else df.localCheckpoint()
