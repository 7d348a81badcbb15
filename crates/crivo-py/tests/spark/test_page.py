"""The examples of the guide run, one after the other."""

from __future__ import annotations

import pathlib
import re
from typing import Any

import pytest
from conftest import ROOT

PAGE = ROOT / "docs" / "guide" / "beyond-one-machine.md"


def test_the_examples_run(spark: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    visits = spark.range(0, 2_000, numPartitions=2).selectExpr(
        "concat('u', id % 700) AS user", "id / 10 AS ms", "'/start' AS page", "concat('2026-11-0', 1 + id % 3) AS day",
        "timestamp_seconds(id) AS at",
    )
    visits.write.parquet(str(tmp_path / "visits"))
    stream = spark.readStream.schema(visits.schema).parquet(str(tmp_path / "visits"))
    users = visits.select("user").distinct()
    documents = spark.createDataFrame([(1, "a b c d"), (2, "a b c d"), (3, "e f g h")], "id int, text string")
    names: dict[str, Any] = {"spark": spark, "visits": visits, "users": users, "stream": stream, "documents": documents}
    # Spark resolves paths itself, from where it was started.
    code = PAGE.read_text().split("\n## Without Spark")[0]
    for before in ('parquet("', 'parquet(f"', '"checkpointLocation", "'):
        code = code.replace(before, f"{before}{tmp_path}/")
    blocks = re.findall(r"```python\n(.*?)```", code, re.DOTALL)
    assert len(blocks) >= 6
    for block in blocks:
        exec(block, names)
    assert names["ours"].count() == 2_000 and 2_000 in names["profile"].column("ms")["distinct"]
    assert names["groups"].count() == 2
