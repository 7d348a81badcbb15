"""Reads sketches that Crivo has written with DataSketches itself (package datasketches), and compares the answers.

    python peer.py FOLDER

Each line of FOLDER/questions.txt is: file, class, question, expected answer. Answers must be equal to the last digit, unless the question is
"near": then the relative difference is at most one millionth; or "between=Q": then a quantile lies between both ends. For each file.theta and
file.hll, DataSketches also merges the sketch with one of its own, of the whole numbers from 0 to 999, and writes file.theta.merged and
file.hll.merged.
"""

import pathlib
import sys

import datasketches

folder = pathlib.Path(sys.argv[1])
count = 0
for line in (folder / "questions.txt").read_text().splitlines():
    name, kind, question, expected = line.split(" ", 3)
    content = (folder / name).read_bytes()
    serdes = {"kll_items_sketch": [datasketches.PyStringsSerDe()], "frequent_items_sketch": [datasketches.PyLongsSerDe()]}
    serde = serdes.get(kind, [])
    sketch = getattr(datasketches, kind).deserialize(content, *serde)
    if question.startswith("quantile="):
        found = sketch.get_quantile(float(question.split("=")[1]), True)
    elif question.startswith("between="):
        found = sketch.get_quantile(float(question.split("=")[1]))
    elif question.startswith("frequency="):
        item = question.split("=")[1]
        found = sketch.get_estimate(int(item) if kind == "frequent_items_sketch" else item)
    elif question == "total":
        found = sketch.get_total_weight() if kind.startswith("tdigest") else sketch.total_weight
    elif question in ("least", "greatest"):
        found = sketch.get_min_value() if question == "least" else sketch.get_max_value()
    elif question == "values":
        found = sketch.n
    else:
        found = sketch.get_estimate()
    if kind == "kll_items_sketch" and question != "values":
        matches = found == expected
    elif question.startswith("between="):
        lower, upper = map(float, expected.split(".."))
        matches = lower <= found <= upper
    elif question == "near":
        matches = abs(found - float(expected)) <= 1e-6 * abs(found)
    else:
        matches = found == float(expected)
    if not matches:
        sys.exit(f"{name}: {question} is {found!r}, Crivo says {expected}")
    count += 1

    if kind == "compact_theta_sketch":
        own, union = datasketches.update_theta_sketch(12), datasketches.theta_union(12)
    elif kind == "hll_sketch":
        own, union = datasketches.hll_sketch(sketch.lg_config_k), datasketches.hll_union(sketch.lg_config_k)
    else:
        continue
    for item in range(1000):
        own.update(item)
    union.update(sketch)
    union.update(own)
    merged = union.get_result()
    content = merged.serialize() if kind == "compact_theta_sketch" else merged.serialize_compact()
    (folder / f"{name}.merged").write_bytes(content)
print(f"{count} answers agree")
