"""Compares the sums of weights that a sample estimates: Crivo's VarOpt with VarOpt of Apache DataSketches.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install datasketches numpy
    cargo build --release -p crivo-cli
    /tmp/venv/bin/python bench/accuracy/sums.py --crivo target/release/crivo

Every trial draws a sample of k rows, in one pass or merged from four parts of unlike sizes, and estimates the sum of the weights of
three subsets: a tenth of the rows, every hundredth row, and the last half. The error is the root mean square over all trials, as a
share of the true sum, and so is the mean length of the interval. Both libraries promise 95 %. The output is
Markdown, for docs/bench/.
"""

import argparse
import importlib.metadata
import json
import math
import pathlib
import subprocess
import tempfile

import datasketches
import numpy

ROWS = 20_000
CUTS = [0, 60, 2_000, 9_000, ROWS]
SIZES = [100, 1_000]


def weights():
    rng = numpy.random.default_rng(1)
    uniform = rng.random(ROWS)
    return {"uniform": 1.0 - uniform, "log-normal, σ = 2": numpy.exp(2.0 * rng.standard_normal(ROWS)), "Pareto, α = 1": 1.0 / (1.0 - uniform)}


SUBSETS = {
    "a tenth": lambda row: row % 10 == 7,
    "a hundredth": lambda row: row % 100 == 7,
    "the last half": lambda row: row >= ROWS // 2,
}


def ours(crivo, folder, k, trial, tables, merged):
    """The sum of each subset and its interval; each subset has tables and samples of its own."""
    found = {}
    for subset, table in tables.items():
        saved = folder / "sample.crv"
        if merged:
            for part in range(4):
                draw(crivo, table[1 + part], folder / f"part-{part}.crv", k, 10 * trial + part)
            parts = [folder / f"part-{part}.crv" for part in range(4)]
            subprocess.run([crivo, "merge", *parts, "-o", saved, "--force"], check=True, stdout=subprocess.DEVNULL)
        else:
            draw(crivo, table[0], saved, k, 10 * trial)
        ask = [crivo, "sample", "--from", saved, "--where", "inside=1", "--json"]
        answer = json.loads(subprocess.run(ask, check=True, capture_output=True).stdout.splitlines()[0])["sum"]
        found[subset] = (answer["value"], answer["lower"], answer["upper"])
    return found


def draw(crivo, table, saved, k, seed):
    command = [crivo, "sample", table, "--weight", "weight", "--where", "inside=1", "-n", str(k), "--seed", str(seed)]
    subprocess.run([*command, "--save", saved, "--force"], check=True, stdout=subprocess.DEVNULL)


def peer(k, numbers, members, merged):
    sketches = [datasketches.var_opt_sketch(k) for _ in range(4 if merged else 1)]
    for row, weight in enumerate(numbers):
        part = sum(row >= cut for cut in CUTS[1:-1]) if merged else 0
        sketches[part].update(row, weight)
    sketch = sketches[0]
    if merged:
        union = datasketches.var_opt_union(k)
        for part in sketches:
            union.update(part)
        sketch = union.get_result()
    found = {}
    for subset, rows in members.items():
        answer = sketch.estimate_subset_sum(lambda row, rows=rows: rows[row])
        found[subset] = (answer["estimate"], answer["lower_bound"], answer["upper_bound"])
    return found


def row(name, answers, truths):
    cells = []
    for subset, truth in truths.items():
        values = [answer[subset] for answer in answers]
        error = math.sqrt(sum((value - truth) ** 2 for value, _, _ in values) / len(values)) / truth
        length = sum(upper - lower for _, lower, upper in values) / len(values) / truth
        inside = sum(lower - 1e-9 * truth <= truth <= upper + 1e-9 * truth for _, lower, upper in values)
        cells.append(f"{100 * error:.1f} | {100 * length:.1f} | {inside}")
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crivo", type=pathlib.Path, required=True)
    parser.add_argument("--trials", type=int, default=100)
    args = parser.parse_args()
    version = subprocess.run([args.crivo, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    members = {subset: [has(row) for row in range(ROWS)] for subset, has in SUBSETS.items()}
    print("# Sums of weights from samples\n")
    print(f"Printed by `bench/accuracy/sums.py` with {version} and datasketches {importlib.metadata.version('datasketches')}.")
    print(f"{args.trials} samples of {ROWS:,} rows; errors and lengths of intervals are in % of the true sum, and `inside` is how many intervals have it.")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for law, numbers in weights().items():
            tables = {}
            for number, (subset, rows) in enumerate(members.items()):
                tables[subset] = []
                for start, end in [(0, ROWS), *zip(CUTS, CUTS[1:])]:
                    table = folder / f"{number}-{start}-{end}.csv"
                    lines = (f"{int(rows[at])},{float(numbers[at])!r}\n" for at in range(start, end))
                    table.write_text("inside,weight\n" + "".join(lines))
                    tables[subset].append(table)
            truths = {subset: float(numbers[numpy.array(rows)].sum()) for subset, rows in members.items()}
            print(f"\n## Weights: {law}\n")
            heads = " | ".join(f"{subset}: error | length | inside" for subset in members)
            print(f"| sample | {heads} |")
            print("|---|" + "---:|" * (3 * len(members)))
            for k in SIZES:
                for merged in [False, True]:
                    way = f"k = {k:,}{', merged' if merged else ''}"
                    row(f"DataSketches, {way}", [peer(k, numbers, members, merged) for _ in range(args.trials)], truths)
                    found = [ours(args.crivo, folder, k, trial, tables, merged) for trial in range(args.trials)]
                    row(f"Crivo, {way}", found, truths)


if __name__ == "__main__":
    main()
