"""Sketches in SQL, and joins."""

from __future__ import annotations

from typing import Any

import crivo
import crivo.spark
import pytest


@pytest.fixture(scope="module")
def days(spark: Any) -> Any:
    rows = spark.range(0, 40_000, numPartitions=4).selectExpr(
        "id DIV 10000 AS day", "concat('u', id % 15000) AS user", "id % 7 AS page", "id / 40000 AS ms"
    )
    wanted = {
        "users": ("user", crivo.KMinValues.for_error(0.02)),
        "seen": ("user", crivo.BloomFilter.with_fpr(10_000, 0.001)),
        "pages": ("page", crivo.CountMin.for_error(0.001)),
        "times": ("ms", crivo.LogQuantiles(0.01)),
    }
    made = crivo.spark.aggregate(rows, wanted, by="day")
    made.cache().createOrReplaceTempView("days")
    return made


def test_a_table_of_days_is_merged_and_asked(spark: Any, days: Any) -> None:
    row = spark.sql(
        "SELECT crivo_estimate(crivo_merge(users)) AS n, crivo_quantile(crivo_merge(times), 0.5) AS half, "
        "crivo_frequency(crivo_merge(pages), 3L) AS three, crivo_contains(crivo_merge(seen), 'u42') AS there, "
        "crivo_contains(crivo_merge(seen), 'nobody') AS absent FROM days"
    ).first()
    assert row["n"]["lower"] <= 15_000 <= row["n"]["upper"]
    assert row["half"]["lower"] <= 19_999 / 40_000 <= row["half"]["upper"]
    assert row["three"]["lower"] <= len(range(3, 40_000, 7)) <= row["three"]["upper"]
    assert row["there"] and not row["absent"]


def test_groups_and_pairs(spark: Any, days: Any) -> None:
    halves = spark.sql("SELECT day DIV 2 AS half, crivo_estimate(crivo_merge(users)).value AS n FROM days GROUP BY 1").collect()
    assert {row["half"] for row in halves} == {0, 1}
    pairs = spark.sql(
        "SELECT crivo_similarity(a.users, b.users) AS j FROM days a JOIN days b ON a.day < b.day AND b.day = a.day + 1"
    ).collect()
    # Days have 10,000 users of 15,000 in turn, so neighbours have a third of all in common.
    assert len(pairs) == 3 and all(row["j"]["lower"] <= 1 / 3 <= row["j"]["upper"] for row in pairs)


def test_missing_values_have_missing_answers(spark: Any, days: Any) -> None:
    row = spark.sql(
        "SELECT crivo_estimate(CAST(NULL AS BINARY)) AS a, crivo_contains(seen, CAST(NULL AS STRING)) AS b, "
        "crivo_merge(CAST(NULL AS BINARY)) OVER () AS c FROM days LIMIT 1"
    ).first()
    assert tuple(row) == (None, None, None)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("SELECT crivo_estimate(seen) FROM days", "crivo_estimate does not answer for a bloom-filter"),
        ("SELECT crivo_estimate(CAST('x' AS BINARY)) FROM days", "crivo_estimate: this is not a sketch"),
        ("SELECT crivo_merge(s) FROM (SELECT users AS s FROM days UNION ALL SELECT seen FROM days)", "differ in kind"),
    ],
)
def test_mistakes_are_explained(spark: Any, days: Any, query: str, reason: str) -> None:
    with pytest.raises(Exception, match=reason):
        spark.sql(query).collect()


def test_joins_with_a_filter(spark: Any, days: Any) -> None:
    left = spark.range(0, 50_000).selectExpr("id", "IF(id % 10 = 0, NULL, concat('u', id)) AS user")
    kept = crivo.spark.filter_join(left, crivo.from_bytes(bytes(days.filter("day = 0").first()["seen"])), "user")
    ids = {row["id"] for row in kept.select("id").collect()}
    inside = {at for at in range(10_000) if at % 10}
    assert inside <= ids and not any(at % 10 == 0 for at in ids)
    # 36,000 absent users at 0.1 %: 36 on average, and more than 80 with a probability below 1e-9.
    assert len(ids) - len(inside) <= 80


def test_the_size_of_a_join(spark: Any) -> None:
    left = spark.range(0, 30_000).selectExpr("id % 3000 AS user")
    right = spark.range(0, 5_000).selectExpr("id % 1000 AS owner")
    size = crivo.spark.join_size(left, right, ("user", "owner"))
    # 1,000 owners with 10 rows on the left and 5 on the right.
    assert 50_000 in size and size.relative_error() < 0.1
