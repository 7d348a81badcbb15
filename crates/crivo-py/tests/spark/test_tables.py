"""Near-duplicates, profiles, streams, and what is said of mistakes."""

from __future__ import annotations

import os
import pathlib
import random
import subprocess
import sys
from typing import Any

import crivo
import crivo.spark
import pytest


def texts() -> list[str | None]:
    """Texts in families of near-duplicates, copies, and texts without any words."""
    draw = random.Random(29)
    words = [f"w{number}" for number in range(3_000)]
    made: list[str | None] = [None, "", "one", "one"]
    for _ in range(40):
        text = [draw.choice(words) for _ in range(60)]
        for _ in range(draw.randint(1, 4)):
            made.append(" ".join(text))
            text = [*text]
            text[draw.randrange(60)] = draw.choice(words)
    draw.shuffle(made)
    return made


def test_near_duplicates_are_those_of_one_machine(spark: Any) -> None:
    documents = texts()
    df = spark.createDataFrame(list(enumerate(documents)), "id long, text string").repartition(4)
    pairs = crivo.spark.near_duplicates(df, "text", 0.8, id="id")
    found = {(row["first"], row["second"]): row["similarity"] for row in pairs.collect()}
    alone = crivo.near_duplicates(documents, 0.8)
    wanted = dict(zip(zip(alone["first"], alone["second"], strict=True), alone["similarity"], strict=True))
    assert len(wanted) > 30 and wanted.items() <= found.items()
    sets = [None if text is None else set(crivo.shingles(text)) for text in documents]
    for (one, other), similarity in found.items():
        assert similarity == pytest.approx(len(sets[one] & sets[other]) / len(sets[one] | sets[other])) and similarity >= 0.8


def test_groups_are_connected_by_pairs(spark: Any) -> None:
    words = [f"w{number}" for number in range(40)]
    # A chain of four, whose ends have less in common; two copies; one of its own.
    documents = [" ".join(words[at : at + 30]) for at in (3, 2, 1, 0)] + ["a b c", "d e f", "a b c"]
    df = spark.createDataFrame(list(enumerate(documents)), "id long, text string")
    groups = crivo.spark.near_duplicates(df, "text", 0.9, id="id", groups=True).collect()
    assert {row["id"]: row["group"] for row in groups} == {0: 0, 1: 0, 2: 0, 3: 0, 4: 4, 6: 4}


def test_changes_of_groups(spark: Any) -> None:
    before = spark.range(2_000).selectExpr("id % 2 AS shop", "id % 10 AS stars")
    after = spark.range(2_000).selectExpr("id % 2 AS shop", "IF(id % 2 = 0, id % 10, 7) AS stars")
    older, newer = (crivo.spark.profile(df, by="shop") for df in (before, after))
    changes = crivo.spark.compare(newer, older, by="shop").collect()
    assert {row["shop"] for row in changes} == {1} and {row["column"] for row in changes} == {"stars"}


def test_a_stream_of_batches_fills_a_table(spark: Any, folder: pathlib.Path) -> None:
    for day in range(3):
        spark.range(day * 1_000, day * 1_000 + 2_000).selectExpr("id AS user", f"{day} AS day").write.parquet(
            str(folder / "in"), mode="append"
        )
    users = {"users": ("user", crivo.ExaLogLog.for_error(0.02))}

    def sketch(batch: Any, number: int) -> None:
        found = crivo.spark.aggregate(batch, users, by="day")
        found.write.parquet(str(folder / "out" / f"batch={number}"), mode="overwrite")

    stream = spark.readStream.schema("user long, day int").option("maxFilesPerTrigger", 2).parquet(str(folder / "in"))
    query = stream.writeStream.foreachBatch(sketch).trigger(availableNow=True).option("checkpointLocation", str(folder / "at"))
    query.start().awaitTermination()
    spark.read.parquet(str(folder / "out")).createOrReplaceTempView("batches")
    assert spark.sql("SELECT count(DISTINCT batch) > 1 FROM batches").first() == (True,)
    row = spark.sql("SELECT crivo_estimate(crivo_merge(users)) AS n FROM batches").first()
    assert row["n"]["lower"] <= 4_000 <= row["n"]["upper"]
    for row in spark.sql("SELECT day, crivo_estimate(crivo_merge(users)) AS n FROM batches GROUP BY day").collect():
        assert row["n"]["lower"] <= 2_000 <= row["n"]["upper"]


def test_windows_of_a_stream_wait_for_late_rows(spark: Any, folder: pathlib.Path) -> None:
    """Batch by batch: rows of two hours, late rows of the first hour, a row that ends both, and rows that come too late."""
    at = "timestamp_seconds(3600 * {0} + 100 + id % 3000) AS at"
    for rows, hour in (((0, 500), 1), ((400, 900), 2), ((300, 800), 1), ((0, 1), 9), ((5_000, 6_000), 1), ((0, 1), 20)):
        made = spark.range(*rows, numPartitions=1).selectExpr("id AS user", at.format(hour))
        made.write.parquet(str(folder / "hours"), mode="append")
    stream = spark.readStream.schema("user long, at timestamp").option("maxFilesPerTrigger", 1).parquet(str(folder / "hours"))
    users = {"users": ("user", crivo.ExaLogLog.for_error(0.02))}
    found = crivo.spark.windows(stream, users, at="at", window="1 hour", late="30 minutes")
    query = found.writeStream.outputMode("append").trigger(availableNow=True).option("checkpointLocation", str(folder / "state"))
    query.format("parquet").option("path", str(folder / "closed")).start().awaitTermination()
    rows = spark.read.parquet(str(folder / "closed")).selectExpr("unix_seconds(window_end) DIV 3600 AS hour", "users").collect()
    wanted = {2: range(800), 3: range(400, 900), 10: range(1)}
    assert len(rows) == len(wanted)
    for row in rows:
        assert bytes(row["users"]) == crivo.ExaLogLog.of(wanted[row["hour"]], error=0.02).to_bytes(), row["hour"]


def test_tables_without_rows(spark: Any) -> None:
    empty = spark.range(0).selectExpr("id", "CAST(id AS STRING) AS name")
    wanted = {"ids": ("id", crivo.ExaLogLog.for_error(0.02)), "sample": ("name", crivo.Reservoir(5))}
    row = crivo.spark.aggregate(empty, wanted, estimates=True).first()
    assert row["ids_value"] == 0 and crivo.from_bytes(bytes(row["sample"])).total() == 0
    assert crivo.spark.aggregate(empty, wanted, by="name").count() == 0
    profile = crivo.spark.profile(empty)
    assert (profile.rows, profile.columns) == (0, ["id", "name"])
    assert crivo.spark.near_duplicates(empty, "name", id="id").count() == 0
    # Most tasks have no rows, and the column of one has only missing values.
    few = spark.range(0, 1, numPartitions=4).selectExpr("id", "CAST(NULL AS STRING) AS name", "timestamp_seconds(id) AS at")
    wanted["times"] = ("at", crivo.ExaLogLog.for_error(0.02))
    row = crivo.spark.aggregate(few, wanted, estimates=True).first()
    assert (row["ids_value"], row["times_value"]) == (1, 1)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda df: crivo.spark.aggregate(df, {}), "names at least one sketch"),
        (lambda df: crivo.spark.aggregate(df, {"n": crivo.HyperLogLog.for_error(0.1)}), "a column and an empty sketch"),
        (lambda df: crivo.spark.aggregate(df, {"n": ("idd", crivo.HyperLogLog.for_error(0.1))}), "no column 'idd'.*id"),
        (lambda df: crivo.spark.aggregate(df, {"n": ("list", crivo.HyperLogLog.for_error(0.1))}), "'list' of type array"),
        (lambda df: crivo.spark.aggregate(df, {"n": ("name", crivo.LogQuantiles(0.1))}), "'name' of type string"),
        (lambda df: crivo.spark.aggregate(df, {"n": ("price", crivo.HyperLogLog.for_error(0.1))}), "text=True"),
        (lambda df: crivo.spark.aggregate(df, {"n": ("id", crivo.HyperLogLog.of([1], error=0.1))}), "has items"),
        (lambda df: crivo.spark.aggregate(df, {"n": ("id", crivo.MartingaleExaLogLog.for_error(0.1))}), "from parts"),
        (lambda df: crivo.spark.aggregate(df, {"id": ("id", crivo.HyperLogLog.for_error(0.1))}, by="id"), "another name"),
        (lambda df: crivo.spark.aggregate(df, {"n": ("id", crivo.HyperLogLog.for_error(0.1))}, by="list"), "no groups"),
        (lambda df: crivo.spark.aggregate(df, {"n": ("id", crivo.LogQuantiles(0.1))}, estimates=True), "leave estimates"),
        (lambda df: crivo.spark.filter_join(df, crivo.HyperLogLog.for_error(0.1), "id"), "expected a filter"),
        (lambda df: crivo.spark.filter_join(df, crivo.BloomFilter.with_fpr(9, 0.1), "list"), "'list' of type array"),
        (lambda df: crivo.spark.near_duplicates(df, "list", id="id"), "expected texts"),
        (lambda df: crivo.spark.near_duplicates(df, "name", 1.5, id="id"), "threshold"),
        (lambda df: crivo.spark.profile(df), "'list' of type array.* cannot be profiled"),
        (lambda df: crivo.spark.profile(df.select("id"), by="id"), "no column to profile"),
    ],
)
def test_mistakes_are_refused_before_a_task_runs(spark: Any, call: Any, reason: str) -> None:
    df = spark.range(5).selectExpr("id", "'x' AS name", "array(1) AS list", "CAST(1.5 AS DECIMAL(5, 2)) AS price")
    with pytest.raises((TypeError, ValueError), match=reason):
        call(df)


def test_workers_without_the_package_are_named() -> None:
    code = (
        "import pickle, sys\n"
        "run = pickle.loads(bytes.fromhex(sys.argv[1]))\n"
        "sys.modules['crivo'] = None\n"
        "list(run([]))"
    )
    from crivo.spark._partial import Merged
    from crivo.spark._ship import batches
    from pyspark import cloudpickle

    payload = cloudpickle.dumps(batches(Merged((), (), ()))).hex()
    done = subprocess.run([sys.executable, "-c", code, payload], capture_output=True, text=True, env={**os.environ})
    assert "install the package crivo-sketches on every worker" in done.stderr, done.stderr
