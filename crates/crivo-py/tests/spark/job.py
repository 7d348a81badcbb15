"""A job of the test of a standalone cluster: its workers have the package only from an archive."""

from __future__ import annotations

import sys
import time

import crivo
import crivo.spark
from crivo.spark._aggregate import MEMORY, merged
from pyspark import cloudpickle
from pyspark.sql import SparkSession

import rows

# The workers do not have the file.
cloudpickle.register_pickle_by_value(rows)
master, archive, once = sys.argv[1:]
built = SparkSession.builder.master(master)
for name, value in {
    "spark.ui.enabled": "false",
    "spark.log.level": "ERROR",
    "spark.sql.shuffle.partitions": "2",
    "spark.executor.memory": "512m",
    "spark.archives": f"{archive}#crivo_package",
    "spark.executorEnv.PYTHONPATH": "./crivo_package",
    # A task that takes too long runs a second time on another host.
    "spark.speculation": "true",
    "spark.speculation.quantile": "0.5",
    "spark.speculation.minTaskRuntime": "3s",
}.items():
    built = built.config(name, value)
spark = built.getOrCreate()
numbers = spark.range(0, 100_000, numPartitions=8)
row = crivo.spark.aggregate(numbers, {"ids": ("id", crivo.ExaLogLog.for_error(0.02))}).first()
whole = crivo.ExaLogLog.of(range(100_000), error=0.02)
where = spark.range(0, 8, numPartitions=8).mapInArrow(
    # The place from which a worker has the package.
    lambda batches: [__import__("pyarrow").RecordBatch.from_pydict({"file": [__import__("crivo").__file__]})],
    "file string",
)
files = {"crivo_package" in row["file"] for row in where.collect()}
is_equal = bytes(row["ids"]) == whole.to_bytes()
start = time.monotonic()
sleeping = rows.Failing(crivo.ExaLogLog.for_error(0.02), "id", None, False, once, "sleep")
row = merged(numbers, {"ids": sleeping}, (), (), MEMORY).first()
is_repeated = bytes(row["ids"]) == whole.to_bytes() and time.monotonic() - start < rows.SLEEP
print("equal", is_equal, "shipped", files == {True}, "repeated", is_repeated)
spark.stop()
