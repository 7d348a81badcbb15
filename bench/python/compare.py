"""Compares the Python package with its peers from the package index, and prints the tables of docs/bench.

    pip install ./crates/crivo-py datasketches datasketch rensa rbloom pybloomfiltermmap3 polars duckdb pandas pyarrow
    python bench/python/compare.py [--items 10000000] [--passages FILE.jsonl]

Each measurement runs three times; the table has the fastest run, in nanoseconds for each item. A peer that is not
installed is left out. No measurement is a test: the machine and its other work decide the numbers.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import random
import tempfile
import time
from collections.abc import Callable
from typing import Any

import crivo
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa


def fastest(work: Callable[[], Any], runs: int = 3) -> float:
    """The seconds of the fastest run."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


class Page:
    """Tables, printed as they grow."""

    def table(self, title: str, head: list[str]) -> None:
        print(f"\n## {title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)

    def row(self, *cells: object) -> None:
        print(f"| {' | '.join(str(cell) for cell in cells)} |", flush=True)


def peer(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def each(update: Callable[[Any], Any], items: Any) -> Callable[[], None]:
    def work() -> None:
        for item in items:
            update(item)

    return work


def counters(page: Page, ints: np.ndarray, texts: pa.Array) -> None:
    page.table("Distinct counts: nanoseconds for each item", ["what", "int64, numpy", "short strings, Arrow"])
    few_ints, few_texts = ints[: len(ints) // 20].tolist(), texts[: len(texts) // 20].to_pylist()

    def line(name: str, of_ints: Callable[[], Any] | None, of_texts: Callable[[], Any], share: int = 1) -> None:
        page.row(
            name,
            f"{fastest(of_ints) * share / len(ints) * 1e9:.1f}" if of_ints else "–",
            f"{fastest(of_texts) * share / len(texts) * 1e9:.1f}",
        )

    for kind in (crivo.HyperLogLog, crivo.ExaLogLog, crivo.KMinValues):
        line(
            f"crivo `{kind.__name__}`, 1 %",
            lambda kind=kind: kind.of(ints, error=0.02),
            lambda kind=kind: kind.of(texts, error=0.02),
        )
    if datasketches := peer("datasketches"):
        for name in ("hll_sketch", "cpc_sketch"):
            make = getattr(datasketches, name)
            line(
                f"datasketches `{name}(12)`, item by item",
                lambda make=make: each(make(12).update, few_ints)(),
                lambda make=make: each(make(12).update, few_texts)(),
                20,
            )
    if datasketch := peer("datasketch"):
        encoded = [text.encode() for text in few_texts[: len(few_texts) // 10]]
        line(
            "datasketch `HyperLogLogPlusPlus(12)`",
            None,
            lambda: each(datasketch.HyperLogLogPlusPlus(p=12).update, encoded)(),
            200,
        )
    series, words = pl.Series(ints), pl.Series(texts)
    line("polars `n_unique` (exact)", series.n_unique, words.n_unique)
    line("polars `approx_n_unique`", series.approx_n_unique, words.approx_n_unique)
    of_ints, of_words = pa.table({"x": pa.array(ints)}), pa.table({"x": texts})
    line(
        "DuckDB `approx_count_distinct`",
        lambda: duckdb.from_arrow(of_ints).aggregate("approx_count_distinct(x)").fetchall(),
        lambda: duckdb.from_arrow(of_words).aggregate("approx_count_distinct(x)").fetchall(),
    )
    line("pandas `nunique` (exact)", pd.Series(ints).nunique, pd.Series(texts.to_pylist()).nunique)
    line("`set` (exact)", lambda: set(few_ints), lambda: set(few_texts), 20)


def single(page: Page, count: int) -> None:
    page.table("One item at a time: nanoseconds for each call", ["what", "str", "int"])
    texts, ints = [f"user{i}" for i in range(count)], list(range(count))
    for name, make in (
        ("crivo `HyperLogLog.add`", lambda: crivo.HyperLogLog.for_error(0.02)),
        ("crivo `BloomFilter.add`", lambda: crivo.BloomFilter.with_fpr(count, 0.01)),
        ("`set.add`", set),
    ):
        one, other = (fastest(lambda items=items: each(make().add, items)()) for items in (texts, ints))
        page.row(name, f"{one / count * 1e9:.0f}", f"{other / count * 1e9:.0f}")


def filters(page: Page, ints: np.ndarray, texts: pa.Array) -> None:
    page.table("Bloom filters at 1 %: nanoseconds for each item", ["what", "update", "contains"])
    n = len(ints)

    def line(name: str, update: Callable[[], Any], contains: Callable[[Any], Any], items: int) -> None:
        filled = update()
        page.row(
            name,
            f"{fastest(update) / items * 1e9:.1f}",
            f"{fastest(lambda: contains(filled)) / items * 1e9:.1f}",
        )

    for kind in (crivo.BloomFilter, crivo.BlockedBloom):

        def update(kind: Any = kind) -> Any:
            made = kind.with_fpr(n, 0.01)
            made.update(ints)
            return made

        line(f"crivo `{kind.__name__}`, numpy int64", update, lambda made: made.contains(ints), n)

        def update_texts(kind: Any = kind) -> Any:
            made = kind.with_fpr(len(texts), 0.01)
            made.update(texts)
            return made

        line(f"crivo `{kind.__name__}`, Arrow strings", update_texts, lambda made: made.contains(texts), len(texts))
    few = ints[: n // 10].tolist()
    if rbloom := peer("rbloom"):

        def of_rbloom() -> Any:
            made = rbloom.Bloom(len(few), 0.01)
            made.update(few)
            return made

        line("rbloom, list of int", of_rbloom, lambda made: [item in made for item in few], len(few))
    if mapped := peer("pybloomfilter"):

        def of_mapped() -> Any:
            made = mapped.BloomFilter(len(few), 0.01)
            made.update(few)
            return made

        line("pybloomfiltermmap3, list of int", of_mapped, lambda made: [item in made for item in few], len(few))


def quantiles(page: Page, floats: np.ndarray) -> None:
    page.table("Quantiles of float64 from numpy: nanoseconds for each value", ["what", "update"])
    rows = {
        "crivo `Kll`, rank error 1 %": lambda: crivo.Kll.of(floats, error=0.01),
        "crivo `LogQuantiles`, value error 1 %": lambda: crivo.LogQuantiles.of(floats, error=0.01),
        "`numpy.quantile` (exact)": lambda: np.quantile(floats, [0.5, 0.99]),
    }
    if datasketches := peer("datasketches"):
        rows["datasketches `kll_doubles_sketch(269)`, about 1 %"] = lambda: datasketches.kll_doubles_sketch(269).update(
            floats
        )
        rows["datasketches `req_floats_sketch(12)`"] = lambda: datasketches.req_floats_sketch(12).update(
            floats.astype(np.float32)
        )
    for name, work in rows.items():
        page.row(name, f"{fastest(work) / len(floats) * 1e9:.1f}")


def corpus(path: str | None) -> list[str]:
    if path:
        with open(path) as lines:
            return [json.loads(line)["text"] for line in lines]
    generator = random.Random(1)
    words = [f"word{i}" for i in range(20_000)]
    texts = [" ".join(generator.choices(words, k=100)) for _ in range(10_000)]
    return texts + [text.replace("word1", "changed", 2) for text in texts[:1000]]


def near(page: Page, path: str | None) -> None:
    texts = corpus(path)
    page.table(f"Near-duplicates of {len(texts):,} texts, shingles of 3 words, similarity 0.8", ["what", "seconds", "pairs"])
    pairs = crivo.near_duplicates(texts, 0.8)
    page.row("crivo `near_duplicates`, recall 0.99, verified", f"{fastest(lambda: crivo.near_duplicates(texts, 0.8)):.2f}", len(pairs))

    def shingles(text: str) -> list[str]:
        words = text.lower().split()
        return [" ".join(words[i : i + 3]) for i in range(max(1, len(words) - 2))]

    if rensa := peer("rensa"):

        def of_rensa() -> int:
            index = rensa.RMinHashLSH(threshold=0.8, num_perm=128, num_bands=16)
            signatures = []
            for place, text in enumerate(texts):
                made = rensa.RMinHash(num_perm=128, seed=1)
                made.update(shingles(text))
                index.insert(place, made)
                signatures.append(made)
            found = 0
            for place, made in enumerate(signatures):
                found += sum(other > place and made.jaccard(signatures[other]) >= 0.8 for other in index.query(made))
            return found

        page.row("rensa `RMinHashLSH`, 128 slots, 16 bands", f"{fastest(of_rensa, 1):.2f}", of_rensa())
    if datasketch := peer("datasketch"):

        def of_datasketch() -> int:
            index = datasketch.MinHashLSH(threshold=0.8, num_perm=128)
            sets = [[s.encode() for s in shingles(text)] for text in texts]
            signatures = datasketch.MinHash.bulk(sets, num_perm=128)
            for place, made in enumerate(signatures):
                index.insert(place, made)
            return sum(other > place for place, made in enumerate(signatures) for other in index.query(made))

        page.row("datasketch `MinHashLSH`, 128 slots, unverified", f"{fastest(of_datasketch, 1):.2f}", of_datasketch())


def profiles(page: Page, rows: int) -> None:
    generator = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "user": [f"u{i}" for i in generator.zipf(1.3, rows) % 100_000],
            "country": generator.choice(["BR", "PT", "MZ", "AO"], rows),
            "ms": generator.lognormal(3, 1, rows).round(2),
            "status": generator.choice([200, 404, 500], rows),
        }
    )
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.parquet")
        frame.write_parquet(path)
        page.table(f"Profile of a table of {rows:,} rows and {frame.width} columns: seconds", ["what", "seconds"])
        page.row("crivo `profile(path)`, Parquet", f"{fastest(lambda: crivo.profile(path, progress=False)):.2f}")
        page.row("crivo `profile(frame)`, polars", f"{fastest(lambda: crivo.profile(frame)):.2f}")
        page.row("DuckDB `SUMMARIZE`, Parquet", f"{fastest(lambda: duckdb.sql(f'SUMMARIZE FROM {path!r}').fetchall()):.2f}")
        page.row("pandas `describe(include='all')`, in memory", f"{fastest(lambda it=frame.to_pandas(): it.describe(include='all')):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", type=int, default=10_000_000)
    parser.add_argument("--passages")
    asked = parser.parse_args()
    names = ["crivo-sketches", "datasketches", "datasketch", "rensa", "rbloom", "pybloomfiltermmap3", "polars", "duckdb", "pandas", "numpy"]
    versions = []
    for name in names:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"{name} is not installed")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores. {', '.join(versions)}.")
    page = Page()
    ints = np.random.default_rng(1).integers(0, 2**62, asked.items)
    texts = pa.array([f"user{i}" for i in range(asked.items)])
    counters(page, ints, texts)
    single(page, 1_000_000)
    filters(page, ints, texts)
    quantiles(page, np.random.default_rng(2).lognormal(3, 1, asked.items))
    near(page, asked.passages)
    profiles(page, 1_000_000)


if __name__ == "__main__":
    main()
