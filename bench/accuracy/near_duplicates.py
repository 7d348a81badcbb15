"""Compares `crivo dups` with MinHash and LSH of the Python package datasketch on a corpus with planted near-duplicates.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install datasketch
    cargo build --release -p crivo-cli
    /tmp/venv/bin/python bench/accuracy/near_duplicates.py --crivo target/release/crivo

The corpus has 20,000 texts of 100 words, of which 2,000 are copies of others with up to eight words replaced. Both programs compare runs
of three words at a threshold of 0.8. The truth are the planted pairs whose Jaccard similarity is at least 0.8. The output is Markdown,
for docs/bench/.
"""

import argparse
import json
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
from importlib.metadata import version

TEXTS, COPIES, WORDS, THRESHOLD = 20_000, 2_000, 100, 0.8


def shingles(words):
    return {" ".join(words[i:i + 3]) for i in range(len(words) - 2)}


def similarity(a, b):
    a, b = shingles(a), shingles(b)
    return len(a & b) / len(a | b)


def made_corpus(path):
    """Writes the corpus, and returns the pairs of similar texts."""
    rng = random.Random(2026)
    vocabulary = [f"word{i}" for i in range(50_000)]
    texts = [rng.choices(vocabulary, k=WORDS) for _ in range(TEXTS - COPIES)]
    pairs = set()
    for i in range(COPIES):
        copy = list(texts[i])
        for _ in range(rng.randint(0, 8)):
            copy[rng.randrange(WORDS)] = rng.choice(vocabulary)
        if similarity(texts[i], copy) >= THRESHOLD:
            pairs.add((i, len(texts)))
        texts.append(copy)
    with path.open("w") as file:
        for text in texts:
            print(json.dumps({"text": " ".join(text)}), file=file)
    return pairs


def by_datasketch(path):
    """The candidate pairs of MinHashLSH, which datasketch does not verify."""
    from datasketch import MinHash, MinHashLSH

    index, pairs = MinHashLSH(threshold=THRESHOLD, num_perm=128), set()
    for number, line in enumerate(path.open()):
        signature = MinHash(num_perm=128)
        signature.update_batch([it.encode() for it in shingles(json.loads(line)["text"].split())])
        pairs.update((other, number) for other in index.query(signature))
        index.insert(number, signature)
    return pairs


def by_crivo(crivo, path):
    call = [crivo, "dups", path, "--column", "text", "--shingle", "words:3", "--threshold", str(THRESHOLD)]
    run = subprocess.run([*call, "--print", "pairs", "--quiet"], check=True, capture_output=True, text=True)
    return {(it["a"], it["b"]) for it in map(json.loads, run.stdout.splitlines()) if it["type"] == "pair"}


def measured(who, *arguments):
    """Runs this script for one contender alone, for its CPU time and its peak of memory."""
    run = subprocess.run([sys.executable, __file__, "--contender", who, *map(str, arguments)], check=True, capture_output=True)
    found = json.loads(run.stdout)
    return {tuple(pair) for pair in found["pairs"]}, found["cpu"], found["peak"]


def contender(who, crivo, path):
    pairs = by_datasketch(path) if who == "datasketch" else by_crivo(crivo, path)
    usage = resource.getrusage(resource.RUSAGE_SELF if who == "datasketch" else resource.RUSAGE_CHILDREN)
    found = {"pairs": sorted(pairs), "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss / 1024}
    print(json.dumps(found))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--crivo", default="crivo")
    parser.add_argument("--contender")
    parser.add_argument("path", nargs="?", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.contender:
        return contender(arguments.contender, arguments.crivo, arguments.path)
    crivo = subprocess.run([arguments.crivo, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    print("# Near-duplicates: `crivo dups` and datasketch\n")
    print(f"Printed by `bench/accuracy/near_duplicates.py` with {crivo} and datasketch {version('datasketch')}: {TEXTS:,} texts of {WORDS} words,\n"
          f"runs of three words, threshold {THRESHOLD}. The CPU time is the best of three runs, in turn, of all threads; the peak of memory is that of the\n"
          "program with what runs it. datasketch reports candidates that it does not verify. Recall is the share of the planted similar pairs\n"
          "that was found, precision the share of the found pairs that was planted.\n")
    print("| program | CPU s | peak MiB | pairs | recall | precision |\n|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "corpus.jsonl"
        true = made_corpus(path)
        best = {}
        for _ in range(3):
            for who in ("crivo dups", "datasketch"):
                run = measured(who, "--crivo", arguments.crivo, path)
                best[who] = min(best.get(who, run), run, key=lambda it: it[1])
        for who, (pairs, cpu, peak) in best.items():
            recall, precision = len(pairs & true) / len(true), len(pairs & true) / len(pairs)
            print(f"| {who} | {cpu:.2f} | {peak:.0f} | {len(pairs):,} | {100 * recall:.2f} % | {100 * precision:.2f} % |")
    print(f"\nThere are {len(true):,} planted pairs at {THRESHOLD} or above.")


if __name__ == "__main__":
    main()
