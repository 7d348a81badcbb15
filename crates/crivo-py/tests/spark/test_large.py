"""A real table of millions of rows, and a million groups."""

from __future__ import annotations

from typing import Any

import crivo
import crivo.spark
import pyarrow as pa
import pyarrow.parquet
import pytest
from conftest import ROOT
from test_laws import assert_same_profile

FLIGHTS = ROOT.parent / "shared" / "data" / "tables" / "nycflights13-flights.parquet"
COPIES = 20


@pytest.mark.skipif(not FLIGHTS.exists(), reason="the table of flights is not here")
def test_a_grouped_profile_of_flights_is_that_of_each_carrier(spark: Any) -> None:
    found = crivo.spark.profile(spark.read.parquet(*[str(FLIGHTS)] * COPIES), by="carrier").collect()
    flights = pa.parquet.read_table(FLIGHTS)
    carriers = flights["carrier"].value_counts().to_pylist()
    assert len(carriers) == 16 and {row["carrier"] for row in found} == {carrier["values"] for carrier in carriers}
    for row in found:
        alone = flights.filter(pa.compute.equal(flights["carrier"], row["carrier"])).drop_columns("carrier")
        profiled = crivo.from_bytes(bytes(row["profile"]))
        assert profiled.rows == COPIES * alone.num_rows
        assert_same_profile(profiled, crivo.profile(pa.concat_tables([alone] * COPIES), progress=False))


def test_a_million_groups(spark: Any) -> None:
    groups = 1_000_000
    # Two tasks see every group, so that a million pairs of sketches meet.
    df = spark.range(2 * groups, numPartitions=2).selectExpr(f"id % {groups} AS key", f"id DIV {groups} AS item")
    wanted = {"items": ("item", crivo.KMinValues.for_error(0.5))}
    # Room for about a tenth of the groups of a task.
    found = crivo.spark.aggregate(df, wanted, by="key", estimates=True, memory=32 << 20)
    assert found.selectExpr("count(*)", "count(DISTINCT key)", "min(items_value)", "max(items_value)").first() == (groups, groups, 2.0, 2.0)
