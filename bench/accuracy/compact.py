"""Compares the bytes of mergeable counters of distinct items: Crivo's ExaLogLog, usual and compact, with CPC and HLL of Apache DataSketches.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install datasketches
    cargo build --release -p crivo-cli
    /tmp/venv/bin/python bench/accuracy/compact.py --crivo target/release/crivo

Every counter sees the same numbers. The variance of an estimate is the theory of each, for many items:

* ExaLogLog: 0.1320/m (docs/STATISTICS.md);
* CPC: its estimator for merged sketches (ICON) has a standard error of ln 2/√k (Lang 2017, arXiv:1708.06839; the constant
  ICON_ERROR_CONSTANT = ln 2 in cpc_confidence.hpp of DataSketches), so the variance is 0.4805/k;
* HLL: its estimator for merged sketches has a standard error of 1.04/√k (Flajolet et al. 2007), so the variance is 1.079/k.

Estimators for a single stream that is never merged (HIP, martingale) are more precise and are not compared here. The output is
Markdown, for docs/bench/.
"""

import argparse
import importlib.metadata
import math
import pathlib
import subprocess
import tempfile

import datasketches

SIZES = [10, 11, 12, 13, 14]
ITEMS = [10**exponent for exponent in range(3, 8)]
VARIANCE = {"exaloglog": 0.1320, "exaloglog, compact": 0.1320, "CPC": math.log(2) ** 2, "HLL_4": 1.04**2}


def crivo_bytes(crivo, folder, size, numbers):
    """The bytes of the usual and of the compact file."""
    usual, compact = folder / "usual.crv", folder / "compact.crv"
    count = [crivo, "distinct", "--kind", "exaloglog", "--precision", str(size), "--save", usual, "--force", numbers]
    subprocess.run(count, check=True, stdout=subprocess.DEVNULL)
    shrink = [crivo, "merge", usual, "--compact", "-o", compact, "--force"]
    subprocess.run(shrink, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([crivo, "verify", compact], check=True, stdout=subprocess.DEVNULL)
    return usual.stat().st_size, compact.stat().st_size


def sizes(crivo, folder):
    """For each size and number of items, the bytes of each counter."""
    found = {}
    cpc = {size: datasketches.cpc_sketch(size) for size in SIZES}
    hll = {size: datasketches.hll_sketch(size, datasketches.tgt_hll_type.HLL_4) for size in SIZES}
    done = 0
    for items in ITEMS:
        numbers = folder / "numbers"
        with numbers.open("w") as file:
            file.writelines(f"{number}\n" for number in range(items))
        for number in range(done, items):
            for size in SIZES:
                cpc[size].update(number)
                hll[size].update(number)
        done = items
        for size in SIZES:
            usual, compact = crivo_bytes(crivo, folder, size, numbers)
            found[size, items] = {
                "exaloglog": usual,
                "exaloglog, compact": compact,
                "CPC": len(cpc[size].serialize()),
                "HLL_4": len(hll[size].serialize_compact()),
            }
    return found


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--crivo", default="target/release/crivo")
    crivo = arguments.parse_args().crivo
    version = subprocess.run([crivo, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        found = sizes(crivo, pathlib.Path(folder))

    print("# Bytes of mergeable counters\n")
    print(f"Printed by `bench/accuracy/compact.py` with {version} and datasketches {importlib.metadata.version('datasketches')}.")
    print("Bytes are the size of the whole serialised sketch of 2^size registers or rows. The script says where the variances come from.\n")
    print("## Bytes\n")
    print("| size | items | " + " | ".join(VARIANCE) + " |")
    print("|---:|---:|" + "---:|" * len(VARIANCE))
    for (size, items), counters in found.items():
        print(f"| {size} | {items:,} | " + " | ".join(f"{counters[name]:,}" for name in VARIANCE) + " |")
    print(f"\n## Bits times relative variance, at {ITEMS[-1]:,} items\n")
    print("The variance is the one for many items. Less is better: it is the size at equal error.\n")
    print("| size | " + " | ".join(VARIANCE) + " |")
    print("|---:|" + "---:|" * len(VARIANCE))
    for size in SIZES:
        counters = found[size, ITEMS[-1]]
        product = {name: 8 * counters[name] * VARIANCE[name] / 2**size for name in VARIANCE}
        print(f"| {size} | " + " | ".join(f"{product[name]:.2f}" for name in VARIANCE) + " |")


if __name__ == "__main__":
    main()
