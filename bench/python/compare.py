"""Compares the Python package with its peers from the package index, and prints the tables of docs/bench.

    pip install ./crates/crivo-py datasketches datasketch rensa gaoya rbloom pybloomfiltermmap3 polars duckdb pandas pyarrow
    python bench/python/compare.py [--items 10000000] [--works FOLDER] [--flights FILE.parquet]

`--works` is a folder of plain texts, from which passages are cut for near-duplicates; `--flights` is the Parquet file of nycflights13. In each
round every contender of a table runs once, in rotating order. A number is the least CPU time of all rounds, of all threads of the process.
A peer that is not installed is left out. No measurement is a test: the machine and its other work decide the numbers.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import os
import pathlib
import platform
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from typing import Any

import crivo
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet

Work = Callable[[], Any]


def peer(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def cpu() -> float:
    """The CPU seconds of this process and of the ended children, of all threads."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def race(contenders: dict[Any, Work], rounds: int) -> dict[Any, float]:
    """The least CPU seconds of each contender; in each round every one runs once, in rotating order."""
    names, best = list(contenders), dict.fromkeys(contenders, float("inf"))
    for turn in range(rounds):
        shift = turn % len(names)
        for name in names[shift:] + names[:shift]:
            start = cpu()
            contenders[name]()
            best[name] = min(best[name], cpu() - start)
    return best


def table(title: str, head: list[str], rows: Iterable[Iterable[str]]) -> None:
    print(f"\n### {title}\n\n| {' | '.join(head)} |\n|---|{'---:|' * (len(head) - 1)}", flush=True)
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def each(update: Callable[[Any], Any], items: Any) -> None:
    for item in items:
        update(item)


def per_item(title: str, head: list[str], lines: dict[str, list[tuple[Work, int] | None]], rounds: int) -> None:
    """A table of nanoseconds for each item: a line has a cell for each column, of work and its number of items."""
    cells = {(name, at): cell for name, line in lines.items() for at, cell in enumerate(line) if cell}
    best = race({key: work for key, (work, _) in cells.items()}, rounds)
    shown = {key: f"{seconds / cells[key][1] * 1e9:.1f}" for key, seconds in best.items()}
    table(title, head, [[name, *(shown.get((name, at), "–") for at in range(len(head) - 1))] for name in lines])


def counters(ints: np.ndarray, texts: pa.Array, rounds: int) -> None:
    n = len(ints)
    few_ints, few_texts = ints[: n // 20].tolist(), texts[: n // 20].to_pylist()
    series, words = pl.Series(ints), pl.Series(texts)
    arrow_ints, arrow_words = pa.table({"x": pa.array(ints)}), pa.table({"x": texts})
    pandas_ints, pandas_words = pd.Series(ints), pd.Series(texts.to_pylist())
    lines: dict[str, list[tuple[Work, int] | None]] = {}
    for kind in (crivo.HyperLogLog, crivo.ExaLogLog, crivo.KMinValues):
        lines[f"crivo `{kind.__name__}`, 1 %"] = [
            (lambda kind=kind: kind.of(ints, error=0.02), n),
            (lambda kind=kind: kind.of(texts, error=0.02), n),
        ]
    if datasketches := peer("datasketches"):
        for name in ("hll_sketch", "cpc_sketch"):
            make = getattr(datasketches, name)
            lines[f"datasketches `{name}(12)`, item by item"] = [
                (lambda make=make: each(make(12).update, few_ints), len(few_ints)),
                (lambda make=make: each(make(12).update, few_texts), len(few_texts)),
            ]
    if datasketch := peer("datasketch"):
        coded = [text.encode() for text in few_texts[: n // 200]]
        lines["datasketch `HyperLogLogPlusPlus(12)`, item by item"] = [
            None,
            (lambda: each(datasketch.HyperLogLogPlusPlus(p=12).update, coded), len(coded)),
        ]
    lines["polars `n_unique` (exact)"] = [(series.n_unique, n), (words.n_unique, n)]
    lines["polars `approx_n_unique`"] = [(series.approx_n_unique, n), (words.approx_n_unique, n)]
    lines["DuckDB `approx_count_distinct`"] = [
        (lambda: duckdb.from_arrow(arrow_ints).aggregate("approx_count_distinct(x)").fetchall(), n),
        (lambda: duckdb.from_arrow(arrow_words).aggregate("approx_count_distinct(x)").fetchall(), n),
    ]
    lines["pandas `nunique` (exact)"] = [(pandas_ints.nunique, n), (pandas_words.nunique, n)]
    lines["`set` (exact)"] = [(lambda: set(few_ints), len(few_ints)), (lambda: set(few_texts), len(few_texts))]
    per_item(f"Distinct counts of {n:,} items: ns for each", ["what", "int64, numpy", "strings, Arrow"], lines, rounds)


def single(count: int, rounds: int) -> None:
    texts, ints = [f"user{i}" for i in range(count)], list(range(count))
    makers: dict[str, Callable[[], Any]] = {
        "crivo `HyperLogLog.add`": lambda: crivo.HyperLogLog.for_error(0.02),
        "crivo `BloomFilter.add`": lambda: crivo.BloomFilter.with_fpr(count, 0.01),
        "`set.add`": set,
    }
    if datasketches := peer("datasketches"):
        makers["datasketches `hll_sketch(12).update`"] = lambda: datasketches.hll_sketch(12)
    if rbloom := peer("rbloom"):
        makers["rbloom `Bloom.add`"] = lambda: rbloom.Bloom(count, 0.01)
    lines: dict[str, list[tuple[Work, int] | None]] = {}
    for name, make in makers.items():

        def work(items: list[Any], make: Callable[[], Any] = make) -> Work:
            def run() -> None:
                made = make()
                each(getattr(made, "add", None) or made.update, items)

            return run

        lines[name] = [(work(texts), count), (work(ints), count)]
    per_item(f"One of {count:,} items at a time: ns for each call, with the loop", ["what", "str", "int"], lines, rounds)


def filters(ints: np.ndarray, texts: pa.Array, rounds: int) -> None:
    listed = ints.tolist()
    makers: dict[str, tuple[Callable[[int], Any], Any]] = {}
    for kind in (crivo.BloomFilter, crivo.BlockedBloom):
        make = lambda n, kind=kind: kind.with_fpr(n, 0.01)  # noqa: E731
        makers[f"crivo `{kind.__name__}`, numpy int64"] = (make, ints)
        makers[f"crivo `{kind.__name__}`, Arrow strings"] = (make, texts)
        makers[f"crivo `{kind.__name__}`, list of int"] = (make, listed)
    if rbloom := peer("rbloom"):
        makers["rbloom, list of int"] = (lambda n: rbloom.Bloom(n, 0.01), listed)
    if mapped := peer("pybloomfilter"):
        makers["pybloomfiltermmap3, list of int"] = (lambda n: mapped.BloomFilter(n, 0.01), listed)
    lines: dict[str, list[tuple[Work, int] | None]] = {}
    for name, (make, items) in makers.items():

        def filled(make: Callable[[int], Any] = make, items: Any = items) -> Any:
            made = make(len(items))
            made.update(items)
            return made

        full = filled()
        contains = getattr(full, "contains", None)
        ask = (lambda full=full, items=items: full.contains(items)) if contains else (
            lambda full=full, items=items: [item in full for item in items]
        )
        lines[name] = [(filled, len(items)), (ask, len(items))]
    per_item(f"Bloom filters of {len(ints):,} items at 1 %: ns for each", ["what", "update", "contains"], lines, rounds)


def quantiles(floats: np.ndarray, rounds: int) -> None:
    n = len(floats)
    lines: dict[str, list[tuple[Work, int] | None]] = {
        "crivo `Kll`, rank error 1 %": [(lambda: crivo.Kll.of(floats, error=0.01), n)],
        "crivo `LogQuantiles`, value error 1 %": [(lambda: crivo.LogQuantiles.of(floats, error=0.01), n)],
        "`numpy.quantile` (exact)": [(lambda: np.quantile(floats, [0.5, 0.99]), n)],
    }
    if datasketches := peer("datasketches"):
        for k in (200, 269):
            lines[f"datasketches `kll_doubles_sketch({k})`"] = [
                (lambda k=k: datasketches.kll_doubles_sketch(k).update(floats), n)
            ]
        narrow = floats.astype(np.float32)
        lines["datasketches `req_floats_sketch(12)`"] = [(lambda: datasketches.req_floats_sketch(12).update(narrow), n)]
    per_item(f"Quantiles of {n:,} float64 from numpy: ns for each", ["what", "update"], lines, rounds)
    if datasketches := peer("datasketches"):
        stated = [f"{datasketches.kll_doubles_sketch(k).normalized_rank_error(False):.2%} for k = {k}" for k in (200, 269)]
        print(f"\nThe rank error that datasketches states is {', '.join(stated)}; crivo's is at most 1 %, 95 times in 100.")


WORDS = 200


def passages(works: str | None) -> tuple[list[str], set[tuple[int, int]]]:
    """Passages of 200 words at random places of texts, and all pairs of overlapping ones at 0.8 or above."""
    generator = random.Random(1)
    if works:
        # In words that all contenders cut alike.
        files = [path for path in sorted(pathlib.Path(works).glob("*")) if path.is_file()]
        texts = [re.findall("[a-z]+", path.read_text(errors="replace").lower()) for path in files]
    else:
        texts = [[f"word{generator.randrange(20_000)}" for _ in range(25_000)] for _ in range(40)]
    texts = [text for text in texts if len(text) > WORDS]
    places = []
    for text, words in enumerate(texts):
        share = 31_000 * len(words) // sum(map(len, texts))
        places += [(text, generator.randrange(len(words) - WORDS)) for _ in range(share)]
    generator.shuffle(places)
    cut = [texts[text][start : start + WORDS] for text, start in places]
    sets = [frozenset(" ".join(words[i : i + 3]) for i in range(WORDS - 2)) for words in cut]
    order = sorted(range(len(places)), key=places.__getitem__)
    pairs = set()
    for at, first in enumerate(order):
        for second in order[at + 1 :]:
            if places[second][0] != places[first][0] or places[second][1] - places[first][1] > WORDS // 4:
                break
            common = len(sets[first] & sets[second])
            if common >= 0.8 * (len(sets[first]) + len(sets[second]) - common):
                pairs.add((min(first, second), max(first, second)))
    return [" ".join(words) for words in cut], pairs


def near(works: str | None, rounds: int) -> None:
    texts, truth = passages(works)
    found: dict[str, set[tuple[int, int]]] = {}

    def shingles(text: str) -> list[str]:
        words = text.split()
        return [" ".join(words[i : i + 3]) for i in range(len(words) - 2)]

    def ours() -> None:
        pairs = crivo.near_duplicates(texts, 0.8, progress=False)
        found["crivo `near_duplicates`"] = set(zip(pairs["first"], pairs["second"]))

    contenders: dict[str, Work] = {"crivo `near_duplicates`": ours}
    # The usual bands; and as many, with as low a bound for the estimate of 128 slots, as find 99 % of the pairs.
    for bands, least in ((16, 0.8), (32, 0.72)):
        how = f"{bands} bands of {128 // bands}, estimate from {least}"
        if rensa := peer("rensa"):

            def of_rensa(bands: int = bands, least: float = least, name: str = f"rensa `RMinHashLSH`, {how}") -> None:
                signatures = rensa.RMinHash.from_token_sets([shingles(text) for text in texts], 128, 1)
                index = rensa.RMinHashLSH(threshold=0.8, num_perm=128, num_bands=bands)
                for place, made in enumerate(signatures):
                    index.insert(place, made)
                found[name] = {
                    (place, other)
                    for place, made in enumerate(signatures)
                    for other in index.query(made)
                    if other > place and made.jaccard(signatures[other]) >= least
                }

            contenders[f"rensa `RMinHashLSH`, {how}"] = of_rensa
        if gaoya := peer("gaoya.minhash"):

            def of_gaoya(bands: int = bands, least: float = least, name: str = f"gaoya `MinHashStringIndex`, {how}") -> None:
                index = gaoya.MinHashStringIndex(32, least, bands, 128 // bands, None, "word", False, (3, 3), "smallvec")
                index.par_bulk_insert_docs(list(range(len(texts))), texts)
                found[name] = {
                    (place, other)
                    for place, others in enumerate(index.par_bulk_query(texts))
                    for other in others
                    if other > place
                }

            contenders[f"gaoya `MinHashStringIndex`, {how}"] = of_gaoya
    best = race(contenders, rounds)
    rows = [
        [name, f"{best[name]:.2f}", f"{len(pairs):,}", f"{len(pairs & truth) / len(truth):.2%}"] for name, pairs in found.items()
    ]
    table(
        f"Near-duplicates of {len(texts):,} passages of {WORDS} words, similarity 0.8: CPU s",
        ["what", "CPU s", "pairs", "recall"],
        rows,
    )
    print(f"\n{len(truth):,} pairs of overlapping passages have a Jaccard similarity of 0.8 or above, over sets of three words.")


def profiles(flights: str | None, folder: str, rounds: int) -> None:
    if flights:
        one = pa.parquet.read_table(flights)
    else:
        generator = np.random.default_rng(1)
        one = pa.table(
            {
                "user": pa.array([f"u{i}" for i in generator.zipf(1.3, 300_000) % 100_000]),
                "country": pa.array(generator.choice(["BR", "PT", "MZ", "AO"], 300_000)),
                "ms": generator.lognormal(3, 1, 300_000).round(2),
                "status": generator.choice([200, 404, 500], 300_000),
            }
        )
    path = os.path.join(folder, "table.parquet")
    with pyarrow.parquet.ParquetWriter(path, one.schema, compression="zstd") as file:
        for _ in range(20):
            file.write_table(one)
    quiet = {"check": True, "stdout": subprocess.DEVNULL}
    best = race(
        {
            "crivo `profile(path)`": lambda: crivo.profile(path, progress=False),
            "the command, `crivo profile`": lambda: subprocess.run([sys.executable, "-m", "crivo", "profile", path], **quiet),
            "DuckDB `SUMMARIZE`": lambda: duckdb.sql(f"SUMMARIZE FROM '{path}'").fetchall(),
        },
        rounds,
    )
    table(
        f"Profile of a Parquet file of {20 * one.num_rows:,} rows and {one.num_columns} columns: CPU s",
        ["what", "CPU s"],
        [[name, f"{seconds:.2f}"] for name, seconds in best.items()],
    )


def starts(rounds: int) -> None:
    def run(program: str) -> Work:
        return lambda: subprocess.run([sys.executable, "-c", program], check=True)

    best = race({"crivo": run("import crivo"), "": run("pass")}, 3 * rounds)
    file = max(pathlib.Path(crivo.__file__).parent.glob("_crivo*.so"), key=lambda path: path.stat().st_size)
    size = file.stat().st_size / 2**20
    print(f"\n`import crivo` takes {1000 * (best['crivo'] - best['']):.0f} ms of CPU. The module has {size:.1f} MiB, unpacked.")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--works")
    parser.add_argument("--flights")
    asked = parser.parse_args()
    names = ["datasketches", "datasketch", "rensa", "gaoya", "rbloom", "pybloomfiltermmap3", "polars", "duckdb", "pandas", "numpy"]
    versions = []
    for name in ["crivo-sketches", *names]:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            pass
    load = f"{os.getloadavg()[0]:.1f} at the start"
    print(f"# The Python package and its peers\n\n- date: {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}")
    print(f"- Python {platform.python_version()}, {os.cpu_count()} cores, load {load}")
    print(f"- versions: {', '.join(versions)}")
    print(f"- times: the least CPU time of {asked.rounds} rounds, of all threads; in each round every contender runs once, in rotating order")
    ints = np.random.default_rng(1).integers(0, 2**62, asked.items)
    texts = pa.array([f"user{i}" for i in range(asked.items)])
    counters(ints, texts, asked.rounds)
    single(1_000_000, asked.rounds)
    filters(ints, texts, asked.rounds)
    quantiles(np.random.default_rng(2).lognormal(3, 1, asked.items), asked.rounds)
    near(asked.works, max(1, asked.rounds // 2))
    with tempfile.TemporaryDirectory() as folder:
        profiles(asked.flights, folder, max(1, asked.rounds // 2))
    starts(asked.rounds)


if __name__ == "__main__":
    main()
