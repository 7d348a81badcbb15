"""Whatever the partitions, and whatever fails on the way, the sketch is that of one pass."""

from __future__ import annotations

import math
import pathlib
import subprocess
import sys
from typing import Any

import crivo
import crivo.spark
import pyarrow as pa
import pyarrow.parquet
import pytest
from crivo.spark._aggregate import MEMORY, merged
from rows import ROWS, Failing, visits

# Every kind that takes a batch and merges exactly, with the column that it sketches.
EXACT: dict[str, tuple[Any, ...]] = {
    "bloom": ("user", crivo.BloomFilter.with_fpr(9_000, 0.01)),
    "blocked": ("user", crivo.BlockedBloom.with_fpr(9_000, 0.01)),
    "atomic": ("number", crivo.AtomicBloom.with_fpr(9_000, 0.01)),
    "counting": ("user", crivo.CountingBloom.with_fpr(9_000, 0.01)),
    "spectral": ("number", crivo.SpectralBloom.with_fpr(9_000, 0.01)),
    "partitioned": ("user", crivo.PartitionedBloom.with_fpr(9_000, 0.01)),
    "compressed": ("user", crivo.CompressedBloom.with_fpr(9_000, 0.01)),
    "quotient": ("user", crivo.QuotientFilter.with_fpr(2 * ROWS, 0.01)),
    "compaction": ("user", crivo.HashCompaction.with_fpr(9_000, 0.01)),
    "cuckoo": ("user", crivo.CuckooTable.empty()),
    "hll": ("user", crivo.HyperLogLog.for_error(0.02)),
    "ell": ("number", crivo.ExaLogLog.for_error(0.02)),
    "minimum": ("number", crivo.MinimumHash.for_error(0.1)),
    "pcsa": ("user", crivo.ProbabilisticCounting.for_error(0.05)),
    "loglog": ("user", crivo.LogLog.for_error(0.05)),
    "kmv": ("number", crivo.KMinValues.for_error(0.05)),
    "joint": ("user", crivo.Joint.for_error(0.05)),
    "count_min": ("page", crivo.CountMin.for_error(0.001)),
    "weighted": ("page", crivo.CountMin.for_error(0.001), "hits"),
    "signed": ("number", crivo.SignedCountMin.for_error(0.01)),
    "count_sketch": ("page", crivo.CountSketch.for_error(0.05)),
    "moments": ("user", crivo.Moments.for_error(0.1)),
    "log_quantiles": ("ms", crivo.LogQuantiles(0.01)),
    "min_hash": ("user", crivo.MinHash.for_slots(64)),
    "one_permutation": ("user", crivo.OnePermutation.for_slots(256)),
    "weighted_min_hash": ("number", crivo.WeightedMinHash.for_slots(16), "ms"),
    "sim_hash": ("user", crivo.SimHash.for_bits(64)),
}


@pytest.fixture(scope="session")
def table() -> pa.Table:
    return visits()


@pytest.fixture(scope="session")
def df(spark: Any, folder: pathlib.Path, table: pa.Table) -> Any:
    pa.parquet.write_table(table, folder / "visits.parquet", row_group_size=ROWS // 8)
    return spark.read.parquet(str(folder / "visits.parquet"))


def one_pass(table: pa.Table, wanted: tuple[Any, ...], text: bool = False) -> bytes:
    sketch = wanted[1].copy()
    named: dict[str, Any] = {"text": True} if text and wanted[1].kind != "log-quantiles" else {}
    if len(wanted) == 3:
        named["weights"] = table[wanted[2]]
    sketch.update(table[wanted[0]], **named)
    return bytes(sketch.to_bytes())


def test_every_exact_kind_is_here() -> None:
    laws = dict(zip(crivo.kinds()["name"], crivo.kinds()["merge"], strict=True))
    here = {wanted[1].kind for wanted in EXACT.values()}
    # The others take no batches: they are made of edges, of k-mers, of values or of signatures.
    others = {"linear-counting", "direct-table", "sliding-hyperloglog", "dyadic-count-min", "lsh-index", "hamming-index"}
    others |= {"lsh-bloom", "distance-bloom", "linear-bloom", "quantised-bloom", "decaying-bloom"}
    others |= {"adjacency-matrix", "edge-bloom", "vertex-blooms", "de-bruijn"}
    assert here | others == {name for name, law in laws.items() if law == "exact"}


@pytest.mark.parametrize("partitions", [1, 3, 8])
def test_partials_of_any_partitions_merge_to_one_pass(df: Any, table: pa.Table, partitions: int) -> None:
    row = crivo.spark.aggregate(df.repartition(partitions), EXACT).first()
    for name, wanted in EXACT.items():
        assert bytes(row[name]) == one_pass(table, wanted), name


def test_sketches_of_texts_are_those_of_the_command(df: Any, table: pa.Table, folder: pathlib.Path) -> None:
    wanted = {
        "users": ("number", crivo.ExaLogLog.for_error(0.02)),
        "filter": ("number", crivo.BloomFilter.with_fpr(9_000, 0.01)),
        "ms": ("ms", crivo.LogQuantiles(0.01)),
    }
    row = crivo.spark.aggregate(df.repartition(8), wanted, text=True).first()
    file = folder / "visits.parquet"
    for name, arguments in {
        "users": ["distinct", file, "--column", "number", "--kind", "exaloglog", "--error", "2%", "--save"],
        "filter": ["filter", "build", file, "--column", "number", "--kind", "bloom", "--capacity", "9000", "--fpr", "1%", "-o"],
        "ms": ["quantiles", file, "--column", "ms", "--relative", "1%", "--save"],
    }.items():
        saved = folder / f"{name}.crv"
        called = [sys.executable, "-m", "crivo", *map(str, arguments), str(saved)]
        done = subprocess.run(called, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert bytes(row[name]) == saved.read_bytes() == one_pass(table, wanted[name], text=True), name


def test_groups_are_those_of_one_pass(df: Any, table: pa.Table) -> None:
    wanted = {"users": ("user", crivo.ExaLogLog.for_error(0.02)), "ms": ("ms", crivo.LogQuantiles(0.01))}
    rows = crivo.spark.aggregate(df.repartition(5), wanted, by="country", estimates=True).collect()
    assert {row["country"] for row in rows} == {"BR", "PT", "AO", None}
    for row in rows:
        is_group = pa.compute.is_null(table["country"]) if row["country"] is None else None
        part = table.filter(pa.compute.equal(table["country"], row["country"]) if is_group is None else is_group)
        for name, how in wanted.items():
            assert bytes(row[name]) == one_pass(part, how)
        answer = crivo.from_bytes(bytes(row["users"])).estimate()
        assert (row["users_value"], row["users_lower"], row["users_upper"]) == (answer.value, answer.lower, answer.upper)


def test_tasks_that_run_out_of_memory_send_sketches_early(spark: Any) -> None:
    groups = 30_000
    df = spark.range(4 * groups, numPartitions=4).selectExpr(f"id % {groups} AS key", f"id DIV {groups} AS item")
    wanted = {"items": ("item", crivo.ExaLogLog.for_error(0.05)), "sample": ("item", crivo.Reservoir(2))}
    # Room for about a tenth of the groups of a task.
    found = crivo.spark.aggregate(df, wanted, by="key", estimates=True, memory=4 << 20)
    assert found.selectExpr("count(*)", "count(DISTINCT key)", "min(items_value)", "max(items_value)").first() == (
        groups,
        groups,
        4.0,
        4.0,
    )


def test_bounded_kinds_and_samples_keep_their_promise(df: Any, table: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    # Intervals of 95 % hold for these random choices.
    monkeypatch.setattr("secrets.randbits", lambda bits: 29)
    wanted: dict[str, tuple[Any, ...]] = {
        "kll": ("ms", crivo.Kll.for_error(0.01)),
        "req": ("ms", crivo.ReqSketch.for_error(0.05)),
        "low": ("ms", crivo.ReqSketch.for_error(0.05, low=True)),
        "misra_gries": ("page", crivo.MisraGries.for_error(0.01)),
        "space_saving": ("page", crivo.SpaceSaving.for_error(0.01)),
        "sample": ("number", crivo.Reservoir(200)),
        "weighted": ("number", crivo.WeightedReservoir(50), "ms"),
        "sums": ("country", crivo.VarOpt(400), "ms"),
        "scalable": ("number", crivo.ScalableBloom.with_fpr(9_000, 0.01)),
    }
    result = crivo.spark.aggregate(df.repartition(8), wanted)
    first, again = result.first(), result.first()
    sketches = {name: crivo.from_bytes(bytes(first[name])) for name in wanted}
    values = sorted(table["ms"].to_pylist())
    for name in ("kll", "req", "low"):
        assert sketches[name].total() == ROWS
        for rank in (0.01, 0.1, 0.5, 0.9, 0.99):
            answer = sketches[name].quantile(rank)
            assert answer.lower <= values[int(rank * ROWS)] <= answer.upper, (name, rank, answer)
    counts = {pair["values"]: pair["counts"] for pair in table["page"].value_counts().to_pylist()}
    for name in ("misra_gries", "space_saving"):
        assert sketches[name].total() == ROWS
        assert all(counts[page] in sketches[name].frequency(page) for page in list(counts)[:200])
        assert {page for page, count in counts.items() if count > 0.01 * ROWS} <= set(sketches[name].top(200)["item"])
    numbers = set(table["number"].drop_null().to_pylist())
    assert len(sketches["sample"].sample()) == 200 and set(sketches["sample"].sample()) <= numbers
    assert sketches["sample"].total() == len(table["number"].drop_null())
    assert len(sketches["weighted"].sample()) == 50
    of_brazil = sum(row["ms"] for row in table.to_pylist() if row["country"] == "BR")
    # The variance of the sum of a share p of all weights is at most that of k draws, p / k. Five standard deviations are 1 in a million.
    sums = sketches["sums"]
    share = of_brazil / sums.total_weight()
    found = sums.subset_sum(lambda country: country == "BR").value
    assert abs(found / sums.total_weight() - share) <= 5 * math.sqrt(share / 400)
    assert sketches["scalable"].contains(sorted(numbers)).all()
    # The parts draw random choices of their own, and a task that runs again draws the same ones.
    assert first == again


@pytest.mark.parametrize("how", ["worker", "executor"])
def test_what_fails_changes_nothing(df: Any, table: pa.Table, folder: pathlib.Path, how: str) -> None:
    once = folder / f"once-{how}"
    made = {
        "counts": Failing(crivo.CountMin.for_error(0.001), "page", None, False, str(once), how),
        "users": Failing(crivo.ExaLogLog.for_error(0.02), "user", None, False, str(once), how),
    }
    row = merged(df.repartition(8), made, (), (), MEMORY).first()
    assert once.exists()
    assert bytes(row["counts"]) == one_pass(table, ("page", made["counts"].empty))
    assert bytes(row["users"]) == one_pass(table, ("user", made["users"].empty))


def test_sketches_do_not_pass_through_the_driver(spark: Any, folder: pathlib.Path) -> None:
    """The session refuses jobs whose tasks send more than 4 MiB to the driver. The partial sketches here take 8 × 1.2 MB, and those of the
    groups 20 MB."""
    rows = spark.range(0, 800_000, numPartitions=8).selectExpr("id", "id % 200000 AS key")
    large = {"ids": ("id", crivo.BloomFilter.with_fpr(1_000_000, 0.01))}
    one = crivo.spark.aggregate(rows, large)
    assert one.selectExpr("length(ids) > 1000000").first() == (True,)
    groups = crivo.spark.aggregate(rows, {"ids": ("id", crivo.KMinValues.for_error(0.1))}, by="key")
    groups.write.parquet(str(folder / "groups"))
    assert spark.read.parquet(str(folder / "groups")).selectExpr("count(*)", "min(length(ids)) > 50").first() == (200_000, True)


def test_profiles_of_groups_are_those_of_the_groups(df: Any, table: pa.Table) -> None:
    whole = crivo.spark.profile(df.repartition(4))
    assert_same_profile(whole, crivo.profile(table))
    for row in crivo.spark.profile(df.repartition(3), by="country").collect():
        of = pa.compute.is_null(table["country"])
        if row["country"] is not None:
            of = pa.compute.fill_null(pa.compute.equal(table["country"], row["country"]), False)
        alone = crivo.profile(table.filter(of).drop_columns("country"))
        assert_same_profile(crivo.from_bytes(bytes(row["profile"])), alone)


def assert_same_profile(found: Any, alone: Any) -> None:
    """Exact answers are equal; the others are within the error bars of both."""
    assert found.columns == alone.columns and found.rows == alone.rows
    for name in alone.columns:
        ours, theirs = found.column(name), alone.column(name)
        for exact in ("type", "rows", "missing", "minimum", "maximum"):
            assert ours[exact] == theirs[exact], (name, exact)
        for close in ("mean", "standard_deviation"):
            is_same = ours[close] == theirs[close] or math.isclose(ours[close], theirs[close], rel_tol=1e-9)
            assert is_same, (name, close)
        for bounded in ("distinct", "median"):
            one, other = ours[bounded], theirs[bounded]
            if one is not None:
                assert one.lower <= other.upper and other.lower <= one.upper, (name, bounded)
