"""Spark merges the sketches that are made here, and Spark's own sketches get error bars."""

from __future__ import annotations

from typing import Any

import crivo
import crivo.spark
import pytest
from conftest import ROOT
from crivo.datasketches import CountMin, FrequentItems, Hll, Kll, Theta

USERS, ROWS = 20_000, 60_000
EMPTY = ROOT / "crates" / "crivo-interop" / "tests" / "golden" / "cpp-texts-empty.frequent"


@pytest.fixture(scope="module")
def clicks(spark: Any) -> Any:
    rows = spark.range(0, ROWS, numPartitions=4).selectExpr(
        f"id % {USERS} AS number", f"concat('z', id % {USERS}) AS user", "id / 4 AS ms", "CAST(id / 4 AS FLOAT) AS short",
        "id * 1099511627776 AS large", "id % 3 AS day", "concat('/', id % 7) AS page",
    )  # fmt: skip
    rows.createOrReplaceTempView("clicks")
    return rows


WANTED = {
    "users": ("user", Theta(lg_k=11)),
    "numbers": ("number", Theta(lg_k=11)),
    "seen": ("user", Hll(lg_k=11)),
    "ms": ("ms", Kll()),
    "short": ("short", Kll(values="float32")),
    "large": ("large", Kll(values="int64")),
}


def test_spark_merges_what_is_made_here(spark: Any, clicks: Any) -> None:
    days = crivo.spark.aggregate(clicks, WANTED, by="day", estimates=True)
    assert {"users_value", "seen_upper"} <= set(days.columns) and "ms_value" not in days.columns
    days.cache().createOrReplaceTempView("days")
    row = spark.sql(
        "SELECT theta_union_agg(users, 11) AS users, theta_union_agg(numbers, 11) AS numbers, hll_union_agg(seen) AS seen, "
        "kll_merge_agg_double(ms) AS ms, kll_merge_agg_float(short) AS short, kll_merge_agg_bigint(large) AS large FROM days"
    ).first()
    # And back: what Spark has merged is read here.
    for name in ("users", "numbers", "seen"):
        assert USERS in crivo.read_foreign(bytes(row[name])).estimate(), name
    for name, values, middle in (("ms", "float64", ROWS / 8), ("short", "float32", ROWS / 8), ("large", "int64", ROWS / 2 * 2**40)):
        sketch = Kll.from_bytes(bytes(row[name]), values=values)
        found = sketch.quantile(0.5)
        assert sketch.total() == ROWS and found.lower <= middle <= found.upper, (name, found)
    # The same items in one pass of the package.
    one = Theta.of([f"z{number}" for number in range(0, ROWS, 3)], lg_k=11)
    [day] = days.filter("day = 0").collect()
    assert 2 * abs(day["users_value"] - one.estimate().value) <= day["users_upper"] - day["users_lower"]
    merged = spark.sql("SELECT crivo_estimate(crivo_merge(users)) AS n FROM days").first()["n"]
    assert merged["lower"] <= USERS <= merged["upper"]


def test_partials_of_exact_sketches_merge_to_one_pass(clicks: Any) -> None:
    wanted = {"seen": WANTED["seen"], "pages": ("page", CountMin(3, 100)), "few": ("page", Theta(lg_k=11))}
    row = crivo.spark.aggregate(clicks, wanted).first()
    pages = [f"/{at % 7}" for at in range(ROWS)]
    # A merged HyperLogLog forgets in which order its registers rose, so that every merge of the same items is the same.
    one, other = (Hll.of([f"z{number}" for number in range(part, USERS, 2)], lg_k=11) for part in range(2))
    assert bytes(row["seen"]) == bytes(one | other)
    assert bytes(row["pages"]) == CountMin.of(pages, rows=3, width=100).to_bytes()
    assert bytes(row["few"]) == Theta.of(pages, lg_k=11).to_bytes()


def test_sketches_of_spark_get_bars(spark: Any, clicks: Any) -> None:
    spark.sql(
        "SELECT theta_sketch_agg(user) AS users, theta_sketch_agg(number) AS numbers, hll_sketch_agg(user) AS seen, "
        "kll_sketch_agg_double(ms) AS ms, kll_sketch_agg_float(short) AS short, kll_sketch_agg_bigint(number) AS ids, "
        "count_min_sketch(page, 0.001D, 0.99D, 7) AS pages FROM clicks"
    ).cache().createOrReplaceTempView("theirs")
    row = spark.sql(
        "SELECT crivo_estimate(users) AS users, theta_sketch_estimate(users) AS spark_users, crivo_estimate(numbers) AS numbers, "
        "theta_sketch_estimate(numbers) AS spark_numbers, crivo_estimate(seen) AS seen, hll_sketch_estimate(seen) AS spark_seen, "
        "crivo_quantile(ms, 0.9) AS ms, kll_sketch_get_quantile_double(ms, 0.9D) AS spark_ms, "
        "crivo_quantile(short, 0.9) AS short, kll_sketch_get_quantile_float(short, 0.9D) AS spark_short, "
        "crivo_quantile(ids, 0.9) AS ids, kll_sketch_get_quantile_bigint(ids, 0.9D) AS spark_ids, "
        "crivo_frequency(pages, '/3') AS three, crivo_frequency(pages, '/8') AS none FROM theirs"
    ).first()
    truth = {"users": USERS, "numbers": USERS, "seen": USERS, "ms": 0.9 * ROWS / 4, "short": 0.9 * ROWS / 4, "ids": 0.9 * USERS}
    for name, true in truth.items():
        answer = row[name]
        assert answer["lower"] <= true <= answer["upper"], (name, answer)
        theirs = row[f"spark_{name}"]
        if name == "seen":
            # Of merged registers Spark has another estimator; both differ by less than a tenth of their standard deviation.
            assert abs(answer["value"] - theirs) <= 0.1 * 1.04 / 2**6 * theirs, (answer, theirs)
        else:
            # Spark rounds its counts.
            assert (round(answer["value"]) if true == USERS else answer["value"]) == theirs, (name, answer, theirs)
    three = len(range(3, ROWS, 7))
    assert row["three"]["lower"] <= three <= row["three"]["upper"] and row["none"]["lower"] == 0
    # The package for Python has no sketch of whole numbers of 64 bits.
    ids = crivo.read_foreign(bytes(spark.table("theirs").first()["ids"]))
    assert isinstance(ids, Kll) and ids.values == "int64" and ids.total() == ROWS
    assert isinstance(ids.quantile(0.5).value, int) and ROWS // 2 in ids.rank(USERS // 2 - 1)


@pytest.mark.parametrize(
    ("wanted", "text", "reason"),
    [
        (("page", Theta.of(["a"])), False, "has items"),
        (("page", Hll.of(["a"])), False, "has items"),
        (("ms", Kll.of([1.0])), False, "has items"),
        (("page", Theta(), "number"), False, "how often"),
        (("page", Kll()), False, "'page' of type string"),
        (("page", FrequentItems.from_bytes(EMPTY.read_bytes())), False, "takes no items"),
        (("page", Theta()), True, "leave text out"),
    ],
)
def test_mistakes_are_refused_before_a_task_runs(clicks: Any, wanted: Any, text: bool, reason: str) -> None:
    with pytest.raises((TypeError, ValueError), match=reason):
        crivo.spark.aggregate(clicks, {"n": wanted}, text=text)
