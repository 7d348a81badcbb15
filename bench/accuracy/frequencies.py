"""Compares the intervals of frequencies: Crivo's Count-Min sketch with the one of Apache DataSketches, at one shape.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install datasketches numpy
    cargo build --release -p crivo-cli
    /tmp/venv/bin/python bench/accuracy/frequencies.py --crivo target/release/crivo

Every trial counts a stream in a new sketch of five rows, and asks for the frequencies of 1,000 items: half of them drawn from the
distinct ones, half absent. `crivo count` prints the estimate and the interval that the cells of the sketch allow. DataSketches has
the smallest counter, and a bound on its error as a share of the stream, which takes no notice of the cells: the interval reaches
that far below the counter. (`get_lower_bound` and `get_upper_bound` of datasketches 5.2.0 reach as far above it, where the truth
cannot be.) Errors and lengths are means over all trials and items, as a share of the stream, in units of 10⁻⁶. The output is
Markdown, for docs/bench/.
"""

import argparse
import collections
import importlib.metadata
import json
import pathlib
import subprocess
import tempfile

import datasketches
import numpy

ITEMS = 200_000
ROWS = 5
ERROR = 0.001


def streams(rng):
    """Skewed, even, and as few giants as make the error of most rows as uneven as possible."""
    giants = numpy.concatenate([numpy.repeat(numpy.arange(300), 600), 1_000 + rng.integers(0, 20_000, ITEMS - 180_000)])
    return {
        "Zipf, exponent 1.1": numpy.minimum(rng.zipf(1.1, ITEMS), 10**9),
        "uniform, 20,000 items": rng.integers(0, 20_000, ITEMS),
        "300 giants, 20,000 rare items": giants,
    }


def ours(crivo, folder, seed, stream, asked):
    (folder / "stream").write_text("".join(f"{item}\n" for item in stream))
    (folder / "keys").write_text("".join(f"{key}\n" for key in asked))
    sketch = folder / "sketch.crv"
    read = [crivo, "count", folder / "stream", "--error", str(ERROR), "--seed", str(seed), "--save", sketch, "--force"]
    subprocess.run(read, check=True, stdout=subprocess.DEVNULL)
    facts = json.loads(subprocess.run([crivo, "info", sketch, "--json"], check=True, capture_output=True).stdout)["facts"]
    assert facts["depth"] == ROWS, facts
    ask = [crivo, "count", "--from", sketch, "--json", *map(str, asked)]
    lines = subprocess.run(ask, check=True, capture_output=True).stdout.splitlines()
    answers = [json.loads(line) for line in lines]
    bars = [answer["frequency"] for answer in answers if answer["type"] == "frequency"]
    return facts["width"], [(bar["value"], bar["lower"], bar["upper"]) for bar in bars]


def peer(width, seed, stream, asked):
    sketch = datasketches.count_min_sketch(ROWS, width, seed)
    for item in stream:
        sketch.update(int(item))
    most = sketch.get_relative_error() * sketch.total_weight
    return [(counter, max(0.0, counter - most), counter) for counter in map(sketch.get_estimate, asked)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crivo", type=pathlib.Path, required=True)
    parser.add_argument("--trials", type=int, default=40)
    args = parser.parse_args()
    version = subprocess.run([args.crivo, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    results = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        for trial in range(args.trials):
            rng = numpy.random.default_rng(trial)
            for law, stream in streams(rng).items():
                counts = collections.Counter(map(int, stream))
                present = rng.choice(sorted(counts), 500, replace=True)
                asked = [*map(int, present), *range(2 * 10**9, 2 * 10**9 + 500)]
                truths = [counts[key] for key in asked]
                width, found = ours(args.crivo, pathlib.Path(name), 1 + trial, stream, asked)
                for library, answers in [("DataSketches", peer(width, 1 + trial, stream, asked)), ("Crivo", found)]:
                    for truth, (value, lower, upper) in zip(truths, answers):
                        results[law, library].append((value - truth, upper - lower, lower <= truth <= upper))
    print("# Intervals of frequencies\n")
    print(f"Printed by `bench/accuracy/frequencies.py` with {version} and datasketches {importlib.metadata.version('datasketches')}.")
    print(f"{args.trials} streams of {ITEMS:,} items for each row, sketches of {ROWS} × {width:,} counters, and 1,000 items asked for in each.\n")
    print("| stream | sketch | mean error | mean absolute error | mean length | intervals with the truth |")
    print("|---|---|---:|---:|---:|---:|")
    for (law, library), answers in results.items():
        errors, lengths, inside = (numpy.array(column, dtype=float) for column in zip(*answers))
        micro = 1e6 / ITEMS
        cells = [errors.mean() * micro, numpy.abs(errors).mean() * micro, lengths.mean() * micro]
        print(f"| {law} | {library} | " + " | ".join(f"{cell:.1f}" for cell in cells) + f" | {100 * inside.mean():.1f} % |")


if __name__ == "__main__":
    main()
