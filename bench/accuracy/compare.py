"""Compares `crivo profile` and DuckDB's SUMMARIZE with the true number of distinct values and the true median of each column.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install duckdb
    cargo build --release -p crivo-cli
    /tmp/venv/bin/python bench/accuracy/compare.py --crivo target/release/crivo [TABLE.csv ...]

It starts with a table that it makes up: 100,000 rows with a fixed random seed. The output is Markdown, for docs/bench/.
"""

import argparse
import csv
import json
import pathlib
import random
import subprocess
import tempfile
import uuid

import duckdb

# What both programs are to treat as missing.
MISSING = {"", "NA"}


def made_table(folder):
    """A table of 100,000 rows: keys, and columns with few and with many distinct values."""
    path = pathlib.Path(folder) / "made.csv"
    rng = random.Random(2026)
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "uuid", "user", "amount", "seconds", "country"])
        for row in range(100_000):
            rows.writerow([
                row,
                uuid.UUID(int=rng.getrandbits(128), version=4),
                f"u{int(50_000 * rng.random() ** 3)}",
                f"{rng.lognormvariate(3, 1.5):.2f}",
                int(rng.expovariate(1 / 600)),
                rng.choice(["BR", "PT", "AO", "MZ", "US", "DE"]),
            ])
    return path


def truth(path):
    """For each column, the number of distinct values, and the lower median if all values are numbers."""
    with path.open(newline="") as file:
        columns = list(zip(*csv.reader(file)))
    found = {}
    for name, *values in columns:
        values = [value for value in values if value not in MISSING]
        try:
            numbers = sorted(float(value) for value in values)
            median = numbers[(len(numbers) - 1) // 2]
        except ValueError:
            median = None
        found[name] = (len(set(values)), median)
    return found


def by_crivo(crivo, path):
    """For each column, the estimate of the distinct values, and of the median if there is one."""
    run = subprocess.run([crivo, "profile", "--json", path], check=True, capture_output=True, text=True)
    records = map(json.loads, run.stdout.splitlines())
    found = {}
    for record in records:
        if record["type"] == "column":
            quantiles = {it["q"]: it["quantile"] for it in record.get("quantiles", [])}
            found[record["column"]] = (record["distinct"], quantiles.get(0.5))
    return found


def by_duckdb(path):
    """For each column, approx_unique and q50 of SUMMARIZE."""
    nulls = ", ".join(f"'{text}'" for text in sorted(MISSING))
    query = f"SUMMARIZE SELECT * FROM read_csv('{path}', header = true, nullstr = [{nulls}], sample_size = -1)"
    rows = duckdb.execute(query)
    names = [column[0] for column in rows.description]
    rows = [dict(zip(names, row)) for row in rows.fetchall()]
    return {row["column_name"]: (row["approx_unique"], row["q50"]) for row in rows}


def number(value):
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


def whole(value):
    return f"{value:,.0f}"


def shown(estimate, write):
    """A number, and its interval if it is not exact."""
    value, lower, upper = (write(estimate[name]) for name in ("value", "lower", "upper"))
    return value if estimate["exact"] else f"{value} ({lower} to {upper})"


def relative(found, true):
    return 100 * (found - true) / true


def compare(crivo, path):
    true, ours, theirs = truth(path), by_crivo(crivo, path), by_duckdb(path)
    print(f"\n### {path.name}: distinct values\n")
    print("| column | truth | Crivo | Crivo's error | DuckDB | DuckDB's error |")
    print("|---|---:|---:|---:|---:|---:|")
    worst, inside = [0.0, 0.0], 0
    for name, (distinct, _) in true.items():
        estimate, other = ours[name][0], theirs[name][0]
        errors = [relative(estimate["value"], distinct), relative(other, distinct)]
        worst = [max(old, abs(new)) for old, new in zip(worst, errors)]
        inside += estimate["lower"] <= distinct <= estimate["upper"]
        marks = " | ".join([shown(estimate, whole), f"{errors[0]:+.1f} %", whole(other), f"{errors[1]:+.1f} %"])
        print(f"| {name} | {whole(distinct)} | {marks} |")
    print(f"\nThe largest error is {worst[0]:.1f} % for Crivo and {worst[1]:.1f} % for DuckDB. "
          f"{inside} of {len(true)} of Crivo's intervals contain the truth.")
    print(f"\n### {path.name}: medians\n")
    print("| column | truth | Crivo | DuckDB |")
    print("|---|---:|---:|---:|")
    for name, (_, median) in true.items():
        estimate, other = ours[name][1], theirs[name][1]
        if median is not None and estimate is not None and other is not None:
            print(f"| {name} | {number(median)} | {shown(estimate, number)} | {number(float(other))} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", type=pathlib.Path)
    parser.add_argument("--crivo", default="crivo")
    arguments = parser.parse_args()
    version = subprocess.run([arguments.crivo, "--version"], check=True, capture_output=True, text=True).stdout
    print("# Accuracy of `crivo profile` and DuckDB's `SUMMARIZE`\n")
    print(f"Printed by `bench/accuracy/compare.py` with {version.strip()} and DuckDB {duckdb.__version__}. An interval in brackets\n"
          "has a confidence of 95 %; Crivo's other numbers are exact.")
    with tempfile.TemporaryDirectory() as folder:
        for path in [made_table(folder), *arguments.tables]:
            compare(arguments.crivo, path)


if __name__ == "__main__":
    main()
