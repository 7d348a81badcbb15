"""Compares the error of far quantiles with REQ of Apache DataSketches: Crivo's ReqSketch at as many kept values.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install datasketches numpy
    cargo build --release -p crivo-cli
    /tmp/venv/bin/python bench/accuracy/tails.py --crivo target/release/crivo

Every trial inserts a random permutation of 0, 1, …, n − 1, so that a value is its rank, less one. The error of the quantile q is
the distance of the rank of the answer from q·n, relative to the (1 − q)·n values beyond it: the root mean square over all
trials. Both sketches are accurate at the upper end. Sizes are compared by the values that they keep, at 8 bytes each: the float
sketch of DataSketches keeps 4 bytes of each, and Crivo those of a double. For each k of DataSketches, Crivo has the largest k that
keeps at most as many values. The output is Markdown, for docs/bench/.
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

QUANTILES = [0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999]
PEER_SIZES = [12, 24, 50]


def ours(crivo, folder, k, trial, numbers):
    """The kept values, the bytes of the file, and the answers of a sketch of this k."""
    saved = folder / f"{k}-{trial}.crv"
    # The smallest error that has this k.
    error = str(0.41 / (k - 2))
    asked = ",".join(map(str, QUANTILES))
    read = [crivo, "quantiles", numbers, "--tail", error, "--save", saved, "--force"]
    subprocess.run(read, check=True, stdout=subprocess.DEVNULL)
    ask = [crivo, "quantiles", "--from", saved, "--quantiles", asked, "--json"]
    answers = [json.loads(line) for line in subprocess.run(ask, check=True, capture_output=True).stdout.splitlines()]
    facts = json.loads(subprocess.run([crivo, "info", saved, "--json"], check=True, capture_output=True).stdout)["facts"]
    assert facts["k"] == k, f"--tail {error} has k = {facts['k']}, not {k}"
    values = [answer["quantile"]["value"] for answer in answers if answer["type"] == "quantile"]
    bars = [answer["quantile"] for answer in answers if answer["type"] == "quantile"]
    return facts["kept"], saved.stat().st_size, values, bars


def peer(k, values):
    sketch = datasketches.req_floats_sketch(k, True)
    sketch.update(values.astype(numpy.float32))
    return sketch.num_retained, len(sketch.serialize()), [sketch.get_quantile(q, True) for q in QUANTILES]


def errors(answers, items):
    return [(value + 1 - math.ceil(q * items)) / ((1 - q) * items) for q, value in zip(QUANTILES, answers)]


def row(name, kept, size, squares, trials):
    shares = " | ".join(f"{100 * math.sqrt(square / trials):.2f}" for square in squares)
    print(f"| {name} | {kept:,} | {size:,} | {shares} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crivo", type=pathlib.Path, required=True)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--trials", type=int, default=40)
    args = parser.parse_args()
    version = subprocess.run([args.crivo, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    print("# Errors of far quantiles\n")
    print(f"Printed by `bench/accuracy/tails.py` with {version} and datasketches {importlib.metadata.version('datasketches')}.")
    print(f"{args.trials} random permutations of {args.items:,} numbers; the script says what is compared.\n")
    print("## Root mean square error of the rank of a quantile, in % of the values beyond it\n")
    print("| sketch | kept values | bytes | " + " | ".join(f"q = {q}" for q in QUANTILES) + " |")
    print("|---|---:|---:|" + "---:|" * len(QUANTILES))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        streams = [numpy.random.default_rng(trial).permutation(args.items) for trial in range(args.trials)]
        inside = asked = 0
        for number, values in enumerate(streams):
            with (folder / f"numbers-{number}").open("w") as file:
                file.write("\n".join(map(str, values)) + "\n")
        for peer_k in PEER_SIZES:
            theirs = [peer(peer_k, values) for values in streams]
            most = theirs[0][0]
            k = 4
            while ours(args.crivo, folder, k + 1, 0, folder / "numbers-0")[0] <= most:
                k += 1
            found = [ours(args.crivo, folder, k, trial, folder / f"numbers-{trial}") for trial in range(args.trials)]
            for name, runs in [(f"DataSketches REQ, k = {peer_k}", theirs), (f"Crivo ReqSketch, k = {k}", found)]:
                squares = numpy.sum([numpy.square(errors(run[2], args.items)) for run in runs], axis=0)
                row(name, runs[0][0], runs[0][1], squares, args.trials)
            for run in found:
                for q, bar in zip(QUANTILES, run[3]):
                    inside += bar["lower"] <= math.ceil(q * args.items) - 1 <= bar["upper"]
                    asked += 1
    print(f"\nThe 95 % intervals of ReqSketch held the true quantile in {inside} of {asked} cases.")


if __name__ == "__main__":
    main()
