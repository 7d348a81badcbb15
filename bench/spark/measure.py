"""Compares sketches on Spark with Spark's own, and prints the tables of docs/bench and of the guide.

    pip install ./crates/crivo-py pyspark pyarrow pandas
    python bench/spark/measure.py [--rows 10000000] [--most 100000000] [--rounds 3] [--json FILE]

Everything runs on a cluster of two executors with one core each, in processes of their own. In each round every contender of a table
runs once, in rotating order; a number is the least time of all rounds. Rows are made while they are read, which the first line of the table
measures alone. Shuffled bytes and bytes to the driver come from Spark's own log of events. No measurement is a test: the machine and its other
work decide the numbers.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import crivo
import crivo.spark
import numpy as np
import pyarrow as pa
import pyspark
from crivo.spark._aggregate import MEMORY
from crivo.spark._partial import Partials, Sketched
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

Work = Callable[[Any], Any]

USERS = {"users": ("user", crivo.ExaLogLog.for_error(0.02))}
TIMES = {"ms": ("ms", crivo.LogQuantiles(0.01))}
RANKS = {"ranks": ("ms", crivo.Kll.for_error(0.01))}
PAGES = {"pages": ("page", crivo.MisraGries.for_counters(1000))}
FIVE: dict[str, Any] = {
    **USERS,
    **TIMES,
    **PAGES,
    "visited": ("page", crivo.ExaLogLog.for_error(0.02)),
    "sums": ("user", crivo.KMinValues.for_error(0.05)),
}
OWN_FIVE = [
    "approx_count_distinct(user, 0.02)",
    "percentile_approx(ms, 0.99, 100)",
    "approx_top_k(page, 10, 1000)",
    "approx_count_distinct(page, 0.02)",
    "theta_sketch_agg(user, 12)",
]


def sketched(wanted: dict[str, Any], **named: Any) -> Work:
    return lambda df: crivo.spark.aggregate(df, wanted, **named).collect()


def own(*expressions: str) -> Work:
    return lambda df: df.agg(*map(F.expr, expressions)).collect()


def one_by_one(expressions: list[str]) -> Work:
    return lambda df: [df.agg(F.expr(expression)).collect() for expression in expressions]


def in_pandas(df: Any) -> Any:
    """All rows to one worker, as a UDF that aggregates."""
    import pandas as pd

    def distinct(values: pd.Series) -> int:
        return values.nunique()

    distinct.__annotations__ = {"values": pd.Series, "return": int}
    return df.agg(F.pandas_udf(distinct, "long")("user")).collect()


TABLE: list[tuple[str, Work]] = [
    ("rows alone: `sum(user)`, `max(ms)`, `max(page)`", own("sum(user)", "max(ms)", "max(page)")),
    ("`mapInArrow` that only counts rows", lambda df: df.mapInArrow(_counted, "n long").agg(F.sum("n")).collect()),
    ("`ExaLogLog`, 2 %", sketched(USERS)),
    ("Spark: `approx_count_distinct`, 2 %", own("approx_count_distinct(user, 0.02)")),
    ("Spark: `hll_sketch_agg`, 1.6 %", own("hll_sketch_agg(user, 12)")),
    ("`LogQuantiles`, 1 % of the value", sketched(TIMES)),
    ("`Kll`, 1 % of the ranks", sketched(RANKS)),
    ("Spark: `percentile_approx`, 1 % of the ranks", own("percentile_approx(ms, 0.99, 100)")),
    ("`MisraGries`, 1,000 counters", sketched(PAGES)),
    ("Spark: `approx_top_k`, 1,000 counters", own("approx_top_k(page, 10, 1000)")),
    ("five sketches in one scan", sketched(FIVE)),
    ("Spark: its five in one scan", own(*OWN_FIVE)),
    ("Spark: its five one by one", one_by_one(OWN_FIVE)),
    ("exact, a pandas UDF", in_pandas),
]


def _counted(batches: Any) -> Any:
    import pyarrow as pa

    for batch in batches:
        yield pa.RecordBatch.from_pydict({"n": [batch.num_rows]})


def session(folder: pathlib.Path) -> Any:
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    built = SparkSession.builder.master("local-cluster[2,1,2048]").appName("measure")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.log.level": "ERROR",
        "spark.executor.memory": "2g",
        "spark.sql.shuffle.partitions": "4",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": folder.as_uri(),
        "spark.eventLog.compress": "false",
        "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }.items():
        built = built.config(name, value)
    return built.getOrCreate()


def rows(spark: Any, count: int, partitions: int = 8) -> Any:
    """Visits: a user of a tenth of the rows, a page of a heavy tail, a time."""
    df = spark.range(0, count, numPartitions=partitions)
    return df.select(
        F.pmod(F.xxhash64("id"), F.lit(count // 10)).alias("user"),
        F.pow(F.pmod(F.xxhash64("id", F.lit(1)), F.lit(1000)) + 1, F.lit(2)).cast("long").alias("page"),
        F.exp(F.pmod(F.xxhash64("id", F.lit(2)), F.lit(10_000)) / 1000).alias("ms"),
    )


def timed(spark: Any, name: str, work: Callable[[], Any]) -> float:
    spark.sparkContext.setJobDescription(name)
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def rounds(spark: Any, df: Any, table: list[tuple[str, Work]], times: int) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {name: [] for name, _ in table}
    for at in range(times):
        turn = at * len(table) // max(times, 1)
        for name, work in table[turn:] + table[:turn]:
            taken[name].append(timed(spark, name, lambda work=work: work(df)))
            print(f"  round {at + 1}: {name}: {taken[name][-1]:.2f} s", file=sys.stderr, flush=True)
    return taken


def events(folder: pathlib.Path) -> dict[str, dict[str, int]]:
    """For each description of a job: the bytes shuffled, and those of the results of its tasks to the driver."""
    stages: dict[int, str] = {}
    found: dict[str, dict[str, int]] = {}
    for file in folder.rglob("*"):
        if not file.is_file() or file.name.startswith((".", "appstatus")):
            continue
        for line in file.read_text().splitlines():
            event = json.loads(line)
            if event["Event"] == "SparkListenerJobStart":
                name = event["Properties"].get("spark.job.description", "")
                stages |= dict.fromkeys(event["Stage IDs"], name)
                found.setdefault(name, {"jobs": 0, "shuffled": 0, "driver": 0})["jobs"] += 1
            if event["Event"] == "SparkListenerTaskEnd" and "Task Metrics" in event:
                metrics = event["Task Metrics"]
                to = found[stages[event["Stage ID"]]]
                to["shuffled"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                to["driver"] += metrics["Result Size"]
    return found


def parts() -> dict[str, float]:
    """The parts of the simulation: the bytes of a sketch of many items, the time of one merge, and the CPU time of a million rows in a task."""
    found = {}
    for name, (_, sketch) in FIVE.items():
        full = sketch.copy()
        full.update([float(at) for at in range(300_000)] if name == "ms" else list(range(300_000)))
        data = full.to_bytes()
        taken = []
        for _ in range(200):
            start = time.perf_counter()
            full.merge(crivo.from_bytes(data))
            taken.append(time.perf_counter() - start)
        found[f"{name}_bytes"] = len(data)
        found[f"{name}_merge_seconds"] = statistics.median(taken)
    count = 1_000_000
    draw = np.random.default_rng(29)
    batch = pa.table({"user": draw.integers(0, 10**8, count), "page": draw.zipf(1.3, count), "ms": draw.lognormal(3, 1, count)})
    for name, wanted in {"users": USERS, "ms": TIMES, "ranks": RANKS, "pages": PAGES, "five": FIVE}.items():
        made = tuple(Sketched(sketch, column, None, False) for column, sketch in wanted.values())
        work = Partials(made, tuple(wanted), (), MEMORY, 29)
        taken = []
        for _ in range(9):
            start = time.process_time()
            list(work(batch.to_batches(max_chunksize=10_000)))
            taken.append(time.process_time() - start)
        found[f"{name}_cpu_seconds"] = min(taken)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--most", type=int, default=100_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    given = parser.parse_args()
    found: dict[str, Any] = {
        "rows": given.rows,
        "versions": f"Spark {pyspark.__version__}, Python {platform.python_version()}, {os.cpu_count()} cores",
        "parts": parts(),
    }
    with tempfile.TemporaryDirectory() as folder:
        spark = session(pathlib.Path(folder))
        print(f"# {found['versions']}, {given.rows:,} rows in 8 partitions, {given.rounds} rounds\n", flush=True)
        df = rows(spark, given.rows)
        found["table"] = rounds(spark, df, TABLE, given.rounds)
        growth, spread = {}, {}
        size = 1_000_000
        while size <= given.most:
            part = rows(spark, size)
            for name, work in (("five", sketched(FIVE)), ("own", own(*OWN_FIVE))):
                times = 1 if size > given.rows else given.rounds
                growth[f"{name} {size}"] = min(timed(spark, f"growth {name} {size}", lambda w=work, p=part: w(p)) for _ in range(times))
                print(f"  growth {name} {size:,}: {growth[f'{name} {size}']:.2f} s", file=sys.stderr, flush=True)
            size *= 10
        for partitions in (1, 2, 4, 8):
            part = rows(spark, given.rows, partitions)
            spread[str(partitions)] = min(
                timed(spark, f"partitions {partitions}", lambda p=part: sketched(FIVE)(p)) for _ in range(given.rounds)
            )
            print(f"  {partitions} partitions: {spread[str(partitions)]:.2f} s", file=sys.stderr, flush=True)
        grouped = rows(spark, given.rows).withColumn("key", F.col("user") % 1_000_000)
        many = lambda: crivo.spark.aggregate(grouped, USERS, by="key").write.format("noop").mode("overwrite").save()  # noqa: E731
        found["million_groups_seconds"] = timed(spark, "groups", many)
        spark.stop()
        found |= {"growth": growth, "partitions": spread, "events": events(pathlib.Path(folder))}
    show(found, given.rounds)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


def show(found: dict[str, Any], times: int) -> None:
    print("| contender | seconds | million rows/s | shuffled | to the driver |\n|---|---|---|---|---|")
    for name, taken in found["table"].items():
        event = found["events"].get(name, {"jobs": 1, "shuffled": 0, "driver": 0})
        best = min(taken)
        print(
            f"| {name} | {best:.2f} | {found['rows'] / best / 1e6:.2f} | {event['shuffled'] // times:,} B | "
            f"{event['driver'] // times:,} B |"
        )
    print("\n| rows | five sketches | Spark's five |\n|---|---|---|")
    for size in sorted({int(name.split()[1]) for name in found["growth"]}):
        print(f"| {size:,} | {found['growth'][f'five {size}']:.2f} s | {found['growth'][f'own {size}']:.2f} s |")
    print("\n| partitions | five sketches |\n|---|---|")
    for partitions, taken in found["partitions"].items():
        print(f"| {partitions} | {taken:.2f} s |")
    print(f"\na million groups: {found['million_groups_seconds']:.1f} s")
    for name, value in found["parts"].items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
